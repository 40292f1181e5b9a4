"""What can be asked of an open corpus, each question within a transaction that only reads."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sqlalchemy import select

from awase.core.annotation.times import LoggedTime
from awase.core.errors import InputError, Problem
from awase.core.merging.handing_out import Copy
from awase.core.merging.plan import MergePlan
from awase.core.progress import Reporter, Silent
from awase.core.project.parts import Part
from awase.core.project.second_readings import Work
from awase.core.project.topic_list import TopicTally
from awase.core.records.assist import LoggedSuggestion
from awase.core.records.corpus import Corpus
from awase.core.records.edits.ownership import Ownership
from awase.core.records.score_run import KeptScores, ScoreRun
from awase.core.records.topic import Topic
from awase.storage.changing.merging import (
    Incoming,
    main_for,
    planned,
    stored_copy,
    stored_copy_for,
    stored_copy_on_demand,
)
from awase.storage.databases.access import Access
from awase.storage.databases.addresses import is_url
from awase.storage.log.joining import LogRow, each_log_row, log_rows
from awase.storage.log.operations import (
    History,
    logged_suggestions,
    logged_times,
)
from awase.storage.log.state import newest_state
from awase.storage.opening.integrity import find_damage, newest_sound_backup
from awase.storage.opening.servers import person_of
from awase.storage.rows.changes import Changes
from awase.storage.rows.on_demand import (
    FEW_TOPICS,
    MANY_TOPICS,
    corpus_on_demand,
    held_of,
    read_text_digests,
    snapshot_of,
    topics_in_order,
)
from awase.storage.rows.overview import (
    has_alignments,
    has_part,
    n_entries,
    next_unsettled_topic,
    read_annotators,
    read_languages,
    read_lengths,
    read_systems,
    read_tallies,
    read_titles,
)
from awase.storage.rows.parses import (
    digest_of_parses,
    read_models,
    read_parsed,
    read_parses,
    read_parses_behind,
)
from awase.storage.rows.reading import read_corpus, read_topics
from awase.storage.rows.schema import CorpusRow
from awase.storage.rows.score_runs import kept_run, kept_runs, no_such_run
from awase.storage.rows.sentences import StoredSentence, read_sentence_text, read_sentences
from awase.storage.rows.versions import read_ownership
from awase.storage.rows.work import read_worked_at
from awase.storage.sharing.missed_changes import changes_after, newest_row
from awase.storage.transactions import Transactions


class ReadingStore:
    """An open corpus, to be read; `CorpusStore` changes it, too. Threads may share it.

    Attributes:
        location: Path or URL it was opened with; without a password.
        read_only: Whether changes are refused.
    """

    def __init__(self, access: Access) -> None:
        self._access = access
        self._transactions = Transactions(access)
        self._warnings: tuple[Problem, ...] = access.warnings
        self.location = access.location
        self.read_only = access.writing is None

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What the user should know although it was opened, such as a missing backup.

        Of a large file more may be known later: see `wait_until_backed_up`.
        """
        preparation = self._access.preparation
        return (*self._warnings, *(preparation.problems if preparation else ()))

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

    def titles(self) -> tuple[tuple[str, str], ...]:
        """Returns id and title of each topic, empty where it has none, in their order."""
        with self._transactions.reading() as connection:
            return read_titles(connection)

    def topics(self, ids: Sequence[str]) -> tuple[Topic, ...]:
        """Returns the topics with these ids, in this order; those that are gone are left out."""
        with self._transactions.reading() as connection:
            return topics_in_order(connection, ids)

    def corpus_held(self) -> Corpus:
        """Returns everything as it is to be held while it is open.

        Of more topics than `FEW_TOPICS` in a file each is read when it is needed, as it is then; of
        at most `MANY_TOPICS` all may stay once they were read. A server has other writers, and
        every question to it takes long: of it all are read.
        """
        if is_url(self.location):
            return self.corpus()
        return held_of(self._transactions.reading, FEW_TOPICS, MANY_TOPICS)

    def has_part(self, part: Part) -> bool:
        """Returns whether the corpus has any of these."""
        with self._transactions.reading() as connection:
            return has_part(connection, part)

    def annotators(self) -> tuple[str, ...]:
        """Returns everybody who aligned anything, those first who stand in the first topics."""
        with self._transactions.reading() as connection:
            return read_annotators(connection)

    def lengths(self) -> tuple[str, ...]:
        """Returns the length classes of abstracts, those first that stand in the first topics."""
        with self._transactions.reading() as connection:
            return read_lengths(connection)

    def languages(self) -> tuple[str | None, ...]:
        """Returns the topics' languages, None of those that tell none."""
        with self._transactions.reading() as connection:
            return read_languages(connection)

    def has_alignments(self, who: str | None = None) -> bool:
        """Returns whether anybody began to align, or this person."""
        with self._transactions.reading() as connection:
            return has_alignments(connection, who)

    def n_entries(self) -> int:
        """Returns how many entries annotators have."""
        with self._transactions.reading() as connection:
            return n_entries(connection)

    def tallies(self, ids: Sequence[str]) -> Iterator[TopicTally]:
        """Yields how far the topics with these ids are, in this order."""
        with self._transactions.reading() as connection:
            yield from read_tallies(connection, ids)

    def sentences(self, topics: Sequence[str]) -> tuple[StoredSentence, ...]:
        """Returns the sentences of the topics, of each those of its abstracts first."""
        with self._transactions.reading() as connection:
            return tuple(read_sentences(connection, topics))

    def sentence_text(self, topic: str, abstract: str, n: int) -> str:
        """Returns the text of an abstract's sentence; empty where there is none."""
        with self._transactions.reading() as connection:
            return read_sentence_text(connection, topic, abstract, n)

    def text_digests(self) -> tuple[tuple[str, str | None], ...]:
        """Returns each topic's id and the digest of its texts, None where nobody made one."""
        with self._transactions.reading() as connection:
            return read_text_digests(connection)

    def systems(self) -> tuple[str, ...]:
        """Returns everybody whose outputs are there, those first who stand in the first topics."""
        with self._transactions.reading() as connection:
            return read_systems(connection)

    def next_unsettled_topic(
        self, who: str, ids: Sequence[str], reporter: Reporter | None = None
    ) -> str | None:
        """Returns the first of these topics, in this order, with work left for `who`.

        Raises:
            Cancelled: The reporter asked to stop.
        """
        with self._transactions.reading() as connection:
            return next_unsettled_topic(connection, who, ids, reporter or Silent())

    def corpus_on_demand(self) -> Corpus:
        """Returns the corpus with topics that are read, as they are then, when they are needed.

        A topic that was asked for is held for a while: whoever writes asks for the corpus anew.
        """
        return corpus_on_demand(self._transactions.reading)

    @contextmanager
    def snapshot(self, many: int = MANY_TOPICS, *, with_sources: bool = True) -> Iterator[Corpus]:
        """Gives everything as it is now, whatever others write meanwhile.

        Args:
            many: With more topics than that, they are read when they are needed, as long as the
                caller is in here.
            with_sources: Whether the texts of source sentences are read, too.
        """
        with self._transactions.snapshot() as read:
            yield snapshot_of(read, many, with_sources=with_sources)

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

    def each_log_row(self) -> Iterator[LogRow]:
        """Yields what `log_rows` returns, each row read when it is needed, as it is then."""
        return each_log_row(self._transactions.reading)

    def logged_suggestions(self) -> tuple[LoggedSuggestion, ...]:
        """Returns each edit of an entry with its keys and the suggestion behind it."""
        with self._transactions.reading() as connection:
            return logged_suggestions(connection)

    def ownership(self) -> Ownership:
        """Returns which copy of which corpus this is, and the versions of its entries."""
        with self._transactions.reading() as connection:
            return read_ownership(connection)

    def history(self, who: str) -> History:
        """Returns what `who` can undo and redo, from the log of this and earlier sessions."""
        with self._transactions.reading() as connection:
            return self._transactions.history_of(connection, who)

    def logged_times(self) -> tuple[LoggedTime, ...]:
        """Returns how long each edit took, from the log of this and earlier sessions."""
        with self._transactions.reading() as connection:
            return logged_times(connection)

    def worked_at(self) -> Mapping[Work, str]:
        """Returns when each annotator last changed each abstract's alignment, ISO 8601."""
        with self._transactions.reading() as connection:
            return read_worked_at(connection)

    def copy(self) -> Copy:
        """Returns everything as records, with what this copy knows of its entries."""
        with self._transactions.reading() as connection:
            return stored_copy(connection)

    @contextmanager
    def copy_snapshot(self, many: int = MANY_TOPICS) -> Iterator[Copy]:
        """Gives what `copy` returns, as it is now; versions are read when they are needed.

        Args:
            many: With more topics than that, so are they, as long as the caller is in here.
        """
        with self._transactions.snapshot() as read:
            yield stored_copy_on_demand(read, many)

    @contextmanager
    def copy_for(self, person: str) -> Iterator[Copy]:
        """Gives what a person is given, as `handed_out` tells; other topics are not read.

        Topics are read when they are needed, as long as the caller is in here.

        Raises:
            InputError: The person is not of the project, or has no work.
        """
        with self._transactions.snapshot() as read:
            yield stored_copy_for(read, person)

    def sound_copy(self, reporter: Reporter | None = None) -> Copy | None:
        """Returns what `copy` does; None where something is not as it was written.

        Topics and versions are read when they are needed, as they are then, while this is open: it
        is for a file that nobody else writes.

        Args:
            reporter: Told of each topic that is looked at.

        Raises:
            EnvironmentProblem: It cannot be read at all.
            Cancelled: The reporter asked to stop.
        """
        if self.find_damage(reporter):
            return None
        return stored_copy_on_demand(self._transactions.reading, 0)

    def plan_merge(
        self,
        copies: Sequence[Incoming],
        *,
        names: Mapping[str, str],
        reporter: Reporter | None = None,
    ) -> MergePlan:
        """Returns what `merge` would do, but for the corpus; nothing is changed.

        Args:
            copies: What would come back.
            names: Annotators who go by another name in the copies: theirs to ours.
            reporter: Told of each topic.

        Raises:
            InputError: A copy is of another corpus, or of a person who is not of the project.
            Cancelled: The reporter asked to stop.
        """
        with self._transactions.snapshot() as read:
            plan = planned(main_for(read, copies), copies, names, reporter or Silent())
            return replace(plan, corpus=Corpus())

    def state(self) -> str:
        """Returns what names the present state of the corpus; every change makes it another."""
        with self._transactions.reading() as connection:
            return newest_state(connection)

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

    def parse_models(self) -> dict[str, int]:
        """Returns how many parses there are by each model, most first."""
        with self._transactions.reading() as connection:
            return read_models(connection)

    def parses(self, model: str, texts: Iterable[str]) -> Mapping[str, str]:
        """Returns those of the texts that `model` parsed, with their parses in CoNLL-U."""
        with self._transactions.reading() as connection:
            return read_parses(connection, model, texts)

    def parsed(self, model: str, texts: Iterable[str]) -> set[str]:
        """Returns those of the texts that `model` parsed."""
        with self._transactions.reading() as connection:
            return read_parsed(connection, model, texts)

    def each_parse(self, model: str) -> Iterator[tuple[str, str]]:
        """Yields the digest of each text that `model` parsed, in their order, with its parse.

        They are as they were at first, whatever others write meanwhile.
        """
        with self._transactions.snapshot() as read:
            last = ""
            while True:
                with read() as connection:
                    some = read_parses_behind(connection, model, last)
                if not some:
                    return
                yield from some
                last = some[-1][0]

    def digest_of_parses(self, models: Iterable[str]) -> str:
        """Returns what tells all parses by some models from others, whatever they parse."""
        with self._transactions.reading() as connection:
            return digest_of_parses(connection, models)

    def newest_row(self) -> int:
        """Returns the newest row of the log, 0 when there is none."""
        with self._transactions.reading() as connection:
            return newest_row(connection)

    def changes_after(self, row: int) -> tuple[Changes, int]:
        """Returns what may have changed after `row` of the log, and the newest row."""
        with self._transactions.reading() as connection:
            return changes_after(connection, row)
