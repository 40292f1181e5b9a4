"""Scores of a draft extract for each annotator, the effect of each sentence, and the best extracts.

A need offers alternatives, each a set of items; it is satisfied to the share of its fullest
alternative. `best_partial_cover` maximises the weighted sum over needs with at most `most` items.

Model, solved by CBC: x_s = item s is chosen; y_a = alternative a is the one that counts for its
need, sum of y_a over a need <= 1; v_as <= x_s, v_as <= y_a; the objective is the sum of
weight / |a| * v_as. With x and y binary, v may be continuous. Unlike in Coverage's minimal cover,
needs count in part.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from awase.core.annotation.content import topic_edit
from awase.core.errors import InputError, Listing, Problem
from awase.core.metrics.extracts.gold import Gold, gold_of
from awase.core.metrics.extracts.scorers import (
    EVERYTHING,
    PreparedGold,
    Tsc3Options,
    Tsc3Values,
    counted_part,
    undefined_reason,
)
from awase.core.metrics.kit.signature import exact_weight
from awase.core.records.abstract import Abstract
from awase.core.records.corpus import RankWeights
from awase.core.records.edits import TopicEdit
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Extract, Topic
from awase.core.solvers.cover import Status

Alternatives = tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialCoverProblem:
    """A problem of partial satisfaction."""

    needs: tuple[Alternatives, ...]  # the alternatives of each need; at least one each, none empty
    weights: tuple[Fraction, ...]  # of each need, at least 0
    most: int  # how many items may be held, at least 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialCover:
    """Items and what they satisfy."""

    items: frozenset[int]
    value: Fraction
    bound: float  # no choice has more; equal to `value` when the status is OPTIMAL
    status: Status  # OPTIMAL, or TIMED_OUT when it was stopped


def satisfied(problem: PartialCoverProblem, items: frozenset[int]) -> Fraction:
    """Returns the exact weighted sum over needs of the shares, 0..1, that `items` satisfy."""
    return sum(
        (
            weight * max(Fraction(len(items & a), len(a)) for a in alternatives)
            for alternatives, weight in zip(problem.needs, problem.weights, strict=True)
        ),
        Fraction(0),
    )


def best_partial_cover(
    problem: PartialCoverProblem,
    *,
    on_wait: Callable[[], None] = lambda: None,
    timeout_s: float | None = None,
) -> PartialCover:
    """Returns a smallest set of items of the highest value.

    After `timeout_s`, None = no limit, it is the best so far, with a bound. `on_wait` is called
    some ten times a second; raising ends the search.
    """
    if not problem.needs or problem.most <= 0:
        return PartialCover(items=frozenset(), value=Fraction(0), bound=0.0, status=Status.OPTIMAL)
    found, bound, is_optimal = _solved(problem, on_wait, timeout_s)
    items = _without_idle(problem, found)
    value = satisfied(problem, items)
    return PartialCover(
        items=items,
        value=value,
        bound=float(value) if is_optimal else max(bound, float(value)),
        status=Status.OPTIMAL if is_optimal else Status.TIMED_OUT,
    )


def _without_idle(problem: PartialCoverProblem, items: frozenset[int]) -> frozenset[int]:
    """Drops idle items, the highest first."""
    kept, value = items, satisfied(problem, items)
    for item in sorted(items, reverse=True):
        fewer = kept - {item}
        if satisfied(problem, fewer) == value:
            kept = fewer
    return kept


def _solved(
    problem: PartialCoverProblem, on_wait: Callable[[], None], timeout_s: float | None
) -> tuple[frozenset[int], float, bool]:
    """Returns the best items, a bound, and whether they are optimal."""
    from awase.core.solvers.ilp import Expression, Program, is_one, total  # 120 ms to import

    program = Program(timeout_s, lambda _: on_wait())
    items = sorted({item for need in problem.needs for a in need for item in a})
    x = {item: program.binary() for item in items}
    program.require(total(x.values()) <= problem.most)
    gains: list[Expression] = []
    for alternatives, weight in zip(problem.needs, problem.weights, strict=True):
        if not weight:
            continue
        chosen = {a: program.binary() for a in dict.fromkeys(alternatives)}
        program.require(total(chosen.values()) <= 1)
        for alternative, y in chosen.items():
            for item in sorted(alternative):
                held = program.number(1)
                program.require(held <= x[item])
                program.require(held <= y)
                gains.append(float(weight / len(alternative)) * held)
    most = float(sum(problem.weights))
    if not gains:
        return frozenset(), 0.0, True
    status, bound = program.maximise(total(gains))
    is_known = status in (Status.OPTIMAL, Status.FEASIBLE)
    held_items = frozenset(item for item, one in x.items() if is_known and is_one(one))
    return held_items, min(bound, most), status is Status.OPTIMAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """One annotator's alignment, indexed for grading."""

    annotator: str
    gold: Gold
    h: int
    weights: tuple[tuple[str, Fraction], ...]

    def values(self, extract: Sequence[SentenceRef], first: int | str) -> Tsc3Values:
        """Returns Precision, Coverage and Weighted coverage of an extract, in order of rank.

        `first` is how much of it counts: `h`, `all` or a number.
        """
        options = Tsc3Options(first=first, weights=self.weights)
        part = counted_part(extract, self.h, options)
        return PreparedGold(self.gold, options).values(part)

    def why_undefined(self, metric: str) -> Problem:
        """Returns why a metric, as `awase score` names it, has no value here."""
        return undefined_reason(self.gold, metric, Tsc3Options(weights=self.weights))


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceEffect:
    """Effect of adding or removing one sentence of an extract."""

    is_member: bool
    # Change of the whole extract's Coverage by adding or removing it; None when undefined.
    coverage: Fraction | None
    weighted_coverage: Fraction | None


