"""Copies that come back, joined to the stored corpus within the caller's transaction."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from sqlalchemy import Connection

from awase.core.merging.handing_out import Copy, handed_out, topics_for
from awase.core.merging.plan import MergePlan, plan_merge
from awase.core.progress import Reporter
from awase.core.records.edits.verbs import MERGE
from awase.core.records.topics_on_demand import ids_of
from awase.storage.changing.adding import exchanged
from awase.storage.log.joining import join_log
from awase.storage.log.long_edits import LongEdit
from awase.storage.log.operations import Operation
from awase.storage.log.rows import LogRow
from awase.storage.rows.changes import Changes
from awase.storage.rows.clock import now
from awase.storage.rows.on_demand import corpus_on_demand, snapshot_of
from awase.storage.rows.reading import read_corpus
from awase.storage.rows.versions import ownership_on_demand, read_ownership, write_versions

Reads = Callable[[], AbstractContextManager[Connection]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A copy that comes back.

    Attributes:
        name: Of its file, for people.
        copy: What is in it.
        log: Gives its log.
    """

    name: str
    copy: Copy
    log: Callable[[], Iterable[LogRow]] = tuple


def stored_copy(connection: Connection) -> Copy:
    """Returns the stored corpus, with what it knows of its entries."""
    return Copy(corpus=read_corpus(connection), ownership=read_ownership(connection))


def stored_copy_on_demand(read: Reads, many: int) -> Copy:
    """Returns what `stored_copy` does, topics and versions read when they are needed.

    Args:
        read: Gives one and the same transaction each time.
        many: How many topics are read at once.
    """
    corpus = snapshot_of(read, many)
    ownership = ownership_on_demand(read, ids_of(corpus.topics), in_order=True)
    return Copy(corpus=corpus, ownership=ownership)


def stored_copy_for(read: Reads, person: str) -> Copy:
    """Returns what a person is given of the stored corpus, each topic read when it is needed.

    Args:
        read: Gives one and the same transaction each time.
        person: Id of the person.

    Raises:
        InputError: As `handed_out` does.
    """
    corpus = corpus_on_demand(read)
    given = ids_of(topics_for(corpus, person))
    ownership = ownership_on_demand(read, given)
    return handed_out(Copy(corpus=corpus, ownership=ownership), person)


def main_for(read: Reads, copies: Sequence["Incoming"]) -> Copy:
    """Returns the stored corpus, read when it is needed, as copies are joined to it.

    Args:
        read: Gives one and the same transaction each time.
        copies: It knows of the entries in their topics alone.
    """
    named = dict.fromkeys(one for each in copies for one in ids_of(each.copy.corpus.topics))
    return Copy(corpus=corpus_on_demand(read), ownership=ownership_on_demand(read, [*named]))


def planned(
    main: Copy, copies: Sequence[Incoming], names: Mapping[str, str], reporter: Reporter
) -> MergePlan:
    """Returns what joining the copies would do to the stored corpus.

    Raises:
        InputError: A copy is of another corpus, or of a person who is not of the project.
        Cancelled: The reporter asked to stop.
    """
    found = [(one.name, one.copy) for one in copies]
    return plan_merge(main, found, at=now(), names=names, reporter=reporter)


def merge_into(
    connection: Connection,
    copies: Sequence[Incoming],
    *,
    who: str,
    names: Mapping[str, str],
    reporter: Reporter,
) -> tuple[MergePlan, Changes, Operation | None]:
    """Joins the copies: all of them, or nothing; returns what it did, and what to undo.

    Raises:
        InputError: A copy is of another corpus, or of a person who is not of the project.
        Cancelled: The reporter asked to stop.
    """
    main = main_for(lambda: nullcontext(connection), copies)
    plan = planned(main, copies, names, reporter)
    if plan.is_empty:
        return plan, Changes(), None
    subject = ", ".join(one.name for one in copies)
    edit = LongEdit(connection, who=who, verb=MERGE, subject=subject)
    operation, changes = exchanged(
        connection, main.corpus, plan.corpus, edit, reporter, is_stamped=False
    )
    taken_by = operation.id if operation is not None else None
    for of_topic in plan.versions.values():
        write_versions(connection, of_topic, taken_by=taken_by)
    for one in copies:
        join_log(connection, one.log(), one.copy.ownership.replica)
    return plan, changes, operation
