"""Tokenisers of word metrics by their names in `tokens=`.

| name | tokens |
|---|---|
| `ascii` | of ROUGE-1.5.5: runs of ASCII letters and digits |
| `unicode` | runs of letters, marks and digits of any script |
| `ja` | words of Japanese: short units of the morphological analyser Sudachi (mode A) |
| `chars` | letters and digits one by one |
| `blanks` | separated by blanks: of text that was tokenised before |

`unicode`, `ja` and `chars` apply NFKC, so that ＡＢＣ, ｶﾞ and é count the same however they were
typed, fold case, and omit variation selectors, which choose a glyph; `blanks` only folds case. A
change that moves a token needs a new version, as it changes scores; so does another dictionary,
whose version is therefore part of the tokeniser's. For ASCII text `unicode` gives the tokens of
ROUGE-1.5.5, whose own tokeniser loses letters of other text. Japanese words without a letter or
digit are left out.
"""

import re
import threading
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, NoReturn

from awase.core.errors import InputError, Listing
from awase.core.packages import check_installed
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic, select_topics
from awase.core.text.script import detect_language, is_chinese, without_selectors

if TYPE_CHECKING:
    from sudachipy import Dictionary, Morpheme, Tokenizer


_RULES = "ja-2"
_MOST_BYTES = 49_149
_LONGEST_PIECE = _MOST_BYTES // 4  # code points, at most four bytes each

_FUNCTION_WORDS = frozenset(["助詞", "助動詞"])
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_TAKEN = "LMN"  # letters, marks and numbers


@cache
def japanese_tokeniser_id() -> str:
    """Returns the version of the rules, the analyser and its dictionary, as signatures spell it."""
    from importlib.metadata import version

    _check_installed()
    return f"{_RULES}-sudachi-{version('SudachiPy')}-core-{version('SudachiDict-core')}"


def japanese_words(text: str) -> tuple[str, ...]:
    """Returns the words as they are written, after NFKC."""
    return tuple(m.surface() for m in _morphemes(text))


def japanese_content_words(text: str) -> tuple[str, ...]:
    """Returns the words as they are written, without particles and auxiliary verbs."""
    return tuple(filter(None, japanese_marked_words(text)))


def japanese_marked_words(text: str) -> tuple[str, ...]:
    """Returns the words as written, with empty strings for stop words."""
    return tuple(
        "" if m.part_of_speech()[0] in _FUNCTION_WORDS else m.surface() for m in _morphemes(text)
    )


def japanese_marked_tokens(text: str) -> tuple[str, ...]:
    """Returns the marked words, case-folded.

    >>> japanese_marked_tokens("ＡＢＣの雪。")
    ('abc', '', '雪')
    """
    return tuple(word.casefold() for word in japanese_marked_words(text))


def japanese_tokens(text: str) -> tuple[str, ...]:
    """Returns the words, case-folded.

    >>> japanese_tokens("東京都で３.5mの雪。")
    ('東京', '都', 'で', '3.5', 'm', 'の', '雪')
    """
    return tuple(word.casefold() for word in japanese_words(text))


def japanese_content_tokens(text: str) -> tuple[str, ...]:
    """Returns the words without particles and auxiliary verbs, folded in case."""
    return tuple(filter(None, japanese_marked_tokens(text)))


def _morphemes(text: str) -> "Iterator[Morpheme]":
    # What UTF-8 cannot hold parts tokens, as in `as_bytes` of ROUGE.
    whole = without_selectors(text.encode("utf-8", "replace").decode())
    normal = unicodedata.normalize("NFKC", whole)
    tokenizer = analyser.tokenizer()
    for piece in _pieces(normal):
        for morpheme in tokenizer.tokenize(piece):
            if _has_letter(morpheme.surface()):
                yield morpheme


def _has_letter(word: str) -> bool:
    return bool(_LETTER_OR_DIGIT.search(word)) or any(
        unicodedata.category(c)[0] in _TAKEN for c in word
    )


