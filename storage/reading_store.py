"""Queries on an open corpus, each in a read transaction."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection, select

from awase.core.errors import EnvironmentProblem, InputError, Problem
from awase.core.progress import Reporter, Silent
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreRun
from awase.core.records.topic import Topic
from awase.core.team.handing_out import Copy, handed_out
from awase.core.team.merging import MergePlan
from awase.storage.access import Access
from awase.storage.addresses import is_url
from awase.storage.changes import Changes
from awase.storage.changing import (
    Incoming,
    planned,
    read_worked_at,
    stored_copy,
)
from awase.storage.integrity import find_damage, newest_sound_backup
from awase.storage.querying import read_query
from awase.storage.rows.inserting import newest_state
from awase.storage.rows.log import (
    History,
    LogRow,
    each_log_row,
    log_rows,
    logged_suggestions,
    logged_times,
    rank_steps,
)
from awase.storage.rows.parses import (
    digest_of_parses,
    read_models,
    read_parsed,
    read_parses,
    read_parses_behind,
)
from awase.storage.rows.reading import (
    n_entries,
    read_corpus,
    read_topics,
    topics_in_order,
)
from awase.storage.rows.schema import CorpusRow
from awase.storage.rows.versions import bare_ownership, read_ownership, read_versions
from awase.storage.rows.writing import no_such_run, stored_run, stored_runs
from awase.storage.transactions import Transactions


class ReadingStore:
    """An open corpus, read-only; thread-safe.

    Attributes:
        location: Path or URL it was opened with; without a password.
    """

    def __init__(self, access: Access) -> None:
        self._access = access
        self._transactions = Transactions(access)
        self._warnings: tuple[Problem, ...] = access.warnings
        self.location = access.location
        self.read_only = access.writing is None

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Warnings on opening, such as a missing backup.

        For a large file more may follow: see `wait_until_backed_up`.
        """
        preparation = self._access.preparation
        return (*self._warnings, *(preparation.problems if preparation else ()))

    @property
    def file_problem(self) -> EnvironmentProblem | None:
        """What happened to the open file, checked every second; None = it is in place."""
        keeper = self._access.keeper
        return keeper.problem if keeper is not None else None

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
    topics = read_query(topics_in_order)
    n_entries = read_query(n_entries)
    log_rows = read_query(log_rows)
    logged_suggestions = read_query(logged_suggestions)
    ownership = read_query(read_ownership)
    bare_ownership = read_query(bare_ownership)
    versions = read_query(read_versions)
    logged_times = read_query(logged_times)
    worked_at = read_query(read_worked_at)
    copy = read_query(stored_copy)
    state = read_query(newest_state)
    score_runs = read_query(stored_runs)
    parse_models = read_query(read_models)
    parses = read_query(read_parses)
    parsed = read_query(read_parsed)
    digest_of_parses = read_query(digest_of_parses)

    def person(self) -> str | None:
        """Returns the person that the role may write as; None = anybody."""
        if not is_url(self.location):
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

    def corpus(self) -> Corpus:
        """Returns the corpus as records."""
        with self._reading() as connection:
            return read_corpus(connection)

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

    def handed_to(self) -> str | None:
        """Returns the recipient of this copy; None = the main file."""
        with self._reading() as connection:
            return connection.execute(select(CorpusRow.handed_to)).scalar_one()

    def find_damage(self, reporter: Reporter | None = None) -> tuple[Problem, ...]:
        """Returns all digest mismatches: bits that changed on the disk."""
        with self._reading() as connection:
            return find_damage(connection, reporter or Silent())

    def newest_sound_backup(self, reporter: Reporter | None = None) -> Path | None:
        """Returns the newest undamaged backup, or None."""
        if is_url(self.location):
            return None
        return newest_sound_backup(Path(self.location), reporter or Silent())

    def each_log_row(self) -> Iterator[LogRow]:
        """Yields `log_rows` lazily, each row as it is when read."""
        return each_log_row(self._transactions.reading)

    def history(self, who: str) -> History:
        """Returns the undo history of `who`, of this and earlier sessions."""
        with self._reading() as connection:
            return self._transactions.history_of(connection, who)

    def copy_for(self, person: str) -> Copy:
        """Returns a person's copy; see `handed_out`."""
        return handed_out(self.copy(), person, rank_steps(self.log_rows()))

    def sound_copy(self, reporter: Reporter | None = None) -> Copy | None:
        """Returns `copy`; None if damaged."""
        if self.find_damage(reporter):
            return None
        return self.copy()

    def plan_merge(
        self,
        copies: Sequence[Incoming],
        *,
        names: Mapping[str, str],
        reporter: Reporter | None = None,
    ) -> MergePlan:
        """Returns the plan of `merge`, without changing anything."""
        plan = planned(self.copy(), copies, names, reporter or Silent())
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
                    some = read_parses_behind(connection, model, last)
                if not some:
                    return
                yield from some
                last = some[-1][0]
