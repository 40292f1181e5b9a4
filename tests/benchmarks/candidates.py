"""How often the wanted sentences are among the first nine candidates, and at what cost.

Wanted is what annotators linked: in FAR (shared data; left out when it is not there) and in the
demonstration corpora. FAR's topics at even places were used for choosing, those at odd ones were
not.
"""

import statistics
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path

from awase.core.annotation.candidates import (
    Bm25Ranker,
    SentenceSimilarity,
    TopicIndex,
    best_first,
    keys_of,
)
from awase.core.formats.reading.requests import ReadRequest
from awase.core.formats.registry import format_by_id
from awase.core.records.corpus import Corpus
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic
from tests.benchmarks import print_table, timed
from tests.benchmarks.corpora import made_corpus
from tests.shared_data import SHARED_DATA

ROOT = Path(__file__).parents[2]
FAR = SHARED_DATA / "far.json"
FIRST = 9
THRESHOLDS = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.72)

Sets = dict[str, tuple[Topic, ...]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """An abstract sentence as one annotator linked it; sentences by their place in the topic."""

    text: str
    alternatives: tuple[tuple[int, ...], ...]


def main() -> None:
    """Prints Markdown tables."""
    sets, rankers = _sets(), _rankers()
    print("Share whose members are all among the first nine\n")
    print_table(
        "data | ranker | sentences | some alternative | all alternatives | alternatives | MRR",
        (
            (data, name, *_recall_row(topics, factory))
            for data, topics in sets.items()
            for name, factory in rankers.items()
        ),
    )
    _print_growth(sets)
    _print_near_duplicates(sets)
    _print_times(rankers)


def _sets() -> Sets:
    sets: Sets = {}
    if FAR.exists():
        topics = corpus_of(FAR.read_text("utf-8"), "far").topics
        sets |= {"FAR, chosen on": topics[0::2], "FAR, held out": topics[1::2]}
    for language in ("en", "ja"):
        text = (ROOT / "resources" / "demo" / f"{language}.json").read_text(encoding="utf-8")
        sets[f"demo {language}"] = corpus_of(text).topics
    return sets


def corpus_of(text: str, format_id: str = "awase-json") -> Corpus:
    addition = format_by_id(format_id).reader()(ReadRequest(text=text, source="benchmark")).addition
    return Corpus(name="benchmark", topics=addition.topics)


class OverlapRanker(Bm25Ranker):
    """Counts shared uncovered terms, unweighted: 0..1 for each source sentence."""

    def scores(self, text: str, having: Collection[int] = ()) -> Sequence[float]:
        keys = {*keys_of(text)}
        lacking = keys.difference(*(self._counts[idx] for idx in having))
        return [len(lacking & own.keys()) / (len(keys) or 1) for own in self._counts]


class WithoutNeighbours(Bm25Ranker):
    """BM25 alone."""

    def _with_neighbours(self, own: Sequence[float]) -> list[float]:
        return [*own]


_Rankers = dict[str, type[Bm25Ranker]]


def _rankers() -> _Rankers:
    return {
        "lexical overlap": OverlapRanker,
        "BM25 without neighbours": WithoutNeighbours,
        "BM25": Bm25Ranker,
    }


def _wanted(topic: Topic) -> Iterator[Wanted]:
    place = {ref: idx for idx, ref in enumerate(topic.refs())}
    for abstract in topic.abstracts:
        text_by_n = {sentence.n: sentence.text for sentence in abstract.sentences}
        for alignment in abstract.alignments:
            for entry in alignment.sentences:
                if entry.alternatives:
                    alternatives = tuple(
                        tuple(place[ref] for ref in alternative.members)
                        for alternative in entry.alternatives
                    )
                    yield Wanted(text_by_n[entry.n], alternatives)


def texts_of(topic: Topic) -> list[list[str]]:
    return [[sentence.text for sentence in document.sentences] for document in topic.documents]


def _recall_row(topics: Sequence[Topic], factory: type[Bm25Ranker]) -> list[object]:
    some, every, alternatives, reciprocal = [], [], [], []
    for topic in topics:
        ranker = factory(texts_of(topic))
        for wanted in _wanted(topic):
            rank = _ranks(best_first(ranker.scores(wanted.text)))
            last = [max(rank[idx] for idx in members) for members in wanted.alternatives]
            some.append(min(last) <= FIRST)
            every.append(max(last) <= FIRST)
            alternatives += [place <= FIRST for place in last]
            reciprocal.append(statistics.fmean(1 / place for place in last))
    shares = (statistics.fmean(values) for values in (some, every, alternatives, reciprocal))
    return [len(some), *(f"{share:.3f}" for share in shares)]


def _ranks(order: Sequence[int]) -> dict[int, int]:
    return {idx: rank for rank, idx in enumerate(order, start=1)}


def _print_growth(sets: Sets) -> None:
    print("\nAs alternatives grow: the fixed order against one made anew, linked sentences first\n")
    wanted = {"rest of an alternative": _rests, "next alternative": _nexts}
    print_table(
        "data | wanted | cases | fixed: first nine | MRR | anew: first nine | MRR",
        (
            (data, name, *_growth_row(topics, cases))
            for data, topics in sets.items()
            for name, cases in wanted.items()
        ),
    )


@dataclass(frozen=True, slots=True)
class Case:
    """What is linked when the rest is wanted."""

    text: str
    linked: tuple[int, ...]
    wanted: tuple[int, ...]
    is_new: bool


def _rests(topic: Topic) -> Iterator[Case]:
    """Yields each member of an alternative as linked, the others as wanted."""
    for wanted in _wanted(topic):
        for members in wanted.alternatives:
            for first in members if len(members) > 1 else ():
                others = tuple(idx for idx in members if idx != first)
                yield Case(wanted.text, (first,), others, is_new=False)


def _nexts(topic: Topic) -> Iterator[Case]:
    """Yields the first alternatives as linked, the members of the next one as wanted."""
    for wanted in _wanted(topic):
        for count in range(1, len(wanted.alternatives)):
            done = wanted.alternatives[:count]
            linked = tuple(dict.fromkeys(idx for members in done for idx in members))
            yield Case(wanted.text, linked, wanted.alternatives[count], is_new=True)


def _growth_row(topics: Sequence[Topic], cases: Callable[[Topic], Iterator[Case]]) -> list[object]:
    hits: tuple[list[bool], list[bool]] = ([], [])
    reciprocal: tuple[list[float], list[float]] = ([], [])
    for topic in topics:
        index, refs = TopicIndex(topic), tuple(topic.refs())
        for case in cases(topic):
            linked = [refs[idx] for idx in case.linked]
            wanted = {refs[idx] for idx in case.wanted}
            anew = {"like": linked} if case.is_new else {"having": linked}
            orders = (index.ranked(case.text), index.ranked(case.text, linked=linked, **anew))
            for order, of_hits, of_ranks in zip(orders, hits, reciprocal, strict=True):
                of_hits.append(wanted <= set(order[:FIRST]))
                of_ranks += _reciprocal_ranks(order, set(linked), wanted)
    means = (map(statistics.fmean, both) for both in zip(hits, reciprocal, strict=True))
    return [len(hits[0]), *(f"{mean:.3f}" for both in means for mean in both)]


def _reciprocal_ranks(
    order: Sequence[SentenceRef], linked: set[SentenceRef], wanted: set[SentenceRef]
) -> Iterator[float]:
    """Yields 1 / rank among the sentences that are not linked, for each wanted one of them."""
    unlinked = (ref for ref in order if ref not in linked)
    return (1 / rank for rank, ref in enumerate(unlinked, start=1) if ref in wanted)


def _print_near_duplicates(sets: Sets) -> None:
    print("\nNear-duplicates: precision where one of a pair is linked, and recall\n")
    print("- alone: each of the two is an alternative of the same sentence by itself")
    print("- exchanged: two alternatives of the same sentence differ in nothing else\n")
    print_table(
        "data | threshold | alone: gold | found | P | R | exchanged: gold | found | P | R",
        (
            (data, threshold, *(_near_duplicates(topics, threshold, n) for n in (1, None)))
            for data, topics in sets.items()
            for threshold in THRESHOLDS
        ),
    )


def _near_duplicates(topics: Sequence[Topic], threshold: float, n_members: int | None) -> str:
    """Counts the pairs that D would make use of; with `n_members`, only alternatives of so many."""
    n_gold = n_found = n_right = 0
    for topic in topics:
        likeness = SentenceSimilarity([text for texts in texts_of(topic) for text in texts])
        linked = [
            [a for a in wanted.alternatives if n_members is None or len(a) == n_members]
            for wanted in _wanted(topic)
        ]
        gold = {
            (min(pair), max(pair))
            for alternatives in linked
            for one, other in combinations(alternatives, 2)
            if len(one) == len(other) and len(pair := set(one) ^ set(other)) == 2
        }
        found = {
            (min(idx, other), max(idx, other))
            for idx in {idx for alternatives in linked for a in alternatives for idx in a}
            for other in likeness.near_duplicates(idx, threshold)
        }
        n_gold, n_found = n_gold + len(gold), n_found + len(found)
        n_right += len(gold & found)
    precision, recall = n_right / max(1, n_found), n_right / max(1, n_gold)
    return f"{n_gold} | {n_found} | {precision:.2f} | {recall:.2f}"


def _print_times(rankers: _Rankers) -> None:
    topic = made_corpus(n_topics=1, n_sentences=120, n_systems=0).topics[0]
    queries = [sentence.text for sentence in topic.abstracts[0].sentences]
    print("\n120 sentences, Japanese; CPU ms\n")
    table = []
    for name, factory in rankers.items():
        index = TopicIndex(topic)
        prepared, index.__dict__["_ranker"] = timed(partial(factory, texts_of(topic)))
        two = index.refs[:2]
        times = [timed(partial(index.ranked, text, linked=two, having=two))[0] for text in queries]
        spent = prepared, statistics.median(times), max(times)
        table.append((name, *(f"{one:.2f}" for one in spent)))
    print_table("ranker | to prepare a topic | a query, median | largest", table)
