"""System outputs and human scores of them."""

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, repeat

from awase.core.errors import Problem, raise_if_any
from awase.core.records.identifiers import (
    GIVEN,
    SentenceRef,
    field_problems,
    id_problems,
    is_split,
    is_storable,
    is_usable_id,
    split_problems,
    text_problems,
)
from awase.core.records.source import Setter

References = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """A system's selection of source sentences.

    Attributes:
        sentences: In the system's order of rank; a repeated id is scored once.
        length: Length class it was made for; None serves every length.
        split: How its own references were split into sentences (`split=` in signatures).
    """

    system: str
    sentences: tuple[SentenceRef, ...]
    length: str | None = None
    references: References | None = None
    split: str = GIVEN

    def __post_init__(self) -> None:
        if (
            self.references is not None
            or not is_usable_id(self.system)
            or not (self.length is None or is_usable_id(self.length))
            or not is_split(self.split)
        ):
            raise_if_any(_output_problems(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOutput:
    """A system's text.

    Attributes:
        sentences: In the system's order.
        length: Length class it was made for; None serves every length.
        split: How it and its own references were split into sentences (`split=` in signatures).
    """

    system: str
    sentences: tuple[str, ...]
    length: str | None = None
    references: References | None = None
    split: str = GIVEN

    def __post_init__(self) -> None:
        if (
            self.references is not None
            or not is_usable_id(self.system)
            or not (self.length is None or is_usable_id(self.length))
            or not is_split(self.split)
            or not is_storable("".join(self.sentences))
        ):
            raise_if_any(self._problems())

    @classmethod
    def all_of(
        cls,
        systems: Sequence[str],
        texts: Sequence[tuple[str, ...]],
        lengths: Sequence[str | None],
        splits: Sequence[str],
    ) -> "list[TextOutput]":
        """Returns outputs without references of their own, checked together, for a fifth."""
        if not (
            all(map(is_usable_id, {*systems, *(one for one in {*lengths} if one is not None)}))
            and is_storable("".join(chain.from_iterable(texts)))
            and all(map(is_split, {*splits}))
        ):
            each = zip(systems, texts, lengths, splits, strict=True)
            return [
                cls(system=one, sentences=text, length=length, split=split)
                for one, text, length, split in each
            ]
        made = [*map(_new, repeat(cls, len(systems)))]
        slots = ((_set_system, systems), (_set_sentences, texts), (_set_length, lengths),
                 (_set_references, repeat(None)), (_set_split, splits))  # fmt: skip
        for setter, values in slots:
            deque(map(setter, made, values), maxlen=0)
        return made

    def _problems(self) -> Iterator[Problem]:
        yield from _output_problems(self)
        for sent_idx, text in enumerate(self.sentences):
            yield from text_problems(text, f"text[{sent_idx}]")


_new: Callable[[type[TextOutput]], TextOutput] = TextOutput.__new__
_set_system: Setter = TextOutput.__dict__["system"].__set__
_set_sentences: Setter = TextOutput.__dict__["sentences"].__set__
_set_length: Setter = TextOutput.__dict__["length"].__set__
_set_references: Setter = TextOutput.__dict__["references"].__set__
_set_split: Setter = TextOutput.__dict__["split"].__set__

Output = Extract | TextOutput


def _output_problems(output: Output) -> Iterator[Problem]:
    yield from field_problems(output, system=id_problems, length=id_problems)
    yield from split_problems(output.split)
    for ref_idx, reference in enumerate(output.references or ()):
        for sent_idx, text in enumerate(reference):
            yield from text_problems(text, f"references[{ref_idx}][{sent_idx}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanScore:
    """One human judgement.

    Attributes:
        measure: Name of the measure (`coverage`, `readability`, …).
        value: Finite; its range and direction are the measure's own.
        topic: Topic judged; None for a judgement of the system as a whole.
        annotator: The judge; None when unknown.
    """

    system: str
    measure: str
    value: float
    topic: str | None = None
    annotator: str | None = None

    def __post_init__(self) -> None:
        if not (
            is_usable_id(self.system)
            and is_usable_id(self.measure)
            and (self.topic is None or is_usable_id(self.topic))
            and (self.annotator is None or is_usable_id(self.annotator))
            and math.isfinite(self.value)
        ):
            raise_if_any(self._problems())

    @property
    def key(self) -> tuple[str | None, str, str, str | None]:
        """Unique in a corpus: topic, system, measure, annotator."""
        return (self.topic, self.system, self.measure, self.annotator)

    def _problems(self) -> Iterator[Problem]:
        yield from field_problems(
            self,
            system=id_problems,
            measure=id_problems,
            topic=id_problems,
            annotator=id_problems,
        )
        if not math.isfinite(self.value):
            yield Problem(
                what="The score is not a finite number.",
                hint="Leave the entry out when there is no score.",
                path="value",
            )