def goals_of(
    abstract: Abstract, rank_weights: RankWeights, h_of: Mapping[str, int]
) -> tuple[Goal, ...]:
    """Returns a goal for each annotator with an alternative."""
    weights = tuple((rank, exact_weight(weight)) for rank, weight in rank_weights)
    goals = []
    for alignment in abstract.alignments:
        gold = gold_of(abstract, alignment)
        if gold.sentences and alignment.annotator in h_of:
            goals.append(
                Goal(
                    annotator=alignment.annotator,
                    gold=gold,
                    h=h_of[alignment.annotator],
                    weights=weights,
                )
            )
    return tuple(goals)


def sentence_effects(
    goal: Goal, extract: Sequence[SentenceRef], sentences: Sequence[SentenceRef]
) -> dict[SentenceRef, SentenceEffect]:
    """Returns the marginal coverage, at least 0, of each of `sentences` in `extract`."""
    options = Tsc3Options(first=EVERYTHING, weights=goal.weights)
    yardstick = PreparedGold(goal.gold, options)

    def values(refs: Sequence[SentenceRef]) -> Tsc3Values:
        return yardstick.values(counted_part(refs, goal.h, options))

    now = values(extract)
    members = frozenset(extract)
    found: dict[SentenceRef, SentenceEffect] = {}
    for ref in sentences:
        is_member = ref in members
        if ref not in goal.gold.bit_by_ref:
            other = now
        elif is_member:
            other = values([member for member in extract if member != ref])
        else:
            other = values([*extract, ref])
        found[ref] = SentenceEffect(
            is_member=is_member,
            coverage=_distance(now.coverage, other.coverage),
            weighted_coverage=_distance(now.weighted_coverage, other.weighted_coverage),
        )
    return found


def best_next(
    goal: Goal,
    extract: Sequence[SentenceRef],
    sentences: Sequence[SentenceRef],
    *,
    weighted: bool = False,
) -> SentenceRef | None:
    """Returns the sentence that adds most, the first of equals; None when none adds anything."""
    best: SentenceRef | None = None
    most = Fraction(0)
    for ref, worth in sentence_effects(goal, extract, sentences).items():
        gain = worth.weighted_coverage if weighted else worth.coverage
        if not worth.is_member and gain is not None and gain > most:
            best, most = ref, gain
    return best


