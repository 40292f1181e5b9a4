"""Topics are kept in a file that nobody sees, and that goes with whoever kept them there."""

import errno
import io
import os
import tempfile
from pathlib import Path
from typing import IO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.building import topic
from tests.laws import tries
from tests.strategies import topics

from awase.core.errors import EnvironmentProblem
from awase.core.records.topic import Topic
from awase.jobs.files.topic_shelf import TopicShelf


@settings(max_examples=tries(30), deadline=None)
@given(put=st.lists(topics(), max_size=4))
def test_that_the_last_topic_of_an_id_is_the_one_that_is_kept(put: list[Topic]) -> None:
    shelf, known = TopicShelf(), dict[str, Topic]()
    for one in put:
        shelf[one.id] = known[one.id] = one
        assert dict(shelf) == known
    for one in [*known][::2]:
        del shelf[one], known[one]
        assert one not in shelf
    assert (dict(shelf), len(shelf), [*shelf]) == (known, len(known), [*known])
    with pytest.raises(KeyError):
        shelf["of nobody, and longer than any id"]


def test_that_nothing_is_left_of_a_shelf_that_nobody_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    made: list[IO[bytes]] = []
    temporary_file = tempfile.TemporaryFile

    def noted() -> IO[bytes]:
        made.append(temporary_file())
        return made[-1]

    monkeypatch.setattr(tempfile, "TemporaryFile", noted)
    shelf = TopicShelf()
    shelf["t"] = topic("t")
    del shelf
    assert [file.closed for file in made] == [True]
    assert not [*tmp_path.iterdir()]


def test_that_a_full_disk_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.BytesIO):
        def write(self, *_: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "TemporaryFile", Full)
    with pytest.raises(EnvironmentProblem, match="No space left"):
        TopicShelf()["t"] = topic("t")
