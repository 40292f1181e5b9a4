"""Parsed requests of the TSC-3 metrics, and warnings about their scores."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from awase.core.errors import InputError, Problem
from awase.core.metrics.entries import CORPUS_WEIGHTS, EXTRACTS, FIRST, STRICT, WEIGHTS
from awase.core.metrics.extracts.gold import Gold
from awase.core.metrics.extracts.scorers import Tsc3Options
from awase.core.metrics.kit.metric import ANNOTATOR, Chosen, ParsedRequest, options_for
from awase.core.metrics.kit.outputs import (
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
from awase.core.records.topic import TextOutput, Topic


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
    chosen = Chosen.of(request, options_for(EXTRACTS, request))
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
            "Write one weight a rank, in this order: {ranks}.",
            value=text, ranks="/".join(ranks),
        )  # fmt: skip
    return tuple(zip(ranks, values, strict=True))


LEFT_OUT = Problem(
    what="The alignments of {systems} are left out of annotator=all in topics {topics}, where they "
    "aligned some abstracts of a length class and not all."
)
REPETITIVE = Problem(
    what="Extracts of {systems} repeat sentences; each counts once, at its first place "
    "(topics {topics})."
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
        self._texts: dict[str, None] = {}
        self._extracts: set[str] = set()

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
        for topic in topics:
            for output in topic.outputs:
                if isinstance(output, TextOutput):
                    self._texts[output.system] = None
                else:
                    self._extracts.add(output.system)

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
        texts = [system for system in self._texts if system not in self._extracts]
        if texts:
            yield Problem(
                what="Not scored, as they are texts and not extracts: the outputs of {systems}.",
                fields={"systems": listed(texts)},
            )
