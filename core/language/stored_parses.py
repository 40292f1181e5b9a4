"""Which sentences of a corpus parsers parse and metrics need; protocols of word vectors."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Protocol

from awase.core.errors import batches
from awase.core.records.corpus import Corpus
from awase.core.records.topic import TextOutput, Topic
from awase.core.text.script import detect_language

if TYPE_CHECKING:  # numpy is slow to import, and most scoring needs no vectors
    import numpy as np
    from numpy.typing import NDArray


AT_ONCE: Final = 500  # texts looked up together
# Returns those of some hundred texts that have a parse, with it in CoNLL-U.
LookUp = Callable[[Sequence[str]], Mapping[str, str]]


class StoredParses(Mapping[str, str]):
    """Lazy mapping of texts to parses; use `parses_of` for many."""

    def __init__(self, all_texts: Callable[[], Iterable[str]], look_up: LookUp) -> None:
        """`all_texts` yields the texts that may have a parse."""
        self._all_texts = all_texts
        self._look_up = look_up

    def of(self, texts: Iterable[str]) -> dict[str, str]:
        """Returns the parses of those texts that have one."""
        found: dict[str, str] = {}
        for some in batches(dict.fromkeys(texts), AT_ONCE):
            found |= self._look_up(some)
        return found

    def __getitem__(self, text: str) -> str:
        return self._look_up([text])[text]

    def __iter__(self) -> Iterator[str]:
        for some in batches(dict.fromkeys(self._all_texts()), AT_ONCE):
            yield from self._look_up(some)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return any(self._look_up(some) for some in batches(self._all_texts(), AT_ONCE))


def parses_of(parses: Mapping[str, str], texts: Iterable[str]) -> Mapping[str, str]:
    """Returns a mapping with the texts' parses, and maybe others."""
    return parses.of(texts) if isinstance(parses, StoredParses) else parses


class TextKind(Enum):
    """Kind of a sentence's container."""

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
    language: str  # the topic's; detected if missing


def texts_of(corpus: Corpus) -> Iterator[CorpusText]:
    """Yields every sentence of the corpus, duplicates included."""
    for topic in corpus.topics:
        texts = [(kind, text) for kind, text in texts_of_topic(topic) if text.strip()]
        language = topic.language or detect_language("\n".join(text for _, text in texts))
        for kind, text in texts:
            yield CorpusText(text=text, kind=kind, topic=topic.id, language=language)


def distinct_texts(corpus: Corpus, language: str | None = None) -> list[str]:
    """Returns distinct sentences, or those of a language, in order of appearance."""
    texts = (one.text for one in texts_of(corpus) if language in (None, one.language))
    return [*dict.fromkeys(texts)]


def languages_of(corpus: Corpus) -> tuple[str, ...]:
    """Returns the languages of the corpus's sentences."""
    return tuple(dict.fromkeys(one.language for one in texts_of(corpus)))


def lacking(
    corpus: Corpus, parsed: Callable[[Sequence[str]], Collection[str]]
) -> dict[TextKind, int]:
    """Returns the number of distinct unparsed sentences of each kind."""
    missing: dict[TextKind, set[str]] = {}
    for some in batches(texts_of(corpus), AT_ONCE):
        known = parsed([one.text for one in some])
        for one in some:
            if one.text not in known:
                missing.setdefault(one.kind, set()).add(one.text)
    return {kind: len(texts) for kind, texts in missing.items()}


def texts_of_topic(topic: Topic) -> Iterator[tuple[TextKind, str]]:
    """Yields every sentence of the topic, white space and duplicates included."""
    for kind, _, numbered in _numbered_texts(topic):
        for _, text in numbered:
            yield kind, text


def texts_by_id(corpus: Corpus) -> dict[str, str]:
    """Returns each sentence by its `sent_id`, `topic/document:n`, in the order of the corpus.

    For other sentences the abstract's or output's name replaces the document's; of equal ids the
    first counts.
    """
    texts: dict[str, str] = {}
    for topic in corpus.topics:
        for _, name, numbered in _numbered_texts(topic):
            for n, text in numbered:
                texts.setdefault(f"{topic.id}/{name}:{n}", text)
    return texts


def _numbered_texts(topic: Topic) -> Iterator[tuple[TextKind, str, Iterable[tuple[int, str]]]]:
    """Yields each text of a topic: kind, name, and sentences by number."""
    for document in topic.documents:
        yield TextKind.SOURCE, document.id, ((one.n, one.text) for one in document.sentences)
    for abstract in topic.abstracts:
        yield TextKind.ABSTRACT, abstract.id, ((one.n, one.text) for one in abstract.sentences)
    for output in topic.outputs:
        name = f"{output.system}/{output.length}" if output.length else output.system
        if isinstance(output, TextOutput):
            yield TextKind.OUTPUT, name, enumerate(output.sentences, start=1)
        for number, reference in enumerate(output.references or (), start=1):
            yield TextKind.REFERENCE, f"{name}/ref{number}", enumerate(reference, start=1)


_DIGITS_IN_LABEL = 12


class Labelled(Protocol):
    """Identity in signatures; `digest` is the SHA-256 of the source files, hexadecimal."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def digest(self) -> str: ...  # noqa: D102


class WordVectors(Labelled, Protocol):
    """A table of word vectors."""

    def vectors_of(self, words: Iterable[str]) -> "Mapping[str, NDArray[np.float32]]":
        """Returns the vectors, all (dimension,), of the words in the table."""
        ...


def label_of(one: Labelled) -> str:
    """Returns name and first digits of the digest, as in signatures."""
    return f"{one.name}@{one.digest[:_DIGITS_IN_LABEL]}"
