"""Corpora: opening, creating, reading files; scoring, frames, annotation."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from awase.core.annotation.actions import alignment_edit
from awase.core.errors import EnvironmentProblem, InputError, Reporter, Silent
from awase.core.metrics.kit.supplies import ALONE, NO_SUPPLIES, Elsewhere
from awase.core.metrics.registry import requests_of
from awase.core.metrics.significance import column_of, names_of
from awase.core.records import corpus as records
from awase.core.records.abstract import AlignmentState, Alternative, SentenceAlignment
from awase.core.records.score import Score, ScoreTable
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Extract, Topic
from awase.core.reports.score_report import FRAME_COLUMNS, fields_of
from awase.jobs.scoring import score
from awase.jobs.subset import chosen_by_names
from awase.jobs.supplies.gathering import Places, Supplier, known_parses, stored_parses
from awase.storage.store import CorpusStore

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import pandas as pd


_MOST_ROWS: Final = 60
_MOST_NAMES: Final = 6


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Scores of systems, exact, with the signature that makes each of them citable.

    Attributes:
        table: The scores as the program has them.
    """

    table: ScoreTable

    def to_frame(self) -> "pd.DataFrame":
        """Returns the scores by topic, a row each, in tidy form.

        Columns: topic, length, system, metric, value (float; NaN = undefined, see reason),
        provisional, n_topics, reason (None = defined), signature. Means are in `means`.
        """
        return self._frame(score for score in self.table.scores if score.topic is not None)

    def means(self) -> "pd.DataFrame":
        """Returns the means over topics, with the columns of `to_frame`; topic is None."""
        return self._frame(score for score in self.table.scores if score.topic is None)

    @property
    def signature(self) -> tuple[str, ...]:
        """Every signature among the scores, each once, in the order of the columns."""
        return tuple(dict.fromkeys(score.signature for score in self.table.scores))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the scores."""
        return tuple(map(str, self.table.warnings))

    @property
    def exact(self) -> Mapping[tuple[str | None, str | None, str, str], Fraction | float | None]:
        """Topic (None = mean), length, system and metric to the value.

        Metrics of one name are called with the options in which they differ, as in frames:
        `coverage:strict=no`, `coverage:strict=yes`.

        Exact values are fractions; None = undefined. Higher is better; the range is the metric's
        own, 0..1 for most, 0..100 for BLEU and chrF.
        """
        names = names_of(self.table.scores)
        return {
            (score.topic, score.length, score.system, names[column_of(score)]): score.value
            for score in self.table.scores
        }

    def _frame(self, scores: Iterable[Score]) -> "pd.DataFrame":
        import pandas as pd

        names = names_of(self.table.scores)
        each = (fields_of(score, names) for score in scores)
        rows = [[fields[name] for name in FRAME_COLUMNS] for fields in each]
        frame = pd.DataFrame(rows, columns=list(FRAME_COLUMNS))
        return frame.astype({"value": "float64", "provisional": "bool", "n_topics": "int64"})

    def __repr__(self) -> str:
        scores = self.table.scores
        n_systems = len({score.system for score in scores})
        n_topics = len({score.topic for score in scores} - {None})
        metrics = [*dict.fromkeys(score.metric for score in scores)]
        more = [f"and {len(metrics) - _MOST_NAMES} more"] if len(metrics) > _MOST_NAMES else []
        named = ", ".join([*metrics[:_MOST_NAMES], *more])
        return f"<Scores: {named}; systems: {n_systems}, topics: {n_topics}>"

    def _repr_html_(self) -> str:
        means = self.means()
        if means.empty:
            return str(self.to_frame().head(_MOST_ROWS).to_html(index=False))
        means["length"] = means["length"].fillna("")
        shown = means.pivot_table(
            index="system", columns=["length", "metric"], values="value", sort=False, dropna=False
        )
        return str(shown.to_html(float_format="{:.4f}".format, na_rep="undefined"))


Location = str | PathLike[str]
_LOGGED: Final = "id at who kind verb topic abstract n annotator old new active_ms target_id"


class Corpus:
    """A corpus, stored or in memory; use it as a context manager, or call `close`.

    Attributes:
        store: The open file or database; None for one in memory.
    """

    def __init__(
        self,
        corpus: records.Corpus | None = None,
        *,
        store: CorpusStore | None = None,
        who: str = "",
    ) -> None:
        """Use `open`, `create`, `read` or `demo` instead."""
        self.store = store
        self._corpus = corpus
        self._who = who

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; the corpus can still be looked at as it was then."""
        if self.store is not None:
            self.records()
            store, self.store = self.store, None
            store.close()

    def records(self) -> records.Corpus:
        """Returns its frozen records."""
        if self._corpus is None:
            assert self.store is not None
            self._corpus = self.store.corpus()
        return self._corpus

    @property
    def name(self) -> str:
        """Its name; empty when it has none."""
        return self.records().name

    @property
    def topics(self) -> tuple[str, ...]:
        """Ids of the topics, in the corpus's order."""
        return tuple(topic.id for topic in self.records().topics)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in the order in which they are first met."""
        outputs = (output for topic in self.records().topics for output in topic.outputs)
        return tuple(dict.fromkeys(output.system for output in outputs))

    def score(
        self,
        metrics: Sequence[str] = ("tsc3",),
        *,
        topics: Sequence[str] = (),
        systems: Sequence[str] = (),
        vectors: str = "",
        model: str = "",
        oracles: str = "",
        edus: str = "",
        reporter: Reporter | None = None,
        executor: "Executor | None" = None,
    ) -> Scores:
        """Returns the scores of its systems.

        Args:
            metrics: As the command line spells them: `rouge-2:stem=yes`, `coverage:strict=yes`.
            topics: Only these; none named = all.
            systems: Only these; none named = all.
            vectors: Where word vectors are, for metrics that need them.
            model: Which language model, likewise.
            oracles: A file of oracles found before.
            edus: A file of the user's own segmenter.
            reporter: Receives progress; its `advance` can raise `Cancelled`.
            executor: Gets what can be done in independent pieces; None = all is done here.

        Raises:
            InputError: A metric, topic or system does not exist, or something is needed.
            EnvironmentProblem: What a metric needs cannot be read.
        """
        subset = chosen_by_names(topics, systems)
        subset.check(self.records())
        places = Places(vectors=vectors, model=model, oracles=oracles, edus=edus)
        parses = known_parses(NO_SUPPLIES) if self.store is None else stored_parses(self.store)
        asked = requests_of([metrics] if isinstance(metrics, str) else metrics)
        listener = reporter or Silent()
        supplier = Supplier(parses, places)
        # In a script without a main guard, other processes would run all of it anew.
        workers = ALONE if executor is None else Elsewhere(executor)
        table = score(
            self.records(), asked, listener, subset=subset, supplies=supplier, workers=workers
        )
        return Scores(table)

    # Frames

    def sentences(self) -> "pd.DataFrame":
        """Returns every sentence, a row each.

        Columns: topic, kind (source or abstract), text_id (document or abstract), n (from 1), text,
        rank (of abstract sentences), length (class of the abstract).
        """
        rows: list[tuple[object, ...]] = []
        for topic in self.records().topics:
            for document in topic.documents:
                rows += [
                    (topic.id, "source", document.id, one.n, one.text, None, None)
                    for one in document.sentences
                ]
            for abstract in topic.abstracts:
                rows += [
                    (topic.id, "abstract", abstract.id, one.n, one.text, one.rank, abstract.length)
                    for one in abstract.sentences
                ]
        return _frame(rows, "topic kind text_id n text rank length")

    def alignments(self) -> "pd.DataFrame":
        """Returns every link, a row a member of an alternative; one for an entry without any.

        Columns: topic, abstract, n, annotator, state, alternative (from 1), document, sentence.
        """
        rows: list[tuple[object, ...]] = []
        for topic in self.records().topics:
            for abstract in topic.abstracts:
                for alignment in abstract.alignments:
                    for entry in alignment.sentences:
                        place = (topic.id, abstract.id, entry.n, alignment.annotator)
                        rows += _members((*place, entry.state.value), entry)
        names = "topic abstract n annotator state alternative document sentence"
        frame = _frame(rows, names)
        return frame.astype(dict.fromkeys(("alternative", "sentence"), "Int64"))

    def extracts(self) -> "pd.DataFrame":
        """Returns every sentence of every extract.

        Columns: topic, system, length, place (from 1), document, sentence.
        """
        rows = [
            (topic.id, output.system, output.length, place, ref.document_id, ref.n)
            for topic in self.records().topics
            for output in topic.outputs
            if isinstance(output, Extract)
            for place, ref in enumerate(output.sentences, start=1)
        ]
        return _frame(rows, "topic system length place document sentence")

    def texts(self) -> "pd.DataFrame":
        """Returns every sentence that a system wrote. Columns: topic, system, length, n, text."""
        rows = [
            (topic.id, output.system, output.length, n, text)
            for topic in self.records().topics
            for output in topic.outputs
            if not isinstance(output, Extract)
            for n, text in enumerate(output.sentences, start=1)
        ]
        return _frame(rows, "topic system length n text")

    def human_scores(self) -> "pd.DataFrame":
        """Returns people's scores. Columns: topic, system, measure, annotator, value (float)."""
        rows = [
            (one.topic, one.system, one.measure, one.annotator, float(one.value))
            for one in self.records().human_scores
        ]
        return _frame(rows, "topic system measure annotator value")

    def log(self) -> "pd.DataFrame":
        """Returns the operation log, a row an act, oldest first.

        Columns: id, at (UTC), who, kind (`edit`, `undo`, `redo`, `import` …), verb, topic,
        abstract, n, annotator, old and new (as stored, None where nothing was), active_ms
        (milliseconds of work), target_id (of an undo or redo: the row that it undoes or redoes).

        Raises:
            EnvironmentProblem: The corpus is in memory or closed, where there is no log.
        """
        if self.store is None:
            raise EnvironmentProblem(
                "There is no log here: the corpus is in memory, or closed.",
                "Open a corpus file or database with awase.open(place).",
            )
        rows = [[row[name] for name in _LOGGED.split()] for row in self.store.log_rows()]
        return _frame([*map(tuple, rows)], _LOGGED).astype({"n": "Int64", "target_id": "Int64"})

    # Annotating

    def annotate(
        self,
        topic: str,
        abstract: str,
        n: int,
        alternatives: Iterable[Iterable[tuple[str, int]]],
        *,
        confirm: bool = False,
        who: str = "",
    ) -> None:
        """Writes an annotator's alternatives of an abstract sentence, as one edit in the log.

        Args:
            topic: Id of the topic.
            abstract: Id of the abstract.
            n: Number of the abstract sentence, from 1.
            alternatives: Sets of source sentences, each a document's id and a number from 1; empty
                and confirmed = no source.
            confirm: Whether the sentence is settled.
            who: The annotator; empty = the one who opened the corpus.

        Raises:
            InputError: There is no such place, or a source sentence that is not there.
            EnvironmentProblem: The corpus cannot be changed.
        """
        store, person = self.store, who or self._who
        if store is None or not person:
            raise EnvironmentProblem(
                "The corpus cannot be changed: it was opened without an annotator.",
                "Open it with awase.open(place, who=…).",
            )
        here = self._topic(topic)
        where = next((part for part in here.abstracts if part.id == abstract), None)
        if where is None:
            raise InputError.of("Topic “{topic}” has no abstract “{id}”.", topic=topic, id=abstract)
        sets = tuple(Alternative(tuple(SentenceRef(*m) for m in one)) for one in alternatives)
        state = AlignmentState.INCOMPLETE
        if confirm:
            state = AlignmentState.CONFIRMED if sets else AlignmentState.NO_SOURCE
        entry = SentenceAlignment(n=n, state=state, alternatives=sets)
        edit = alignment_edit(topic, where, person, entry, verb="annotate")
        if edit is not None:
            store.apply(edit, who=person)
            self._corpus = None

    def _topic(self, topic_id: str) -> Topic:
        found = self.records().topic(topic_id) if topic_id in self.topics else None
        if found is None:
            raise InputError.of("There is no topic “{id}”.", id=topic_id)
        return found

    def __repr__(self) -> str:
        place = self.store.location if self.store is not None else "in memory"
        corpus = self.records()
        return f"<Corpus {corpus.name!r}: {len(corpus.topics)} topics, {place}>"


