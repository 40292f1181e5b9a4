"""What is kept in a corpus beside its texts and alignments: scores and parses.

They have no undo, and but for the parses' row in the log they leave the corpus's state as it is.
"""

from collections.abc import Iterable, Mapping

from awase.core.records.score import ScoreTable
from awase.core.records.score_run import KeptScores, ScoreRun, Selection
from awase.storage.changing.parses import delete_parses, write_parses
from awase.storage.rows.changes import Changes
from awase.storage.rows.parses import digest_of_parses, read_models, read_parses
from awase.storage.rows.score_runs import keep_run, kept_run, kept_runs, no_such_run, remove_run
from awase.storage.transactions import Transactions


class KeptBeside:
    """Scores and parses of an open corpus: the part of `CorpusStore` that is about them."""

    _transactions: Transactions

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
