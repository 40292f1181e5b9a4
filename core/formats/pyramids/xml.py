"""The pyramid in a DUCView file: model summaries, and content units with their contributors."""

from dataclasses import dataclass

from awase.core.errors import Listing, Problem
from awase.core.formats.pyramids.model_summaries import ModelSummary, model_summaries, text_of
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.xml_elements import Element
from awase.core.formats.spans.placed_text import PlacedText
from awase.core.records.identifiers import SentenceRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Scu:
    """A summary content unit.

    Attributes:
        n: Its number: the file's uid where all are numbers from 1 that differ, else its position.
        uid: As the file has it.
        label: What it says; not empty.
        supports: The sentences of each contributor, each of one summary.
        comment: The annotator's remark.
    """

    n: int
    uid: str
    label: str
    supports: tuple[tuple[SentenceRef, ...], ...]
    comment: str = ""

    @property
    def weight(self) -> int:
        """How many summaries express it."""
        return len({refs[0].document_id for refs in self.supports})


@dataclass(frozen=True, slots=True, kw_only=True)
class Pyramid:
    """A pyramid.

    Attributes:
        summaries: The model summaries.
        scus: In the file's order; each has a weight of at least 1.
    """

    summaries: tuple[ModelSummary, ...]
    scus: tuple[Scu, ...]


def read_pyramid(element: Element, problems: Findings, language: str | None) -> Pyramid:
    """Returns the pyramid of a `<pyramid>` element; what was dirty in it becomes a warning.

    Args:
        element: The element.
        problems: Receives warnings, and why there is no pyramid.
        language: For splitting summaries into sentences; None = detect.
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
    return Pyramid(summaries=summaries, scus=kept)


def _numbers(scus: list[Element], problems: Findings) -> list[int]:
    uids = [scu.attributes.get("uid", "").strip() for scu in scus]
    is_sound = all(uid.isascii() and uid.isdigit() and 0 < int(uid[:10]) < 10**9 for uid in uids)
    numbers = [int(uid) for uid in uids] if is_sound else []
    if len(set(numbers)) == len(uids):
        return numbers
    odd = next((idx for idx, uid in enumerate(uids) if not uid.isdigit() or uid in uids[:idx]), 0)
    what = "SCU ids are repeated or are not numbers from 1 (“{uid}”)."
    hint = "SCUs are numbered by position."
    problems.warn(scus[odd].line, [Problem(what=what, hint=hint, fields={"uid": uids[odd]})])
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
            self._warn(element, what="SCU {uid} lies in no summary and is left out.", uid=uid)
            return None
        if not label:
            labels = (one.attributes.get("label", "").strip() for one in contributors)
            label = next(filter(None, labels), "") or f"SCU {uid}"
            what = "SCU {uid} has no label; it is called “{label}”."
            self._warn(element, what=what, uid=uid, label=label)
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
            self._warn(
                element, what=what, hint=hint, uid=uid, n=len(contributors), weight=scu.weight
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
            hint = "Each was taken as a contributor of its own."
            self._warn(contributor, what=what, hint=hint, uid=uid, names=Listing(refs))
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
            ref for summary in self.summaries for ref in summary.refs_in(place.start, place.end)
        ]
        if not found:
            what = "A part of SCU {uid} lies outside of the summaries and is left out."
            self._warn(part, what=what, uid=uid)
        return found

    def _warn(self, element: Element, *, what: str, hint: str = "", **fields: str | int) -> None:
        self.problems.warn(element.line, [Problem(what=what, hint=hint, fields=fields)])