def open(location: Location, *, who: str = "") -> Corpus:
    """Opens a corpus file or database: to read, or as `who` to annotate.

    Raises:
        EnvironmentProblem: It is missing, damaged, locked, of a newer version or something else.
    """
    store = CorpusStore.open(str(location), who=who, read_only=not who)
    return Corpus(store=store, who=who)


def create(location: Location, *, who: str, name: str = "") -> Corpus:
    """Makes a new, empty corpus and opens it as `who`.

    Raises:
        EnvironmentProblem: Something of that name exists, or it cannot be written.
    """
    title = name or Path(str(location)).stem
    return Corpus(store=CorpusStore.create(str(location), name=title, who=who), who=who)


def read(*paths: Location, format: str = "") -> Corpus:
    """Reads files of any format that can be imported into a corpus in memory.

    Args:
        paths: Files, each seeing those before it.
        format: Id of their format; empty = detected by name and content.

    Raises:
        InputError: A file is invalid, or its format cannot be detected.
        EnvironmentProblem: A file cannot be read.
    """
    from awase.core.formats.reading.requests import ReadRequest
    from awase.jobs.importing import format_of_place, read_all

    files = []
    for path in map(Path, map(str, paths)):
        kind = format or format_of_place(path).id
        files.append(ReadRequest(path=path, format_id=kind, source=str(path)))
    return Corpus(read_all(records.Corpus(), files, Silent()).corpus)


def demo(language: str = "en") -> Corpus:
    """Returns the demonstration corpus in `ja` or `en`, in memory.

    Raises:
        InputError: There is none in that language.
    """
    from awase.core.records.addition import merge
    from awase.jobs.importing import demonstration

    return Corpus(merge(records.Corpus(), demonstration(language)))


def _members(head: tuple[object, ...], entry: SentenceAlignment) -> list[tuple[object, ...]]:
    rows = [
        (*head, number, ref.document_id, ref.n)
        for number, alternative in enumerate(entry.alternatives, start=1)
        for ref in alternative.members
    ]
    return rows or [(*head, None, None, None)]


def _frame(rows: Sequence[tuple[object, ...]], names: str) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame(list(rows), columns=names.split())
