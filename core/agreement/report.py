"""Agreement of a corpus: every level, pair and sentence."""

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import combinations

from awase.core.agreement.coding import (
    Choice,
    CodedTopic,
    Item,
    Levels,
    Representatives,
    coded,
    with_robot,
)
from awase.core.agreement.distances import (
    GOLD,
    OF_FAMILIES,
    ROBOT,
    FamilyComparer,
    Kind,
    Raters,
    SetDistance,
    alignment_of,
    is_explained,
    kind_of,
    raters_in,
)
from awase.core.agreement.results import Agreement, AgreementRequest, PairFacts, SentenceAgreement
from awase.core.agreement.rows import differences_of, rows_of
from awase.core.annotation.candidates import TopicIndex
from awase.core.errors import InputError, Listing, Problem, Reporter
from awase.core.records.abstract import AlignmentState
from awase.core.records.corpus import Corpus
from awase.core.records.topic import ids_of
from awase.core.solvers.cover import Family

Pair = tuple[str, str]

_Facts = tuple[Kind, Mapping[SetDistance, float | None]]

_WITHOUT_SOURCE = (Kind.ONE_NO_SOURCE, Kind.BOTH_NO_SOURCE)


class AnnotatorPairs:
    """Accumulates each pair's statistics by topic."""

    def __init__(self, annotators: Sequence[str]) -> None:
        self._pairs: tuple[Pair, ...] = tuple(combinations(annotators, 2))
        self._kinds: dict[Pair, Counter[Kind]] = {pair: Counter() for pair in self._pairs}
        self._ranks: dict[Pair, Counter[Pair]] = {pair: Counter() for pair in self._pairs}
        self._bias: dict[Pair, array[float]] = {pair: array("d") for pair in self._pairs}
        self._n_different = Counter[Pair]()
        self._n_explained = Counter[Pair]()
        self.sentences: list[SentenceAgreement] = []

    def add(
        self, topic: CodedTopic, comparer: FamilyComparer, representatives: Representatives | None
    ) -> None:
        """Adds a topic; without representatives near-duplicates are ignored."""
        compared = cache(partial(_facts, comparer))  # most pairs of annotators repeat
        for item in topic.items:
            shares = {who: comparer.share(family) for who, family in item.families.items()}
            for pair in self._pairs:
                if pair[0] in item.families and pair[1] in item.families:
                    self._bias[pair].append(shares[pair[0]] - shares[pair[1]])
                    self.sentences.append(self._sentence(item, pair, compared, representatives))
                if pair[0] in item.ranks and pair[1] in item.ranks:
                    self._ranks[pair][item.ranks[pair[0]], item.ranks[pair[1]]] += 1

    def facts(self) -> Iterator[PairFacts]:
        """Yields each pair's results."""
        for pair in self._pairs:
            differences = self._bias[pair]
            bias = sum(differences) / len(differences) if differences else math.nan
            yield PairFacts(
                annotators=pair,
                kinds={kind: self._kinds[pair][kind] for kind in Kind if self._kinds[pair][kind]},
                bias=None if math.isnan(bias) else bias,
                n_different=self._n_different[pair],
                n_near_duplicates=self._n_explained[pair],
                ranks=dict(self._ranks[pair]),
            )

    def _sentence(
        self,
        item: Item,
        pair: Pair,
        compared: Callable[[Family, Family, bool], _Facts],
        representatives: Representatives | None,
    ) -> SentenceAgreement:
        one, other = pair
        first, second = item.families[one], item.families[other]
        kind, distances = compared(first, second, item.sets[one] == item.sets[other])
        self._kinds[pair][kind] += 1
        if not kind.is_agreement and kind not in _WITHOUT_SOURCE:
            self._n_different[pair] += 1
            if representatives is not None:
                self._n_explained[pair] += is_explained(
                    first, second, representatives.representative_of
                )
        return SentenceAgreement(
            topic=item.topic,
            abstract=item.abstract.id,
            n=item.n,
            annotators=pair,
            kind=kind,
            distances=distances,
        )


def _facts(
    comparer: FamilyComparer, first: Family, second: Family, is_same_as_given: bool
) -> _Facts:
    """Returns the kind and every distance of absorbed families; None = undefined."""
    found = ((one, comparer.distance(one, first, second)) for one in OF_FAMILIES)
    distances = {one: None if math.isnan(value) else value for one, value in found}
    return kind_of(first, second, is_same_as_given=is_same_as_given), distances


