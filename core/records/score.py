"""Scores, with signature, and reason if undefined."""

import pickle
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter
from typing import Final, overload

from awase.core.errors import Problem, batches

DATA_FACTS: Final = ("no_source", "assist", "nrefs", "split", "systems", "whose", "topics")
"""Keys of signatures about the data that was scored; scores of one column may differ in them.

- `no_source`: number of abstract sentences excluded for having no source;
- `assist`: share of the links that began as suggestions, if any;
- `nrefs`: number of references of each text;
- `split`: sentence splitters, where they matter (`SPLITS` of `text.sentences`);
- `systems`: systems pooled, where others decide a system's value;
- `whose`: digest of each abstract's annotator, where they differ;
- `topics`: topics that a mean is over.
"""

# Of tables of scores. The first are of the annotators, where some value is a mean over several; the
# other tells why a value is undefined, where one is.
SPREAD_COLUMNS: Final = ("lowest", "highest")
REASON_COLUMN: Final = "reason"

_FACT = re.compile(rf"[:,](?:{'|'.join(DATA_FACTS)})=[^,]*")
_WHOSE = re.compile(r"([:,]annotator=(?:first|all))\([^()]*\)")


@lru_cache(maxsize=4096)
def without_facts(signature: str) -> str:
    """Returns the signature without facts about the data, in which topics may differ.

    >>> without_facts("coverage:first=h,no_source=2,version=1.0")
    'coverage:first=h,version=1.0'
    >>> without_facts("coverage:annotator=first(A+B),whose=0a,topics=3@0b,version=1.0")
    'coverage:annotator=first,version=1.0'
    """
    bare = _WHOSE.sub(r"\1", _FACT.sub("", signature))
    name = signature.partition(":")[0]
    return f"{name}:{bare[len(name) + 1 :]}" if bare[len(name) : len(name) + 1] == "," else bare


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One number about one system.

    Attributes:
        topic: Topic scored; None = the mean over the topics in which the score is defined.
        length: Length class of the abstract; None when it has none.
        metric: Metric name, with its component after a dot when it has several.
        value: Exact for the metrics that are exact; None = undefined, see `reason`.
        reason: Why it is undefined; None when it is defined.
        spread: Lowest and highest value that a single annotator's work gives, where `value` is the
            mean over several annotators; else None.
    """

    topic: str | None
    length: str | None
    system: str
    metric: str
    value: Fraction | float | None
    signature: str
    provisional: bool = False
    reason: Problem | None = None
    n_topics: int = 1
    spread: tuple[Fraction, Fraction] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverSize:
    """The size of the minimal cover that scores rest on."""

    topic: str
    length: str | None
    annotator: str
    h: Fraction


class ScoreBlock(Sequence[Score]):
    """Scores by topic, built lazily on iteration."""

    @overload
    def __getitem__(self, at: int) -> Score: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Score, ...]: ...
    def __getitem__(self, at: int | slice) -> Score | tuple[Score, ...]:
        return tuple(self)[at]

    def only(self, system: str | None, metric: str | None) -> Iterator[Score]:
        """Yields scores of a system and a metric; None = any."""
        of_system = (score for score in self if system in (None, score.system))
        return (score for score in of_system if metric in (None, score.metric))

    def undefined(self) -> Iterator[Score]:
        """Yields the undefined scores."""
        return (score for score in self if score.reason is not None)


class PackedScores(Sequence[Score]):
    """Scores of many topics, then the means, in some 20 bytes each, unpacked in chunks."""

    def __init__(self, blocks: Iterable[ScoreBlock] = (), means: Iterable[Score] = ()) -> None:
        self._blocks = [*blocks]
        self.means: Final = tuple(means)
        self._n_by_topic = sum(map(len, self._blocks))

    @classmethod
    def of(cls, scores: Iterable[Score]) -> "PackedScores":
        """Packs scores, means last."""
        means: list[Score] = []
        blocks: list[ScoreBlock] = []
        for portion in batches(scores, _AT_ONCE):
            by_topic = [score for score in portion if score.topic is not None]
            means += [score for score in portion if score.topic is None]
            if by_topic:
                blocks.append(_Compressed(by_topic))
        return cls(blocks, means)

    def by_topic(self, system: str | None, metric: str | None) -> Iterator[Score]:
        """Yields per-topic scores of a system and a metric; None = any."""
        for block in self._blocks:
            yield from block.only(system, metric)

    def undefined(self) -> Iterator[Score]:
        """Yields the undefined scores."""
        for block in self._blocks:
            yield from block.undefined()
        yield from (score for score in self.means if score.reason is not None)

    def __len__(self) -> int:
        return self._n_by_topic + len(self.means)

    def __iter__(self) -> Iterator[Score]:
        for block in self._blocks:
            yield from block
        yield from self.means

    @overload
    def __getitem__(self, at: int) -> Score: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Score, ...]: ...
    def __getitem__(self, at: int | slice) -> Score | tuple[Score, ...]:
        if isinstance(at, slice):
            return tuple(self)[at]
        place = at + len(self) if at < 0 else at
        for block in self._blocks:
            if 0 <= place < len(block):
                return block[place]
            place -= len(block)
        return self.means[place]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(self) != len(other):
            return False
        return all(one == two for one, two in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as for every collection that is compared

    def __add__(self, other: Sequence[Score]) -> "PackedScores":
        more = other if isinstance(other, PackedScores) else PackedScores.of(_means_last(other))
        return PackedScores((*self._blocks, *more._blocks), (*self.means, *more.means))


_FIELDS: Final = tuple(one.name for one in fields(Score))
_values_of = attrgetter(*_FIELDS)
_AT_ONCE: Final = 4096


class _Compressed(ScoreBlock):
    """Scores as few bytes."""

    def __init__(self, scores: Sequence[Score]) -> None:
        self._n = len(scores)
        self._has_undefined = any(score.reason is not None for score in scores)
        self._packed = zlib.compress(pickle.dumps([*map(_values_of, scores)], 5), 1)

    def __len__(self) -> int:
        return self._n

    def __iter__(self) -> Iterator[Score]:
        rows = pickle.loads(zlib.decompress(self._packed))  # trusted: pickled above
        return (Score(**dict(zip(_FIELDS, row, strict=True))) for row in rows)

    def undefined(self) -> Iterator[Score]:
        return super().undefined() if self._has_undefined else iter(())


def means_in(scores: Sequence[Score]) -> list[Score]:
    """Returns the means, without making a score of any topic that is packed."""
    if isinstance(scores, PackedScores):
        return [*scores.means]
    return [score for score in scores if score.topic is None]


def by_topic_in(
    scores: Sequence[Score], *, system: str | None = None, metric: str | None = None
) -> Iterator[Score]:
    """Yields per-topic scores of a system and a metric (with component); None = any."""
    packed = scores if isinstance(scores, PackedScores) else None
    wanted = packed.by_topic(system, metric) if packed is not None else iter(scores)
    return (
        score
        for score in wanted
        if score.topic is not None
        and system in (None, score.system)
        and metric in (None, score.metric)
    )


def undefined_in(scores: Sequence[Score]) -> Iterator[Score]:
    """Yields the undefined scores, in order; packed defined ones are not unpacked."""
    if isinstance(scores, PackedScores):
        return scores.undefined()
    return (score for score in scores if score.reason is not None)


def _means_last(scores: Iterable[Score]) -> list[Score]:
    return sorted(scores, key=lambda score: score.topic is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """Scores in the order topic, length, system, metric, means last; and warnings.

    Attributes:
        scores: By topic, then the means; `PackedScores` of very many topics.
    """

    scores: Sequence[Score] = ()
    warnings: tuple[Problem, ...] = ()
    cover_sizes: tuple[CoverSize, ...] = ()

    def failed(self) -> tuple[Score, ...]:
        """Returns a mean of each metric that could not be computed; a warning has its reason."""
        found: dict[tuple[str, str], Score] = {}
        for one in means_in(self.scores):
            if one.reason is not None and one.reason in self.warnings:
                found.setdefault((one.metric, one.signature), one)
        return tuple(found.values())

    def __add__(self, other: "ScoreTable") -> "ScoreTable":
        mine, others = self.scores, other.scores
        if not isinstance(mine, PackedScores) and isinstance(others, PackedScores):
            mine = PackedScores.of(_means_last(mine))
        return ScoreTable(
            scores=mine + others
            if isinstance(mine, PackedScores)
            else tuple(_means_last((*mine, *others))),
            warnings=self.warnings + other.warnings,
            cover_sizes=self.cover_sizes + other.cover_sizes,
        )


class Origin(Enum):
    """Source of stored scores."""

    COMPUTED = "computed"  # by this program
    IMPORTED = "imported"  # from a file


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The metrics, topics and systems of a stored run."""

    metrics: tuple[str, ...] = ()  # as requested; empty for imported scores
    topics: tuple[str, ...] | None = None  # ids; None = all that there were
    systems: tuple[str, ...] | None = None  # names; None = all that there were
    origin: Origin = Origin.COMPUTED
    program: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptScores:
    """A stored run without its scores."""

    id: int  # its number; grows with time
    at: str  # time of storing: ISO 8601, UTC
    who: str
    title: str
    corpus_state: str  # of the corpus that was scored; another one now = out of date
    selection: Selection


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRun:
    """A stored run with its scores."""

    kept: KeptScores
    table: ScoreTable
