"""A small corpus whose numbers and ids are out of order, and edits of it."""

from pathlib import Path

from awase.core.records.abstract import (
    Abstract,
    AbstractSentence,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.addition import Addition
from awase.core.records.edits import AlignmentEdit, RankEdit
from awase.core.records.source import Document, SentenceRef, SourceSentence
from awase.core.records.topic import Extract, TextOutput, Topic
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
    return Topic(
        id=topic_id,
        language="ja",
        documents=(_document("d:1", (3, 1)), _document("犬 2", (7, 2))),
        abstracts=(_abstract("long"), _abstract("short")),
        outputs=(
            Extract(system="lead", sentences=REFS[:2]),
            TextOutput(system="lead", sentences=("要約。", "")),
        ),
    )


def _document(document_id: str, numbers: tuple[int, ...]) -> Document:
    sentences = tuple(SourceSentence(n=n, text=f"{document_id}の{n}。") for n in numbers)
    return Document(id=document_id, sentences=sentences)


def _abstract(abstract_id: str) -> Abstract:
    return Abstract(
        id=abstract_id,
        sentences=tuple(AbstractSentence(n=n, text=f"文{n}。", rank="A") for n in NUMBERS),
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


def as_first_format(path: Path) -> Path:
    """Makes a file look as if format 1.3 had made it, which has no columns `split`."""
    dropped = (f"ALTER TABLE {one} DROP COLUMN split" for one in ("document", "abstract", "output"))
    step = "UPDATE alembic_version SET version_num = '0004'"
    sql(path, *dropped, step, "PRAGMA user_version = 65539")
    return path
