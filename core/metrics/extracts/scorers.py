"""Precision, Coverage and Weighted coverage of one extract (scorers of TSC-3), and their requests.

Source: Hirao, Okumura, Fukushima, Nanba (2004), 「TSC3 コーパスの構築と評価」, section 3:
Precision eq. 1, e(i) eq. 4-5, Coverage eq. 6, Weighted coverage eq. 7. `strict` is the facet-aware
recall of Mao et al. (2020), in which a partly extracted alternative earns nothing.

Differs: the paper's worked values are rounded on the way (.553, .780, .689 stand for 5/9, 7/9,
19/27 and the like); here everything is exact until it is printed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final, NamedTuple

from awase.core.errors import InputError, Listing, Problem
from awase.core.metrics.entries import CORPUS_WEIGHTS, EXTRACTS, FIRST, STRICT, WEIGHTS
from awase.core.metrics.extracts.gold import Gold, GoldSentence
from awase.core.metrics.kit.metric import ANNOTATOR, Chosen, ParsedRequest
from awase.core.metrics.kit.outputs import (
    REPETITIVE,
    AnnotatorChoice,
    Annotators,
    ScoringLog,
    listed,
    unanswering_extracts,
)
from awase.core.metrics.kit.signature import (
    MetricRequest,
    exact_weight,
    signature_text,
    weight_of,
    weight_text,
)
from awase.core.records.abstract import Abstract
from awase.core.records.corpus import RankWeights
from awase.core.records.source import SentenceRef
from awase.core.records.topic import TextOutput, Topic

EVERYTHING = "all"
MINIMAL_COVER = "h"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tsc3Options:
    """How an extract is scored."""

    # How much of the extract counts: `"h"` = the first h sentences, a number = the first so many,
    # `"all"` = the whole extract. Precision divides by h, by that number, or by the number of
    # different sentences extracted.
    first: int | str = MINIMAL_COVER
    strict: bool = False
    weights: tuple[tuple[str, Fraction], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedExtract:
    """The part of an extract that counts."""

    # Distinct sentences in order; a repeated one counts at its first position, and later ones are
    # lost.
    counted: tuple[SentenceRef, ...]
    denominator: int
    shortfall: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tsc3Values:
    """The three values of one extract; each is in 0..1, higher is better, None = undefined."""

    precision: Fraction | None
    coverage: Fraction | None
    weighted_coverage: Fraction | None

    def of(self, metric: str) -> Fraction | None:
        """Returns the value of one of `VALUES`."""
        value: Fraction | None = getattr(self, metric.replace("-", "_"))
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceScore:
    """How far an extract covers one abstract sentence."""

    n: int
    value: Fraction  # e(i) of eq. 4, in 0..1.
    # The fullest alternative; ties: fewest missing sentences, then the annotator's first.
    alternative: tuple[SentenceRef, ...]
    extracted: tuple[SentenceRef, ...]
    missing: tuple[SentenceRef, ...]
    redundant: tuple[SentenceRef, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractScore:
    """The values of an extract and all that explains them."""

    values: Tsc3Values
    part: CountedExtract
    sentences: tuple[SentenceScore, ...]  # one entry for each abstract sentence that counts
    irrelevant: tuple[SentenceRef, ...]


def counted_part(extract: Sequence[SentenceRef], h: int, options: Tsc3Options) -> CountedExtract:
    """Returns the sentences of `extract`, in order of rank, that count."""
    if options.first == EVERYTHING:
        counted = tuple(dict.fromkeys(extract))
        denominator = len(counted)
    else:
        denominator = h if options.first == MINIMAL_COVER else int(options.first)
        counted = tuple(dict.fromkeys(extract[:denominator]))
    return CountedExtract(
        counted=counted,
        denominator=denominator,
        shortfall=max(0, denominator - len(extract)),
    )


# What is above the line and what is below it, not reduced; 0 below = undefined.
Ratio = tuple[int, int]

UNDEFINED: Final[Ratio] = (0, 0)

# The metrics, in the order in which `PreparedGold.ratios` has their values.
VALUES: Final = ("precision", "coverage", "weighted-coverage")


class PreparedGold:
    """A gold prepared to measure many extracts with the same options."""

    # Integer arithmetic: a covered sentence has `Gold.common_size` parts, of which each member of
    # an alternative has the same share.

    def __init__(self, gold: Gold, options: Tsc3Options) -> None:
        whole = gold.common_size
        weights = _whole_weights(gold, options)
        self._gold = gold
        self._is_strict = options.strict
        self._whole = whole
        # Extracts share few members with a sentence: each set's value is cached.
        self._sentences: list[tuple[int, dict[int, int], list[tuple[int, int]], int]] = [
            (
                sentence.union,
                {},
                [(m, whole // n) for m, n in zip(sentence.masks, sentence.sizes, strict=True)],
                weight,
            )
            for sentence, weight in zip(gold.sentences, weights, strict=True)
        ]
        self._possible = whole * len(weights)
        self._weighted_possible = whole * sum(weights)

    def values(self, part: CountedExtract) -> Tsc3Values:
        """Returns the three values of the counted part of an extract."""
        precision, coverage, weighted_coverage = [
            Fraction(*ratio) if ratio[1] else None
            for ratio in self.ratios(part.counted, part.denominator)
        ]
        return Tsc3Values(
            precision=precision, coverage=coverage, weighted_coverage=weighted_coverage
        )

    def ratios(
        self, counted: Iterable[SentenceRef], denominator: int
    ) -> tuple[Ratio, Ratio, Ratio]:
        """Returns the three `VALUES` of the counted part of an extract; duplicates count once."""
        if not self._possible:
            return UNDEFINED, UNDEFINED, UNDEFINED
        mask = self._gold.mask_of(counted)
        earned = weighted = 0
        for union, known, alternatives, weight in self._sentences:
            had = union & mask
            if had:
                parts = known.get(had)
                if parts is None:
                    parts = known[had] = self._parts(had, alternatives)
                earned += parts
                weighted += parts * weight
        return (
            (mask.bit_count(), denominator),
            (earned, self._possible),
            (weighted, self._weighted_possible),
        )

    def _parts(self, had: int, alternatives: list[tuple[int, int]]) -> int:
        """Returns e(i) of eq. 4, in parts; `alternatives` are (members, share of each)."""
        best = 0
        for members, share in alternatives:
            extracted = members & had
            if extracted == members:
                return self._whole
            if extracted and not self._is_strict:
                parts = extracted.bit_count() * share
                if parts > best:
                    best = parts
        return best


def _whole_weights(gold: Gold, options: Tsc3Options) -> tuple[int, ...]:
    """Returns integers in proportion to the sentences' weights; all 0 = undefined."""
    weights = dict(options.weights)
    ranks = [sentence.rank for sentence in gold.sentences]
    known = [weights[rank] for rank in ranks if rank is not None and rank in weights]
    if len(known) < len(ranks):
        return (0,) * len(ranks)
    common = lcm(*{weight.denominator for weight in known})
    return tuple(weight.numerator * (common // weight.denominator) for weight in known)


def undefined_reason(gold: Gold, metric: str, options: Tsc3Options) -> Problem:
    """Returns why `metric` has no value for an extract measured against `gold`."""
    if gold.no_source and not gold.sentences and not gold.skipped:
        return Problem(
            what="Every abstract sentence is marked “no source”, so there is nothing to cover.",
        )
    if not gold.sentences:
        return Problem(
            what="No abstract sentence has an alternative, so there is nothing to cover.",
            hint="Link the abstract sentences first.",
        )
    if metric == "weighted-coverage":
        ranks = dict(options.weights)
        without = [s.n for s in gold.sentences if s.rank is None or s.rank not in ranks]
        if without:
            return Problem(
                what="Abstract sentences without a rank: {numbers}.",
                hint="Rank every sentence, or use plain coverage.",
                fields={"numbers": Listing(without)},
            )
        return Problem(what="The weights of all ranks that occur are 0.")
    return Problem(what="The extract is empty, so there is nothing to divide by.")


def score_extract(
    gold: Gold, extract: Sequence[SentenceRef], h: int, options: Tsc3Options
) -> ExtractScore:
    """Returns the values of an extract, in order of rank, with explanations; `h` is of `gold`."""
    part = counted_part(extract, h, options)
    extracted = frozenset(part.counted)
    mask = gold.mask_of(part.counted)
    choices = [_chosen_idx(sentence, mask, gold.common_size) for sentence in gold.sentences]
    serving = frozenset(
        ref
        for sentence, choice in zip(gold.sentences, choices, strict=True)
        for ref in sentence.alternatives[choice]
    )
    return ExtractScore(
        values=PreparedGold(gold, options).values(part),
        part=part,
        sentences=tuple(
            _sentence_score(sentence, choice, extracted, serving, strict=options.strict)
            for sentence, choice in zip(gold.sentences, choices, strict=True)
        ),
        irrelevant=tuple(ref for ref in part.counted if ref not in gold.bit_by_ref),
    )


def _chosen_idx(sentence: GoldSentence, mask: int, whole: int) -> int:
    def preference(alternative_idx: int) -> tuple[int, int]:
        size = sentence.sizes[alternative_idx]
        had = (sentence.masks[alternative_idx] & mask).bit_count()
        return -had * (whole // size), size - had

    return min(range(len(sentence.masks)), key=preference)


def _sentence_score(
    sentence: GoldSentence,
    choice: int,
    extracted: frozenset[SentenceRef],
    serving: frozenset[SentenceRef],
    *,
    strict: bool,
) -> SentenceScore:
    alternative = sentence.alternatives[choice]
    had = tuple(ref for ref in alternative if ref in extracted)
    value = Fraction(len(had), len(alternative))
    return SentenceScore(
        n=sentence.n,
        value=value if not strict or value == 1 else Fraction(0),
        alternative=alternative,
        extracted=had,
        missing=tuple(ref for ref in alternative if ref not in extracted),
        redundant=tuple(
            dict.fromkeys(
                ref
                for other in sentence.alternatives
                for ref in other
                if ref in extracted and ref not in serving
            )
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tsc3Request(ParsedRequest):
    """A metric of this family with parsed options."""

    options: Tsc3Options
    annotators: Annotators

    @property
    def annotator(self) -> str:
        """The value of the option `annotator`."""
        return self.annotators.spelled

    def signature_of(self, names: Iterable[str], facts: Mapping[str, str]) -> str:
        """Returns the signature of a value."""
        signed = {"annotator": self.annotators.signed(names)}
        return signature_text(self.metric, {**self.spelled, **signed, **facts})


def parse_request(request: MetricRequest, rank_weights: RankWeights) -> Tsc3Request:
    """Returns the request with its options read and checked."""
    chosen = Chosen.of_family(request, EXTRACTS)
    spelled = {**chosen.spelled}
    weights = _weights(chosen.get(WEIGHTS), rank_weights)
    if WEIGHTS in chosen:
        written = "/".join(weight_text(weight) for _, weight in weights)
        spelled[WEIGHTS.name] = written or CORPUS_WEIGHTS
    annotators = Annotators.parse(chosen[ANNOTATOR])
    spelled[ANNOTATOR.name] = annotators.spelled
    return Tsc3Request(
        metric=request.name,
        options=Tsc3Options(first=chosen[FIRST], strict=chosen.get(STRICT), weights=weights),
        annotators=annotators,
        spelled=spelled,
    )


def _weights(text: str, rank_weights: RankWeights) -> tuple[tuple[str, Fraction], ...]:
    """Returns weights scaled to the first: 2/1/0.6 and 1/0.5/0.3 give the same scores."""
    weights = _as_written(text, rank_weights)
    first = weights[0][1] if weights else Fraction(0)
    return tuple((rank, weight / first) for rank, weight in weights) if first else weights


def _as_written(text: str, rank_weights: RankWeights) -> tuple[tuple[str, Fraction], ...]:
    if text == CORPUS_WEIGHTS:
        return tuple((rank, exact_weight(weight)) for rank, weight in rank_weights)
    ranks = [rank for rank, _ in rank_weights]
    try:
        values = [weight_of(part.strip()) for part in text.split("/")]
    except ValueError:
        values = []
    if len(values) != len(ranks):
        raise InputError.of(
            "weights={value} does not give each rank a weight from 0.",
            "Write one weight per rank, in this order: {ranks}.",
            value=text, ranks="/".join(ranks),
        )  # fmt: skip
    return tuple(zip(ranks, values, strict=True))


LEFT_OUT = Problem(
    what="The alignments of {systems} are left out of annotator=all in topics {topics}, where they "
    "aligned some abstracts of a length class and not all."
)
TOO_SHORT = Problem(
    what="Extracts of {systems} are shorter than the part that counts; Precision's "
    "denominator stays (topics {topics})."
)
TOO_LONG = Problem(
    what="Extracts of {systems} are longer than the part that counts; the surplus is cut "
    "(topics {topics})."
)
_UNANSWERING = Problem(
    what="Extracts of {systems} are not scored, as no abstract has their length class “{length}” "
    "(topics {topics}).",
    hint="Add the abstract or correct the length.",
)
_UNANSWERING_ANY = Problem(
    what="Extracts of {systems} without length class are not scored, as there is no abstract that "
    "the system has no other extract for (topics {topics}).",
    hint="Add the abstract or remove the extracts.",
)


class _Unfinished(NamedTuple):
    """Sentences of an abstract that are not settled; of some there is no alternative."""

    n_skipped: int
    numbers: tuple[int, ...]


class WarningLog(ScoringLog):
    """Collects warnings during the scoring of extracts."""

    def __init__(self) -> None:
        super().__init__(
            (LEFT_OUT,), (REPETITIVE,), (TOO_SHORT,), (TOO_LONG,), (_UNANSWERING, _UNANSWERING_ANY)
        )
        self._unfinished: dict[tuple[str, str], _Unfinished] = {}
        self._several_annotators: dict[str, None] = {}
        self._systems_of_texts: list[str] = []

    def add(self, other: ScoringLog) -> None:
        """Adds the warnings of other topics."""
        super().add(other)
        if isinstance(other, WarningLog):
            self._unfinished |= other._unfinished
            self._several_annotators |= other._several_annotators

    def note_annotation(
        self, topic: Topic, abstract: Abstract, annotators: Annotators, name: str, gold: Gold
    ) -> None:
        """Records unfinished alignments, and a choice between annotators."""
        is_first = annotators.choice is AnnotatorChoice.FIRST
        if is_first and len(abstract.alignments) > 1:
            names = " / ".join(alignment.annotator for alignment in abstract.alignments)
            self._several_annotators[names] = None
        if gold.provisional:
            whose = "" if is_first else f" {name or annotators.spelled}"
            numbers = tuple(sorted((*gold.skipped, *gold.unsettled)))
            self._unfinished[f"{topic.id}/{abstract.id}", whose] = _Unfinished(
                len(gold.skipped), numbers
            )

    def note_unanswering(self, topic: Topic) -> None:
        """Records extracts that answer no abstract of the topic."""
        for extract in unanswering_extracts(topic):
            warning = _UNANSWERING_ANY if extract.length is None else _UNANSWERING
            self.note(warning, extract.system, topic.id, length=extract.length or "")

    def note_systems(self, topics: Iterable[Topic]) -> None:
        """Records systems of texts, which these metrics cannot score."""
        outputs = [output for topic in topics for output in topic.outputs]
        extracts = {one.system for one in outputs if not isinstance(one, TextOutput)}
        others = dict.fromkeys(one.system for one in outputs if one.system not in extracts)
        self._systems_of_texts = [*others]

    def problems(self) -> tuple[Problem, ...]:
        """Returns the warnings by importance."""
        return (
            *self._unfinished_problems(),
            *(
                Problem(
                    what="Abstracts have alignments by several annotators ({names}); "
                    "the first one's was used.",
                    hint="Choose one with the option annotator=….",
                    fields={"names": names},
                )
                for names in self._several_annotators
            ),
            *self.of_topics(),
            *self._text_problems(),
            *self.of_means(),
        )

    def _unfinished_problems(self) -> Iterator[Problem]:
        if self._unfinished:
            found = self._unfinished.values()
            abstracts = [
                f"{name}{whose} ({', '.join(map(str, one.numbers))})"
                for (name, whose), one in self._unfinished.items()
            ]
            yield Problem(
                what="Scores are provisional. Abstract sentences without any alternative, which "
                "are skipped: {skipped}; others that are not confirmed: {unsettled}; in "
                "{abstracts}.",
                hint="Confirm them, or mark them “no source”.",
                fields={
                    "skipped": sum(one.n_skipped for one in found),
                    "unsettled": sum(len(one.numbers) - one.n_skipped for one in found),
                    "abstracts": listed(abstracts),
                },
            )

    def _text_problems(self) -> Iterator[Problem]:
        if self._systems_of_texts:
            yield Problem(
                what="Not scored, as they are texts and not extracts: the outputs of {systems}.",
                fields={"systems": listed(self._systems_of_texts)},
            )
