"""Splitting text into sentences, Japanese and English.

The rules are our own because sentence numbers are the ids of a corpus: a library's next version
would renumber the sentences of every file imported after it, and the known ones are heavy or no
longer kept. A change of the rules that moves a boundary needs a new `SPLITTER_IDS` entry.

Lines are joined where they look hard-wrapped and kept apart where they look like headings or items;
`docs/formats/text.md` lists the rules.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from awase.core.errors import InputError, Listing
from awase.core.records.identifiers import GIVEN
from awase.core.text.english_sentence_ends import OTHER_STOPS, english_ends
from awase.core.text.script import Separators, detect_language, has_japanese_letters

SPLITTER_IDS: Mapping[str, str] = MappingProxyType({"ja": "ja-2", "en": "en-2"})
"""Version of the rules of each language; `docs/formats/text.md` tells what they changed."""
LINES: Final = "lines"
ONE: Final = "one"
SPLITS: Final = (GIVEN, LINES, ONE, *SPLITTER_IDS.values())
"""Ways in which a text becomes sentences, as `--sentences` and `split=` in signatures name them."""

_OLD_NAMES: Final = {"line": ONE, "split": "en-2 or ja-2"}

_OTHER_COMMAS = "\u060c\u061b"  # Arabic, and its semicolon
_ITEM = re.compile(
    r"[・●○◎◆◇■□▲△▼▽★☆※＊•‣▪―]|[-*+–—][^\S\n]"
    r"|[（(]?[0-9０-９]{1,2}[)）]|[0-9０-９]{1,2}[.．](?![0-9０-９])|[①-⑳]"
)
_OPEN_END = re.compile(
    rf"[。．｡！？!?.…、，､,:：;「『｢（(\[【〈《{_OTHER_COMMAS}{OTHER_STOPS}]$"
    rf"|[。｡！？!?.{OTHER_STOPS}][」』｣）)\"”’']+$"
)
_WORD = re.compile(r"[!-~À-ɏ]+")
_KINSOKU_CELLS = 6
_NARROWEST_WRAP = 30
_LINE_BREAK = re.compile(r"(?<![^\S\n])[^\S\n]*\n\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence found in a text.

    Attributes:
        text: Its text on one line, without outer blanks.
        paragraph: Number of its paragraph, from 1.
        start: Offset of its first character in the text that was split, in code points.
        end: Offset behind its last character.
    """

    text: str
    paragraph: int
    start: int
    end: int


class Split(NamedTuple):
    """A text in sentences.

    Attributes:
        sentences: Without outer blanks, none of them empty.
        way: How the text became them: one of `SPLITS`.
    """

    sentences: tuple[str, ...]
    way: str


def split_text(
    text: str | Sequence[str],
    way: str | None = None,
    language: str | None = None,
    *,
    by_lines: bool = True,
    separators: Separators | None = None,
) -> Split:
    r"""Returns the sentences of a text, which is a string or has been split before.

    Args:
        text: A string, in which tags such as `<q>` part sentences (`separators`); or its sentences.
        way: One of `SPLITS`. None = sentences as they are given, by lists or tags; otherwise a text
            with line feeds by lines, any other by the rules of its language.
        language: `ja` or `en`, where rules split; None = detect.
        by_lines: Whether line feeds alone part sentences where there is no `way`; else they are
            left to the rules, as in articles, whose lines are paragraphs or wrapped.
        separators: Notes the tags that were met; None = they part sentences, and nobody asks.

    Raises:
        InputError: There is no such way; or sentences are to be given, and are not.

    >>> split_text("It rained. It snowed."), split_text("it rained\nit snowed")[1]
    (Split(sentences=('It rained.', 'It snowed.'), way='en-2'), 'lines')
    """
    separators = separators or Separators()
    given = _given(text, separators)
    if given is not None and way in (None, GIVEN):
        return Split(given, GIVEN)
    whole = text if given is None and isinstance(text, str) else "\n".join(given or ())
    if way is None:
        has_lines = by_lines and "\n" in whole.strip()
        way = LINES if has_lines else splitter_of(whole, language)
        if has_lines:
            separators.note_lines()
    if way == LINES:
        return Split(tuple(filter(None, map(str.strip, whole.split("\n")))), LINES)
    if way == ONE:
        joined = _LINE_BREAK.sub(_joint, whole.strip())
        return Split((joined,) if joined else (), ONE)
    check_split(way)
    if way == GIVEN:
        raise InputError.of(
            "“{text}” is not in sentences.",
            "Split it by lines, one, {rules}; or give lists of sentences.",
            text=whole[:40],
            rules=Listing(SPLITTER_IDS.values()),
        )
    rules = next(name for name, splitter in SPLITTER_IDS.items() if splitter == way)
    return Split(tuple(sentence.text for sentence in split_sentences(whole, rules)), way)


