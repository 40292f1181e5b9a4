"""An annotator's edit of one entry, the commonest of all: what it depends on is asked at once.

The questions are made once, as putting one together takes SQLAlchemy longer than the answer.
"""

from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BindParameter,
    Connection,
    Row,
    Select,
    bindparam,
    exists,
    insert,
    select,
    update,
)

from awase.core.records.alignment import Alignment, SentenceAlignment
from awase.core.records.edits.edit import AlignmentEdit
from awase.core.records.edits.ownership import EntryKey, EntryVersion
from awase.core.records.encoding.digests import entry_digest
from awase.storage.changing.checks import check_rank_of, check_refs, no_place, stale
from awase.storage.changing.entries import sort_entries, write_entry
from awase.storage.rows.changes import Changes
from awase.storage.rows.clock import now
from awase.storage.rows.inserting import entry_values
from awase.storage.rows.reading import entry_of_columns
from awase.storage.rows.schema import (
    AbstractRow,
    AbstractSentenceRow,
    AlignmentRow,
    CorpusRow,
    EntryVersionRow,
    SentenceAlignmentRow,
    TopicRow,
)
from awase.storage.rows.versions import insert_versions, version_values


class Stored(NamedTuple):
    """What the database holds of an entry and of what its edit depends on.

    Attributes:
        topic_row_id: Row of the topic.
        abstract_row_id: Row of the abstract.
        position: Of the sentence in the abstract.
        alignment_row_id: Row of the annotator's alignment; None = there is none yet.
        entry: Columns n, state, alternatives, note, rank, assist; all None = it says nothing.
        rank_weights: Of the corpus, as they are stored.
        replica: Which copy of the corpus this is.
        revision: The entry's newest; None = it was never edited.
        digest: Of its newest version; None likewise.
        is_unsorted: Whether an import left entries of the alignment in another order.
    """

    topic_row_id: int
    abstract_row_id: int
    position: int
    alignment_row_id: int | None
    entry: tuple[object, ...]
    rank_weights: str
    replica: str
    revision: int | None
    digest: str | None
    is_unsorted: bool

    def is_value(self, entry: SentenceAlignment) -> bool:
        """Returns whether `entry` is what is stored."""
        if self.entry[0] is None:
            return entry == SentenceAlignment(n=entry.n)
        return entry_of_columns(self.entry) == entry

    def next_version(self, digest: str, at: str) -> EntryVersion:
        """Returns the version that follows the known ones."""
        revision = (self.revision or 0) + 1
        return EntryVersion(revision=revision, digest=digest, at=at, replica=self.replica)


def _question() -> Select[tuple[object, ...]]:
    entry, sentence, version = SentenceAlignmentRow, AbstractSentenceRow, EntryVersionRow
    names = ("of_topic", "of_abstract", "of_annotator", "of_n")
    place: list[BindParameter[Any]] = [bindparam(name) for name in names]  # Any: they differ
    topic, abstract, annotator, n = place
    of_entry = [
        version.topic == topic,
        version.abstract == abstract,
        version.annotator == annotator,
        version.n == n,
        version.is_known,
    ]
    newest = select(version.revision).where(*of_entry).order_by(version.revision.desc()).limit(1)
    latest = select(version.digest).where(*of_entry).order_by(version.id.desc()).limit(1)
    other, its = entry.__table__.alias(), sentence.__table__.alias()
    unsorted = exists(
        select(other.c.id)
        .join(its, (its.c.abstract_id == AbstractRow.id) & (its.c.n == other.c.n))
        .where(other.c.alignment_id == AlignmentRow.id, other.c.position != its.c.position)
        .correlate(AbstractRow, AlignmentRow)
    )
    of_alignment = (AlignmentRow.abstract_id == AbstractRow.id) & (
        AlignmentRow.annotator == annotator
    )
    return (
        select(
            TopicRow.id, AbstractRow.id, sentence.position, AlignmentRow.id,
            entry.n, entry.state, entry.alternatives, entry.note, entry.rank, entry.assist,
            CorpusRow.rank_weights, CorpusRow.replica,
            newest.scalar_subquery(), latest.scalar_subquery(), unsorted,
        )
        .select_from(TopicRow)
        .join(CorpusRow, CorpusRow.id.is_not(None))
        .join(AbstractRow, AbstractRow.topic_id == TopicRow.id)
        .join(sentence, sentence.abstract_id == AbstractRow.id)
        .outerjoin(AlignmentRow, of_alignment)
        .outerjoin(entry, (entry.alignment_id == AlignmentRow.id) & (entry.n == sentence.n))
        .where(TopicRow.key == topic, AbstractRow.key == abstract, sentence.n == n)
    )  # fmt: skip


