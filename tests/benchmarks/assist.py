"""How good suggestions are, how sure they are of it, and what they cost.

Weights are fitted on one half of FAR's topics and tested on the other, both ways round (shared
data; left out when it is not there). The demonstration corpora are tested with weights fitted on
all of FAR. Intervals are of 95 %, from 1,000 bootstrap samples of 8 topics or more.

`python -m tests.benchmarks.assist --write` fits anew the weights that come with the program.
"""

import statistics
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from awase.core.annotation.candidates import best_first
from awase.core.annotation.evidence import (
    CARRIED_FEATURES,
    FamilyWeights,
    Logistic,
    RemarkKind,
    SentenceEvidence,
    TopicEvidence,
    member_remarks,
    weights_text,
)
from awase.core.annotation.fitting import (
    AssistExamples,
    Confirmed,
    average_precision,
    confirmed_entries,
    first_linked,
    gold_places,
)
from awase.core.annotation.suggesters import Closure, LexicalFamily, best_pairs
from awase.core.records.abstract import AbstractSentence, SentenceAlignment
from awase.core.records.topic import Topic
from awase.core.statistics.bootstraps import FEWEST_TOPICS
from tests.benchmarks import print_table, timed
from tests.benchmarks.candidates import FAR, ROOT, corpus_of
from tests.benchmarks.corpora import made_corpus
from tests.oracles.confidences import (
    N_BINS,
    calibration_error,
    precision_of_surest,
    recall_at_precision,
)

WEIGHTS = ROOT / "resources" / "assist" / "lexical-family.json"
N_SAMPLES = 1_000
SEED = 20040601
Row = tuple[float, bool]


@dataclass(frozen=True, slots=True)
class Case:
    """An entry as it was confirmed, with what its topic says of the sentence."""

    of: Confirmed
    asked: SentenceEvidence
    gold: frozenset[frozenset[int]]


def main() -> None:
    """Prints Markdown tables, or writes the weights."""
    far = corpus_of(FAR.read_text("utf-8"), "far").topics if FAR.exists() else ()
    demos = {
        f"demo {language}": corpus_of(
            (ROOT / "resources" / "demo" / f"{language}.json").read_text("utf-8")
        ).topics
        for language in ("en", "ja")
    }
    if "--write" in sys.argv:
        WEIGHTS.write_text(weights_text(shipped(far, demos)), "utf-8")
        return
    sets = {"FAR": far, **demos} if far else demos
    fitted = {name: _fitted(name, topics, far) for name, topics in sets.items()}
    cases = {name: _cases(topics) for name, topics in sets.items()}
    _print_singles(cases, fitted)
    _print_others(cases, fitted)
    _print_pairs(cases)
    _print_closure(cases)
    _print_carried(demos)
    _print_wholeness(cases)
    _print_times()


def shipped(far: Sequence[Topic], demos: Mapping[str, Sequence[Topic]]) -> FamilyWeights:
    """Returns the program's weights: of FAR, and of the demonstrations where FAR has no case."""
    nothing = FamilyWeights(
        data="", n_sentences=0, closure=0.0, single=_zero(4), pair=_zero(4), another=_zero(6),
        carried=_zero(len(CARRIED_FEATURES)),
    )  # fmt: skip
    of_far = AssistExamples(confirmed_entries(far)).fitted("FAR", nothing)
    both = [topic for topics in demos.values() for topic in topics]
    of_demos = AssistExamples(confirmed_entries(both)).fitted("demonstrations", nothing)
    data = (
        f"FAR (Mao et al. 2020), {len(far)} topics; “carried”: "
        f"the demonstration corpora en and ja, {len(both)} topics"
    )
    return replace(of_far, data=data, carried=of_demos.carried)


def _zero(n: int) -> Logistic:
    return Logistic(intercept=0.0, weights=(0.0,) * n)


def _fitted(
    name: str, topics: Sequence[Topic], far: Sequence[Topic]
) -> Callable[[int], FamilyWeights]:
    """Returns the weights for the topic at a place: of the other half, or of all of FAR."""
    if name != "FAR":
        weights = AssistExamples(confirmed_entries(far)).fitted("FAR")
        return lambda _: weights
    halves = [
        AssistExamples(confirmed_entries(topics[1 - half :: 2])).fitted("the other half")
        for half in (0, 1)
    ]
    return lambda at: halves[at % 2]


