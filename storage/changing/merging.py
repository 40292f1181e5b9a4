"""Copies that come back, joined to the stored corpus within the caller's transaction."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from awase.core.merging.handing_out import Copy
from awase.core.merging.plan import MergePlan, plan_merge, ranks_left_out
from awase.core.progress import Reporter
from awase.core.records.edits.verbs import MERGE
from awase.storage.changing.adding import exchanged
from awase.storage.log.joining import join_log, rank_steps
from awase.storage.log.operations import Operation
from awase.storage.log.rows import LogRow
from awase.storage.rows.changes import Changes
from awase.storage.rows.clock import now
from awase.storage.rows.reading import read_corpus
from awase.storage.rows.versions import read_ownership, write_versions


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


def planned(
    main: Copy, copies: Sequence[Incoming], names: Mapping[str, str], reporter: Reporter
) -> MergePlan:
    """Returns what joining the copies would do to the stored corpus.

    Raises:
        InputError: A copy is of another corpus, or of a person who is not of the project.
        Cancelled: The reporter asked to stop.
    """
    found = [(one.name, one.copy) for one in copies]
    plan = plan_merge(main, found, at=now(), names=names, reporter=reporter)
    left_out = [
        problem
        for one in copies
        for problem in ranks_left_out(
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
    """Joins the copies: all of them, or nothing; returns what it did, and what to undo.

    Raises:
        InputError: A copy is of another corpus, or of a person who is not of the project.
        Cancelled: The reporter asked to stop.
    """
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
        write_versions(connection, of_topic, taken_by=taken_by)
    for one in copies:
        join_log(connection, one.log(), one.copy.ownership.replica)
    return plan, changes, operation