QUESTION: Final = _question()
"""What `stored_of` understands; its values are those of `place_of`."""
N_COLUMNS: Final = 15
_CHANGE = update(SentenceAlignmentRow).where(
    SentenceAlignmentRow.alignment_id == bindparam("of_alignment"),
    SentenceAlignmentRow.n == bindparam("of_n"),
)
_ADD = insert(SentenceAlignmentRow)


def place_of(edit: AlignmentEdit) -> dict[str, object]:
    """Returns which entry the edit is about, as the values of the question."""
    return {
        "of_topic": edit.topic,
        "of_abstract": edit.abstract,
        "of_annotator": edit.annotator,
        "of_n": edit.new.n,
    }


def stored_of(row: Row[tuple[object, ...]] | tuple[object, ...]) -> Stored:
    """Returns the answer to the question by name."""
    return Stored._make((*row[:4], tuple(row[4:10]), *row[10:N_COLUMNS]))


def changes_of(edit: AlignmentEdit) -> Changes:
    """Returns what the edit changes."""
    return Changes(alignments=frozenset([(edit.topic, edit.abstract, edit.annotator, edit.new.n)]))


def key_of(edit: AlignmentEdit) -> EntryKey:
    """Returns which entry the edit is about."""
    return EntryKey(edit.topic, edit.abstract, edit.annotator, edit.new.n)


def write_alignment(connection: Connection, edit: AlignmentEdit) -> Changes:
    """Writes an annotator's entry; raises as `write_edit`."""
    Alignment(annotator=edit.annotator)  # refuses what could not be read again
    row = connection.execute(QUESTION, place_of(edit)).one_or_none()
    if row is None:
        raise no_place(edit, edit.new.n)
    stored = stored_of(row)
    if not stored.is_value(edit.old):
        raise stale(edit, edit.new.n)
    new_refs = set(edit.new.refs()) - set(edit.old.refs())
    check_refs(connection, stored.topic_row_id, edit, new_refs)
    for rank in {edit.new.rank} - {edit.old.rank}:
        check_rank_of(stored.rank_weights, rank)
    _write(connection, edit, stored)
    digest = entry_digest(edit.new)
    if digest != stored.digest:  # or a topic that was removed has come back
        version = version_values(key_of(edit), stored.next_version(digest, now()))
        insert_versions(connection, [version])
    return changes_of(edit)


def _write(connection: Connection, edit: AlignmentEdit, stored: Stored) -> None:
    alignment_id = stored.alignment_row_id
    if alignment_id is None or edit.new == SentenceAlignment(n=edit.new.n):
        write_entry(
            connection,
            abstract_row_id=stored.abstract_row_id,
            annotator=edit.annotator,
            position=stored.position,
            entry=edit.new,
        )
        return
    values = {**entry_values(edit.new), "position": stored.position}
    if stored.entry[0] is None:
        connection.execute(_ADD, {**values, "alignment_id": alignment_id})
    else:
        place = {"of_alignment": alignment_id, "of_n": edit.new.n}
        connection.execute(_CHANGE, {**values, **place})
    if stored.is_unsorted:
        sort_entries(connection, alignment_id, stored.abstract_row_id)
