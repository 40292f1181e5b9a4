"""Numbers for tokens: a raw token is stemmed or dropped once, and then known by its number."""

import warnings
from collections.abc import Iterable, Sequence
from typing import cast

from awase.core.metrics.rouge.tokens.preparation import Preparation, Reduction, Tokeniser
from awase.core.text.tokens.ascii import SENTENCE_END, ascii_byte_tokens, lost_letters

Summary = str | bytes | Sequence[str | bytes]
"""Sentences, or one as it is; what ROUGE-1.5.5 reads are bytes, so that str is taken as UTF-8."""

ONE_SENTENCE = (str, bytes)
"""What a summary is that has no list of sentences."""

END = 0
"""Number of the mark that ends a sentence."""
DROPPED = -1
"""Number of every stop word."""


_LETTERS_SHOWN = 5


class LostLettersWarning(UserWarning):
    """Text has letters that the tokeniser deletes, so that scores do not see them."""


class Numbers(dict[bytes, int]):
    """Raw token -> number of what is counted in its place, filled as tokens are met."""

    def __init__(self, reduction: Reduction | None) -> None:
        """Takes what makes a word of a token; None = each is one as it is."""
        super().__init__({SENTENCE_END: END})
        self._reduction = reduction
        self._numbers: dict[str, int] = {"": DROPPED}

    def numbers_of(self, tokens: Iterable[bytes]) -> list[int]:
        """Returns the numbers of the tokens."""
        tokens = [*tokens]
        new = [token for token in dict.fromkeys(tokens) if token not in self]
        if new:
            self.update(zip(new, self._new_numbers(new), strict=True))
        return [*map(self.__getitem__, tokens)]

    def _new_numbers(self, tokens: Sequence[bytes]) -> Iterable[int]:
        if self._reduction is None:
            return range(len(self), len(self) + len(tokens))
        words = self._reduction.words([token.decode() for token in tokens])
        numbers = self._numbers
        return [numbers.setdefault(word, len(numbers)) for word in words]


def numbers(preparation: Preparation) -> Numbers:
    """Returns an empty table that numbers a token from 1 on when it is first looked up."""
    return Numbers(preparation.reduction())


def sentences_of_all(summaries: Sequence[Summary]) -> Sequence[Sequence[str | bytes]]:
    """Returns the sentences of each summary."""
    if {*map(type, summaries)} <= {tuple, list}:
        # So it mostly is, and to look at each of them takes longer than the rest.
        return cast("Sequence[Sequence[str | bytes]]", summaries)
    return [(one,) if isinstance(one, ONE_SENTENCE) else one for one in summaries]


def tokens_of(sentence: bytes, tokeniser: Tokeniser | None) -> Sequence[bytes]:
    """Returns the tokens of a sentence; None = the tokeniser of ROUGE-1.5.5."""
    if tokeniser is None:
        return ascii_byte_tokens(sentence)
    # A byte limit may have cut a character in the middle.
    return [token.encode() for token in tokeniser(sentence.decode("utf-8", "ignore"))]


def tokens_of_text(
    sentences: Sequence[bytes], tokeniser: Tokeniser | None, n_tokens: int = 0
) -> list[Sequence[bytes]]:
    """Returns the tokens of each sentence of a text.

    Args:
        tokeniser: None = that of ROUGE-1.5.5.
        n_tokens: How many tokens of the text count; 0 = all. Empty tokens are counted; none is
            returned.
    """
    tokens = [tokens_of(sentence, tokeniser) for sentence in sentences]
    if not n_tokens:
        return tokens
    taken: list[Sequence[bytes]] = []
    for of_sentence in tokens:
        taken.append([token for token in of_sentence[:n_tokens] if token])
        n_tokens = max(0, n_tokens - len(of_sentence))
    return taken


def all_as_bytes(summary: Summary) -> list[bytes]:
    """Returns what `as_bytes` makes of the sentences, without a call for each of them."""
    sentences = [summary] if isinstance(summary, str | bytes) else summary
    try:
        return [*map(str.encode, sentences)]  # type: ignore[arg-type]  # bytes raise TypeError
    except (TypeError, UnicodeEncodeError):
        pass
    return [
        text if isinstance(text, bytes) else text.encode("utf-8", "replace") for text in sentences
    ]


def warn_of_lost_letters(summaries: Iterable[Summary], tokeniser: Tokeniser | None) -> None:
    """Warns of letters in str that the tokeniser of ROUGE-1.5.5 deletes; bytes are as they are."""
    if tokeniser is not None:
        return
    for summary in summaries:
        if _is_ascii(summary):
            continue
        for text in (summary,) if isinstance(summary, str | bytes) else summary:
            if isinstance(text, str) and (lost := lost_letters(text)):
                letters = "".join(lost[:_LETTERS_SHOWN])
                warnings.warn(
                    f"The tokeniser of ROUGE-1.5.5 deletes letters outside ASCII: {letters}. Give "
                    "Preparation a tokeniser for them, such as japanese_tokens or unicode_tokens.",
                    LostLettersWarning,
                    stacklevel=3,
                )
                return


def _is_ascii(summary: Summary) -> bool:
    """Returns whether all is ASCII as far as one look tells."""
    if isinstance(summary, str):
        return summary.isascii()
    try:
        return "".join(summary).isascii()  # type: ignore[arg-type]  # bytes raise TypeError
    except TypeError:
        return False
