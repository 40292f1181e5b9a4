"""Sentence splitting of Japanese and English, and other scripts with blanks between words.

The rules are our own because sentence numbers are the ids of a corpus: a library's next version
would renumber the sentences of later imports, and the known ones are heavy or unmaintained. A rule
that moves a boundary needs a new `SPLITTER_IDS` entry.

Lines are joined where they look hard-wrapped, not where they look like headings or items;
`docs/formats/text.md` lists the rules.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from awase.core.errors import InputError, Listing
from awase.core.records.source import GIVEN
from awase.core.text.script import Separators, detect_language, has_japanese_letters

LONGEST = 400  # characters beyond which two brackets are not a pair


def bracketed(text: str, pairs: Mapping[str, str]) -> list[tuple[int, int]]:
    """Returns (opening, closing) offsets of the outermost pairs."""
    # An unmatched bracket is ignored, so that it cannot swallow the rest.
    openings = set(pairs.values())
    waiting: list[tuple[int, str]] = []
    found: list[tuple[int, int]] = []
    for bracket in re.finditer(f"[{re.escape(''.join((*openings, *pairs)))}]", text):
        offset, char = bracket.start(), bracket[0]
        if char in openings:
            waiting.append((offset, char))
        else:
            depth = _depth_of(waiting, pairs[char], offset - LONGEST)
            if depth is not None:
                found.append((waiting[depth][0], offset))
                del waiting[depth:]
    return _outermost(found)


def _depth_of(waiting: list[tuple[int, str]], opening: str, earliest: int) -> int | None:
    """Returns the index of the nearest `opening` from offset `earliest` on."""
    for depth in range(len(waiting) - 1, -1, -1):
        offset, char = waiting[depth]
        if offset < earliest:
            return None
        if char == opening:
            return depth
    return None


def _outermost(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    outer: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if not outer or start > outer[-1][1]:
            outer.append((start, end))
    return outer


def span_around(spans: list[tuple[int, int]], offset: int) -> tuple[int, int] | None:
    """Returns the span around `offset`, of ordered, disjoint ones; None without any."""
    index = bisect_left(spans, (offset, 0)) - 1
    if index >= 0 and offset < spans[index][1]:
        return spans[index]
    return None


# Arabic question mark, Urdu full stop, danda and double danda of Hindi.
OTHER_STOPS: Final = "\u061f\u06d4\u0964\u0965"

_STOPS = f".!?。！？{OTHER_STOPS}"
_PAIRS = {")": "(", "]": "["}
# A mark that follows another ends nothing new: without the look-behind, and with backtracking into
# closers, a line of thousands of marks would take minutes.
_STOP = re.compile(
    rf"(?P<mark>(?<![{_STOPS}])(?:\.(?:\s?\.)+|[{_STOPS}]++)|…)(?P<closers>[\"”’')\]»]*+)(?=\s|$)"
)
_LOOSE_CLOSERS = re.compile(r"(?:\s+(?:''|[”’)\]]|-rrb-|-RRB-)(?=\s|$))*")
_WORD_BEFORE = re.compile(r"[^\s\"“‘'(\[«`—–]+$")
_WORD_AFTER = re.compile(r"\s+[\"“‘'(\[«`¿¡-]*(?P<word>[^\s.,;:!?\"”’')\]]*)")
_DOTTED = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]|Ph\.D|[Pp]h\.d")
_ITEM_NUMBER = re.compile(r"\s*[(\[]?(?:[0-9]{1,2}|[A-Za-z])[)\]]?")
_BRAND = re.compile(r"[a-z][A-Z]")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEVER_LAST = _words(
    "mr mrs ms messrs dr prof gen sen rep gov lt col sgt capt cmdr adm maj cpl pvt brig pres hon"
    " rev st mt ft fr supt det insp vs e.g i.e cf viz"
)
_BEFORE_NUMBER = _words("no nos fig figs eq eqs sec ch p pp vol vols art par tab ver")
_SOMETIMES_LAST = _words(
    "inc corp co ltd llc bros jr sr etc al est dept univ ave blvd rd approx ed eds assn"
    " jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun"
    " calif fla ga ill mass mich minn tex va wash ariz ala ark colo conn del"
)
_STARTERS = _words(
    "the a an this that these those he she it they we you i his her its their our my your"
    " but and or so yet if when while after before as at in on for from with by to about under"
    " there here what who whom whose how why where which not no nor one two some many most all"
    " both each every another other others however meanwhile moreover also although though because"
    " since until then now yes still even once during despite according officials police"
)


def english_ends(run: str) -> Iterator[int]:
    """Yields the end offset of each sentence of `run` but the last."""
    spans = bracketed(run, _PAIRS)
    has_capitals = run != run.lower() and any(map(str.isupper, run))
    last = 0
    for stop in _STOP.finditer(run):
        if _is_inside(run, last, span_around(spans, stop.start()), stop):
            continue
        if _ITEM_NUMBER.fullmatch(run, last, stop.start()):
            continue
        end = _end_at(run, stop, has_capitals=has_capitals)
        if end is not None and last < end < len(run):
            yield end
            last = end


def _is_inside(run: str, start: int, span: tuple[int, int] | None, stop: re.Match[str]) -> bool:
    """Whether the stop is in brackets, other than at the end of a whole bracketed sentence."""
    if span is None:
        return False
    return span[1] != stop.end("mark") or bool(run[start : span[0]].strip())


def _end_at(run: str, stop: re.Match[str], *, has_capitals: bool) -> int | None:
    """Returns the end of the stop's sentence, None when it goes on."""
    is_ellipsis = stop["mark"] == "…" or stop["mark"].count(".") > 1
    if run[stop.start() - 1 : stop.start()].isspace() and not is_ellipsis:
        closers = _LOOSE_CLOSERS.match(run, stop.end())
        return closers.end() if closers else stop.end()
    after = _WORD_AFTER.match(run, stop.end())
    word_after = after["word"] if after else ""
    goes_on = word_after[:1].islower() and not _BRAND.match(word_after)
    if goes_on and (has_capitals or is_ellipsis or stop["closers"]):
        return None
    if stop["mark"] == "." and not stop["closers"]:
        before = _WORD_BEFORE.search(run, max(0, stop.start() - 60), stop.start())
        if not _can_be_last(before[0] if before else "", word_after):
            return None
    return stop.end()


