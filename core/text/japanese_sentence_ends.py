"""Where Japanese sentences end."""

import re
from collections.abc import Iterator

from awase.core.text.brackets import bracketed, span_around

_PAIRS = {
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
    """Yields the offset behind each sentence of `run` but the last.

    A mark within brackets ends nothing; a quotation that holds whole sentences ends one itself when
    a blank or another quotation follows and no particle takes it up.
    """
    spans = bracketed(run.translate(_HALF_WIDTH), _PAIRS)
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
    """Whether `１．` numbers the sentence that follows instead of ending one."""
    return run[end - 1] in ".．" and bool(_LIST_NUMBER.match(run[start : end - 1]))


def _ends_at_quotes(run: str, spans: list[tuple[int, int]]) -> Iterator[int]:
    outer_ends = {end for _, end in spans}
    for quote in _QUOTES_END.finditer(run):
        end = quote.end()
        if end - 1 in outer_ends and _NEW_SENTENCE.match(run, end) and not _GOES_ON.match(run, end):
            yield end
