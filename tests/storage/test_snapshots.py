from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from awase.core.errors import InputError
from awase.core.records.addition import Addition, merge
from awase.core.records.topic import Topic
from awase.storage.querying import Readable
from awase.storage.rows import reading
from awase.storage.rows.reading import topics_in_order
from awase.storage.store import CorpusStore
from awase.storage.transactions import ClosingGuard
from tests.building import text, topic
from tests.storage.sample import addition, rank_edit

IDS = tuple(f"t{number}" for number in range(1, 6))


def _made(path: Path) -> CorpusStore:
    return CorpusStore.create(path, name="many", who="ann", addition=addition(*IDS))


def _joining(topic_id: str) -> Addition:
    output = text("new", "One.", "Two.")
    return Addition(
        topics=(replace(topic(), id="behind"),), ranks=(("D", 0.25),), outputs=((topic_id, output),)
    )


def _read_topics(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns where the ids of topics will be noted that are read whole."""
    noted: list[str] = []

    def read(connection: Readable, ids: Sequence[str], **how: bool) -> tuple[Topic, ...]:
        noted.extend(ids)
        return topics_in_order(connection, ids, **how)

    monkeypatch.setattr(reading, "topics_in_order", read)
    return noted


def test_that_an_import_and_its_undoing_read_the_topics_they_name(path, monkeypatch):
    joining = replace(_joining("t4"), ranks=())
    with _made(path) as store:
        before = store.corpus()
        noted = _read_topics(monkeypatch)
        store.add(joining, who="ann")
        assert store.corpus() == merge(before, joining)
        store.undo(who="ann")
        assert store.corpus() == before
    assert {*noted} == {"t4", "behind"}


def test_that_undoing_an_import_leaves_no_topic_with_a_rank_that_lost_its_weight(path):
    with _made(path) as store:
        store.add(_joining("t4"), who="ann")
        store.apply(replace(rank_edit("D"), topic="t2"), who="bob")
        with pytest.raises(InputError, match="Rank “D” has no weight"):
            store.undo(who="ann")


def _enter(guard: ClosingGuard) -> bool:
    with guard.passage():
        return True


def test_that_who_is_inside_while_a_corpus_is_closed_may_go_on_reading_and_nobody_else():
    guard = ClosingGuard()
    with guard.passage(), ThreadPoolExecutor(1) as another:
        assert another.submit(_enter, guard).result()
        assert guard.close()
        assert _enter(guard)
        with pytest.raises(RuntimeError, match="closed"):
            another.submit(_enter, guard).result()
    assert not guard.close()
    with pytest.raises(RuntimeError, match="closed"):
        _enter(guard)
