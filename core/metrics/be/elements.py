"""Basic elements of parses as ROUGE-1.5.5 reads them: lines `head|modifier|relation`."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from awase.core.metrics.rouge.basic_elements import NIL, BasicElement, basic_element
from awase.core.parsing.basic_elements import BasicElementOptions, basic_elements, phrase_heads
from awase.core.parsing.conllu import parse_of
from awase.core.records.parse import ParsedSentence

_SENTENCES_REMEMBERED = 1 << 14


def simple_lines(
    sentences: Iterable[ParsedSentence], options: BasicElementOptions
) -> Iterator[str]:
    """Yields the lines of a SIMPLE file: each sentence's triples, then its heads alone.

    A bar inside a word becomes a slash, and the word “nil”, which would stand for nothing, “nil.”.
    """
    for sentence in sentences:
        for parts in basic_elements(sentence, options=options):
            yield "|".join(map(_field, parts))
        for head in phrase_heads(sentence, options=options):
            yield f"{_field(head)}|{NIL}|{NIL}"


@lru_cache(_SENTENCES_REMEMBERED)
def elements_of(conllu: str, options: BasicElementOptions) -> tuple[BasicElement, ...]:
    """Returns the elements of a stored parse, as the program reads the lines above.

    Remembered, because reading a parse takes longer than comparing it with many others.
    """
    return tuple(
        basic_element(line) for line in simple_lines(parse_of(conllu, has_spans=False), options)
    )


def _field(word: str) -> str:
    word = " ".join(word.replace("|", "/").split())
    return f"{word}." if word == NIL else word
