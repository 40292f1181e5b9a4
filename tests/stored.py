"""Corpus files for tests: what has the same content is written once and copied from then on."""

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from awase.core.errors import Silent
from awase.core.records.addition import addition_of
from awase.core.records.corpus import Corpus
from awase.jobs.importing import create_copy
from awase.storage.inserting import copy_of


def corpus_file(path: Path, content: Corpus, *, who: str = "1") -> Path:
    """Makes a corpus file as an import does, and returns where it is.

    Copies share the uids of the first one, as files do that people copy.
    """
    path.write_bytes(_written(content, who))
    return path


def sql(path: Path | str, *statements: str) -> list[tuple[Any, ...]]:
    """Runs statements on a file as any other program may; returns the rows of the last one."""
    rows: list[tuple[Any, ...]] = []
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            rows = connection.execute(statement).fetchall()
    return rows


@cache
def _written(content: Corpus, who: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.awase"
        copy = copy_of(addition_of(content), content.name)
        create_copy(path, copy, who=who, reporter=Silent())
        return path.read_bytes()