def _pieces(text: str) -> Iterator[str]:
    """Yields the text whole, or by sentence when it exceeds the analyser's limit."""
    if len(text.encode()) <= _MOST_BYTES:
        yield text
        return
    from awase.core.text.sentences import split_sentences  # seldom needed

    for sentence in split_sentences(text, "ja"):
        for start in range(0, len(sentence.text), _LONGEST_PIECE):
            yield sentence.text[start : start + _LONGEST_PIECE]


class _Analyser:
    """The shared dictionary, and a tokenizer a thread, as they are not thread-safe."""

    def __init__(self) -> None:
        self._by_thread = threading.local()
        self.was_asked = False

    def tokenizer(self) -> "Tokenizer":
        self.was_asked = True
        known: Tokenizer | None = getattr(self._by_thread, "tokenizer", None)
        if known is None:
            from sudachipy import SplitMode

            known = self._by_thread.tokenizer = self._dictionary.create(mode=SplitMode.A)
        return known

    @cached_property
    def _dictionary(self) -> "Dictionary":
        _check_installed()
        from sudachipy import Dictionary

        return Dictionary()


analyser = _Analyser()


def forget_unused_analyser() -> None:
    """Unloads the dictionary, 80 MB, if unused since the last call."""
    # Threads in the middle of a text keep it to the end. Loading it again takes 25 ms.
    if analyser.was_asked:
        analyser.was_asked = False
    else:
        forget_analyser()


def forget_analyser() -> None:
    """Unloads the dictionary, before something else needs as much memory."""
    global analyser
    analyser = _Analyser()


def _check_installed() -> None:
    check_installed("sudachipy", "sudachidict_core", extra="ja", needed_for="tokens=ja")


_UPPER_TO_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_KEPT = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")
_TABLE = bytes(
    lower if (lower := _UPPER_TO_LOWER.get(byte, byte)) in _KEPT else ord(" ")
    for byte in range(256)
)

SENTENCE_END = b"\x00"
_ZERO = SENTENCE_END.decode()
_TABLE_WITH_ENDS = SENTENCE_END + _TABLE[1:]


def ascii_byte_tokens(text: bytes) -> list[bytes]:
    """Returns the lower-cased tokens of a text given as bytes.

    Source: ROUGE-1.5.5, which reads files as bytes; equivalent to the steps of its tokeniser
    (hyphens set apart, other bytes blanked, tokens kept that begin with a letter or digit).
    """
    return text.translate(_TABLE).split()


def closed_by_zeros(sentences: Sequence[bytes]) -> bytes:
    """Returns all sentences as they are, each closed by `SENTENCE_END`, which none has within."""
    joined = SENTENCE_END.join([*sentences, b""])
    if joined.count(SENTENCE_END) != len(sentences):
        return closed_by_zeros([sentence.replace(SENTENCE_END, b" ") for sentence in sentences])
    return joined


def plain_sentences(sentences: Sequence[str | bytes]) -> bytes | None:
    """Returns `closed_by_zeros` of ASCII strings, quicker; else None."""
    try:
        whole = "".join(sentences)  # type: ignore[arg-type]  # bytes raise TypeError
    except TypeError:
        return None
    if not whole.isascii() or _ZERO in whole:
        return None
    return _ZERO.join([*sentences, ""]).encode()  # type: ignore[list-item]  # all are str


def text_with_ends(closed: bytes) -> bytes:
    """Returns the tokens of zero-terminated sentences, and their ends, between blanks."""
    # One pass over all the text is several times faster than one for each sentence.
    return closed.replace(SENTENCE_END, b" " + SENTENCE_END + b" ").translate(_TABLE_WITH_ENDS)


def ascii_tokens(text: str) -> tuple[str, ...]:
    """Returns the lower-cased tokens of `text`; letters outside ASCII separate tokens and are lost.

    >>> ascii_tokens("The U.S. café's well-known 3.5%")
    ('the', 'u', 's', 'caf', 's', 'well', 'known', '3', '5')
    """
    # "?" for each character outside ASCII parts tokens exactly as its UTF-8 bytes do.
    return tuple(text.encode("ascii", "replace").decode().translate(_TABLE_OF_STR).split())


