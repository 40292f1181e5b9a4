"""The model summaries of a pyramid: the text of the file, cut at the headings."""

import re
import warnings
from dataclasses import dataclass
from typing import Final

from awase.core.errors import CorpusFormatError, Problem
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.xml_elements import Element
from awase.core.records.identifiers import SentenceRef
from awase.core.records.source import Document, SourceSentence
from awase.core.text.sentences import Sentence, split_sentences, splitter_of

_USUAL_HEADING: Final = re.compile(r"^-{3,}\n(?=[^\n]*\S)[^\n]*\n-{3,}\n", re.MULTILINE)
_RULES: Final = " \t-=_*#~"
_LONGEST_PATTERN: Final = 300
# What makes a search take for ever on text that nearly matches: repeated groups, references back.
_COSTLY: Final = re.compile(r"\)[*+{]|\\[1-9]|\(\?P=")
_ATOM: Final = re.compile(
    r"(?P<one>\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^()|^$*+?{])(?P<times>[*+?]|\{[0-9,]*\})?"
)
_SHORT_LINE: Final = 300
_TRIED: Final = "".join(map(chr, range(1, 128))) + "éあ"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSummary:
    """A model summary.

    Attributes:
        document: It as a document; sentences are numbered from 1.
        spans: Offsets of each sentence in the whole text.
    """

    document: Document
    spans: tuple[tuple[int, int], ...]

    def refs_in(self, start: int, end: int) -> tuple[SentenceRef, ...]:
        """Returns the sentences in which a stretch of the whole text lies."""
        return tuple(
            SentenceRef(self.document.id, sentence.n)
            for sentence, (first, last) in zip(self.document.sentences, self.spans, strict=True)
            if first < end and start < last
        )


def text_of(element: Element, problems: Findings) -> str:
    r"""Returns the lines of an element's `<text>`, joined by `\n`, as DUCView counts offsets."""
    text = element.child("text")
    if text is None:
        problems.add(
            element.line,
            what="<{name}> has no <text>.",
            hint="Is it a file of DUCView?",
            name=element.name,
        )
        return ""
    return "\n".join(line.text for line in text.named("line"))


def model_summaries(
    pyramid: Element, text: str, problems: Findings, language: str | None
) -> tuple[ModelSummary, ...]:
    """Returns the summaries in the text of a pyramid, at least one when it has any words."""
    headings = _headings(pyramid, text, problems)
    line = pyramid.line
    before = text[: headings[0][0]] if headings else ""
    if before.strip():
        what = "Before the first summary stands “{text}”; it is left out."
        shown = " ".join(before.split())[:40]
        problems.warn(line, [Problem(what=what, fields={"text": shown})])
    starts = [end for _, end in headings] or [0]
    ends = [start for start, _ in headings[1:]] + [len(text)]
    names = _names([text[start:end] for start, end in headings] or [""], line, problems)
    summaries = []
    for name, start, end in zip(names, starts, ends, strict=True):
        sentences = split_sentences(text[start:end], language)
        if not sentences:
            what = "Summary “{name}” has no text."
            problems.warn(line, [Problem(what=what, fields={"name": name})])
        try:
            summaries.append(
                _summary(name, sentences, start, splitter_of(text[start:end], language))
            )
        except CorpusFormatError as error:
            problems.note(line, error.problems)
    return tuple(summaries)


def _summary(name: str, sentences: tuple[Sentence, ...], start: int, split: str) -> ModelSummary:
    return ModelSummary(
        document=Document(
            id=name,
            split=split,
            sentences=tuple(
                SourceSentence(n=n, text=sentence.text, paragraph=sentence.paragraph)
                for n, sentence in enumerate(sentences, start=1)
            ),
        ),
        spans=tuple((start + sentence.start, start + sentence.end) for sentence in sentences),
    )


