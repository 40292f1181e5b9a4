"""What can be changed in an open corpus, each change a transaction of its own."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from awase.core.merging.plan import MergePlan
from awase.core.progress import Reporter, Silent
from awase.core.records.assist import EditEffort
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import Addition
from awase.core.records.edits.edit import AlignmentEdit, Edit
from awase.core.records.score import KeptScores, ScoreTable, Selection
from awase.storage.changing.adding import Incoming, Taken, add_to, change_by, merge_into, take_free
from awase.storage.changing.applying import reverse, write_edit
from awase.storage.databases.addresses import is_url
from awase.storage.log.operations import (
    REDO,
    UNDO,
    log_edit,
)
from awase.storage.log.rows import LogRow, join_log
from awase.storage.opening.backups import back_up
from awase.storage.parses import by_digest, delete_parses, write_parses
from awase.storage.reading_store import ReadingStore
from awase.storage.rows.changes import Changes
from awase.storage.rows.score_runs import keep_run, remove_run
from awase.storage.sharing.locks import parts_of, parts_of_work


class WritingStore(ReadingStore):
    """An open corpus, to be read and changed.

    Every change is one committed transaction with its row in the operation log; when a method
    raises, nothing was changed.
    """

    @property
    def holds_writers(self) -> bool:
        """Whether a write waits for a large file to be looked at and backed up."""
        preparation = self._access.preparation
        return preparation is not None and preparation.holds_writers

    @property
    def owes_backup(self) -> bool:
        """Whether a backup of what was there before the first write is still being made."""
        preparation = self._access.preparation
        return preparation is not None and preparation.is_owed

    def wait_until_backed_up(self, reporter: Reporter | None = None) -> None:
        """Waits until a large file was looked at and backed up as it was when it was opened."""
        if self._access.preparation is not None:
            self._access.preparation.wait(reporter)

    def give_up_backup(self) -> None:
        """Ends the backup that is being made; nothing can be written after that."""
        if self._access.preparation is not None:
            self._access.preparation.stop(gives_up=True)

    def join_log(self, rows: Iterable[LogRow], replica: str) -> int:
        """Adds rows that another copy logged and returns how many were not here yet."""
        with self._transactions.writing() as connection:
            return join_log(connection, rows, replica)

    def apply(
        self,
        edit: Edit,
        *,
        who: str,
        active_ms: int = 0,
        effort: EditEffort | None = None,
        reporter: Reporter | None = None,
    ) -> Changes:
        """Makes an edit and logs it; the edit can then be undone.

        Args:
            reporter: Told of each topic where the edit is of several.

        Raises:
            StaleEdit: The stored value is not the edit's old one.
        """
        taken = effort or EditEffort(active_ms=active_ms)
        if isinstance(edit, AlignmentEdit) and is_url(self.location):
            done = self._transactions.edit_at_once(edit, who, taken)
            if done is not None:
                return done
        with self._transactions.editing(who, lambda _: parts_of(edit, who)) as step:
            changes = write_edit(step.connection, edit, reporter)
            operation = log_edit(step.connection, who=who, edit=edit, effort=taken)
            step.log_edit(operation, changes)
        return changes

    def undo(self, *, who: str, reporter: Reporter | None = None) -> Changes:
        """Takes back the person's last edit that is not undone."""
        return self._reverse(UNDO, who, reporter)

    def redo(self, *, who: str, reporter: Reporter | None = None) -> Changes:
        """Makes the person's last undone edit again."""
        return self._reverse(REDO, who, reporter)

    def _reverse(self, kind: str, who: str, reporter: Reporter | None) -> Changes:
        with self._transactions.reversing(who, kind) as step:
            changes, row = reverse(
                step.connection,
                step.history,
                kind,
                self._transactions.edit_of,
                who=who,
                reporter=reporter,
            )
            step.log(row, changes, step.history.after(kind))
        return changes

    def add(
        self,
        addition: Addition,
        *,
        who: str,
        source: str = "",
        reporter: Reporter | None = None,
    ) -> Changes:
        """Joins an import to the corpus: all of it, or nothing; it can then be undone."""
        with self._transactions.editing(who) as step:
            operation, changes = add_to(
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
        subject: str,
        who: str,
        with_sources: bool = True,
        reporter: Reporter | None = None,
    ) -> Changes:
        """Makes the corpus what `change` makes of it: all of it, or nothing; it can be undone.

        Args:
            change: A pure function, such as those of `awase.core.annotation.corpus_edits`,
                `awase.core.project.people` and `awase.core.project.assigning`, with its arguments.
                Topics are read when they are needed.
            with_sources: False where `change` changes no topic: the texts of source sentences,
                most of a corpus, are not read then.
        """
        with self._transactions.editing(who) as step:
            operation, changes = change_by(
                step.connection,
                change,
                who=who,
                verb=verb,
                subject=subject,
                with_sources=with_sources,
                reporter=reporter or Silent(),
            )
            step.log_edit(operation, changes)
        return changes

    def take_next(self, *, who: str, most: int | None = None) -> tuple[Taken, Changes]:
        """Gives a person the next free topic, which nobody else gets; it can then be undone.

        Args:
            most: The most abstracts that they may have; None = no limit.
        """
        with self._transactions.editing(who, lambda _: parts_of_work(who)) as step:
            taken, operation = take_free(step.connection, who, most=most)
            changes = Changes(corpus=operation is not None)
            step.log_edit(operation, changes)
        return taken, changes

    def merge(
        self,
        copies: Sequence[Incoming],
        *,
        who: str,
        names: Mapping[str, str],
        reporter: Reporter | None = None,
    ) -> tuple[MergePlan, Changes]:
        """Joins copies of the corpus: all of them, or nothing; it can then be undone."""
        with self._transactions.editing(who) as step:
            plan, changes, operation = merge_into(
                step.connection, copies, who=who, names=names, reporter=reporter or Silent()
            )
            step.log_edit(operation, changes)
        return plan, changes

    def back_up(self) -> None:
        """Keeps a copy of what is stored now; on a server that is the administrator's task."""
        if not is_url(self.location):
            self.wait_until_backed_up()
            back_up(Path(self.location), self.state())

    def keep_scores(
        self, table: ScoreTable, *, title: str, who: str, corpus_state: str, selection: Selection
    ) -> KeptScores:
        """Keeps scores in the corpus; the corpus's state stays what it is.

        Args:
            title: What people will call them; not empty.
            corpus_state: As `state` told before the corpus that was scored was read.
        """
        with self._transactions.writing() as connection:
            kept = keep_run(
                connection, table, title=title, who=who, corpus_state=corpus_state,
                selection=selection,
            )  # fmt: skip
            self._transactions.tell_others(connection, who, Changes(kept_scores=True))
        return kept

    def remove_score_run(self, run_id: int) -> None:
        """Removes kept scores; that cannot be undone."""
        with self._transactions.writing() as connection:
            remove_run(connection, run_id)
            self._transactions.tell_others(connection, "", Changes(kept_scores=True))

    def add_parses(
        self, model: str, parses: Mapping[str, str], *, who: str, source: str = ""
    ) -> None:
        """Keeps parses by `model`; they replace earlier ones of the same texts.

        Args:
            source: File that they were read from, for the log; empty = parsed here.
        """
        self.take_parses(model, by_digest(parses.items()), who=who, source=source)

    def take_parses(
        self, model: str, parses: Iterable[tuple[str, str]], *, who: str, source: str
    ) -> None:
        """Keeps parses as `add_parses` does, of which not all need be in memory.

        Args:
            parses: SHA-256 of each text, in hexadecimals, with its parse; of equal texts one. What
                making them raises leaves the corpus as it was.
        """
        with self._transactions.writing() as connection:
            write_parses(connection, model, parses, who=who, source=source)
            self._transactions.tell_others(connection, who, Changes(parses=True))

    def remove_parses(self, model: str, *, who: str) -> int:
        """Removes all parses by `model` and returns how many they were."""
        with self._transactions.writing() as connection:
            n_removed = delete_parses(connection, model, who=who)
            self._transactions.tell_others(connection, who, Changes(parses=True))
        return n_removed
