"""Which sentences of a corpus parsers parse and metrics need."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from awase.core.batches import batches
from awase.core.parsing.stored_parses import AT_ONCE
from awase.core.records.corpus import Corpus
from awase.core.records.output import TextOutput
from awase.core.records.topic import Topic
from awase.core.text.script import detect_language


class TextKind(Enum):
    """What a sentence is of."""

    SOURCE = "source sentences"
    ABSTRACT = "abstract sentences"
    OUTPUT = "sentences of outputs"
    REFERENCE = "sentences of outputs' references"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusText:
    """A sentence of a corpus; white space alone is none."""

    text: str
    kind: TextKind
    topic: str
    language: str  # its topic's; of a topic that says none, as detected


def texts_of(corpus: Corpus) -> Iterator[CorpusText]:
    """Yields every sentence of the corpus; equal ones as often as they stand."""
    for topic in corpus.topics:
        texts = [(kind, text) for kind, text in texts_of_topic(topic) if text.strip()]
        language = topic.language or detect_language("\n".join(text for _, text in texts))
        for kind, text in texts:
            yield CorpusText(text=text, kind=kind, topic=topic.id, language=language)


def distinct_texts(corpus: Corpus, language: str | None = None) -> list[str]:
    """Returns every sentence once, or only those of a language, as they first stand."""
    texts = (one.text for one in texts_of(corpus) if language in (None, one.language))
    return [*dict.fromkeys(texts)]


def languages_of(corpus: Corpus) -> tuple[str, ...]:
    """Returns the languages of the corpus's sentences."""
    return tuple(dict.fromkeys(one.language for one in texts_of(corpus)))


def lacking(
    corpus: Corpus, parsed: Callable[[Sequence[str]], Collection[str]]
) -> dict[TextKind, int]:
    """Returns how many different sentences of each kind are not among those parsed."""
    missing: dict[TextKind, set[str]] = {}
    for some in batches(texts_of(corpus), AT_ONCE):
        known = parsed([one.text for one in some])
        for one in some:
            if one.text not in known:
                missing.setdefault(one.kind, set()).add(one.text)
    return {kind: len(texts) for kind, texts in missing.items()}


def texts_of_topic(topic: Topic) -> Iterator[tuple[TextKind, str]]:
    """Yields every sentence of the topic, white space too; equal ones as often as they stand."""
    for document in topic.documents:
        for sentence in document.sentences:
            yield TextKind.SOURCE, sentence.text
    for abstract in topic.abstracts:
        for part in abstract.sentences:
            yield TextKind.ABSTRACT, part.text
    for output in topic.outputs:
        if isinstance(output, TextOutput):
            for text in output.sentences:
                yield TextKind.OUTPUT, text
        for reference in output.references or ():
            for text in reference:
                yield TextKind.REFERENCE, text