_TABLE_OF_STR = {byte: chr(_TABLE[byte]) for byte in range(128)}
_WORD = re.compile("[A-Za-z0-9]+")


def ascii_words(text: str) -> tuple[str, ...]:
    """Returns the tokens of `ascii_tokens` as they are written."""
    return tuple(_WORD.findall(text))


def lost_letters(text: str) -> tuple[str, ...]:
    """Returns the distinct letters, marks and digits that this tokeniser deletes, in order.

    Punctuation outside ASCII, such as a curly apostrophe, separates tokens like any other and is no
    loss. A text with lost letters should be scored with another tokeniser, or reported as damaged.

    >>> lost_letters("naïve café — 東京")
    ('ï', 'é', '東', '京')
    """
    if text.isascii():
        return ()
    return tuple(
        char
        for char in dict.fromkeys(text)
        if ord(char) >= 128 and unicodedata.category(char)[0] in _TAKEN
    )


# Version of the rules of each tokeniser, as signatures spell it.
TOKENISER_IDS: Mapping[str, str] = MappingProxyType(
    {"unicode": "unicode-2", "chars": "chars-2", "blanks": "blanks-2"}
)

# Thai, Lao, Burmese, Khmer, kana and kanji.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    r"\u3005\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f]"
)

_KANA = re.compile(r"[\u3041-\u309f\u30a1-\u30ff\u31f0-\u31ff]")


_MARK = "M"


