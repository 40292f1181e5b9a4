"""Damaged files: one clear sentence, and nothing touched."""

import random
import shutil
from pathlib import Path

import pytest

from awase.core.errors import EnvironmentProblem
from awase.core.records.corpus import Corpus
from awase.storage.store import CorpusStore
from tests.storage import children
from tests.storage.sample import addition, edit

_PAGE = 4096


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("large") / "large.awase"
    content = addition(*(f"t{topic_idx}" for topic_idx in range(60)))
    CorpusStore.create(path, name="x", who="ann", addition=content).close()
    return path


def _files(path: Path) -> dict[str, bytes]:
    names = [path.name, f"{path.name}-wal"]
    return {n: (path.parent / n).read_bytes() for n in names if (path.parent / n).exists()}


def _read(path: Path) -> Corpus | None:
    try:
        with CorpusStore.open(path, who="ann", read_only=True) as reader:
            return reader.corpus()
    except EnvironmentProblem as problem:
        assert str(path) in str(problem)  # noqa: PT017
        return None


def _opens_to_write(path: Path) -> bool:
    try:
        CorpusStore.open(path, who="ann").close()
    except EnvironmentProblem:
        return False
    return True


def _cuts(n_bytes: int) -> list[int]:
    generator = random.Random(3)
    near_the_end = [n_bytes - 1, n_bytes - 100, n_bytes - _PAGE, n_bytes - _PAGE + 1]
    return [1, 15, 16, 60, 99, 100, 101, _PAGE, *near_the_end] + [
        generator.randrange(100, n_bytes) for _ in range(10)
    ]


def test_that_a_file_that_was_cut_short_is_refused_and_left_alone(large, path):
    content = large.read_bytes()
    for n_bytes in _cuts(len(content)):
        path.write_bytes(content[:n_bytes])
        assert _read(path) is None, n_bytes
        assert not _opens_to_write(path), n_bytes
        assert path.read_bytes() == content[:n_bytes]


def test_that_a_cut_file_whose_writer_died_is_refused_and_left_alone(large, path):
    shutil.copy(large, path)
    children.leave_unfinished(path, edit(topic="t7"))
    whole = _files(path)
    assert len(whole) == 2
    content = whole[path.name]
    for n_bytes in _cuts(len(content))[::2]:
        for name, value in whole.items():
            (path.parent / name).write_bytes(value)
        path.write_bytes(content[:n_bytes])
        cut = _files(path)
        corpus = _read(path)
        assert corpus is None or len(corpus.topics) == 60, n_bytes
        assert _files(path) == cut, n_bytes