def _distance(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else abs(one - other)


# Id of the action. It is stored in the operation log, so it is for ever.
SAVE_EXTRACT = "save_extract"


def save_edit(
    topic: Topic, system: str, length: str | None, sentences: Sequence[SentenceRef]
) -> TopicEdit | None:
    """Returns the edit that replaces the system's extract; None = it is equal already."""
    if not sentences:
        raise InputError.of("The extract is empty.", "Choose at least one sentence.")
    if not system.strip():
        raise InputError.of("The system has no name.", "Give it one.")
    extract = Extract(system=system.strip(), sentences=tuple(sentences), length=length)
    places = [
        idx
        for idx, output in enumerate(topic.outputs)
        if isinstance(output, Extract)
        and (output.system, output.length) == (extract.system, length)
    ]
    outputs = list(topic.outputs)
    if places:
        outputs[places[0]] = extract
    else:
        outputs.append(extract)
    return topic_edit(
        topic, replace(topic, outputs=tuple(outputs)), verb=SAVE_EXTRACT, subject=extract.system
    )


def read_refs(text: str, topic: Topic) -> tuple[SentenceRef, ...]:
    """Parses pasted references, each once: `doc:3`, `s10` or `10`, by blanks, commas or lines."""
    order = tuple(topic.refs())
    known = {str(ref): ref for ref in order}
    known |= {f"s{number}": ref for number, ref in enumerate(order, start=1)}
    known |= {str(number): ref for number, ref in enumerate(order, start=1)}
    words = [word for word in text.replace(",", " ").replace("、", " ").split() if word]
    unknown = [word for word in dict.fromkeys(words) if word not in known]
    if unknown or not words:
        raise InputError.of(
            "Not sentences of topic “{topic}”: {words}.",
            "Give addresses such as {example}, or numbers from s1 to s{n}.",
            topic=topic.id,
            words=Listing(unknown, most=10) or "∅",
            example=str(order[0]) if order else "doc:1",
            n=len(order),
        )
    return tuple(dict.fromkeys(known[word] for word in words))


@dataclass(frozen=True, slots=True, kw_only=True)
class BestExtract:
    """An extract that covers most."""

    # In the order of the gold's alternatives; no more than allowed.
    sentences: tuple[SentenceRef, ...]
    value: Fraction  # its Coverage or Weighted coverage, 0..1
    bound: float  # no extract of this size has more; equal to `value` when that is proved
    is_proved: bool


def best_extract(
    goal: Goal,
    most: int,
    *,
    weighted: bool = False,
    timeout_s: float | None = None,
    on_wait: Callable[[], None] = lambda: None,
) -> BestExtract:
    """Returns an extract of at most `most` sentences with maximal coverage.

    Time limit and waiting as of `best_partial_cover`.
    """
    if most < 1:
        raise InputError.of("An extract of {n} sentences is empty.", "Allow at least 1.", n=most)
    weights = _weights(goal, weighted)
    total = sum(weights, Fraction(0))
    if not total:
        raise InputError.of("The weights of all ranks that occur are 0.")
    number = {ref: idx for idx, ref in enumerate(goal.gold.items)}
    problem = PartialCoverProblem(
        needs=tuple(
            tuple(frozenset(number[ref] for ref in members) for members in sentence.alternatives)
            for sentence in goal.gold.sentences
        ),
        weights=weights,
        most=most,
    )
    found = best_partial_cover(problem, on_wait=on_wait, timeout_s=timeout_s)
    return BestExtract(
        sentences=tuple(goal.gold.items[idx] for idx in sorted(found.items)),
        value=found.value / total,
        bound=found.bound / float(total),
        is_proved=found.status is Status.OPTIMAL,
    )


def _weights(goal: Goal, weighted: bool) -> tuple[Fraction, ...]:
    sentences = goal.gold.sentences
    if not weighted:
        return (Fraction(1),) * len(sentences)
    weight_by_rank = dict(goal.weights)
    without = [s.n for s in sentences if s.rank is None or s.rank not in weight_by_rank]
    if without:
        raise InputError.of(
            "Abstract sentences without a rank: {numbers}.",
            "Rank every sentence, or use plain coverage.",
            numbers=Listing(without),
        )
    return tuple(weight_by_rank[s.rank] for s in sentences if s.rank is not None)
