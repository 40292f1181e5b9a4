"""Which systems are extractive: told by what they wrote, not by what they are called."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from awase.core.records.corpus import Corpus
from awase.core.records.output import Extract
from awase.core.records.topic import Topic

LEAST_SHARE: Final = 0.9
"""Of a system's sentences that stand in the source, for it to count as extractive."""


class SystemKind(StrEnum):
    """How a system makes its outputs."""

    EXTRACTIVE = "extractive"
    ABSTRACTIVE = "abstractive"


def system_kinds(corpus: Corpus) -> dict[str, SystemKind]:
    """Returns the kind of every system with an output that can be compared with its source.

    A system is extractive when at least `LEAST_SHARE` of its sentences stand in a document of their
    topic. Case, blanks and punctuation do not count, and a sentence may be a part of one of the
    source. Topics without documents, and sentences without a letter or digit, are passed over.
    """
    n_copied: dict[str, int] = {}
    n_sentences: dict[str, int] = {}
    for topic in corpus.topics:
        source = [_bare("".join(s.text for s in one.sentences)) for one in topic.documents]
        for system, is_copied in _sentences(topic, [text for text in source if text]):
            n_copied[system] = n_copied.get(system, 0) + is_copied
            n_sentences[system] = n_sentences.get(system, 0) + 1
    return {
        system: SystemKind.EXTRACTIVE
        if n_copied[system] >= LEAST_SHARE * n
        else SystemKind.ABSTRACTIVE
        for system, n in n_sentences.items()
    }


def _sentences(topic: Topic, source: list[str]) -> Iterator[tuple[str, bool]]:
    """Yields the system of each sentence that can be judged, and whether it is in the source."""
    for output in topic.outputs:
        if isinstance(output, Extract):
            yield from ((output.system, True) for _ in output.sentences)
        elif source:
            for text in map(_bare, output.sentences):
                if text:
                    yield output.system, any(text in document for document in source)


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
