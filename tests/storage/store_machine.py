"""A corpus file of its own for each run of a state machine, open to be written."""

import shutil
import tempfile
from pathlib import Path

from hypothesis.stateful import RuleBasedStateMachine

from awase.storage.store import CorpusStore


class StoreMachine(RuleBasedStateMachine):
    """Copies `template` and opens the copy as “ann”."""

    template: Path

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.path = Path(self._folder.name, "corpus.awase")
        shutil.copy(self.template, self.path)
        self.store = CorpusStore.open(self.path, who="ann")

    def teardown(self) -> None:
        self.store.close()
        self._folder.cleanup()