def _can_be_last(word: str, word_after: str) -> bool:
    """Whether `word` with a dot can end a sentence before `word_after`."""
    lower = word.lower()
    if lower in _NEVER_LAST:
        return False
    if lower in _BEFORE_NUMBER:
        return not word_after[:1].isdigit()
    is_initial = len(word) == 1 and word.isalpha() and word.isupper()
    if is_initial or lower in _SOMETIMES_LAST or _DOTTED.fullmatch(word):
        return word_after.lower() in _STARTERS
    return True


_JAPANESE_PAIRS = {
    "」": "「",
    "』": "『",
    "）": "（",
    "］": "［",
    "】": "【",
    "〉": "〈",
    "》": "《",
    "〕": "〔",
    "”": "“",
    "〟": "〝",
}
_HALF_WIDTH = str.maketrans("()[]｢｣", "（）［］「」")
_CLOSERS = re.compile(r"[」』）］】〉》〕”’〟｣\"')\]]*")
_MARK = re.compile(
    r"[。．！？!?｡]+(?:[…‥]+[。！？｡]*)?|(?<=[ぁ-ヿ一-鿿々）」』])\.(?=\s|$)"
    # Dots and dashes end a sentence where something new begins, not where it only pauses.
    r"|(?:[…‥]{2,}|[―—─]{2,})(?=\s|$)"
)
_ASKED_AS = re.compile(
    r"(?:って|など|を|と(?!にかく|ころ|りあえず|はいえ|もあれ|ても|うとう|き|ある))"
)
_SOURCE_LINE = re.compile(
    r"[^\S\n]*(?:【[^【】。！？｡]{1,40}】(?=\s|$)|（(?![0-9０-９A-Za-z一二三四五六七八九十ア-ン]{1,2}）)"
    r"[^（）。！？｡]{1,40}）(?=\s|$))"
)
_NO_STOP_BEFORE = re.compile(r"[0-9０-９A-Za-zＡ-Ｚａ-ｚ]")
_LIST_NUMBER = re.compile(r"[\s　]*[（(]?[0-9０-９A-Za-zＡ-Ｚａ-ｚ]{1,2}$")
_NAME = re.compile(r"[A-Za-zＡ-Ｚａ-ｚ][!！](?=[ァ-ヺー一-鿿ぁ-ん])")
_QUOTES_END = re.compile(r"[。．！？!?…｡][」』”〟｣]+")
_GOES_ON = re.compile(r"\s*(?:[とをへでのもがには、。，．…‥）]|って|など|から|より|だ[とっけ])")
_NEW_SENTENCE = re.compile(r"\s|[「『“〝｢]")


def japanese_ends(run: str) -> Iterator[int]:
    """Yields the end offset of each sentence of `run` but the last.

    Marks within brackets do not count; a quotation of whole sentences ends one itself when a blank
    or another quotation follows and no particle continues it.
    """
    spans = bracketed(run.translate(_HALF_WIDTH), _JAPANESE_PAIRS)
    last = 0
    for end in sorted({*_ends_at_marks(run, spans), *_ends_at_quotes(run, spans)}):
        if last < end < len(run) and not _is_list_number(run, last, end):
            yield end
            last = end


def _ends_at_marks(run: str, spans: list[tuple[int, int]]) -> Iterator[int]:
    for mark in _MARK.finditer(run):
        if span_around(spans, mark.start()) is not None or _is_inside_word(run, mark):
            continue
        closers = _CLOSERS.match(run, mark.end())
        end = closers.end() if closers else mark.end()
        if mark[0][-1] in "！？!?" and _ASKED_AS.match(run, end):
            continue
        source = _SOURCE_LINE.match(run, end) if mark[0][-1] in "。｡" else None
        yield source.end() if source else end


