"""Applying and reversing edits, imports and merges, in one transaction."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sqlalchemy import Connection, exists, func, or_, select

from awase.core.errors import InputError, Reporter, Silent
from awase.core.records.abstract import SentenceAlignment
from awase.core.records.addition import Addition, merge
from awase.core.records.corpus import Corpus
from awase.core.records.edits import (
    ASSIGN,
    IMPORT,
    MERGE,
    Changes,
    CorpusEdit,
    CorpusParts,
    Edit,
    Frame,
    corpus_difference,
    runs,
)
from awase.core.records.json_values import dumps
from awase.core.team.assigning import AssignedJob
from awase.core.team.handing_out import Copy, Next, Pool, Work, next_free
from awase.core.team.merging import MergePlan, ignored_ranks_warning, plan_merge
from awase.storage import querying
from awase.storage.edits import write_edit
from awase.storage.inserting import become_copy, write_frame_digest
from awase.storage.rows.log import (
    REDO,
    UNDO,
    History,
    LogRow,
    Operation,
    join_log,
    log_edit,
    log_reversal,
    rank_steps,
)
from awase.storage.rows.reading import corpus_around, read_corpus, read_frame
from awase.storage.rows.schema import (
    AbstractRow,
    AbstractSentenceRow,
    AlignmentRow,
    EntryVersionRow,
    SentenceAlignmentRow,
    TopicRow,
)
from awase.storage.rows.writing import write_assignments, write_difference


def add_to(
    connection: Connection,
    addition: Addition,
    *,
    who: str,
    source: str,
    reporter: Reporter,
) -> tuple[Operation | None, Changes]:
    """Merges an import; returns the undoable operation, None = no change."""
    old = corpus_around(connection, addition.topic_ids())
    new, ownership = merge(old, addition), addition.ownership
    if ownership is not None and ownership.corpus and not old.topics:
        become_copy(connection, ownership)
    return exchanged(
        connection, old, new, reporter, who=who, verb=IMPORT, subject=querying.storable(source)
    )


def change_by(
    connection: Connection,
    change: Callable[[Corpus], Corpus],
    *,
    who: str,
    verb: str,
    subject: str,
    with_sources: bool,
    reporter: Reporter,
) -> tuple[Operation | None, Changes]:
    """Replaces the corpus by `change(corpus)`; see `CorpusStore.change`."""
    old = read_corpus(connection, with_sources=with_sources)
    return exchanged(
        connection,
        old,
        change(old),
        reporter,
        who=who,
        verb=verb,
        subject=querying.storable(subject),
    )


def exchanged(
    connection: Connection,
    old: Corpus,
    new: Corpus,
    reporter: Reporter,
    *,
    who: str,
    verb: str,
    subject: str,
    is_stamped: bool = True,
) -> tuple[Operation | None, Changes]:
    """Replaces the stored corpus `old` by `new`; returns the undoable operation, or None."""
    changes = write_difference(connection, old, new, reporter, is_stamped=is_stamped)
    before, after = corpus_difference(old, new)
    if before == after:
        return None, changes
    edit = CorpusEdit(verb=verb, old=before, new=after, subject=subject)
    return log_edit(connection, who=who, edit=edit), changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A returned copy."""

    name: str
    copy: Copy
    log: Callable[[], Iterable[LogRow]] = tuple


def stored_copy(connection: Connection) -> Copy:
    """Returns the stored corpus with its versions of entries."""
    return Copy(corpus=read_corpus(connection), ownership=querying.read_ownership(connection))


def planned(
    main: Copy, copies: Sequence[Incoming], names: Mapping[str, str], reporter: Reporter
) -> MergePlan:
    """Returns the plan to merge the copies into the stored corpus."""
    found = [(one.name, one.copy) for one in copies]
    plan = plan_merge(main, found, at=querying.now(), names=names, reporter=reporter)
    left_out = [
        problem
        for one in copies
        for problem in ignored_ranks_warning(
            main.corpus, one.copy.corpus, one.name, [step.place for step in rank_steps(one.log())]
        )
    ]
    return replace(plan, remarks=(*plan.remarks, *left_out))


