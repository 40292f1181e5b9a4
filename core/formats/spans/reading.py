"""Alignments from tasks of tools that label spans of text: the side that reads."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from awase.core.errors import CorpusFormatError, FilePosition, Findings, Listing
from awase.core.formats.reading.requests import ReadRequest, ReadResult, entry_warnings
from awase.core.formats.reading.topic_parts import abstract_named, already_aligned, topic_named
from awase.core.formats.spans.tasks import SentenceLayout, Span, Stretch, label_of, layout_of
from awase.core.records.abstract import (
    Abstract,
    Alignment,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.addition import Addition, AlignmentPart
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic

_STATES = {state.value: state for state in AlignmentState}
_SHOWN = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """An abstract sentence's state at export."""

    state: AlignmentState | None = None  # None if not exported
    # As sets for comparison with labels; the members' order is the annotator's.
    alternatives: tuple[Alternative, ...] = ()
    note: str | None = None
    rank: str | None = None
    own_rank: str | None = None


CODE_POINTS: Final = "code points"  # the unit of offsets, as in files written here


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A task's topic, abstract and exported state."""

    topic: Topic
    abstract: Abstract
    annotator: str | None  # None if not in the task
    layout: SentenceLayout
    # By number of the abstract sentence; empty when the task is not ours.
    exported: Mapping[int, Exported]
    are_code_points: bool = False  # declared by the file for offsets that are valid as UTF-16, too

    @property
    def was_settled(self) -> bool:
        """Whether any sentence was settled at export."""
        return any(was.state is not None and was.state.is_settled for was in self.exported.values())


def subject(
    text: object,
    facts: Mapping[str, object],
    place: FilePosition,
    request: ReadRequest,
    notes: Findings,
) -> Subject | None:
    """Returns a task's subject; None, with a recorded problem, if unclear.

    `facts` stand beside the text, null = absent; where they do not tell topic and abstract,
    `request` does.
    """
    if not isinstance(text, str):
        notes.add(
            place,
            what="The task has no text.",
            hint="The source sentences belong under “text”, one a line.",
        )
        return None
    try:
        topic = topic_named(request.corpus, _name(facts, "topic") or request.topic)
        abstract = abstract_named(topic, _name(facts, "abstract") or request.abstract)
    except CorpusFormatError as error:
        notes.note(place, error.problems)
        return None
    layout = _layout(text, facts.get("source_sentences"), topic, place, notes)
    if layout is None:
        return None
    return Subject(
        topic=topic,
        abstract=abstract,
        annotator=_name(facts, "annotator"),
        layout=layout,
        exported=_exported(facts.get("abstract_sentences"), topic),
        are_code_points=facts.get("offsets") == CODE_POINTS,
    )


def _name(facts: Mapping[str, object], key: str) -> str | None:
    """Returns a name; numbers are names, too, because tables turn “12” into 12."""
    value = facts.get(key)
    return str(value) if isinstance(value, str | int) and value != "" else None


def _layout(
    text: str, listed: object, topic: Topic, place: FilePosition, notes: Findings
) -> SentenceLayout | None:
    if isinstance(listed, list) and listed:
        return _listed_layout(text, listed, topic, place.at("source_sentences"), notes)
    layout = layout_of(topic)
    if text.rstrip() == layout.text.rstrip():
        # Blanks behind the last sentence may differ, and spans may reach into them.
        return SentenceLayout(max(text, layout.text, key=len), layout.stretches)
    line = next(
        number
        for number, pair in enumerate(
            zip(f"{text}\n\0".split("\n"), f"{layout.text}\n\1".split("\n"), strict=False), start=1
        )
        if pair[0] != pair[1]
    )
    notes.add(
        place,
        what="The text is not that of topic “{topic}”: they first differ in line {number} of the "
        "text.",
        hint="The offsets would name other sentences. Export the topic again, or keep the list of "
        "source sentences beside the text.",
        topic=topic.id,
        number=line,
    )
    return None


def _listed_layout(
    text: str, listed: list[object], topic: Topic, place: FilePosition, notes: Findings
) -> SentenceLayout | None:
    known = {str(ref): (ref, sentence.text) for ref, sentence in topic.sentences()}
    stretches = []
    for index, item in enumerate(listed):
        match item:
            case [str(name), int(start), int(end)] if 0 <= start <= end <= len(text):
                pass
            case _:
                notes.add(
                    place.at(index),
                    what="This is not a sentence id with its two offsets in the text.",
                    hint='Leave the list as it was exported: ["d:1", 0, 12], …',
                )
                return None
        if name not in known:
            notes.add(
                place.at(index),
                what="Topic “{topic}” has no sentence “{ref}”.",
                hint="Import into the corpus from which the file was made.",
                topic=topic.id,
                ref=name,
            )
            return None
        ref, sentence = known[name]
        if text[start:end] != sentence:
            notes.add(
                place.at(index),
                what="Sentence “{ref}” reads “{found}” in the file, “{known}” in the corpus.",
                hint="The text was changed since the export: undo that, or export the topic again.",
                ref=name,
                found=text[start:end][:_SHOWN],
                known=sentence[:_SHOWN],
            )
            return None
        stretches.append(Stretch(ref, start, end))
    return SentenceLayout(text, tuple(sorted(stretches, key=lambda stretch: stretch.start)))


