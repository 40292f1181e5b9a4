"""The door to a corpus file: open, read, and change it one committed transaction at a time."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from sqlalchemy import Connection, select

from awase.core.annotation.times import LoggedTime
from awase.core.errors import InputError, Problem
from awase.core.merging.handing_out import Copy
from awase.core.merging.plan import MergePlan
from awase.core.progress import Reporter, Silent
from awase.core.project.second_readings import Work
from awase.core.records.assist import Effort, LoggedSuggestion
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import Addition
from awase.core.records.edits.edit import AlignmentEdit, Edit
from awase.core.records.edits.ownership import Ownership
from awase.core.records.score import ScoreTable
from awase.core.records.score_run import KeptScores, ScoreRun, Selection
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import TopicOutline
from awase.storage.changing.adding import add_to, fill_from, fill_new
from awase.storage.changing.applying import write_edit
from awase.storage.changing.merging import (
    Incoming,
    merge_into,
    planned,
    stored_copy,
)
from awase.storage.changing.parses import delete_parses, write_parses
from awase.storage.changing.reversing import make_again, take_back
from awase.storage.changing.taking import Taken, take_free
from awase.storage.databases.access import Access
from awase.storage.databases.addresses import Location, is_url
from awase.storage.databases.sqlite_errors import DiskFull
from awase.storage.log.joining import LogRow, join_log, log_rows
from awase.storage.log.operations import (
    REDO,
    UNDO,
    History,
    log_edit,
    logged_suggestions,
    logged_times,
)
from awase.storage.log.state import newest_state
from awase.storage.opening.backups import back_up
from awase.storage.opening.files import create_file, locked_by_another, open_to_read, open_to_write
from awase.storage.opening.integrity import NOT_UNDERSTOOD, find_damage, newest_sound_backup
from awase.storage.opening.lock import CorpusLocked, Holder, NotWritable
from awase.storage.opening.servers import create_on_server, open_on_server, person_of
from awase.storage.rows.changes import Changes
from awase.storage.rows.on_demand import (
    MANY_TOPICS,
    corpus_on_demand,
    read_outline,
    snapshot_of,
    topics_in_order,
)
from awase.storage.rows.parses import digest_of_parses, read_models, read_parses
from awase.storage.rows.reading import read_corpus, read_topics
from awase.storage.rows.schema import CorpusRow
from awase.storage.rows.score_runs import keep_run, kept_run, kept_runs, no_such_run, remove_run
from awase.storage.rows.versions import read_ownership
from awase.storage.rows.work import read_worked_at
from awase.storage.sharing.locks import parts_of, parts_of_work
from awase.storage.sharing.missed import changes_after, newest_row
from awase.storage.transactions import Transactions

if TYPE_CHECKING:
    from awase.storage.sharing.postgresql_listening import Heard, Listener


def held_by_another(path: Path) -> CorpusLocked | None:
    """Returns what a writer of the file would be told now; None = it is free."""
    return locked_by_another(path)


class CorpusStore:
    """An open corpus.

    Every change is one committed transaction with its row in the operation log; when a method
    raises, nothing was changed. Use it as a context manager, or call `close`. Threads may share it.

    Attributes:
        location: Path or URL it was opened with; without a password.
        read_only: Whether changes are refused.
        holder: Who has it open for writing, when this store is read-only because of that.
    """

    def __init__(self, access: Access, *, holder: Holder | None = None) -> None:
        self._access = access
        self._transactions = Transactions(access)
        self.location = access.location
        self.read_only = access.writing is None
        self.holder = holder
        self._warnings: tuple[Problem, ...] = access.warnings

    @classmethod
    def create(
        cls,
        location: Location,
        *,
        name: str,
        who: str,
        addition: Addition | None = None,
        parses: Mapping[str, Mapping[str, str]] | None = None,
        source: str = "",
        reporter: Reporter | None = None,
    ) -> Self:
        """Returns a new corpus, open for writing, holding `addition` when it is given.

        The file appears under its name when it is complete; a failure leaves nothing behind.
        `parses` are by model, as `add_parses` takes them.

        Raises:
            EnvironmentProblem: Something of that name exists, or it cannot be written.
            CorpusFormatError: The addition contradicts itself.
            Cancelled: The reporter asked to stop.
        """

        def fill(connection: Connection) -> None:
            fill_new(connection, name=name, who=who)
            if addition is not None:
                listener = reporter or Silent()
                fill_from(connection, addition, who=who, source=source, reporter=listener)
            for model, by_text in (parses or {}).items():
                write_parses(connection, model, by_text, who=who, source=source)

        if is_url(location):
            return cls(create_on_server(str(location), fill))
        return cls(create_file(Path(location), who, fill))

    @classmethod
    def open(
        cls, location: Location, *, who: str, read_only: bool = False, password: str = ""
    ) -> Self:
        """Returns the corpus at `location`.

        Opening for writing takes the lock, migrates an older file (after a backup) and keeps a
        backup of what was there.

        Args:
            location: An `.awase` file, or a database URL.
            who: The person, for the lock and the log.
            read_only: Refuse changes; needs no lock.
            password: For a server; empty = what the address, `~/.pgpass`, the environment or the
                keyring has.

        Raises:
            CorpusLocked: Another process has it open for writing.
            EnvironmentProblem: It is missing, damaged, of a newer version or not a corpus.
        """
        if is_url(location):
            return cls(open_on_server(str(location), read_only=read_only, password=password))
        if read_only:
            return cls(open_to_read(Path(location)))
        return cls(open_to_write(Path(location), who))

    @classmethod
    def open_or_read_only(cls, location: Location, *, who: str, password: str = "") -> Self:
        """Returns the corpus open for writing, or read-only when that cannot be.

        It is read-only with `holder` when it is locked, and where nothing can be written; a full
        disk is among the warnings.
        """
        try:
            return cls.open(location, who=who, password=password)
        except CorpusLocked as locked:
            store = cls.open(location, who=who, read_only=True, password=password)
            store.holder = locked.holder
            return store
        except NotWritable:
            return cls.open(location, who=who, read_only=True, password=password)
        except DiskFull as full:
            store = cls.open(location, who=who, read_only=True, password=password)
            store._warnings = (*store.warnings, full.problem)
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
        """Closes the database and lets others write; a closed store is not used again.

        What other threads are doing with it is waited for.
        """
        self._transactions.close()

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What the user should know although it was opened, such as a missing backup.

        Of a large file more may be known later: see `wait_until_writable`.
        """
        preparation = self._access.preparation
        return (*self._warnings, *(preparation.problems if preparation else ()))

    @property
    def is_prepared(self) -> bool:
        """Whether a write need not wait for a large file to be looked at and backed up."""
        preparation = self._access.preparation
        return preparation is None or preparation.has_ended

    def wait_until_writable(self, reporter: Reporter | None = None) -> None:
        """Waits until a large file was looked at and backed up; every write does.

        Args:
            reporter: May stop the waiting.

        Raises:
            Cancelled: The reporter asked to stop.
            EnvironmentProblem: It is damaged, and cannot be written.
        """
        if self._access.preparation is not None:
            self._access.preparation.wait(reporter)

    @property
    def window(self) -> str:
        """By which others tell this open corpus from theirs."""
        return self._transactions.window

    @property
    def rows_written(self) -> Collection[int]:
        """Of the log, those that this open corpus lately wrote and knows to be stored."""
        return self._transactions.rows_written

    def format_version(self) -> str:
        """Returns major and minor of the file format, such as `1.0`."""
        return self._access.format_version

    def corpus(self) -> Corpus:
        """Returns everything as records."""
        with self._transactions.reading() as connection:
            return read_corpus(connection)

    def outline(self) -> tuple[TopicOutline, ...]:
        """Returns all topics in their order, without their texts."""
        with self._transactions.reading() as connection:
            return read_outline(connection)

    def topics(self, ids: Sequence[str]) -> tuple[Topic, ...]:
        """Returns the topics with these ids, in this order; those that are gone are left out."""
        with self._transactions.reading() as connection:
            return topics_in_order(connection, ids)

    def corpus_on_demand(self) -> Corpus:
        """Returns the corpus with topics that are read, as they are then, when they are needed.

        A topic that was asked for is held for a while: whoever writes asks for the corpus anew.
        """
        return corpus_on_demand(self._transactions.reading)

    @contextmanager
    def snapshot(self, many: int = MANY_TOPICS) -> Iterator[Corpus]:
        """Gives everything as it is now, whatever others write meanwhile.

        Args:
            many: With more topics than that, they are read when they are needed, as long as the
                caller is in here.
        """
        with self._transactions.snapshot() as read:
            yield snapshot_of(read, many)

    def topic(self, topic_id: str) -> Topic:
        """Returns one topic as records.

        Raises:
            InputError: There is no such topic.
        """
        with self._transactions.reading() as connection:
            topics = read_topics(connection, only=topic_id)
        if not topics:
            raise InputError.of("The corpus has no topic “{topic}”.", topic=topic_id)
        return topics[0]

    def handed_to(self) -> str | None:
        """Returns the person to whom this copy was handed out; None = it was not."""
        with self._transactions.reading() as connection:
            return connection.execute(select(CorpusRow.handed_to)).scalar_one()

    def person(self) -> str | None:
        """Returns the person as whom a server lets one write; None = as anybody."""
        with self._transactions.reading() as connection:
            return person_of(connection)

    def find_damage(self, reporter: Reporter | None = None) -> tuple[Problem, ...]:
        """Returns what in the corpus is not what was written: bits that changed on the disk.

        Raises:
            EnvironmentProblem: It cannot be read at all.
            Cancelled: The reporter asked to stop.
        """
        with self._transactions.reading() as connection:
            return find_damage(connection, reporter or Silent())

    def newest_sound_backup(self, reporter: Reporter | None = None) -> Path | None:
        """Returns the newest backup in which nothing is damaged; None when there is none.

        Raises:
            Cancelled: The reporter asked to stop.
        """
        if is_url(self.location):
            return None
        return newest_sound_backup(Path(self.location), reporter or Silent())

    def log_rows(self) -> tuple[LogRow, ...]:
        """Returns the whole log by its columns, oldest first."""
        with self._transactions.reading() as connection:
            return log_rows(connection)

    def join_log(self, rows: Iterable[LogRow], replica: str) -> int:
        """Adds rows that another copy logged and returns how many were not here yet.

        Raises:
            EnvironmentProblem: They cannot be written.
        """
        with self._transactions.writing() as connection:
            return join_log(connection, rows, replica)

    def logged_suggestions(self) -> tuple[LoggedSuggestion, ...]:
        """Returns each edit of an entry with its keys and the suggestion behind it."""
        with self._transactions.reading() as connection:
            return logged_suggestions(connection)

    def ownership(self) -> Ownership:
        """Returns which copy of which corpus this is, and the versions of its entries."""
        with self._transactions.reading() as connection:
            return read_ownership(connection)

    def apply(
        self,
        edit: Edit,
        *,
        who: str,
        active_ms: int = 0,
        effort: Effort | None = None,
        reporter: Reporter | None = None,
    ) -> Changes:
        """Makes an edit and logs it; the edit can then be undone.

        Args:
            edit: The values before and after.
            who: The person.
            active_ms: Milliseconds the person worked on it.
            effort: That and more: keys, and the suggestion that was in sight.
            reporter: Told of each topic where the edit is of several.

        Raises:
            StaleEdit: The stored value is not the edit's old one.
            InputError: It names something that does not exist.
            EnvironmentProblem: It cannot be written.
            Cancelled: The reporter asked to stop; nothing was changed.
        """
        taken = effort or Effort(active_ms=active_ms)
        if isinstance(edit, AlignmentEdit) and is_url(self.location):
            done = self._transactions.edit_at_once(edit, who, taken)
            if done is not None:
                return done
        with self._transactions.editing(who, lambda _: parts_of(edit, who)) as step:
            changes = write_edit(step.connection, edit, reporter)
            operation = log_edit(step.connection, who=who, edit=edit, effort=taken)
            step.log(operation.id, changes, step.history.after_edit(operation))
        return changes

    def undo(self, *, who: str, reporter: Reporter | None = None) -> Changes:
        """Takes back the person's last edit that is not undone.

        Raises:
            InputError: There is nothing to undo, or somebody changed the same thing since.
            EnvironmentProblem: It cannot be written.
            Cancelled: The reporter, told of each topic of an import, asked to stop.
        """
        with self._transactions.reversing(who, UNDO) as step:
            if not step.history.done:
                raise InputError.of("There is nothing to undo.")
            operation = step.history.done[-1]
            changes, row = take_back(step.connection, operation, who=who, reporter=reporter)
            step.log(row, changes, step.history.after_undo())
        return changes

    def redo(self, *, who: str, reporter: Reporter | None = None) -> Changes:
        """Makes the person's last undone edit again.

        Raises:
            InputError: There is nothing to redo, or somebody changed the same thing since.
            EnvironmentProblem: It cannot be written.
            Cancelled: The reporter, told of each topic of an import, asked to stop.
        """
        with self._transactions.reversing(who, REDO) as step:
            if not step.history.undone:
                raise InputError.of("There is nothing to redo.")
            operation = step.history.undone[-1]
            changes, row = make_again(step.connection, operation, who=who, reporter=reporter)
            step.log(row, changes, step.history.after_redo())
        return changes

    def history(self, who: str) -> History:
        """Returns what `who` can undo and redo, from the log of this and earlier sessions."""
        with self._transactions.reading() as connection:
            return self._transactions.history_of(connection, who)

    def logged_times(self) -> tuple[LoggedTime, ...]:
        """Returns how long each edit took, from the log of this and earlier sessions."""
        with self._transactions.reading() as connection:
            return logged_times(connection)

    def add(
        self,
        addition: Addition,
        *,
        who: str,
        source: str = "",
        reporter: Reporter | None = None,
        replacing: Collection[str] = (),
    ) -> Changes:
        """Joins an import to the corpus: all of it, or nothing; it can then be undone.

        Args:
            addition: What was read.
            who: The person.
            source: Where it was read from, for the log.
            reporter: Told of each topic.
            replacing: Systems whose extracts give way to it.

        Raises:
            CorpusFormatError: It contradicts the corpus; with every conflict.
            EnvironmentProblem: It cannot be written.
            Cancelled: The reporter asked to stop.
        """
        with self._transactions.editing(who) as step:
            edit, changes = add_to(
                step.connection,
                addition,
                source=source,
                reporter=reporter or Silent(),
                replacing=replacing,
            )
            if edit is not None:
                operation = log_edit(step.connection, who=who, edit=edit)
                step.log(operation.id, changes, step.history.after_edit(operation))
        return changes

    def take_next(self, *, who: str, most: int | None = None) -> tuple[Taken, Changes]:
        """Gives a person the next free topic, which nobody else gets; it can then be undone.

        Args:
            who: The person.
            most: The most abstracts that they may have; None = no limit.

        Raises:
            InputError: Nothing is free, the rest is not open, or it would be too much.
            EnvironmentProblem: It cannot be written.
        """
        with self._transactions.editing(who, lambda _: parts_of_work(who)) as step:
            taken, operation = take_free(step.connection, who, most=most)
            changes = Changes(corpus=operation is not None)
            if operation is not None:
                step.log(operation.id, changes, step.history.after_edit(operation))
        return taken, changes

    def worked_at(self) -> Mapping[Work, str]:
        """Returns when each annotator last changed each abstract's alignment, ISO 8601."""
        with self._transactions.reading() as connection:
            return read_worked_at(connection)

    def copy(self) -> Copy:
        """Returns everything as records, with what this copy knows of its entries."""
        with self._transactions.reading() as connection:
            return stored_copy(connection)

    def sound_copy(self, reporter: Reporter | None = None) -> Copy | None:
        """Returns what `copy` does; None where something is not as it was written.

        Raises:
            EnvironmentProblem: It cannot be read at all.
            Cancelled: The reporter asked to stop.
        """
        with self._transactions.reading() as connection:
            try:
                copy = stored_copy(connection)
            except NOT_UNDERSTOOD:
                if find_damage(connection, reporter or Silent()):
                    return None
                raise
            known = {topic.id: topic for topic in copy.corpus.topics}
            return None if find_damage(connection, reporter or Silent(), known) else copy

    def plan_merge(self, copies: Sequence[Incoming], *, names: Mapping[str, str]) -> MergePlan:
        """Returns what `merge` would do; nothing is changed.

        Raises:
            InputError: A copy is of another corpus, or of a person who is not of the project.
        """
        return planned(self.copy(), copies, names)

    def merge(
        self,
        copies: Sequence[Incoming],
        *,
        who: str,
        names: Mapping[str, str],
        reporter: Reporter | None = None,
    ) -> tuple[MergePlan, Changes]:
        """Joins copies of the corpus: all of them, or nothing; it can then be undone.

        Args:
            copies: What comes back.
            who: The person.
            names: Annotators who go by another name in the copies: theirs to ours.
            reporter: Told of each topic.

        Raises:
            InputError: A copy is of another corpus, or of a person who is not of the project.
            EnvironmentProblem: It cannot be written.
            Cancelled: The reporter asked to stop.
        """
        with self._transactions.editing(who) as step:
            plan, changes, operation = merge_into(
                step.connection, copies, who=who, names=names, reporter=reporter or Silent()
            )
            if operation is not None:
                step.log(operation.id, changes, step.history.after_edit(operation))
        return plan, changes

    def back_up(self) -> None:
        """Keeps a copy of what is stored now; on a server that is the administrator's task.

        Raises:
            EnvironmentProblem: It cannot be written.
        """
        if not is_url(self.location):
            self.wait_until_writable()
            back_up(Path(self.location), self.state())

    def state(self) -> str:
        """Returns what names the present state of the corpus; every change makes it another."""
        with self._transactions.reading() as connection:
            return newest_state(connection)

    def keep_scores(
        self, table: ScoreTable, *, title: str, who: str, corpus_state: str, selection: Selection
    ) -> KeptScores:
        """Keeps scores in the corpus; the corpus's state stays what it is.

        Args:
            table: The scores.
            title: What people will call them; not empty.
            who: The person.
            corpus_state: As `state` told before the corpus that was scored was read.
            selection: What was scored.

        Raises:
            InputError: There is no title.
            EnvironmentProblem: It cannot be written.
        """
        with self._transactions.writing() as connection:
            kept = keep_run(
                connection, table, title=title, who=who, corpus_state=corpus_state,
                selection=selection,
            )  # fmt: skip
            self._transactions.tell_others(connection, who, Changes(kept_scores=True))
        return kept

    def score_runs(self) -> tuple[KeptScores, ...]:
        """Returns what was kept, the newest first, without the scores."""
        with self._transactions.reading() as connection:
            return kept_runs(connection)

    def score_run(self, run_id: int) -> ScoreRun:
        """Returns kept scores.

        Raises:
            InputError: There are none of this number.
        """
        with self._transactions.reading() as connection:
            run = kept_run(connection, run_id)
        if run is None:
            raise no_such_run(run_id)
        return run

    def remove_score_run(self, run_id: int) -> None:
        """Removes kept scores; that cannot be undone.

        Raises:
            InputError: There are none of this number.
            EnvironmentProblem: It cannot be written.
        """
        with self._transactions.writing() as connection:
            remove_run(connection, run_id)
            self._transactions.tell_others(connection, "", Changes(kept_scores=True))

    def parse_models(self) -> dict[str, int]:
        """Returns how many parses there are by each model, most first."""
        with self._transactions.reading() as connection:
            return read_models(connection)

    def parses(self, model: str, texts: Iterable[str]) -> Mapping[str, str]:
        """Returns those of the texts that `model` parsed, with their parses in CoNLL-U."""
        with self._transactions.reading() as connection:
            return read_parses(connection, model, texts)

    def digest_of_parses(self, models: Iterable[str]) -> str:
        """Returns what tells all parses by some models from others, whatever they parse."""
        with self._transactions.reading() as connection:
            return digest_of_parses(connection, models)

    def add_parses(
        self, model: str, parses: Mapping[str, str], *, who: str, source: str = ""
    ) -> None:
        """Keeps parses by `model`; they replace earlier ones of the same texts.

        Args:
            model: What made them.
            parses: Text to CoNLL-U.
            who: The person.
            source: File that they were read from, for the log; empty = parsed here.

        Raises:
            EnvironmentProblem: They cannot be written.
        """
        with self._transactions.writing() as connection:
            write_parses(connection, model, parses, who=who, source=source)
            self._transactions.tell_others(connection, who, Changes(parses=True))

    def remove_parses(self, model: str, *, who: str) -> int:
        """Removes all parses by `model` and returns how many they were.

        Raises:
            InputError: There are none.
            EnvironmentProblem: It cannot be written.
        """
        with self._transactions.writing() as connection:
            n_removed = delete_parses(connection, model, who=who)
            self._transactions.tell_others(connection, who, Changes(parses=True))
        return n_removed

    def listen(self, hear: "Callable[[Heard], None]") -> "Listener | None":
        """Begins to listen to other windows; None = nobody else can write a file.

        Args:
            hear: Called on another thread with what is heard.
        """
        if not is_url(self.location):
            return None
        from awase.storage.sharing.postgresql_listening import Listener

        listener = Listener(self._access.reading, self.location, hear)
        listener.start()
        return listener

    def newest_row(self) -> int:
        """Returns the newest row of the log, 0 when there is none."""
        with self._transactions.reading() as connection:
            return newest_row(connection)

    def changes_after(self, row: int) -> tuple[Changes, int]:
        """Returns what may have changed after `row` of the log, and the newest row."""
        with self._transactions.reading() as connection:
            return changes_after(connection, row)
