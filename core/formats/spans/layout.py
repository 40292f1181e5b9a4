"""The source sentences of a topic as one text, and which of them a span of it covers."""

from dataclasses import dataclass, field

from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic


@dataclass(frozen=True, slots=True)
class Stretch:
    """Where a source sentence stands.

    Attributes:
        ref: The sentence.
        start: Offset of its first character, in code points.
        end: Offset behind its last one.
    """

    ref: SentenceRef
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cover:
    """The sentences that a span stands for.

    Attributes:
        refs: Those covered by more than half, in the order of the text.
        is_whole: Whether the span cuts no sentence; what it leaves out may be blank.
    """

    refs: tuple[SentenceRef, ...]
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """A text and the sentences in it.

    Attributes:
        text: The whole text.
        stretches: The sentences, in the order of the text.
    """

    text: str
    stretches: tuple[Stretch, ...]
    _exact: dict[tuple[int, int], SentenceRef] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        exact = {(stretch.start, stretch.end): stretch.ref for stretch in self.stretches}
        object.__setattr__(self, "_exact", exact)

    def cover(self, start: int, end: int) -> Cover:
        """Returns the sentences of which the span from `start` to `end` has more than half."""
        exact = self._exact.get((start, end))
        if exact is not None:
            return Cover((exact,), is_whole=True)
        refs: list[SentenceRef] = []
        is_whole = True
        for stretch in self.stretches:
            first, last = max(start, stretch.start), min(end, stretch.end)
            if first >= last:
                continue
            if 2 * (last - first) > stretch.end - stretch.start:
                refs.append(stretch.ref)
            left_out = self.text[stretch.start : first] + self.text[last : stretch.end]
            is_whole = is_whole and not left_out.strip()
        return Cover(tuple(refs), is_whole)


def layout_of(topic: Topic) -> Layout:
    """Returns the topic's sentences, one a line, its documents one after the other."""
    stretches: list[Stretch] = []
    texts: list[str] = []
    offset = 0
    for ref, sentence in topic.sentences():
        stretches.append(Stretch(ref, offset, offset + len(sentence.text)))
        texts.append(sentence.text)
        offset += len(sentence.text) + 1
    return Layout("\n".join(texts), tuple(stretches))
