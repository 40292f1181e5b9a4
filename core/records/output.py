"""What systems made of a topic: extracts of its sentences, or texts of their own."""

from collections.abc import Iterator
from dataclasses import dataclass

from awase.core.errors import Problem, raise_if_any
from awase.core.records.identifiers import (
    SentenceRef,
    id_problems,
    is_storable,
    is_usable_id,
    text_problems,
)

References = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """Source sentences that a system chose.

    Attributes:
        system: Name of the system.
        sentences: In the system's order of rank; a repeated id is kept here and scored once.
        length: Length class it was made for; None serves every length.
        references: Texts that replace the topic's abstracts for text metrics.
    """

    system: str
    sentences: tuple[SentenceRef, ...]
    length: str | None = None
    references: References | None = None

    def __post_init__(self) -> None:
        if (
            self.references is not None
            or not is_usable_id(self.system)
            or not (self.length is None or is_usable_id(self.length))
        ):
            raise_if_any(_output_problems(self.system, self.length, self.references))


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOutput:
    """Sentences that a system wrote.

    Attributes:
        system: Name of the system.
        sentences: In the system's order.
        length: Length class it was made for; None serves every length.
        references: Texts that replace the topic's abstracts for text metrics.
    """

    system: str
    sentences: tuple[str, ...]
    length: str | None = None
    references: References | None = None

    def __post_init__(self) -> None:
        if (
            self.references is not None
            or not is_usable_id(self.system)
            or not (self.length is None or is_usable_id(self.length))
            or not is_storable("".join(self.sentences))
        ):
            raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        yield from _output_problems(self.system, self.length, self.references)
        for sent_idx, text in enumerate(self.sentences):
            yield from text_problems(text, f"text[{sent_idx}]")


Output = Extract | TextOutput


def _output_problems(
    system: str, length: str | None, references: References | None
) -> Iterator[Problem]:
    yield from id_problems(system, "system")
    if length is not None:
        yield from id_problems(length, "length")
    for ref_idx, reference in enumerate(references or ()):
        for sent_idx, text in enumerate(reference):
            yield from text_problems(text, f"references[{ref_idx}][{sent_idx}]")
