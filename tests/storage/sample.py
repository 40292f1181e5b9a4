"""A small corpus whose numbers and ids are out of order, and edits of it."""

from pathlib import Path

from awase.core.records.abstract import AlignmentState, Alternative, SentenceAlignment
from awase.core.records.addition import Addition
from awase.core.records.edits import AlignmentEdit, RankEdit
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Extract, Topic
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
