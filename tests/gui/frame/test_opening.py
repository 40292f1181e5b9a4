from pathlib import Path

import pytest
from tests.storage.older_programs import as_format_1_1
from tests.storage.sample import addition

from awase.core.errors import Cancelled
from awase.gui.frame.opening import open_corpus
from awase.storage.store import CorpusStore


class _StopsAtTopic:
    """A reporter that stops the work when it comes to a topic."""

    def advance(self, done: int, total: int, what: str = "") -> None:
        if what == "t1":
            raise Cancelled


def test_that_the_opening_of_an_older_file_can_be_stopped_while_it_is_converted(
    tmp_path: Path,
) -> None:
    path = tmp_path / "old.awase"
    CorpusStore.create(path, name="c", who="ann", addition=addition()).close()
    before = as_format_1_1(path).read_bytes()
    with pytest.raises(Cancelled):
        open_corpus(str(path), "ann", _StopsAtTopic())
    assert path.read_bytes() == before
    CorpusStore.open(path, who="ann").close()
