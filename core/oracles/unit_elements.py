"""Basic elements of a part of a sentence: those whose head and modifier both stand in it."""

from collections import Counter
from collections.abc import Iterator

from awase.core.parsing.basic_elements import RELATIONS, base, enhanced_edges, normal_relation
from awase.core.records.parse import Parse, ParsedSentence, ParsedWord
from awase.core.text.tokens.words import has_unspaced_script

Element = tuple[str, ...]
"""Head, modifier and relation."""


def unit_elements(parse: Parse, start: int, end: int) -> Counter[Element]:
    """Returns (head, modifier, relation) of the words from `start` to `end`, in lower case.

    Relations are those of the metric `be`: enhanced, but basic for Japanese. Words without offsets
    count for every part of their sentence.
    """
    return Counter(
        element
        for sentence in parse
        for head, modifier, relation in _edges(sentence)
        if _is_inside(head, start, end) and _is_inside(modifier, start, end)
        for element in _element(head, modifier, relation)
    )


def _edges(sentence: ParsedSentence) -> Iterator[tuple[ParsedWord, ParsedWord, str]]:
    words = sentence.words
    if any(has_unspaced_script(word.form) for word in words):
        for word in words:
            if word.head:
                yield words[word.head - 1], word, word.deprel
    elif sentence.has_enhanced_graph:
        for word in words:
            for edge in word.enhanced:
                if edge.head.word and not edge.head.empty:
                    yield words[edge.head.word - 1], word, edge.relation
    else:
        for head, dependent, relation in enhanced_edges(sentence):
            if head:
                yield words[head - 1], words[dependent - 1], relation


def _is_inside(word: ParsedWord, start: int, end: int) -> bool:
    return word.span is None or (start <= word.span[0] and word.span[1] <= end)


def _element(head: ParsedWord, modifier: ParsedWord, relation: str) -> Iterator[Element]:
    label = normal_relation(relation)
    if base(label) in RELATIONS:
        yield head.form.lower(), modifier.form.lower(), label
