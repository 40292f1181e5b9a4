"""The pyramid in a DUCView file: model summaries, and content units with their contributors.

Annotation tools store offsets and words, and real files are inconsistent: line breaks were dropped
from the words, or the text was edited later. So blanks are ignored in comparisons, and the nearest
match wins.
"""

import re
import warnings
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from awase.core.errors import CorpusFormatError, Findings, Listing, Problem
from awase.core.formats.reading.topic_parts import numbered_document
from awase.core.records.source import Document, SentenceRef
from awase.core.text.sentences import Sentence, split_sentences, splitter_of


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSpan:
    """A stretch of a text."""

    start: int  # offset of its first character, in code points
    end: int  # offset behind its last one
    # What was wrong with the file's offsets; None if correct.
    problem: Problem | None = None


class PlacedText:
    """A text with span lookup."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._offsets = [at for at, letter in enumerate(text) if not letter.isspace()]
        self._letters = "".join(text[at] for at in self._offsets)

    def find(self, label: str, start: str, end: str) -> TextSpan | Problem:
        """Returns the position of `label`, or why it is unknown."""
        first, last = _offset(start), _offset(end)
        wanted = _squeezed(label)
        given = None
        if first is not None and last is not None and first < last <= len(self.text):
            given = TextSpan(start=first, end=last)
            if _squeezed(self.text[first:last]) == wanted:
                return given
        fields = {"label": _short(label), "start": start, "end": end}
        found = self._nearest(wanted, first or 0) if wanted else None
        if found is not None:
            what = "“{label}” is not at {start}–{end}, where the file says, but at {found}."
            hint = "The nearest occurrence of these words was used."
            return TextSpan(
                start=found[0],
                end=found[1],
                problem=Problem(what=what, hint=hint, fields={**fields, "found": found[0]}),
            )
        if given is not None and _squeezed(self.text[given.start : given.end]):
            what = "The text has no “{label}”; at {start}–{end} it has “{found}”."
            hint = "The text at that position was used."
            shown = _short(self.text[given.start : given.end])
            return TextSpan(
                start=given.start,
                end=given.end,
                problem=Problem(what=what, hint=hint, fields={**fields, "found": shown}),
            )
        return Problem(
            what="The text has no “{label}”, and no place {start}–{end} with words.",
            hint="This part is left out.",
            fields=fields,
        )

    def _nearest(self, wanted: str, start: int) -> tuple[int, int] | None:
        target = bisect_left(self._offsets, start)
        before = self._letters.rfind(wanted, 0, target + len(wanted))
        after = self._letters.find(wanted, target + 1)
        places = [at for at in (before, after) if at >= 0]
        if not places:
            return None
        best = min(places, key=lambda at: abs(at - target))
        return self._offsets[best], self._offsets[best + len(wanted) - 1] + 1


def _offset(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"


@dataclass(slots=True)
class Element:
    """An element."""

    name: str
    line: int  # where it begins, from 1
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The characters directly inside."""
        return "".join(self.parts)

    def child(self, name: str) -> "Element | None":
        """Returns the first child of this name, None when there is none."""
        return next(iter(self.named(name)), None)

    def named(self, name: str) -> list["Element"]:
        """Returns the children of this name."""
        return [child for child in self.children if child.name == name]


def root_of(text: str) -> Element:
    """Returns the root of an XML text, whatever encoding it declares."""
    builder = _Builder()
    try:
        builder.parser.Parse(text.removeprefix("\ufeff"), True)
    except expat.ExpatError as error:
        if error.code == expat.errors.codes[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]:
            raise CorpusFormatError.of(
                "Something follows the end of the XML document.",
                "Some versions of DUCView add each saving to the end of the file: keep the last.",
                line=error.lineno,
            ) from error
        raise CorpusFormatError.of(
            "The file is not well-formed XML: {reason}.",
            "Fix the line named, or choose another format.",
            reason=expat.ErrorString(error.code) or "unknown",
            line=error.lineno,
        ) from error
    return builder.root