def _is_inside_word(run: str, mark: re.Match[str]) -> bool:
    """Whether the mark is part of a number (`３．５`), a name (`Yahoo！ニュース`) or an address."""
    before = run[mark.start() - 1 : mark.start()]
    after = run[mark.end() : mark.end() + 1]
    if mark[0] == "．":
        return bool(_NO_STOP_BEFORE.match(before) and _NO_STOP_BEFORE.match(after))
    if mark[0] in "!?" and after.isascii() and after.isalnum():
        return True
    return bool(_NAME.match(run, mark.start() - 1)) if mark.start() else False


def _is_list_number(run: str, start: int, end: int) -> bool:
    """Whether `１．` numbers the next sentence instead of ending one."""
    return run[end - 1] in ".．" and bool(_LIST_NUMBER.match(run[start : end - 1]))


def _ends_at_quotes(run: str, spans: list[tuple[int, int]]) -> Iterator[int]:
    outer_ends = {end for _, end in spans}
    for quote in _QUOTES_END.finditer(run):
        end = quote.end()
        if end - 1 in outer_ends and _NEW_SENTENCE.match(run, end) and not _GOES_ON.match(run, end):
            yield end


# Version of each language's rules; `docs/formats/text.md` lists the changes.
SPLITTER_IDS: Mapping[str, str] = MappingProxyType({"ja": "ja-2", "en": "en-2"})
LINES: Final = "lines"
ONE: Final = "one"
# Ways in which a text becomes sentences, as `--sentences` and `split=` in signatures name them.
SPLITS: Final = (GIVEN, LINES, ONE, *SPLITTER_IDS.values())

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
    """A sentence and its span."""

    text: str  # its text on one line, without outer blanks
    paragraph: int  # number of its paragraph, from 1
    start: int  # offset of its first character in the text that was split, in code points
    end: int  # offset behind its last character


class Split(NamedTuple):
    """A text in sentences."""

    sentences: tuple[str, ...]  # without outer blanks, none of them empty
    way: str  # how the text became them: one of `SPLITS`


def split_text(
    text: str | Sequence[str],
    way: str | None = None,
    language: str | None = None,
    *,
    by_lines: bool = True,
    separators: Separators | None = None,
) -> Split:
    r"""Splits a text, unless it is already a list of sentences.

    Tags such as `<q>` in a text separate sentences, and are recorded in `separators`. `way` is one
    of `SPLITS`; None = by lists or tags, otherwise a text with line feeds by lines, any other by
    the rules of its language, None = detect. Unless `by_lines`, the rules decide, as in articles,
    whose lines are paragraphs or wrapped. An InputError if `way` is unknown, or sentences are
    required and missing.

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
    """Raises unless this way of splitting exists."""
    if way not in SPLITS:
        raise InputError.of(
            "“{value}” is not a way to split texts into sentences.",
            "It is called {new} now." if way in _OLD_NAMES else "Use one of {known}.",
            value=way,
            new=_OLD_NAMES.get(way, ""),
            known=Listing(SPLITS),
        )


def _given(text: str | Sequence[str], separators: Separators) -> tuple[str, ...] | None:
    """Returns the sentences that a text declares; None without."""
    if isinstance(text, str):
        return separators.parts(text)
    if not isinstance(text, Sequence) or not all(isinstance(one, str) for one in text):
        raise InputError.of(
            "{text} is not a text.",
            "A text is a string, or a list of its sentences.",
            text=repr(text)[:40],
        )
    return tuple(filter(None, map(str.strip, text)))


def split_sentences(text: str, language: str | None = None) -> tuple[Sentence, ...]:
    r"""Returns the sentences of `text`, which omit only white space; `language` None = detect.

    Its lines end with `\n`, and it is `ja` or `en`, else ValueError.
    """
    if language is None:
        language = detect_language(text)
    if language not in SPLITTER_IDS:
        raise ValueError(f"no rules to split {language!r} into sentences")
    sentences: list[Sentence] = []
    for number, lines in enumerate(_paragraphs(text), start=1):
        for start, end in _runs(text, lines):
            run = text[start:end]
            is_japanese = language == "ja" and has_japanese_letters(run)
            ends = japanese_ends(run) if is_japanese else english_ends(run)
            sentences += _cut(text, start, end, [*ends], number)
    return tuple(sentences)


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
    """Yields spans of running text, with wrapped lines joined."""
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
    """Returns the replacement of a line break: none within Japanese or after a hyphen."""
    before = line_break.string[line_break.start() - 1]
    after = line_break.string[line_break.end()]
    is_japanese = any(unicodedata.east_asian_width(char) in "WF" for char in (before, after))
    return "" if is_japanese or (before == "-" and after.islower()) else " "
