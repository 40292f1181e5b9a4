"""Alignments from Awase JSON, and the source sentences that they and the extracts name."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import partial

from awase.core.errors import CorpusFormatError, Listing, Problem
from awase.core.formats.reading.findings import Place
from awase.core.formats.reading.json_fields import LARGEST, STAND_IN, Fields, JsonFindings
from awase.core.records.alignment import (
    Alignment,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.assist import AssistOrigin
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract
from awase.core.records.source import Document, refs_by_name
from awase.core.records.topic import Topic

_ALIGNMENT = ("annotator", "sentences")
_SENTENCE_ALIGNMENT = ("n", "state", "alternatives", "note", "rank", "assist")
_STATES = {state.value: state for state in AlignmentState}
_ORIGINS = {origin.value: origin for origin in AssistOrigin}


class Mentions:
    """The source sentences that a topic's alternatives and extracts name.

    They are checked here rather than by the records, which know neither the paths of what was left
    out nor which documents were lost.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = tuple(documents)
        self._known = refs_by_name(documents)
        self._others: dict[str, SentenceRef] = {}
        self._lists: list[tuple[str, list[SentenceRef | None]]] = []

    def read(
        self, values: list[object], path: str, problems: JsonFindings
    ) -> list[SentenceRef | None]:
        """Returns the addresses in a JSON list; None, and a problem, for what is none."""
        refs = [self._known.get(value) if isinstance(value, str) else None for value in values]
        if None in refs:
            refs = [
                ref or self._parse(value, f"{path}[{index}]", problems)
                for index, (ref, value) in enumerate(zip(refs, values, strict=True))
            ]
            self._lists.append((path, refs))
        return refs

    def _parse(self, value: object, path: str, problems: JsonFindings) -> SentenceRef | None:
        if not isinstance(value, str):
            hint = "Write a sentence id as a string: <document id>:<n>."
            problems.wrong_type(value, "a sentence id", path, hint)
            return None
        ref = problems.build(lambda: SentenceRef.parse(value), path)
        if ref is not None and str(ref) not in self._known:
            self._others[str(ref)] = ref
        return ref

    def unknown(self, topic_id: str, lost: set[str | None]) -> Iterator[tuple[str, Problem]]:
        """Yields (path, problem) for each mention of a sentence that no document has.

        Args:
            topic_id: For the messages.
            lost: Ids of the documents that could not be read whole; None among them = one without
                an id, which could be any.
        """
        named = {document.id for document in self._documents}
        others = {
            ref
            for ref in self._others.values()
            if ref.document_id not in lost and (None not in lost or ref.document_id in named)
        }
        if not others:
            return
        for path, refs in self._lists:
            for index, ref in enumerate(refs):
                if ref in others:
                    told = _unknown(topic_id, self._documents, ref)
                    yield from ((f"{path}[{index}]", problem) for problem in told)


def _unknown(topic_id: str, documents: tuple[Document, ...], ref: SentenceRef) -> Iterator[Problem]:
    """Yields what a topic says to an extract of a sentence that it has not."""
    unique = tuple({document.id: document for document in documents}.values())
    try:
        Topic(id=topic_id, documents=unique, outputs=(Extract(system="probe", sentences=(ref,)),))
    except CorpusFormatError as error:
        for problem in error.problems:
            if problem.path.startswith("outputs["):
                yield problem


def alignment(value: object, path: str, problems: JsonFindings, mentions: Mentions) -> Alignment:
    """Returns the alignment at `path`."""
    stand_in = Alignment(annotator=f"{STAND_IN}{path}")
    fields = Fields.of(value, path, problems, _ALIGNMENT)
    if fields is None:
        return stand_in
    annotator = fields.text("annotator") if fields.has("annotator") else "1"
    sentences = [
        _sentence_alignment(item, position, path, problems, mentions)
        for position, (item, path) in enumerate(fields.each("sentences"), start=1)
    ]
    if annotator is None:
        return stand_in
    record = problems.build(
        lambda: Alignment(annotator=annotator, sentences=tuple(sentences)),
        path,
        is_spurious=concerns_stand_in,
    )
    return record or stand_in


def _sentence_alignment(
    value: object, position: int, path: str, problems: JsonFindings, mentions: Mentions
) -> SentenceAlignment:
    stand_in = SentenceAlignment(n=LARGEST + position)
    fields = Fields.of(value, path, problems, _SENTENCE_ALIGNMENT)
    if fields is None:
        return stand_in
    n = fields.integer("n") if fields.has("n") else position
    note, rank = fields.text("note"), fields.text("rank")
    assist = fields.one_of(
        "assist", _ORIGINS, what="“{assist}” is not what can become of a suggestion."
    )
    alternatives = alternatives_in(fields, problems, mentions)
    state = state_in(fields, problems)
    if n is None or state is None:
        return stand_in
    record = problems.build(
        lambda: SentenceAlignment(
            n=n, state=state, alternatives=alternatives, note=note, rank=rank, assist=assist
        ),
        path,
    )
    return record or stand_in


def state_in(fields: Fields, problems: JsonFindings) -> AlignmentState | None:
    """Returns the state of an entry; None, and a problem noted, when it is none."""
    if not fields.has("state"):
        has_alternatives = fields.raw("alternatives") not in (None, [])
        return AlignmentState.CONFIRMED if has_alternatives else AlignmentState.TODO
    name = fields.text("state")
    if name is None or name in _STATES:
        return _STATES[name] if name is not None else None
    close = next(iter(get_close_matches(name.lower().replace(" ", "_"), _STATES, n=1)), "")
    problems.add(
        Place(fields.at("state")),
        what="“{state}” is not a state.",
        hint="Did you mean “{close}”?" if close else "Use one of {known}.",
        state=name,
        close=close,
        known=Listing(_STATES),
    )
    return None


def alternatives_in(
    fields: Fields, problems: JsonFindings, mentions: Mentions
) -> tuple[Alternative, ...]:
    """Returns the alternatives of an entry, without what is none."""
    found = []
    for value, path in fields.each("alternatives"):
        if not isinstance(value, list):
            hint = "An alternative is a list of sentence ids, even when it has only one."
            problems.wrong_type(value, "a list", path, hint)
            continue
        members = mentions.read(value, path, problems)
        sound = tuple(ref for ref in members if ref is not None)
        if sound or not members:
            alternative = problems.build(partial(Alternative, sound), path)
            found += [alternative] if alternative is not None else []
    return tuple(found)


def concerns_stand_in(problem: Problem) -> bool:
    """Whether a problem is about the number of a sentence that could not be read."""
    n = problem.fields.get("n", 0)
    return isinstance(n, int) and n > LARGEST