def agreement_of(corpus: Corpus, request: AgreementRequest, reporter: Reporter) -> Agreement:
    """Runs an agreement study."""
    raters = raters_in(corpus.topics, reporter)
    annotators = _selected_annotators(raters, request)
    _check_length(raters, request.length)
    choices = _choices(annotators)
    compared = _compared(raters, request)
    coders = tuple(dict.fromkeys((*annotators, *compared, *_gold(raters))))
    ranks = [rank for rank, _ in corpus.rank_weights]
    levels = _levels(raters, annotators, choices, request, ranks)
    pairs, states = AnnotatorPairs(annotators), _States()
    for done, topic in enumerate(corpus.topics):
        still_wanted = partial(reporter.advance, done, len(corpus.topics), topic.id)
        still_wanted()
        found, representatives = coded(topic, coders, request.length), None
        if found.items and (request.compares_texts or ROBOT in (*annotators, *compared)):
            index = TopicIndex(topic)
            found = with_robot(found, index) if raters.has_robot else found
            representatives = Representatives(index, found.numbering)
        comparer = FamilyComparer(request.most_states, still_wanted)
        levels.add(found, comparer)
        pairs.add(found, comparer, representatives)
        states.add(found, annotators)
    topics = ids_of(corpus.topics)
    return Agreement(
        annotators=annotators,
        length=request.length,
        n_sentences=states.n_sentences,
        rows=rows_of(levels, choices, topics, request, reporter),
        sentences=tuple(pairs.sentences),
        pairs=tuple(pairs.facts()),
        warnings=tuple(states.warnings()),
        differences=differences_of(levels, request, reporter),
    )


def _levels(
    raters: Raters,
    annotators: Sequence[str],
    choices: Sequence[Choice],
    request: AgreementRequest,
    ranks: Sequence[str],
) -> Levels:
    is_robot_wanted = request.compares_texts and raters.has_robot
    others = [*([ROBOT] if is_robot_wanted else []), *_gold(raters)]
    beside = [(who, other) for other in others if other not in annotators for who in annotators]
    asked = [choice for both in request.compares for choice in both]
    every = [*dict.fromkeys((*choices, *beside, *asked))]
    return Levels(every, request.distances, ranks)


def _compared(raters: Raters, request: AgreementRequest) -> tuple[str, ...]:
    for both in request.compares:
        for choice in both:
            _selected_annotators(raters, replace(request, annotators=choice))
    return tuple(dict.fromkeys(who for both in request.compares for c in both for who in c))


def _gold(raters: Raters) -> tuple[str, ...]:
    """Returns the name of the gold, if it is not an annotator's alignment."""
    return (GOLD,) if raters.has_gold and GOLD not in raters.annotators else ()


def _selected_annotators(raters: Raters, request: AgreementRequest) -> tuple[str, ...]:
    """Returns the selected annotators, two or more."""
    known = raters.annotators
    asked = tuple(dict.fromkeys(request.annotators)) or known
    unknown = [who for who in asked if not raters.knows(who)]
    if unknown:
        raise InputError(
            Problem(
                what="Nobody called “{annotator}” aligned anything in this corpus.",
                hint="Name some of {known}." if known else "Align its abstracts first.",
                fields={"annotator": who, "known": Listing(known)},
            )
            for who in unknown
        )
    if len(asked) < 2:
        raise InputError.of(
            "Agreement needs at least two annotators; found {n}.",
            "Let a second person annotate, or compare with “{robot}”, who takes the first "
            "candidate of each sentence.",
            n=len(asked),
            robot=ROBOT,
        )
    return asked


def _check_length(raters: Raters, length: str | None) -> None:
    known = raters.lengths
    if length is not None and length not in known:
        raise InputError.of(
            "No abstract has the length class “{length}”.",
            "It is one of {known}." if any(known) else "The abstracts have no length classes.",
            length=length,
            known=Listing(one for one in known if one is not None),
        )


def _choices(annotators: Sequence[str]) -> list[Choice]:
    """Returns each pair, then everybody where there are three or more."""
    everybody = [tuple(annotators)] if len(annotators) > 2 else []
    return [*combinations(annotators, 2), *everybody]


class _States:
    """Counts unsettled sentences, which are excluded."""

    def __init__(self) -> None:
        self.n_sentences = 0
        self._left_out: dict[str, Counter[AlignmentState]] = {}

    def add(self, topic: CodedTopic, annotators: Sequence[str]) -> None:
        self.n_sentences += len(topic.items)
        for item in topic.items:
            for who in annotators:
                if who not in item.families:
                    left_out = self._left_out.setdefault(who, Counter())
                    alignment = alignment_of(item.abstract, who)
                    entry = alignment.of_sentence(item.n) if alignment else None
                    left_out[entry.state if entry else AlignmentState.TODO] += 1

    def warnings(self) -> list[Problem]:
        return [
            Problem(
                what="{n} of {total} abstract {total:sentence|sentences} {n:is|are} left out for "
                "{annotator}: {todo} to do, {incomplete} incomplete, {flagged} flagged.",
                fields={
                    "n": left_out.total(),
                    "total": self.n_sentences,
                    "annotator": who,
                    "todo": left_out[AlignmentState.TODO],
                    "incomplete": left_out[AlignmentState.INCOMPLETE],
                    "flagged": left_out[AlignmentState.FLAGGED],
                },
            )
            for who, left_out in self._left_out.items()
        ]
