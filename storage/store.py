"""An open corpus: queries, and changes, each in a transaction of its own."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from sqlalchemy import Connection

from awase.core.errors import EnvironmentProblem, InputError, Problem, Reporter, Silent
from awase.core.records.abstract import EditEffort
from awase.core.records.addition import Addition
from awase.core.records.corpus import Corpus
from awase.core.records.edits import AlignmentEdit, Changes, Edit
from awase.core.records.score import KeptScores, ScoreRun, ScoreTable, Selection
from awase.core.records.topic import Topic
from awase.core.team.handing_out import Copy, handed_out
from awase.core.team.merging import MergePlan
from awase.storage import changing
from awase.storage.addresses import Location, is_url
from awase.storage.edits import write_edit
from awase.storage.files.corpus_file import DiskFull
from awase.storage.files.locks_and_backups import (
    CorpusLocked,
    HardLinked,
    Holder,
    NotWritable,
    back_up,
)
from awase.storage.files.opening import create_file, open_to_read, open_to_write
from awase.storage.inserting import ParsesByModel, copy_of, filled_with
from awase.storage.integrity import find_damage, newest_sound_backup
from awase.storage.postgresql.connections import parts_of, parts_of_work
from awase.storage.querying import bare_ownership, newest_state, read_ownership, read_versions
from awase.storage.rows import log
from awase.storage.rows.parses import (
    by_digest,
    delete_parses,
    digest_of_parses,
    read_models,
    read_parsed,
    read_parses,
    read_parses_after,
    write_parses,
)
from awase.storage.rows.reading import (
    n_entries,
    read_corpus,
    read_query,
    read_topics,
    topics_in_order,
)
from awase.storage.rows.writing import keep_run, no_such_run, remove_run, stored_run, stored_runs
from awase.storage.transactions import Access, Transactions

if TYPE_CHECKING:
    from awase.storage.postgresql.listening import Heard, Listener


class CorpusStore:
    """An open corpus; a context manager, thread-safe.

    Every change is one committed transaction with its row in the operation log; on errors nothing
    is changed.
    """

    def __init__(self, access: Access, *, holder: Holder | None = None) -> None:
        self._access = access
        self._transactions = Transactions(access)
        self._warnings: tuple[Problem, ...] = access.warnings
        self.location = access.location  # without a password
        self._is_on_server = is_url(access.location)
        self.read_only = access.writing is None
        self.holder = holder  # who writes, where this is read-only because of that

    # Opening and closing

    @classmethod
    def create(
        cls,
        location: Location,
        *,
        name: str,
        who: str,
        addition: Addition | None = None,
        copy: Copy | None = None,
        parses: ParsesByModel = (),
        source: str = "",
        reporter: Reporter | None = None,
    ) -> Self:
        """Creates a corpus atomically, open for writing, filled with `addition` or as `copy`.

        A copy and the parses may be lazy.
        """
        if addition is not None:
            copy = copy_of(addition, name)
        fill = filled_with(
            copy, name=name, who=who, source=source, parses=parses, reporter=reporter or Silent()
        )
        if is_url(location):
            from awase.storage.postgresql.servers import create_on_server

            return cls(create_on_server(str(location), fill))
        return cls(create_file(Path(location), who, fill))

    @classmethod
    def open(
        cls,
        location: Location,
        *,
        who: str,
        read_only: bool = False,
        password: str = "",
        reporter: Reporter | None = None,
    ) -> Self:
        """Opens the corpus at `location`, an `.awase` file or a database URL.

        For writing it takes the lock (else `CorpusLocked`), migrates an older file (after a
        backup), of which the reporter is told, and backs the state up. An empty password of a
        server is that of the URL, `~/.pgpass`, the environment or the keyring.
        """
        told = reporter or Silent()
        if is_url(location):
            from awase.storage.postgresql.servers import open_on_server

            url = str(location)
            return cls(open_on_server(url, read_only=read_only, password=password, reporter=told))
        if read_only:
            return cls(open_to_read(Path(location)))
        return cls(open_to_write(Path(location), who, told))

    @classmethod
    def open_or_read_only(
        cls,
        location: Location,
        *,
        who: str,
        password: str = "",
        reporter: Reporter | None = None,
    ) -> Self:
        """Opens the corpus for writing, or read-only if impossible.

        Read-only with `holder` when it is locked; a full disk is among the warnings.
        """
        try:
            return cls.open(location, who=who, password=password, reporter=reporter)
        except (CorpusLocked, HardLinked, NotWritable, DiskFull) as error:
            store = cls.open(location, who=who, read_only=True, password=password)
            if isinstance(error, CorpusLocked):
                store.holder = error.holder
            elif isinstance(error, HardLinked | DiskFull):
                store._warnings = (*store.warnings, error.problem)
            return store

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the database after other threads' calls, and releases the lock."""
        self._transactions.close()

    def listen(self, hear: "Callable[[Heard], None]") -> "Listener | None":
        """Starts to listen to other clients; None = a file has no other writers."""
        if not self._is_on_server:
            return None
        from awase.storage.postgresql.listening import Listener

        listener = Listener(self._access.reading, self.location, hear)
        listener.start()
        return listener

    # Queries

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Warnings on opening; for a large file more may follow: see `wait_until_backed_up`."""
        preparation = self._access.preparation
        return (*self._warnings, *(preparation.problems if preparation else ()))

    @property
    def file_problem(self) -> EnvironmentProblem | None:
        """What happened to the open file, checked every second; None = it is in place."""
        keeper = self._access.keeper
        return keeper.problem if keeper is not None else None

    def look_at_file(self) -> None:
        """Looks at the open file now, for `file_problem`."""
        if self._access.keeper is not None:
            self._access.keeper.look()

    @property
    def window(self) -> str:
        """Identifies this open corpus to other clients."""
        return self._transactions.window

    @property
    def rows_written(self) -> Collection[int]:
        """Log rows recently written by this client and known to be committed."""
        return self._transactions.rows_written

    def _reading(self) -> AbstractContextManager[Connection]:
        return self._transactions.reading()

    # Documented where they are defined.
    corpus = read_query(read_corpus)
    topics = read_query(topics_in_order)
    n_entries = read_query(n_entries)
    log_rows = read_query(log.log_rows)
    logged_suggestions = read_query(log.logged_suggestions)
    ownership = read_query(read_ownership)
    bare_ownership = read_query(bare_ownership)
    versions = read_query(read_versions)
    logged_times = read_query(log.logged_times)
    worked_at = read_query(changing.read_worked_at)
    copy = read_query(changing.stored_copy)
    find_damage = read_query(find_damage)
    state = read_query(newest_state)
    score_runs = read_query(stored_runs)
    parse_models = read_query(read_models)
    parses = read_query(read_parses)
    parsed = read_query(read_parsed)
    digest_of_parses = read_query(digest_of_parses)

    def person(self) -> str | None:
        """Returns the person that the role may write as; None = anybody."""
        if not self._is_on_server:
            return None
        from awase.storage.postgresql.servers import person_of

        with self._reading() as connection:
            return person_of(connection)

    def known_rows(self) -> frozenset[int]:
        """Returns the numbers of all known log rows."""
        from awase.storage.postgresql.notices import known_rows

        with self._reading() as connection:
            return known_rows(connection)

    def changes_after(self, before: frozenset[int]) -> tuple[Changes, frozenset[int]]:
        """Returns possible changes since the log had `before`, and the present rows."""
        from awase.storage.postgresql.notices import changes_after

        with self._reading() as connection:
            return changes_after(connection, before)

    def format_version(self) -> str:
        """Returns major and minor of the file format, such as `1.0`."""
        return self._access.format_version

    @contextmanager
    def snapshot(self, *, with_sources: bool = True) -> Iterator[Corpus]:
        """Yields a snapshot, unaffected by writers."""
        with self._transactions.snapshot() as read:
            with read() as connection:
                corpus = read_corpus(connection, with_sources=with_sources)
            yield corpus

    def topic(self, topic_id: str) -> Topic:
        """Returns one topic as records."""
        with self._reading() as connection:
            topics = read_topics(connection, only=topic_id)
        if not topics:
            raise InputError.of("The corpus has no topic “{topic}”.", topic=topic_id)
        return topics[0]

    def newest_sound_backup(self, reporter: Reporter | None = None) -> Path | None:
        """Returns the newest undamaged backup, or None."""
        if self._is_on_server:
            return None
        return newest_sound_backup(Path(self.location), reporter or Silent())

    def each_log_row(self) -> Iterator[log.LogRow]:
        """Yields `log_rows` lazily, each row as it is when read."""
        return log.each_log_row(self._transactions.reading)

    def history(self, who: str) -> log.History:
        """Returns the undo history of `who`, of this and earlier sessions."""
        with self._reading() as connection:
            return self._transactions.history_of(connection, who)

    def copy_for(self, person: str) -> Copy:
        """Returns a person's copy; see `handed_out`."""
        return handed_out(self.copy(), person, log.rank_steps(self.log_rows()))

    def plan_merge(
        self,
        copies: Sequence[changing.Incoming],
        *,
        names: Mapping[str, str],
        reporter: Reporter | None = None,
    ) -> MergePlan:
        """Returns the plan of `merge`, without changing anything."""
        plan = changing.planned(self.copy(), copies, names, reporter or Silent())
        return replace(plan, corpus=Corpus())

    def score_run(self, run_id: int) -> ScoreRun:
        """Returns a stored run."""
        with self._reading() as connection:
            run = stored_run(connection, run_id)
        if run is None:
            raise no_such_run(run_id)
        return run

    def each_parse(self, model: str) -> Iterator[tuple[str, str]]:
        """Yields digest and parse of each text parsed by `model`, by digest, from one snapshot."""
        with self._transactions.snapshot() as read:
            last = ""
            while True:
                with read() as connection:
                    some = read_parses_after(connection, model, last)
                if not some:
                    return
                yield from some
                last = some[-1][0]

    # Changes

    @property
    def blocks_writers(self) -> bool:
        """Whether writes wait for check and backup of a large file."""
        preparation = self._access.preparation
        return preparation is not None and preparation.blocks_writers

    @property
    def owes_backup(self) -> bool:
        """Whether the backup before the first write is still running."""
        preparation = self._access.preparation
        return preparation is not None and preparation.is_owed

    def wait_until_backed_up(self, reporter: Reporter | None = None) -> None:
        """Waits for check and backup of a large file's state on opening."""
        if self._access.preparation is not None:
            self._access.preparation.wait(reporter)

    def cancel_backup(self) -> None:
        """Stops the running backup; no writes afterwards."""
        if self._access.preparation is not None:
            self._access.preparation.stop(gives_up=True)

    def join_log(self, rows: Iterable[log.LogRow], replica: str) -> int:
        """Inserts rows of another copy's log and returns how many are new."""
        with self._transactions.writing() as connection:
            return log.join_log(connection, rows, replica)

    def apply(
        self,
        edit: Edit,
        *,
        who: str,
        active_ms: int = 0,
        effort: EditEffort | None = None,
        reporter: Reporter | None = None,
    ) -> Changes:
        """Applies an edit and logs it, undoably; `StaleEdit` if the stored value differs."""
        taken = effort or EditEffort(active_ms=active_ms)
        if isinstance(edit, AlignmentEdit) and self._is_on_server:
            done = self._transactions.edit_at_once(edit, who, taken)
            if done is not None:
                return done
        with self._transactions.editing(who, lambda _: parts_of(edit, who)) as step:
            changes = write_edit(step.connection, edit, reporter)
            operation = log.log_edit(step.connection, who=who, edit=edit, effort=taken)
            step.log_edit(operation, changes)
        return changes

    def undo(self, *, who: str, reporter: Reporter | None = None) -> Changes:
        """Undoes the person's last edit that is not undone."""
        return self._reverse(log.UNDO, who, reporter)

    def redo(self, *, who: str, reporter: Reporter | None = None) -> Changes:
        """Redoes the person's last undone edit."""
        return self._reverse(log.REDO, who, reporter)

    def _reverse(self, kind: str, who: str, reporter: Reporter | None) -> Changes:
        with self._transactions.reversing(who, kind) as step:
            changes, row = changing.reverse(
                step.connection,
                step.history,
                kind,
                self._transactions.edit_of,
                who=who,
                reporter=reporter,
            )
            step.record(row, changes, step.history.after(kind))
        return changes

    def add(
        self,
        addition: Addition,
        *,
        who: str,
        source: str = "",
        reporter: Reporter | None = None,
    ) -> Changes:
        """Merges an import atomically, undoably."""
        with self._transactions.editing(who) as step:
            operation, changes = changing.add_to(
                step.connection,
                addition,
                who=who,
                source=source,
                reporter=reporter or Silent(),
            )
            step.log_edit(operation, changes)
        return changes

    def change(
        self,
        change: Callable[[Corpus], Corpus],
        *,
        verb: str,
        names: Sequence[str],
        who: str,
        with_sources: bool = True,
        reporter: Reporter | None = None,
    ) -> Changes:
        """Replaces the corpus by `change(corpus)` in one transaction, undoably.

        The log has what it is about, `names`. `change` is a pure function, such as those of
        `awase.core.annotation.content`; topics are loaded lazily, and source texts, most of a
        corpus, not where it changes no topic.
        """
        with self._transactions.editing(who) as step:
            operation, changes = changing.change_by(
                step.connection,
                change,
                who=who,
                verb=verb,
                subject=", ".join(names),
                with_sources=with_sources,
                reporter=reporter or Silent(),
            )
            step.log_edit(operation, changes)
        return changes

    def take_next(
        self, *, who: str, most: int | None = None
    ) -> tuple[changing.NextAssignment, Changes]:
        """Assigns a person the next free topic, undoably; `most` None = no limit of abstracts."""
        with self._transactions.editing(who, lambda _: parts_of_work(who)) as step:
            taken, operation = changing.claim_free_topic(step.connection, who, most=most)
            changes = Changes(corpus=operation is not None)
            step.log_edit(operation, changes)
        return taken, changes

    def merge(
        self,
        copies: Sequence[changing.Incoming],
        *,
        who: str,
        names: Mapping[str, str],
        reporter: Reporter | None = None,
    ) -> tuple[MergePlan, Changes]:
        """Merges copies atomically, undoably."""
        with self._transactions.editing(who) as step:
            plan, changes, operation = changing.merge_into(
                step.connection, copies, who=who, names=names, reporter=reporter or Silent()
            )
            step.log_edit(operation, changes)
        return plan, changes

    def back_up(self) -> None:
        """Copies the present state; on a server that is the administrator's task."""
        if not self._is_on_server:
            self.wait_until_backed_up()
            back_up(Path(self.location), self.state())

    def keep_scores(
        self, table: ScoreTable, *, title: str, who: str, corpus_state: str, selection: Selection
    ) -> KeptScores:
        """Stores scores; the corpus's state stays.

        `title`, not empty, is displayed; `corpus_state` is `state` before the scored corpus was
        loaded.
        """
        with self._transactions.writing() as connection:
            kept = keep_run(
                connection, table, title=title, who=who, corpus_state=corpus_state,
                selection=selection,
            )  # fmt: skip
            self._transactions.send_notice(connection, who, Changes(kept_scores=True))
        return kept

    def remove_score_run(self, run_id: int) -> None:
        """Removes a stored run, irrevocably."""
        with self._transactions.writing() as connection:
            remove_run(connection, run_id)
            self._transactions.send_notice(connection, "", Changes(kept_scores=True))

    def add_parses(self, model: str, parses: Mapping[str, str], *, who: str) -> None:
        """Stores parses made here by `model`, replacing earlier ones of the same texts."""
        self.replace_parses(model, by_digest(parses.items()), who=who, source="")

    def replace_parses(
        self, model: str, parses: Iterable[tuple[str, str]], *, who: str, source: str
    ) -> None:
        """Stores parses as `add_parses`, streaming, by distinct SHA-256 of the texts, hexadecimal.

        `source` is their file, for the log. An error while iterating leaves the corpus unchanged.
        """
        with self._transactions.writing() as connection:
            write_parses(connection, model, parses, who=who, source=source)
            self._transactions.send_notice(connection, who, Changes(parses=True))

    def remove_parses(self, model: str, *, who: str) -> int:
        """Removes all parses by `model` and returns their number."""
        with self._transactions.writing() as connection:
            n_removed = delete_parses(connection, model, who=who)
            self._transactions.send_notice(connection, who, Changes(parses=True))
        return n_removed