def _cases(topics: Sequence[Topic]) -> list[list[Case]]:
    found: list[list[Case]] = []
    for topic in topics:
        evidence = TopicEvidence(topic)
        of_topic = []
        for one in confirmed_entries([topic]):
            asked = evidence.of_sentence(one.sentence.text)
            of_topic.append(Case(one, asked, gold_places(evidence, one.entry)))
        found.append(of_topic)
    return found


def _quantiles(
    by_topic: Sequence[list[Row]], measure: Callable[[list[Row]], float]
) -> tuple[float, float]:
    rng = np.random.default_rng(SEED)
    values = []
    for _ in range(N_SAMPLES):
        drawn = rng.integers(len(by_topic), size=len(by_topic))
        rows = [row for at in drawn for row in by_topic[at]]
        if any(is_right for _, is_right in rows):
            values.append(measure(rows))
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def _with_interval(by_topic: Sequence[list[Row]], measure: Callable[[list[Row]], float]) -> str:
    value = f"{measure([row for rows in by_topic for row in rows]):.3f}"
    if len(by_topic) < FEWEST_TOPICS:
        return value
    low, high = (
        calibration_interval(by_topic)
        if measure is _CALIBRATION_ERROR
        else _quantiles(by_topic, measure)
    )
    return f"{value} [{low:.3f}, {high:.3f}]"


def calibration_interval(by_topic: Sequence[list[Row]]) -> tuple[float, float]:
    """Returns an interval of 95 % for the error behind the calibration error found.

    The error found is a mean of absolute values: chance alone makes it greater, and samples of the
    sentences found make it greater again. So the quantiles are mirrored at what was found (the
    basic bootstrap), and the lower end is 0 unless more was found than confidences that are exactly
    right would show. How often that covers the truth is in `calibration_coverage`.
    """
    rows = [row for of_topic in by_topic for row in of_topic]
    measure = _CALIBRATION_ERROR
    found, (low, high) = measure(rows), _quantiles(by_topic, measure)
    is_beyond = found > of_perfect(rows)[1]
    return (max(0.0, 2 * found - high) if is_beyond else 0.0), max(0.0, 2 * found - low)


def of_perfect(rows: Sequence[Row]) -> tuple[float, float]:
    """Returns what 95 % of confidences that are exactly right would show on these sentences."""
    rng = np.random.default_rng(SEED)
    sure = np.array([confidence for confidence, _ in rows])
    drawn = (rng.random(len(sure)) < sure for _ in range(N_SAMPLES))
    low, high = np.quantile(
        [calibration_error(sure.tolist(), one.tolist()) for one in drawn], [0.025, 0.975]
    )
    return float(low), float(high)


def calibration_coverage(
    by_topic: Sequence[list[Row]], right_of: Callable[[float], float], n: int, seed: int = SEED
) -> dict[str, float]:
    """Returns in which share of `n` simulated studies each interval covers the known truth.

    Args:
        by_topic: Their confidences are kept, who is right is drawn anew.
        right_of: A confidence to how often it is right in truth.
        n: How many.
        seed: Of what is drawn.
    """
    rng, measure = np.random.default_rng(seed), _measured(calibration_error)
    sure = np.array([one for rows in by_topic for one, _ in rows])
    truth = _error_of(sure, np.array([*map(right_of, sure.tolist())]))
    covered = {"percentile": 0, "ours": 0}
    for _ in range(n):
        drawn = [
            [(one, bool(rng.random() < right_of(one))) for one, _ in rows] for rows in by_topic
        ]
        for name, ends in (
            ("percentile", _quantiles(drawn, measure)), ("ours", calibration_interval(drawn))
        ):  # fmt: skip
            covered[name] += ends[0] <= truth <= ends[1]
    return {name: count / n for name, count in covered.items()}