def _headings(pyramid: Element, text: str, problems: Findings) -> list[tuple[int, int]]:
    """Returns the spans of the headings; none = the text is one summary."""
    element = pyramid.child("startDocumentRegEx")
    pattern = element.text.strip("\r\n") if element is not None else ""
    if element is not None and pattern.strip():
        spans, problem = _found(pattern, text)
        if problem is None:
            return spans
        problems.warn(element.line, [problem])
    spans = [match.span() for match in _USUAL_HEADING.finditer(text)]
    if len(spans) > 1:
        what = (
            "The file does not say where summaries begin; lines between rules of hyphens were "
            "taken as their headings ({n})."
        )
    else:
        spans = []
        what = (
            "The file does not say where summaries begin, so that its text is one summary and "
            "each SCU has weight 1."
        )
    hint = "If this is wrong, name the heading in DUCView: Options > Document Header RegEx."
    problems.warn(pyramid.line, [Problem(what=what, hint=hint, fields={"n": len(spans)})])
    return spans


def _found(pattern: str, text: str) -> tuple[list[tuple[int, int]], Problem | None]:
    """Returns where a file's own pattern matches, or why it is of no use."""
    fields = {"pattern": pattern}
    if len(pattern) > _LONGEST_PATTERN or is_costly(pattern, text):
        what = "The pattern of headings, {pattern}, is too intricate to be searched for safely."
        return [], Problem(what=what, fields={"pattern": pattern[:_LONGEST_PATTERN]})
    try:
        with warnings.catch_warnings():
            # A set such as [[-] may come to mean something else in later versions of Python.
            warnings.simplefilter("ignore", FutureWarning)
            spans = [match.span() for match in re.finditer(pattern, text)]
    except (re.error, OverflowError, RecursionError) as error:
        what = "The pattern of headings, {pattern}, is no regular expression: {reason}."
        return [], Problem(what=what, fields={**fields, "reason": str(error)})
    spans = [span for span in spans if span[0] < span[1]]
    if not spans:
        what = "The pattern of headings, {pattern}, is nowhere in the text."
        return [], Problem(what=what, fields=fields)
    return spans, None


def is_costly(pattern: str, text: str) -> bool:
    """Returns whether a search in the text could take for ever.

    It could when what repeats without limit does not know where to stop, as what follows it could
    be taken by either: each such place multiplies the time by the length of what can be taken. One
    that stays within a line is let pass where lines are short, as in `={3,} .* ={3,}`.
    """
    if _COSTLY.search(pattern):
        return True
    atoms: list[tuple[str, str]] = _ATOM.findall(pattern)
    unsure = [
        one
        for at, (one, times) in enumerate(atoms)
        if _is_unlimited(times) and _is_taken_by_what_follows(one, atoms[at + 1 :])
    ]
    if len(unsure) == 1 and "\n" not in _taken_by(unsure[0]):
        return max(map(len, text.split("\n"))) > _SHORT_LINE
    return bool(unsure)


def _is_unlimited(times: str) -> bool:
    return times in ("*", "+") or times.endswith(",}")


def _is_taken_by_what_follows(one: str, rest: list[tuple[str, str]]) -> bool:
    """Returns whether a character of the atom `one` could also begin `rest`."""
    taken = _taken_by(one)
    for other, times in rest:
        if taken & _taken_by(other):
            return True
        if times not in ("*", "?") and not times.startswith(("{0", "{,")):
            return False  # it must be there, and parts the two
    return False


def _taken_by(atom: str) -> set[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            one = re.compile(atom)
    except re.error:
        return set()  # the whole pattern is none, either
    return {char for char in _TRIED if one.fullmatch(char)}


def _names(headings: list[str], line: int, problems: Findings) -> list[str]:
    """Returns an id for each summary: its heading without rules."""
    names: dict[str, None] = {}
    for number, heading in enumerate(headings, start=1):
        lines = (part.strip(_RULES) for part in heading.split("\n"))
        name = " ".join(" ".join(filter(None, lines)).split()) or f"summary {number}"
        if name in names:
            what = "Two summaries are headed “{name}”; the second is called “{new}”."
            new = f"{name} ({number})"
            problems.warn(line, [Problem(what=what, fields={"name": name, "new": new})])
            name = new
        names[name] = None
    return [*names]