def splitter_of(text: str, language: str | None = None) -> str:
    """Returns which splitter `split_sentences` is for a text, as signatures name it."""
    return SPLITTER_IDS[language or detect_language(text)]


def check_split(way: str) -> None:
    """Does nothing when texts can be split in this way."""
    if way not in SPLITS:
        raise InputError.of(
            "“{value}” is no way to split texts into sentences.",
            "It is called {new} now." if way in _OLD_NAMES else "Use one of {known}.",
            value=way,
            new=_OLD_NAMES.get(way, ""),
            known=Listing(SPLITS),
        )


def _given(text: str | Sequence[str], separators: Separators) -> tuple[str, ...] | None:
    """Returns the sentences that a text says it has; None = it says nothing."""
    if isinstance(text, str):
        return separators.parts(text)
    if not isinstance(text, Sequence) or not all(isinstance(one, str) for one in text):
        raise InputError.of(
            "{text} is no text.",
            "A text is a string, or a list of its sentences.",
            text=repr(text)[:40],
        )
    return tuple(filter(None, map(str.strip, text)))


def split_sentences(text: str, language: str | None = None) -> tuple[Sentence, ...]:
    r"""Returns the sentences of `text`; no character but white space is left out.

    Args:
        text: With `\n` at the line ends.
        language: `ja` or `en`; None = detect.

    Raises:
        ValueError: There are no rules for `language`.
    """
    if language is None:
        language = detect_language(text)
    if language not in SPLITTER_IDS:
        raise ValueError(f"no rules to split {language!r} into sentences")
    sentences: list[Sentence] = []
    for number, lines in enumerate(_paragraphs(text), start=1):
        for start, end in _runs(text, lines):
            ends = _ends_in(language, text[start:end])
            sentences += _cut(text, start, end, ends, number)
    return tuple(sentences)


def _ends_in(language: str, run: str) -> list[int]:
    if language != "ja" or not has_japanese_letters(run):
        return list(english_ends(run))
    from awase.core.text.japanese_sentence_ends import japanese_ends

    return list(japanese_ends(run))


_Span = tuple[int, int]


def _paragraphs(text: str) -> Iterator[list[_Span]]:
    """Yields the lines of each paragraph, as spans without the lines' outer blanks."""
    lines: list[_Span] = []
    was_indented = False
    for match in re.finditer(r"[^\n]+|\n\n+", text):
        line = match[0]
        content = line.strip()
        is_indented = line.startswith(("  ", "\t"))
        opens = line.startswith("　") or (is_indented and not was_indented)
        if lines and (not content or opens):
            yield lines
            lines = []
        if content:
            start = match.start() + line.index(content)
            lines.append((start, start + len(content)))
            was_indented = is_indented
    if lines:
        yield lines


def _runs(text: str, lines: list[_Span]) -> Iterator[_Span]:
    """Yields spans of running text: a line is joined to the one before if that was wrapped."""
    contents = [text[start:end] for start, end in lines]
    width = max(map(_cells, contents))
    run_start, run_end = lines[0]
    for before, line, (start, end) in zip(contents, contents[1:], lines[1:], strict=False):
        if not _is_wrapped(before, line, width):
            yield run_start, run_end
            run_start = start
        run_end = end
    yield run_start, run_end


def _is_wrapped(before: str, line: str, width: int) -> bool:
    """Whether `line` continues `before`, which ended only because it was full."""
    if _ITEM.match(line):
        return False
    if line[0].islower() or _OPEN_END.search(before):
        return True
    if width < _NARROWEST_WRAP:
        return False
    word = _WORD.match(line)
    needed = len(word[0]) + 1 if word else _KINSOKU_CELLS
    return _cells(before) + needed > width


def _cells(line: str) -> int:
    """Returns the width of a line in half-width cells."""
    if line.isascii():
        return len(line)
    return sum(2 if unicodedata.east_asian_width(char) in "WFA" else 1 for char in line)


def _cut(text: str, start: int, end: int, ends: list[int], paragraph: int) -> Iterator[Sentence]:
    for part_end in [*(start + offset for offset in ends), end]:
        part = text[start:part_end]
        content = part.strip()
        first = start + part.index(content)
        yield Sentence(
            text=_LINE_BREAK.sub(_joint, content) if "\n" in content else content,
            paragraph=paragraph,
            start=first,
            end=first + len(content),
        )
        start = part_end


def _joint(line_break: re.Match[str]) -> str:
    """Returns what stands for a line break: nothing within Japanese or after a hyphen."""
    before = line_break.string[line_break.start() - 1]
    after = line_break.string[line_break.end()]
    is_japanese = any(unicodedata.east_asian_width(char) in "WF" for char in (before, after))
    return "" if is_japanese or (before == "-" and after.islower()) else " "