def _error_of(sure: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    bins = np.minimum((sure * N_BINS).astype(int), N_BINS - 1)
    return float(np.abs(np.bincount(bins, sure - right)).sum()) / len(sure)


def _measured(function: Callable[..., float | None], *more: float) -> Callable[[list[Row]], float]:
    def of(rows: list[Row]) -> float:
        value = function([sure for sure, _ in rows], [right for _, right in rows], *more)
        return value if value is not None else 0.0

    return of


_CALIBRATION_ERROR = _measured(calibration_error)


def _print_singles(
    cases: dict[str, list[list[Case]]], fitted: dict[str, Callable[[int], FamilyWeights]]
) -> None:
    print("The best candidate alone is an alternative: of all, of the surest\n")
    table = []
    for data, topics in cases.items():
        rows = [
            [
                (
                    fitted[data](at).single.probability(case.asked.single_features()),
                    frozenset(case.asked.order[:1]) in case.gold,
                )
                for case in of_topic
            ]
            for at, of_topic in enumerate(topics)
        ]
        shares = (
            _with_interval(rows, _measured(precision_of_surest, share))
            for share in (1.0, 0.25, 0.5, 0.75)
        )
        flat = [row for of_topic in rows for row in of_topic]
        error = _with_interval(rows, _CALIBRATION_ERROR)
        table.append(
            (data, len(flat), *shares, error, "{:.3f} to {:.3f}".format(*of_perfect(flat)))
        )
    print_table(
        "data | sentences | all | surest 25 % | 50 % | 75 % | calibration error | of perfect", table
    )


def _print_others(
    cases: dict[str, list[list[Case]]], fitted: dict[str, Callable[[int], FamilyWeights]]
) -> None:
    print("\nAnother sentence that suffices alone, once one of them is linked\n")
    table = []
    for data, topics in cases.items():
        for name, place in (("BM25", 4), ("Jaccard", 0), ("all features", None)):
            rows = [
                [
                    (
                        features[place]
                        if place is not None
                        else fitted[data](at).another.probability(features),
                        is_right,
                    )
                    for case in of_topic
                    for features, is_right in _other_singles(case)
                ]
                for at, of_topic in enumerate(topics)
            ]
            n_right = sum(is_right for of_topic in rows for _, is_right in of_topic)
            values = (
                _with_interval(rows, _measured(average_precision)),
                _with_interval(rows, _measured(recall_at_precision, 0.8)),
                _with_interval(rows, _measured(recall_at_precision, 0.5)),
            )
            table.append((data, sum(map(len, rows)), n_right, name, *values))
    head = "data | pairs | right | by | average precision | recall at .8 | recall at .5"
    print_table(head, table)


def _other_singles(case: Case) -> Iterable[tuple[tuple[float, ...], bool]]:
    singles = [next(iter(members)) for members in case.gold if len(members) == 1]
    if not singles:
        return
    linked = min(singles, key=best_first(case.asked.scores).index)
    for place in range(len(case.asked.evidence.refs)):
        if place != linked:
            features = case.asked.exchange_features((), linked, place)
            yield features, frozenset([place]) in case.gold


def _print_pairs(cases: dict[str, list[list[Case]]]) -> None:
    print("\nAlternatives of two: rank of the pair; rank of one member when the other is linked\n")
    table = []
    for data, topics in cases.items():
        pairs = [_pair_ranks(of_topic) for of_topic in topics]
        partners = [_partner_ranks(of_topic) for of_topic in topics]
        by_words = [[(float(own), True) for own, _ in one] for one in partners]
        by_bm25 = [[(float(plain), True) for _, plain in one] for one in partners]
        values = [
            *(_with_interval(pairs, _within(n)) for n in (1, 3, 9)),
            *(_with_interval(by_words, _within(n)) for n in (1, 3)),
            *(_with_interval(by_bm25, _within(n)) for n in (1, 3)),
        ]
        table.append((data, sum(map(len, pairs)), *values))
    print_table("data | pairs | @1 | @3 | @9 | other member @1 | @3 | BM25 @1 | @3", table)


def _within(n: int) -> Callable[[list[Row]], float]:
    return lambda rows: statistics.fmean(rank <= n for rank, _ in rows)


def _pair_ranks(cases: Sequence[Case]) -> list[Row]:
    ranks: list[Row] = []
    for case in cases:
        found = [frozenset(pair) for pair in best_pairs(case.asked)]
        for members in case.gold:
            if len(members) == 2:
                ranks.append((found.index(members) + 1 if members in found else 99, True))
    return ranks


def _partner_ranks(cases: Sequence[Case]) -> list[tuple[int, int]]:
    ranks = []
    for case in cases:
        asked = case.asked
        for members in case.gold:
            for given in members if len(members) == 2 else ():
                (wanted,) = members - {given}
                others = [place for place in asked.order if place != given]
                by_cover = sorted(others, key=lambda place: -asked.pair_score(given, place))
                by_bm25 = [place for place in best_first(asked.scores) if place != given]
                ranks.append((by_cover.index(wanted) + 1, by_bm25.index(wanted) + 1))
    return ranks


def _print_closure(cases: dict[str, list[list[Case]]]) -> None:
    print("\nClosure of the first alternative linked: exchanged alternatives, and how many right\n")
    table = []
    for data, topics in cases.items():
        n_with = n_made = n_right = 0
        for of_topic in topics:
            closure = Closure()
            for case in of_topic:
                begun = first_linked(case.asked, case.of.entry)
                for one in closure.suggest(case.of.topic, case.of.sentence, begun):
                    made = [frozenset(case.asked.evidence.places(a.members)) for a in one.family]
                    n_with, n_made = n_with + 1, n_made + len(made)
                    n_right += sum(members in case.gold for members in made)
        table.append((data, n_with, n_made, f"{n_right / max(1, n_made):.2f}"))
    print_table("data | sentences with any | alternatives | right", table)


def _print_carried(demos: Mapping[str, Sequence[Topic]]) -> None:
    print(
        "\nAlternatives of the likest sentence of the other length; fitted on the other language\n"
    )
    table = []
    names = list(demos)
    for data, other in (names, names[::-1]):
        weights = AssistExamples(confirmed_entries(demos[other])).fitted(other).carried
        rows: list[Row] = []
        for topic in demos[data]:
            found = AssistExamples(confirmed_entries([topic])).carried
            rows += [
                (weights.probability(features), is_right)
                for features, is_right in zip(found.rows, found.labels, strict=True)
            ]
        right = statistics.fmean(is_right for _, is_right in rows)
        values = (_measured(average_precision)(rows), _measured(precision_of_surest, 0.25)(rows),
                  _measured(calibration_error)(rows))  # fmt: skip
        table.append((data, len(rows), *(f"{one:.3f}" for one in (right, *values))))
    print_table(
        "data | alternatives | right | average precision | surest 25 % | calibration error", table
    )


def _print_wholeness(cases: dict[str, list[list[Case]]]) -> None:
    print("\nRemarks on members: on gold alternatives of two or more (false alarms), and on single")
    print("ones with the best other candidate joined (wanted)\n")
    table = []
    for data, topics in cases.items():
        row: list[object] = [data]
        for wants_single in (False, True):
            counts = dict.fromkeys(RemarkKind, 0)
            n = 0
            for case in (case for of_topic in topics for case in of_topic):
                evidence = case.asked.evidence
                texts = {ref: sentence.text for ref, sentence in case.of.topic.sentences()}
                for members in case.gold:
                    if (len(members) == 1) is not wants_single:
                        continue
                    extra = next((p for p in case.asked.order if p not in members), None)
                    places = [*members, extra] if wants_single and extra is not None else [*members]
                    refs = [evidence.refs[place] for place in places]
                    n += 1
                    kinds = {r.kind for r in member_remarks(case.of.sentence.text, refs, texts)}
                    for kind in kinds:
                        counts[kind] += 1
            row += [n, *(f"{counts[kind] / max(1, n):.2f}" for kind in RemarkKind)]
        table.append(row)
    head = "data | gold | adds nothing | alone may do | joined | adds nothing | alone may do"
    print_table(head, table)


def _print_times() -> None:
    print("\nCPU ms of a suggestion (Japanese, 40 sentences, lexical-family)\n")
    table = []
    for n_sentences in (120, 300):
        topic = made_corpus(n_topics=1, n_sentences=n_sentences, n_systems=0).topics[0]
        for linked in (False, True):
            suggester = LexicalFamily()
            prepared, _ = timed(partial(TopicEvidence, topic))
            times = []
            nothing = AbstractSentence(n=1, text="")
            suggester.suggest(topic, nothing, SentenceAlignment(n=1))  # the topic is prepared
            for one in confirmed_entries([topic]):
                entry = one.entry if linked else replace(one.entry, alternatives=())
                ms, _ = timed(partial(suggester.suggest, one.topic, one.sentence, entry))
                times.append(ms)
            spent = prepared, statistics.median(times), sorted(times)[int(0.95 * len(times))]
            table.append((n_sentences, "yes" if linked else "no", *(f"{one:.2f}" for one in spent)))
    print_table("source sentences | linked | to prepare a topic | median | p95", table)
