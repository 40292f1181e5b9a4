"""What is summarised: documents and their source sentences."""

from collections.abc import Iterator
from dataclasses import dataclass

from awase.core.errors import Problem, raise_if_any
from awase.core.records.identifiers import SentenceRef, id_problems, is_storable, text_problems


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSentence:
    """A sentence of a document.

    Attributes:
        n: Its number in the document, from 1; it stays when the text is edited.
        text: The sentence.
        paragraph: Number of its paragraph, from 1; None when unknown.
    """

    n: int
    text: str
    paragraph: int | None = None

    def __post_init__(self) -> None:
        # Nearly all records of a corpus are these: look first, and collect only what is wrong.
        is_numbered = self.n >= 1 and (self.paragraph is None or self.paragraph >= 1)
        if not is_numbered or not is_storable(self.text):
            raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        for name, value in (("n", self.n), ("paragraph", self.paragraph)):
            if value is not None and value < 1:
                yield below_one(name, value)
        yield from text_problems(self.text, "text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """An article of a topic, in the order of its sentences.

    Attributes:
        id: Unique within the topic.
        sentences: In reading order; their numbers need not be consecutive.
        source: The paper or agency it is from.
        date: As the source writes it; ISO 8601 sorts.
        title: The headline.
    """

    id: str
    sentences: tuple[SourceSentence, ...] = ()
    source: str | None = None
    date: str | None = None
    title: str | None = None

    def __post_init__(self) -> None:
        raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        yield from id_problems(self.id, "id")
        for name, value in (("source", self.source), ("date", self.date), ("title", self.title)):
            yield from text_problems(value or "", name)
        yield from repeated_numbers([sentence.n for sentence in self.sentences])

    def refs(self) -> Iterator[SentenceRef]:
        """Yields the address of each sentence, in reading order."""
        for sentence in self.sentences:
            yield SentenceRef(self.id, sentence.n)


def below_one(name: str, value: int) -> Problem:
    """Returns the problem that the count `name` is below 1."""
    return Problem(
        what="{name} is {value}.",
        hint="Numbers count from 1.",
        fields={"name": name, "value": value},
        path=name,
    )


def repeated_numbers(numbers: list[int]) -> Iterator[Problem]:
    """Yields a problem for each sentence whose number an earlier sentence has."""
    if len(set(numbers)) == len(numbers):
        return
    seen: set[int] = set()
    for index, n in enumerate(numbers):
        if n in seen:
            yield Problem(
                what="Sentence number {n} stands twice.",
                hint="Give each sentence a number of its own.",
                fields={"n": n},
                path=f"sentences[{index}].n",
            )
        seen.add(n)