def _exported(listed: object, topic: Topic) -> dict[int, Exported]:
    """Returns the exported state of each abstract sentence; damaged ones count as missing."""
    refs = {str(ref): ref for ref in topic.refs()}
    exported = {}
    for item in listed if isinstance(listed, list) else []:
        if not isinstance(item, dict) or not isinstance(item.get("n"), int):
            continue
        exported[item["n"]] = Exported(
            state=_STATES.get(str(item.get("state"))),
            alternatives=tuple(_alternatives(item.get("alternatives"), refs)),
            note=_text(item.get("note")),
            rank=_text(item.get("rank")),
            own_rank=_text(item.get("own_rank")),
        )
    return exported


def _alternatives(sets: object, refs: Mapping[str, SentenceRef]) -> Iterator[Alternative]:
    for names in sets if isinstance(sets, list) else []:
        members = names if isinstance(names, list) else []
        sound = tuple(refs[name] for name in members if isinstance(name, str) and name in refs)
        if sound:
            yield Alternative(sound)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


_LABEL = re.compile(r"\s*A(?P<n>[1-9][0-9]{0,8})\.(?P<k>[1-9][0-9]{0,8})\s*")


@dataclass(frozen=True, slots=True)
class PlacedSpan:
    """A labelled span and its position in the file."""

    span: Span
    place: FilePosition
    quoted: str | None = None  # the marked words; None = missing