def merge_into(
    connection: Connection,
    copies: Sequence[Incoming],
    *,
    who: str,
    names: Mapping[str, str],
    reporter: Reporter,
) -> tuple[MergePlan, Changes, Operation | None]:
    """Merges the copies atomically; returns the plan, and the undoable operation."""
    main = stored_copy(connection)
    plan = planned(main, copies, names, reporter)
    if plan.is_empty:
        return plan, Changes(), None
    subject = ", ".join(one.name for one in copies)
    operation, changes = exchanged(
        connection, main.corpus, plan.corpus, reporter, who=who, verb=MERGE, subject=subject,
        is_stamped=False,
    )  # fmt: skip
    taken_by = operation.id if operation is not None else None
    for of_topic in plan.versions.values():
        querying.write_versions(connection, of_topic, taken_by=taken_by)
    for one in copies:
        join_log(connection, one.log(), one.copy.ownership.replica)
    return plan, changes, operation


class NextAssignment(NamedTuple):
    """The next topic of an annotator, and the people and assignments afterwards."""

    next: Next
    frame: Frame


def claim_free_topic(
    connection: Connection, who: str, *, most: int | None
) -> tuple[NextAssignment, Operation | None]:
    """Assigns the next free topic to `who`; the caller holds the lock.

    Raises if nothing is free, or this is a copy, or as `next_free`.
    """
    handed_to = querying.bare_ownership(connection).handed_to
    if handed_to is not None:
        raise InputError.of(
            "This file was handed out to “{person}”: free topics are in the main file.",
            "Take topics there, and ask to have them handed out.",
            person=handed_to,
        )
    frame = read_frame(connection)
    found = next_free(read_pool(connection, frame), who, most=most)
    if not found.taken:
        return NextAssignment(found, frame), None
    after = replace(frame, assignments=(*frame.assignments, *found.taken))
    old, new = runs(frame.assignments, after.assignments)
    edit = CorpusEdit(
        verb=ASSIGN,
        old=CorpusParts(head=frame.head, assignments=old),
        new=CorpusParts(head=frame.head, assignments=new),
        subject=f"{who}: {found.topic}",
    )
    write_assignments(connection, frame.assignments, after.assignments)
    write_frame_digest(connection, after)
    return NextAssignment(found, after), log_edit(connection, who=who, edit=edit)


_NOTHING = SentenceAlignment(n=1)


def read_pool(connection: Connection, frame: Frame) -> Pool:
    """Returns the work in the corpus, given its `frame`."""
    entry = SentenceAlignmentRow
    says_something = or_(
        entry.state != _NOTHING.state.value,
        entry.alternatives != dumps(_NOTHING.alternatives),
        *(column.is_not(None) for column in (entry.note, entry.rank, entry.assist)),
    )
    is_begun = exists().where(entry.alignment_id == AlignmentRow.id, says_something)
    has_sentences = exists().where(AbstractSentenceRow.abstract_id == AbstractRow.id)
    query = (
        select(TopicRow.key, AbstractRow.key, AlignmentRow.annotator)
        .join(AbstractRow, AbstractRow.topic_id == TopicRow.id)
        .outerjoin(AlignmentRow, (AlignmentRow.abstract_id == AbstractRow.id) & is_begun)
        .where(has_sentences)
        .order_by(TopicRow.position, AbstractRow.position)
    )
    begun: dict[AssignedJob, frozenset[str]] = {}
    for topic, abstract, annotator in connection.execute(query):
        job = AssignedJob(topic, abstract)
        begun[job] = begun.get(job, frozenset()) | ({annotator} - {None})
    return Pool(begun=begun, persons=frame.persons, assignments=frame.assignments)


def read_worked_at(connection: Connection) -> dict[Work, str]:
    """Returns when each annotator last changed each abstract's alignment, ISO 8601."""
    row = EntryVersionRow
    place = (row.topic, row.abstract, row.annotator)
    query = select(*place, func.max(row.at)).where(row.annotator.is_not(None)).group_by(*place)
    return {
        Work(topic, abstract, annotator): at
        for topic, abstract, annotator, at in connection.execute(query)
    }


def reverse(
    connection: Connection,
    history: History,
    kind: str,
    edit_of: Callable[[Connection, Operation], Edit],
    *,
    who: str,
    reporter: Reporter | None,
) -> tuple[Changes, int]:
    """Undoes or redoes a person's next step; returns changes and the log's row."""
    operation = history.next_of(kind)
    if operation is None and kind == UNDO:
        raise InputError.of("There is nothing to undo.")
    if operation is None:
        raise InputError.of("There is nothing to redo.")
    edit = edit_of(connection, operation)
    if operation.edit.verb == MERGE:  # undone merges may be merged again
        querying.set_known(connection, operation.id, is_known=kind == REDO)
    changes = write_edit(connection, edit.inverse() if kind == UNDO else edit, reporter or Silent())
    return changes, log_reversal(connection, who=who, kind=kind, operation=operation)
