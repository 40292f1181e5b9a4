"""A small corpus whose numbers and ids are out of order, and edits of it."""

from pathlib import Path

from awase.core.records.abstract import AlignmentState, Alternative, GoldEntry, SentenceAlignment
from awase.core.records.addition import Addition
from awase.core.records.corpus import Corpus
from awase.core.records.edits import (
    AbstractTextEdit,
    AlignmentEdit,
    Edit,
    GoldEdit,
    RankEdit,
    SourceTextEdit,
)
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Extract, Topic
from awase.storage.store import CorpusStore
from tests import building
from tests.stored import sql

REFS = (
    SentenceRef("d:1", 3),
    SentenceRef("d:1", 1),
    SentenceRef("犬 2", 7),
    SentenceRef("犬 2", 2),
)
NUMBERS = (5, 2, 9)
"""Of the sentences of each abstract, in their order."""


def topic(topic_id: str = "t1") -> Topic:
    documents = tuple(
        building.document(name, [f"{name}の{n}。" for n in numbers], numbers=numbers)
        for name, numbers in (("d:1", (3, 1)), ("犬 2", (7, 2)))
    )
    texts = [f"文{n}。" for n in NUMBERS]
    abstracts = tuple(
        building.abstract(name, texts=texts, ranks="AAA", numbers=NUMBERS)
        for name in ("long", "short")
    )
    outputs = (Extract(system="lead", sentences=REFS[:2]), building.text("lead", "要約。", ""))
    return Topic(
        id=topic_id, language="ja", documents=documents, abstracts=abstracts, outputs=outputs
    )


def addition(*topic_ids: str) -> Addition:
    return Addition(topics=tuple(topic(topic_id) for topic_id in topic_ids or ("t1",)))


def entry(
    n: int = 5,
    *alternatives: tuple[SentenceRef, ...],
    state: AlignmentState = AlignmentState.INCOMPLETE,
    note: str | None = None,
) -> SentenceAlignment:
    return SentenceAlignment(
        n=n, state=state, alternatives=tuple(map(Alternative, alternatives)), note=note
    )


LINKED = entry(5, (REFS[0],))
CONFIRMED = entry(5, (REFS[0], REFS[2]), (REFS[1],), state=AlignmentState.CONFIRMED, note="済")


def edit(
    new: SentenceAlignment = LINKED,
    *,
    old: SentenceAlignment | None = None,
    topic: str = "t1",
    abstract: str = "long",
    annotator: str = "ann",
    verb: str = "link",
) -> AlignmentEdit:
    before = SentenceAlignment(n=new.n) if old is None else old
    return AlignmentEdit(
        verb=verb,
        topic=topic,
        abstract=abstract,
        annotator=annotator,
        old=before,
        new=new,
        subject="d:1:3",
    )


def rank_edit(new: str | None, *, old: str | None = "A", n: int = 5) -> RankEdit:
    return RankEdit(verb="rank", topic="t1", abstract="long", n=n, old=old, new=new)


def source_text_edit(
    text: str, ref: SentenceRef = REFS[0], *, old: str = "d:1の3。"
) -> SourceTextEdit:
    return SourceTextEdit(verb="edit_source_text", topic="t1", ref=ref, old=old, new=text)


def abstract_text_edit(text: str, n: int = 5, *, old: str = "文5。") -> AbstractTextEdit:
    return AbstractTextEdit(
        verb="edit_abstract_text", topic="t1", abstract="long", n=n, old=old, new=text
    )


def gold_edit(new: GoldEntry | None, old: GoldEntry | None = None) -> GoldEdit:
    n = (new or old or GoldEntry(entry=entry())).n
    return GoldEdit(verb="take", topic="t1", abstract="long", n=n, old=old, new=new, subject="ann")


def undone_and_redone(path: Path, *edits: Edit, who: str = "ann") -> tuple[Corpus, Corpus]:
    """Makes edits, takes all back and makes them again, opening the file for each anew.

    Returns:
        The corpus without and with them.
    """
    with CorpusStore.open(path, who=who) as store:
        before = store.corpus()
        for one in edits:
            store.apply(one, who=who)
        after = store.corpus()
    with CorpusStore.open(path, who=who) as store:
        assert [step.edit for step in store.history(who).done[-len(edits) :]] == [*edits]
        for _ in edits:
            store.undo(who=who)
        assert store.corpus() == before
    with CorpusStore.open(path, who=who) as store:
        for _ in edits:
            store.redo(who=who)
        assert store.corpus() == after
    return before, after


OF_THE_FIRST_FORMAT = (
    "ALTER TABLE document DROP COLUMN split",
    "ALTER TABLE abstract DROP COLUMN split",
    "ALTER TABLE output DROP COLUMN split",
    "UPDATE alembic_version SET version_num = '0004'",
)
"""Makes a corpus look as if format 1.3 had made it, which has no columns `split`."""


def as_first_format(path: Path) -> Path:
    sql(path, *OF_THE_FIRST_FORMAT, "PRAGMA user_version = 65539")
    return path