class _Gaps(dict[int, str]):
    """Code point -> itself, or a blank where it parts words; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        kept = self[code] = char if unicodedata.category(char)[0] in _TAKEN else " "
        return kept


_GAPS = _Gaps()

# The same for ASCII, lower-cased: bytes are looked up several times faster.
_ASCII = bytes(ord(_GAPS[code].lower()) if code < 0x80 else code for code in range(0x100))


def unicode_tokens(text: str) -> tuple[str, ...]:
    """Returns the words: runs of letters, marks and digits. For ASCII those of ROUGE-1.5.5.

    >>> unicode_tokens("The café's well-known ３.5%")
    ('the', 'café', 's', 'well', 'known', '3', '5')
    """
    return tuple(_normal(text).split())


def unicode_words(text: str) -> tuple[str, ...]:
    """Returns the tokens of `unicode_tokens` as they are written, after NFKC."""
    return tuple(unicodedata.normalize("NFKC", without_selectors(text)).translate(_GAPS).split())


def char_tokens(text: str) -> tuple[str, ...]:
    """Returns letters and digits one by one, each with its marks.

    >>> char_tokens("ｶﾞ、３D")
    ('ガ', '3', 'd')
    """
    tokens: list[str] = []
    for word in _normal(text).split():
        first = len(tokens)
        for char in word:
            if len(tokens) > first and unicodedata.category(char)[0] == _MARK:
                tokens[-1] += char
            else:
                tokens.append(char)
    return tuple(tokens)


def blank_tokens(text: str) -> tuple[str, ...]:
    """Splits at blanks and folds case; punctuation is a token.

    >>> blank_tokens("ＮＨＫ が 報じ た 。")
    ('ｎｈｋ', 'が', '報じ', 'た', '。')
    """
    return tuple(without_selectors(text).casefold().split())


def blank_words(text: str) -> tuple[str, ...]:
    """Returns the tokens of `blank_tokens` as they are written."""
    return tuple(without_selectors(text).split())


def _normal(text: str) -> str:
    if text.isascii():
        return text.encode("ascii").translate(_ASCII).decode("ascii")
    return unicodedata.normalize("NFKC", without_selectors(text)).casefold().translate(_GAPS)


def has_kana(text: str) -> bool:
    """Returns whether any of the text is in hiragana or katakana, that is, Japanese."""
    return not text.isascii() and _KANA.search(text) is not None


def has_unspaced_script(text: str) -> bool:
    """Returns whether any of the text is in a script that sets no blanks between words."""
    return not text.isascii() and _UNSPACED.search(text) is not None


def is_mostly_unspaced(text: str) -> bool:
    """Returns whether most letters and digits are of scripts that set no blanks between words."""
    if text.isascii():
        return False
    return 2 * len(_UNSPACED.findall(text)) > sum(map(str.isalnum, text))


def lacks_blanks(text: str) -> bool:
    """Returns whether it is mostly of such a script and has no blank, so that it is one token."""
    return len(text.split()) == 1 and is_mostly_unspaced(text)


ASCII, UNICODE, JAPANESE, CHARS, BLANKS = "ascii", "unicode", "ja", "chars", "blanks"
_LETTERS_SHOWN = 5
_ANY_KANA = re.compile(r"[ぁ-ヿ]")

# A text to its tokens in reading order; pure, and the same for equal text.
Cut = Callable[[str], tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokeniser:
    """A way to cut text into tokens."""

    name: str
    tokens: Cut
    words: Cut  # the same tokens as written; each folds to its token
    drops_function_words: bool = False
    counts_words: bool = False  # whether limits in words count its words, not what blanks part
    # The same with an empty word in the place of each that it drops; None = it drops none.
    marked: "Tokeniser | None" = None

    @property
    def for_limits(self) -> "Tokeniser":
        """Returns the tokeniser for word limits, which counts dropped words."""
        return self.marked or self

    @property
    def id(self) -> str:
        """Returns the name with the version of its rules, as signatures spell it."""
        if self.name == JAPANESE:
            return japanese_tokeniser_id()
        return TOKENISER_IDS.get(self.name, self.name)


_TOKENISERS: Mapping[str, Tokeniser] = MappingProxyType(
    {
        one.name: one
        for one in (
            Tokeniser(name=ASCII, tokens=ascii_tokens, words=ascii_words),
            Tokeniser(name=UNICODE, tokens=unicode_tokens, words=unicode_words),
            Tokeniser(
                name=JAPANESE, tokens=japanese_tokens, words=japanese_words, counts_words=True
            ),
            Tokeniser(name=CHARS, tokens=char_tokens, words=char_tokens),
            Tokeniser(name=BLANKS, tokens=blank_tokens, words=blank_words),
        )
    }
)
_JAPANESE_CONTENT = Tokeniser(
    name=JAPANESE,
    tokens=japanese_content_tokens,
    words=japanese_content_words,
    drops_function_words=True,
    counts_words=True,
    marked=Tokeniser(
        name=JAPANESE,
        tokens=japanese_marked_tokens,
        words=japanese_marked_words,
        counts_words=True,
    ),
)


def tokeniser_called(text: str, *, stem: bool = False, stop: bool = False) -> Tokeniser:
    """Returns the tokeniser by name or versioned id, such as `unicode` or `unicode-2`.

    Stop words of Japanese are particles and auxiliary verbs, which the tokeniser then drops itself.
    """
    tokeniser = _TOKENISERS.get(text) or _with_id(text)
    if tokeniser is None:
        _refuse(text)
    if tokeniser.name == CHARS and (stem or stop):
        raise InputError.of(
            "Characters have neither stems nor stop words.",
            "Choose stem=no and stop=no, or other tokens.",
        )
    if tokeniser.name == JAPANESE and stem:
        raise InputError.of(
            "There is no stemmer for Japanese words.", "Choose stem=no, or other tokens."
        )
    return _JAPANESE_CONTENT if tokeniser.name == JAPANESE and stop else tokeniser


def _with_id(text: str) -> Tokeniser | None:
    """Compares ids of candidates only: that of Japanese needs the dictionary."""
    of_name = (one for one in _TOKENISERS.values() if text.startswith(f"{one.name}-"))
    return next((one for one in of_name if one.id == text), None)


def _refuse(text: str) -> NoReturn:
    if text.startswith(f"{JAPANESE}-"):
        raise InputError.of(
            "tokens={value} is another version of the Japanese tokeniser than this one, {own}.",
            "Use tokens=ja to score with this version; the number may differ.",
            value=text,
            own=japanese_tokeniser_id(),
        )
    raise InputError.of(
        "tokens={value} is not a tokeniser of this version.", "Use one of {known}.",
        value=text, known=Listing(f"tokens={name}" for name in _TOKENISERS),
    )  # fmt: skip


def refuse_lost_letters(texts: Iterable[str], *, metric: str, system: str, topic: str) -> None:
    """Raises if the ASCII tokeniser loses letters of the texts."""
    joined = "\n".join(texts)
    lost = lost_letters(joined)
    if lost:
        raise InputError.of(
            "{metric} with tokens=ascii, the tokeniser of ROUGE-1.5.5, would delete letters of "
            "system “{system}” or its references in topic “{topic}”: {letters}.",
            _remedy(joined),
            metric=metric,
            system=system,
            topic=topic,
            letters=" ".join(lost[:_LETTERS_SHOWN]) + (" …" if len(lost) > _LETTERS_SHOWN else ""),
        )


def _remedy(text: str) -> str:
    is_japanese = detect_language(text) == "ja"
    if is_japanese and _ANY_KANA.search(text):
        hint = "Choose tokens=ja for words of Japanese, or tokens=chars for single characters."
    elif is_japanese:
        hint = "Choose tokens=ja if this is Japanese, else tokens=chars."
    elif has_unspaced_script(text):
        hint = "Choose tokens=chars: this script has no blanks between words."
    else:
        hint = "Choose tokens=unicode."
    return hint


BY_LANGUAGE = "auto"
_JOIN = "+"  # between the tokenisers of `auto` in several languages


def tokeniser_id(choice: str) -> str:
    """Returns `auto`, or the id of the tokeniser that `choice` names."""
    if choice == BY_LANGUAGE:
        return choice
    if _JOIN in choice:  # of a signature; which topic has which follows from their languages
        parts = {tokeniser_called(part).name for part in choice.split(_JOIN)}
        if parts <= {JAPANESE, UNICODE}:
            return BY_LANGUAGE
    if choice == ASCII:
        raise InputError.of(
            "tokens=ascii is for ROUGE only.",
            "Use tokens=unicode, which cuts ASCII text in the same way.",
        )
    return tokeniser_called(choice).id


def known_tokenisers() -> tuple[str, ...]:
    """Returns the ids of the tokenisers that read topics."""
    return tuple(tokeniser_called(name).id for name in (UNICODE, JAPANESE, CHARS, BLANKS))


def tokeniser_of(topic: Topic, choice: str) -> str:
    """Returns the id of the tokeniser that reads `topic` under `choice`, a `tokeniser_id`."""
    if choice != BY_LANGUAGE and _JOIN not in choice:
        return choice
    return tokeniser_called(JAPANESE if language_of(topic) == "ja" else UNICODE).id


def settled(corpus: Corpus, choice: str) -> str:
    """Returns the tokenisers that `choice` resolves to for a corpus, joined by +."""
    if choice != BY_LANGUAGE:
        return choice
    used: set[str] = set()
    silent: list[str] = []
    for shape in corpus.topics:
        if shape.language is None:
            silent.append(shape.id)
        else:
            used.add(tokeniser_of(shape, choice))
    used |= {tokeniser_of(topic, choice) for topic in select_topics(corpus.topics, silent)}
    return _JOIN.join(sorted(used)) or choice


def language_of(topic: Topic) -> str:
    """Returns the topic's language, by default that of its first sentences."""
    if topic.language is not None:
        return topic.language
    text = "\n".join(one.text for _, one in islice(topic.sentences(), 20))
    language = detect_language(text)
    return "zh" if language == "ja" and is_chinese(text) else language