@dataclass(slots=True)
class SpanFile:
    """Contents of a file so far."""

    request: ReadRequest
    notes: Findings = field(init=False)
    _parts: list[AlignmentPart] = field(default_factory=list)
    _seen: set[tuple[str, str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.notes = Findings(self.request.source)

    def result(self) -> ReadResult:
        """Returns the file's contents."""
        self.notes.refuse_if_any()
        return ReadResult(
            addition=Addition(alignments=tuple(self._parts)), warnings=tuple(self.notes.warnings)
        )

    def span(
        self, start: object, end: object, label: object, place: FilePosition, quoted: object = None
    ) -> PlacedSpan | None:
        """Returns a span; None, and a problem noted, when it is none."""
        if type(start) is int and type(end) is int and isinstance(label, str):
            # Some tools write line breaks as two characters, which cannot be compared.
            is_text = isinstance(quoted, str) and "\\n" not in quoted
            return PlacedSpan(Span(start, end, label), place, quoted if is_text else None)  # type: ignore[arg-type]  # a text
        self.notes.add(
            place,
            what="This is not a span: two whole numbers, start and end, and a label.",
            hint="Export the annotations of a project for labelling spans of text.",
        )
        return None

    def report_unaligned(self, about: Subject, place: FilePosition) -> None:
        """Records that a task has no alignment."""
        self.notes.remark(
            place,
            what="Nobody has aligned abstract “{abstract}” of topic “{topic}” yet; "
            "the task is left out.",
            abstract=about.abstract.id,
            topic=about.topic.id,
        )

    def ask_for_annotator(self, place: FilePosition, *, is_only: bool = True) -> None:
        """Records that nobody is named as the annotator."""
        self.notes.add(
            place,
            what="The file does not say who made this alignment.",
            hint="Name the annotator when importing."
            if is_only
            else "The task has several annotations, and each needs its “completed_by”.",
        )

    def take(
        self,
        subject: Subject,
        annotator: str,
        spans: Iterable[PlacedSpan],
        place: FilePosition,
        *,
        is_draft: bool = False,
        is_submitted: bool = False,
    ) -> None:
        """Adds one annotator's alignment, spans in the order of the file."""
        if self._is_repeated(subject, annotator, place):
            return
        in_code_points = self._in_code_points(subject, [*spans], place)
        self._check_quotes(subject.layout, in_code_points)
        found = self._found(subject, in_code_points, place)
        entries = []
        with self.notes.noting(place):
            for sentence in subject.abstract.sentences:
                entry = _Entry(
                    n=sentence.n,
                    alternatives=found.get(sentence.n, ()),
                    was=subject.exported.get(sentence.n, Exported()),
                )
                entries.append(entry.made(is_draft=is_draft, is_submitted=is_submitted))
                self.notes.warn(place, entry_warnings(entries[-1]))
            alignment = Alignment(annotator=annotator, sentences=tuple(entries))
            self._parts.append(
                AlignmentPart(
                    topic=subject.topic.id,
                    abstract=subject.abstract.id,
                    alignment=alignment,
                    ranks=self._ranks(subject, place),
                )
            )

    def _is_repeated(self, subject: Subject, annotator: str, place: FilePosition) -> bool:
        key = (subject.topic.id, subject.abstract.id, annotator)
        if subject.abstract.alignment_by(annotator) is not None:
            self.notes.note(place, [already_aligned(subject.abstract, annotator)])
        elif key in self._seen:
            self.notes.add(
                place,
                what="The file has two alignments of abstract “{abstract}” of topic “{topic}” "
                "by annotator “{annotator}”.",
                hint="Remove one of the two, or give them different annotators.",
                abstract=subject.abstract.id,
                topic=subject.topic.id,
                annotator=annotator,
            )
        else:
            self._seen.add(key)
            return False
        return True

    def _in_code_points(
        self, subject: Subject, spans: list[PlacedSpan], place: FilePosition
    ) -> list[PlacedSpan]:
        """Converts UTF-16 offsets of JavaScript tools to code points.

        The marked words decide the unit; without any, the ends of sentences, and if both fit, the
        file.
        """
        layout = subject.layout
        as_units = _from_utf16(layout.text, spans)
        n_units = len(layout.text.encode("utf-16-le", "surrogatepass")) // 2
        is_outside = any(one.span.start < 0 or one.span.end > n_units for one in spans)
        if as_units == spans or is_outside:
            return spans
        if any(placed.quoted is not None for placed in spans):
            if all(_quotes(layout, placed) for placed in spans):
                return spans
            fits_units = as_units is not None and all(_quotes(layout, one) for one in as_units)
            fits_points = False
        else:
            fits_points = all(_is_whole(layout, placed) for placed in spans)
            fits_units = as_units is not None and all(_is_whole(layout, one) for one in as_units)
        if fits_points and (subject.are_code_points or not fits_units):
            return spans
        if as_units is None or fits_points or not fits_units:
            self.notes.add(
                place,
                what="The text has characters beyond U+FFFF, and the spans fit its sentences as "
                "code points and as UTF-16 units."
                if fits_points
                else "The text has characters beyond U+FFFF, and the spans fit its sentences "
                "neither as code points nor as UTF-16 units.",
                hint="Mark whole sentences, or export with offsets in code points.",
            )
            return []
        self.notes.remark(place, what="The spans were read as UTF-16 units.")
        return as_units

    def _check_quotes(self, layout: SentenceLayout, spans: Iterable[PlacedSpan]) -> None:
        for placed in spans:
            if not _quotes(layout, placed):
                self.notes.remark(
                    placed.place,
                    what="The span says “{text}”, but the text at its offsets is “{there}”, which "
                    "is used.",
                    hint="The text may have been changed; check that the right sentences are "
                    "marked.",
                    text=(placed.quoted or "")[:30],
                    there=layout.text[placed.span.start : placed.span.end][:30],
                )

    def _found(
        self, subject: Subject, spans: Iterable[PlacedSpan], place: FilePosition
    ) -> dict[int, tuple[Alternative, ...]]:
        """Returns the spans' alternatives, by number of the abstract sentence."""
        known = {sentence.n for sentence in subject.abstract.sentences}
        members: dict[tuple[int, int], list[SentenceRef]] = {}
        strange: Counter[str] = Counter()
        missing: Counter[int] = Counter()
        for placed in spans:
            match = _LABEL.fullmatch(placed.span.label)
            if match is None:
                strange[placed.span.label] += 1
            elif int(match["n"]) not in known:
                missing[int(match["n"])] += 1
            else:
                key = (int(match["n"]), int(match["k"]))
                members.setdefault(key, []).extend(self._covered(subject, placed))
        self._warn_of_labels(subject, strange, missing, place)
        found: dict[int, tuple[Alternative, ...]] = {}
        for (n, _), refs in sorted(members.items()):
            if refs:
                found[n] = (*found.get(n, ()), Alternative(tuple(refs)))
        return found

    def _covered(self, subject: Subject, placed: PlacedSpan) -> tuple[SentenceRef, ...]:
        start, end, text = placed.span.start, placed.span.end, subject.layout.text
        if not 0 <= start <= end <= len(text):
            self.notes.add(
                placed.place,
                what="The span from {start} to {end} is not in the text, which ends at {last}.",
                hint="Offsets count characters from 0; the file may belong to another text.",
                start=start,
                end=end,
                last=len(text),
            )
            return ()
        cover = subject.layout.cover(start, end)
        if not cover.is_whole or not cover.refs:
            self.notes.remark(
                placed.place,
                what="The span “{text}” ({label}) cuts a sentence; used for it: {refs}."
                if cover.refs
                else "The span “{text}” ({label}) covers no sentence by more than half; "
                "it is left out.",
                hint="Mark whole sentences.",
                text=text[start:end][:_SHOWN],
                label=placed.span.label,
                refs=Listing(str(ref) for ref in cover.refs),
            )
        return cover.refs

    def _warn_of_labels(
        self, subject: Subject, strange: Counter[str], missing: Counter[int], place: FilePosition
    ) -> None:
        for label, n_spans in strange.items():
            self.notes.remark(
                place,
                what="Label “{label}” names no alternative; its spans are left out ({n_spans}).",
                hint="{example} is the first alternative of abstract sentence 1.",
                label=label,
                n_spans=n_spans,
                example=label_of(1, 1),
            )
        for n, n_spans in missing.items():
            self.notes.remark(
                place,
                what="Abstract “{abstract}” has no sentence {n}; the spans labelled for it are "
                "left out ({n_spans}).",
                hint="Correct the labels, or import the abstract to which they belong.",
                abstract=subject.abstract.id,
                n=n,
                n_spans=n_spans,
            )

    def _ranks(self, subject: Subject, place: FilePosition) -> tuple[tuple[int, str], ...]:
        """Returns ranks that the corpus lacks; different ones only give warnings."""
        known = {rank for rank, _ in self.request.corpus.rank_weights}
        ranks = []
        for sentence in subject.abstract.sentences:
            rank = subject.exported.get(sentence.n, Exported()).rank
            if rank is None or rank == sentence.rank:
                continue
            if sentence.rank is None and rank in known:
                ranks.append((sentence.n, rank))
                continue
            self.notes.remark(
                place,
                what="The file gives abstract sentence {n} rank {rank}; that is not imported.",
                hint="Set the rank in the corpus if it is right.",
                n=sentence.n,
                rank=rank,
            )
        return tuple(ranks)


def _from_utf16(text: str, spans: list[PlacedSpan]) -> list[PlacedSpan] | None:
    """Converts UTF-16 spans to code points; None = one splits a character."""
    if text.isascii() or max(text, default="") <= "\uffff":
        return spans
    offsets: dict[int, int] = {}
    at = 0
    for index, char in enumerate(text):
        offsets[at] = index
        at += 2 if char > "\uffff" else 1
    offsets[at] = len(text)
    found: list[PlacedSpan] = []
    for placed in spans:
        start, end = offsets.get(placed.span.start), offsets.get(placed.span.end)
        if start is None or end is None:
            return None
        found.append(replace(placed, span=replace(placed.span, start=start, end=end)))
    return found


def _quotes(layout: SentenceLayout, placed: PlacedSpan) -> bool:
    there = layout.text[placed.span.start : placed.span.end]
    return placed.quoted is None or placed.quoted.split() == there.split()


def _is_whole(layout: SentenceLayout, placed: PlacedSpan) -> bool:
    cover = layout.cover(placed.span.start, placed.span.end)
    return cover.is_whole and bool(cover.refs) and placed.span.end <= len(layout.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """An abstract sentence by labels, and at export."""

    n: int
    alternatives: tuple[Alternative, ...]
    was: Exported

    def made(self, *, is_draft: bool, is_submitted: bool) -> SentenceAlignment:
        """Returns the record, with all of the export that the labels do not contradict."""
        is_unchanged = [part.as_set for part in self.alternatives] == [
            part.as_set for part in self.was.alternatives
        ]
        state = self.was.state
        if not is_unchanged or state is None:
            state = self._new_state(is_draft)
        elif is_submitted and self.alternatives:
            state = self._new_state(is_draft=False)
        return SentenceAlignment(
            n=self.n,
            state=state,
            # Members in the export are in the annotator's order, which tools lose.
            alternatives=self.was.alternatives if is_unchanged else self.alternatives,
            note=self.was.note,
            rank=self.was.own_rank,
        )

    def _new_state(self, is_draft: bool) -> AlignmentState:
        if self.was.state is AlignmentState.FLAGGED:
            return AlignmentState.FLAGGED
        if not self.alternatives:
            return AlignmentState.TODO
        return AlignmentState.INCOMPLETE if is_draft else AlignmentState.CONFIRMED
