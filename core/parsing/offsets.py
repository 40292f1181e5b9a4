"""Where the words of a parse stand in their text."""

from dataclasses import replace
from itertools import pairwise

from awase.core.records.parse import ParsedSentence


def with_spans(sentence: ParsedSentence) -> ParsedSentence:
    """Returns the sentence with the offsets of those words that are found in its text, in order.

    The words of a multi-word token have the offsets of their own letters where they spell the
    token (`do` + `n't`), else those of the token (`du` = `de` + `le`).
    """
    spans: list[tuple[int, int] | None] = [None] * len(sentence.words)
    tokens = {token.first: token for token in sentence.tokens}
    place, number = 0, 1
    while number <= len(sentence.words):
        token = tokens.get(number)
        last = token.last if token is not None else number
        form = token.form if token is not None else sentence.words[number - 1].form
        start = sentence.text.find(form, place)
        if start >= 0 and not sentence.text[place:start].strip():
            place = start + len(form)
            for word, span in zip(
                range(number, last + 1), _parts(sentence, number, last, start, form), strict=True
            ):
                spans[word - 1] = span
        number = last + 1
    words = (
        replace(word, span=span) for word, span in zip(sentence.words, spans, strict=True)
    )  # fmt: skip
    return replace(sentence, words=tuple(words))


def _parts(
    sentence: ParsedSentence, first: int, last: int, start: int, form: str
) -> list[tuple[int, int]]:
    forms = [word.form for word in sentence.words[first - 1 : last]]
    if "".join(forms) != form:
        return [(start, start + len(form))] * len(forms)
    ends = [start + sum(map(len, forms[:idx])) for idx in range(len(forms) + 1)]
    return [*pairwise(ends)]
