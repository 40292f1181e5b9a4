from pathlib import Path

import pytest
from tests.storage.older_programs import as_format_1_1
from tests.storage.sample import addition

from awase.cli.arguments.corpora import opened_store
from awase.cli.output import progress
from awase.storage.store import CorpusStore


def test_that_ctrl_c_says_at_which_topic_the_conversion_of_an_older_file_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "old.awase"
    CorpusStore.create(path, name="c", who="ann", addition=addition()).close()
    before, tell = as_format_1_1(path).read_bytes(), progress.ProgressBar.advance

    def stopped(bar: progress.ProgressBar, done: int, total: int, what: str = "") -> None:
        tell(bar, done, total, what)
        if what == "t1":
            raise KeyboardInterrupt

    monkeypatch.setattr(progress.ProgressBar, "advance", stopped)
    with pytest.raises(KeyboardInterrupt):
        opened_store(str(path), who="ann")
    assert capsys.readouterr().err == "Opening stopped at t1.\n"
    assert path.read_bytes() == before