class _Builder:
    """Event target of the XML parser."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.EntityDeclHandler = self._refuse_entity
        self.root = Element("", 1, {})
        self._open: list[Element] = []

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        element = Element(name, self.parser.CurrentLineNumber, attributes)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def _end(self, _name: str) -> None:
        self._open.pop()

    def _characters(self, characters: str) -> None:
        self._open[-1].parts.append(characters)

    def _refuse_entity(self, name: str, *_declaration: object) -> None:
        raise CorpusFormatError.of(
            "The file defines an entity, “{name}”.",
            "Files of this format need none; remove the definition.",
            name=name,
            line=self.parser.CurrentLineNumber,
        )


_USUAL_HEADING: Final = re.compile(r"^-{3,}\n(?=[^\n]*\S)[^\n]*\n-{3,}\n", re.MULTILINE)
_RULES: Final = " \t-=_*#~"
_LONGEST_PATTERN: Final = 300
# Causes of endless backtracking: repeated groups, back-references.
_COSTLY: Final = re.compile(r"\)[*+{]|\\[1-9]|\(\?P=")
_ATOM: Final = re.compile(
    r"(?P<one>\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^()|^$*+?{])(?P<times>[*+?]|\{[0-9,]*\})?"
)
_SHORT_LINE: Final = 300
_TRIED: Final = "".join(map(chr, range(1, 128))) + "éあ"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSummary:
    """A model summary."""

    document: Document  # it as a document; sentences are numbered from 1
    spans: tuple[tuple[int, int], ...]  # offsets of each sentence in the whole text


def text_of(element: Element, problems: Findings) -> str:
    r"""Returns the lines of an element's `<text>`, joined by `\n`, as DUCView counts offsets."""
    text = element.child("text")
    if text is None:
        problems.add(
            element.line,
            what="<{name}> has no <text>.",
            hint="Is it a DUCView file?",
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
        what = "Text before the first summary is left out: “{text}”."
        problems.remark(line, what=what, text=" ".join(before.split())[:40])
    starts = [end for _, end in headings] or [0]
    ends = [start for start, _ in headings[1:]] + [len(text)]
    names = _names([text[start:end] for start, end in headings] or [""], line, problems)
    summaries = []
    for name, start, end in zip(names, starts, ends, strict=True):
        sentences = split_sentences(text[start:end], language)
        if not sentences:
            what = "Summary “{name}” has no text."
            problems.remark(line, what=what, name=name)
        with problems.noting(line):
            summaries.append(
                _summary(name, sentences, start, splitter_of(text[start:end], language))
            )
    return tuple(summaries)


def _summary(name: str, sentences: tuple[Sentence, ...], start: int, split: str) -> ModelSummary:
    return ModelSummary(
        document=numbered_document(
            name,
            [sentence.text for sentence in sentences],
            split,
            paragraphs=[sentence.paragraph for sentence in sentences],
        ),
        spans=tuple((start + sentence.start, start + sentence.end) for sentence in sentences),
    )


def _headings(pyramid: Element, text: str, problems: Findings) -> list[tuple[int, int]]:
    """Returns the spans of the headings; empty = a single summary."""
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
    problems.remark(pyramid.line, what=what, hint=hint, n=len(spans))
    return spans


def _found(pattern: str, text: str) -> tuple[list[tuple[int, int]], Problem | None]:
    """Returns the matches of a file's own pattern, or why it is unusable."""
    fields = {"pattern": pattern}
    if len(pattern) > _LONGEST_PATTERN or is_costly(pattern, text):
        what = "The pattern of headings, {pattern}, is too complex to search for safely."
        return [], Problem(what=what, fields={"pattern": pattern[:_LONGEST_PATTERN]})
    try:
        with warnings.catch_warnings():
            # A set such as [[-] may change its meaning in later versions of Python.
            warnings.simplefilter("ignore", FutureWarning)
            spans = [match.span() for match in re.finditer(pattern, text)]
    except (re.error, OverflowError, RecursionError) as error:
        what = "The pattern of headings, {pattern}, is not a regular expression: {reason}."
        return [], Problem(what=what, fields={**fields, "reason": str(error)})
    spans = [span for span in spans if span[0] < span[1]]
    if not spans:
        what = "The pattern of headings, {pattern}, does not occur in the text."
        return [], Problem(what=what, fields=fields)
    return spans, None


def is_costly(pattern: str, text: str) -> bool:
    """Returns whether a regular expression could backtrack for ever.

    It could when the end of an unlimited repetition is ambiguous, as what follows could match the
    same characters: each such place multiplies the time by the length of the match. One within a
    line is accepted where lines are short, as in `={3,} .* ={3,}`.
    """
    if _COSTLY.search(pattern):
        return True
    atoms: list[tuple[str, str]] = _ATOM.findall(pattern)
    unsure = [
        one
        for at, (one, times) in enumerate(atoms)
        if (times in ("*", "+") or times.endswith(",}")) and _can_begin_rest(one, atoms[at + 1 :])
    ]
    if len(unsure) == 1 and "\n" not in _taken_by(unsure[0]):
        return max(map(len, text.split("\n"))) > _SHORT_LINE
    return bool(unsure)


def _can_begin_rest(one: str, rest: list[tuple[str, str]]) -> bool:
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
            problems.remark(line, what=what, name=name, new=new)
            name = new
        names[name] = None
    return [*names]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scu:
    """A summary content unit."""

    n: int  # its number: the file's uid where all are numbers from 1 that differ, else its position
    uid: str
    label: str  # not empty
    # The sentences of each contributor, each of one summary.
    supports: tuple[tuple[SentenceRef, ...], ...]
    comment: str = ""

    @property
    def weight(self) -> int:
        """Number of summaries that express it."""
        return len({refs[0].document_id for refs in self.supports})


@dataclass(frozen=True, slots=True, kw_only=True)
class PyramidFile:
    """A pyramid."""

    summaries: tuple[ModelSummary, ...]
    scus: tuple[Scu, ...]  # in the file's order; each has a weight of at least 1


def read_pyramid(element: Element, problems: Findings, language: str | None) -> PyramidFile:
    """Parses a `<pyramid>` element; repairs become warnings.

    `language` is for splitting summaries into sentences; None = detect.
    """
    text = text_of(element, problems)
    summaries = model_summaries(element, text, problems, language)
    found = element.named("scu")
    if not found and not problems.found:
        problems.add(element.line, what="The pyramid has no SCU.", hint="Is it finished?")
    numbers = _numbers(found, problems)
    reader = _Reader(PlacedText(text), summaries, problems)
    scus = [reader.scu(scu, n) for scu, n in zip(found, numbers, strict=True)]
    kept = tuple(scu for scu in scus if scu is not None)
    if found and not kept and not problems.found:
        problems.add(element.line, what="No SCU of the pyramid lies in its summaries.")
        problems.found += problems.warnings
    return PyramidFile(summaries=summaries, scus=kept)


def _numbers(scus: list[Element], problems: Findings) -> list[int]:
    uids = [scu.attributes.get("uid", "").strip() for scu in scus]
    is_sound = all(uid.isascii() and uid.isdigit() and 0 < int(uid[:10]) < 10**9 for uid in uids)
    numbers = [int(uid) for uid in uids] if is_sound else []
    if len(set(numbers)) == len(uids):
        return numbers
    odd = next((idx for idx, uid in enumerate(uids) if not uid.isdigit() or uid in uids[:idx]), 0)
    what = "SCU ids are repeated or are not numbers from 1 (“{uid}”)."
    hint = "SCUs are numbered by position."
    problems.remark(scus[odd].line, what=what, hint=hint, uid=uids[odd])
    return [*range(1, len(uids) + 1)]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads SCUs of one text."""

    text: PlacedText
    summaries: tuple[ModelSummary, ...]
    problems: Findings

    def scu(self, element: Element, n: int) -> Scu | None:
        """Returns an SCU; None when no contributor lies in a summary."""
        uid = element.attributes.get("uid", "").strip()
        contributors = element.named("contributor")
        supports: list[tuple[SentenceRef, ...]] = []
        for contributor in contributors:
            supports += self._supports(contributor, uid)
        label = " ".join(element.attributes.get("label", "").split())
        if not supports:
            self.problems.remark(
                element.line, what="SCU {uid} lies in no summary and is left out.", uid=uid
            )
            return None
        if not label:
            labels = (one.attributes.get("label", "").strip() for one in contributors)
            label = next(filter(None, labels), "") or f"SCU {uid}"
            what = "SCU {uid} has no label; it is called “{label}”."
            self.problems.remark(element.line, what=what, uid=uid, label=label)
        scu = Scu(
            n=n,
            uid=uid,
            label=label,
            supports=tuple(supports),
            comment=element.attributes.get("comment", "").strip(),
        )
        if scu.weight != len(contributors):
            what = "SCU {uid}: contributors {n}, summaries {weight}; its weight is {weight}."
            hint = "DUCView counts contributors."
            self.problems.remark(
                element.line, what=what, hint=hint, uid=uid, n=len(contributors), weight=scu.weight
            )
        return scu

    def _supports(self, contributor: Element, uid: str) -> list[tuple[SentenceRef, ...]]:
        """Returns the sentences of a contributor, by summary; usually of one."""
        refs: dict[str, dict[SentenceRef, None]] = {}
        for part in contributor.named("part"):
            for ref in self._refs(part, uid):
                refs.setdefault(ref.document_id, {})[ref] = None
        if len(refs) > 1:
            what = "A contributor of SCU {uid} lies in several summaries ({names})."
            hint = "Each was read as a separate contributor."
            self.problems.remark(
                contributor.line, what=what, hint=hint, uid=uid, names=Listing(refs)
            )
        return [tuple(sorted(of_summary)) for of_summary in refs.values()]

    def _refs(self, part: Element, uid: str) -> list[SentenceRef]:
        values = part.attributes
        place = self.text.find(
            values.get("label", ""), values.get("start", ""), values.get("end", "")
        )
        if isinstance(place, Problem):
            self.problems.warn(part.line, [place])
            return []
        if place.problem is not None:
            self.problems.warn(part.line, [place.problem])
        found = [
            SentenceRef(summary.document.id, sentence.n)
            for summary in self.summaries
            for sentence, (start, end) in zip(
                summary.document.sentences, summary.spans, strict=True
            )
            if start < place.end and place.start < end
        ]
        if not found:
            what = "A part of SCU {uid} lies outside of the summaries and is left out."
            self.problems.remark(part.line, what=what, uid=uid)
        return found
