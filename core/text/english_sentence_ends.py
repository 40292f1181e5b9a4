"""Where English sentences end, in running text and in text tokenised as `the end . ''`.

Text of other scripts that part words by blanks is read in the same way.
"""

import re
from collections.abc import Iterator
from typing import Final

from awase.core.text.brackets import bracketed, span_around

OTHER_STOPS: Final = "\u061f\u06d4\u0964\u0965"
"""Arabic question mark, Urdu full stop, danda and double danda of Hindi."""

_STOPS = f".!?。！？{OTHER_STOPS}"
_PAIRS = {")": "(", "]": "["}
# A mark that follows another ends nothing that the first of them did not: without the look behind,
# and with closers that are given back, a line of thousands of marks would take minutes.
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
    """Yields the offset behind each sentence of `run` but the last."""
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
    """Whether the stop is in brackets, other than at the end of a whole sentence in brackets."""
    if span is None:
        return False
    return span[1] != stop.end("mark") or bool(run[start : span[0]].strip())


def _end_at(run: str, stop: re.Match[str], *, has_capitals: bool) -> int | None:
    """Returns where the sentence of this stop ends, None when it goes on."""
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
    """Whether `word` with a dot can end a sentence when `word_after` follows."""
    lower = word.lower()
    if lower in _NEVER_LAST:
        return False
    if lower in _BEFORE_NUMBER:
        return not word_after[:1].isdigit()
    is_initial = len(word) == 1 and word.isalpha() and word.isupper()
    if is_initial or lower in _SOMETIMES_LAST or _DOTTED.fullmatch(word):
        return word_after.lower() in _STARTERS
    return True
