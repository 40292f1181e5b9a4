"""Records of data sets: documents, references, outputs, human scores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from operator import itemgetter
from types import MappingProxyType
from typing import Final, NamedTuple

from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.roles import TakenAs
from awase.core.formats.reading.topic_parts import (
    TopicParts,
    known_ids,
    language_of,
    numbered_abstract,
    numbered_document,
)
from awase.core.formats.scores.score_rows import Rows, human_scores
from awase.core.records.identifiers import GIVEN, SentenceRef, join_splits
from awase.core.records.output import Extract, TextOutput
from awase.core.text.sentences import Split, split_text

SOURCE_ID: Final = "src"
Text = str | Sequence[str]  # a text that is to be split into sentences, or its sentences
_NO_SCORES: Final[Mapping[str, str]] = MappingProxyType({})


class OutputText(NamedTuple):
    """A system's output."""

    system: str
    text: Text
    references: tuple[Text, ...] | None = None  # what it alone is compared with; None = the topic's
    scores: Mapping[str, str] = _NO_SCORES


def outputs_of(systems: Iterable[str], texts: Iterable[Text]) -> list[OutputText]:
    """Builds plain outputs in bulk, for a fifth of calling the class for each."""
    rows = zip(systems, texts, repeat(None), repeat(_NO_SCORES), strict=False)
    return [*map(tuple.__new__, repeat(OutputText), rows)]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRecord:
    """A record."""

    line: int | None  # from 1; None = no lines
    topic: str
    documents: Mapping[str, Text] = field(default_factory=dict)
    references: Mapping[str, Text] = field(default_factory=dict)
    outputs: Sequence[OutputText] = ()
    # A system, and the positions from 0 of its sentences in the document, given as a list.
    extract: tuple[str, tuple[int, ...]] | None = None


_system_in, _text_in, _references_in, _scores_in = map(itemgetter, range(4))


class TextTopics:
    """Builds topics from records, several of which may be about one."""

    def __init__(self, request: ReadRequest, rows: Rows) -> None:
        self._request = request
        self._rows = rows
        self._parts = TopicParts(request)
        self._references: dict[str, dict[str, Split]] = {}
        self._outputs: dict[str, dict[str, int | None]] = {}
        self._with_own: list[str] = []  # topic and system of outputs with own references

    def take(self, record: TextRecord) -> None:
        """Adds a record."""
        topic = record.topic
        self._parts.add_topic(topic)
        for id_, text in record.documents.items():
            split = self.split(topic, text, by_lines=False)
            if split.sentences:
                self._parts.add_document(topic, numbered_document(id_, *split))
        if record.extract is not None:
            self._add_extract(topic, record, *record.extract)
        own = self._shared(record)
        lines = self._outputs.setdefault(topic, {})
        news = self._new_among(record, lines)
        self._add_outputs(topic, news, own)
        for output in filter(_scores_in, news):
            for measure, value in output.scores.items():
                self._rows.take(
                    record.line or 1, value, system=output.system, measure=measure, topic=topic
                )

    def _add_extract(
        self, topic: str, record: TextRecord, system: str, places: tuple[int, ...]
    ) -> None:
        ((id_, text),) = record.documents.items()
        filled = [at for at, sentence in enumerate(text) if sentence.strip()]  # others are dropped
        number_of = {at: n for n, at in enumerate(filled, start=1)}
        refs = tuple(SentenceRef(id_, number_of[at]) for at in places if at in number_of)
        self._parts.add_outputs(topic, Extract(system=system, sentences=refs))

    def _shared(self, record: TextRecord) -> tuple[Split, ...] | None:
        """Adds the references as abstracts; returns them if the topic has different ones."""
        texts = {
            id_: split
            for id_, text in record.references.items()
            if (split := self.split(record.topic, text)).sentences
        }
        known = self._references.get(record.topic)
        if known is None and texts:
            self._references[record.topic] = texts
            for id_, of_text in texts.items():
                self._parts.add_abstract(record.topic, numbered_abstract(id_, *of_text))
        if known is None or not texts or [*known.values()] == [*texts.values()]:
            return None
        return tuple(texts.values())

    def _new_among(self, record: TextRecord, lines: dict[str, int | None]) -> Sequence[OutputText]:
        """Returns the outputs that are their systems' first for the topic; records their lines."""
        of_record = dict.fromkeys(map(_system_in, record.outputs), record.line)
        if len(of_record) == len(record.outputs) and lines.keys().isdisjoint(of_record):
            lines.update(of_record)
            return record.outputs
        return [output for output in record.outputs if self._is_new(record, output, lines)]

    def _is_new(self, record: TextRecord, output: OutputText, lines: dict[str, int | None]) -> bool:
        """Returns whether it is the system's first output for the topic; records its line."""
        if output.system not in lines:
            lines[output.system] = record.line
            return True
        self._rows.problems.add(
            record.line,
            what="System “{system}” has a second output for “{topic}”; the first is in line "
            "{first}.",
            hint="Name the items, or the systems, apart.",
            system=output.system,
            topic=record.topic,
            first=lines[output.system] or 0,
        )
        return False

    def _add_outputs(
        self,
        topic: str,
        outputs: Sequence[OutputText],
        shared: tuple[Split, ...] | None,
    ) -> None:
        splits = _as_they_are([*map(_text_in, outputs)]) or [
            self.split(topic, output.text) for output in outputs
        ]
        systems = [*map(_system_in, outputs)]
        nothing = [None] * len(outputs)
        if shared is None and [*map(_references_in, outputs)] == nothing:
            self._parts.add_outputs(
                topic,
                *TextOutput.all_of(
                    systems, [one.sentences for one in splits], nothing, [one.way for one in splits]
                ),
            )
            return
        for system, text, output in zip(systems, splits, outputs, strict=True):
            own = shared
            if output.references is not None:
                own = tuple(self.split(topic, one) for one in output.references)
            if own is not None:
                self._with_own.append(f"{topic} {system}")
            made = TextOutput(
                system=system,
                sentences=text.sentences,
                references=None if own is None else tuple(one.sentences for one in own),
                split=join_splits(one.way for one in (text, *(own or ()))),
            )
            self._parts.add_outputs(topic, made)

    def split(self, topic: str, text: Text, *, by_lines: bool = True) -> Split:
        """Returns the sentences of a text, and its split."""
        return split_text(
            text,
            self._request.sentences if by_lines else None,
            language=language_of(self._request, topic),
            by_lines=by_lines,
            separators=self._request.separators,
        )

    def result(self, taken_as: tuple[TakenAs, ...] = (), *, what: str = "") -> ReadResult:
        """Returns the topics; `what` tells of own references."""
        problems = self._rows.problems
        problems.refuse_if_any()
        if self._with_own:
            if not what:
                what = (
                    "{n} {n:output has a reference of its own|outputs have references of their "
                    "own}: {names}."
                )
            n, names = len(self._with_own), known_ids(self._with_own)
            problems.remark(None, what=what, n=n, names=names)
        self._parts.human_scores += human_scores(self._rows)
        return replace(self._parts.result(problems.warnings), taken_as=taken_as)


def _as_they_are(texts: Sequence[Text]) -> list[Split] | None:
    """Returns the sentences of texts that are lists without outer blanks."""
    if not {*map(type, texts)} <= {list, tuple}:
        return None
    sentences = [*chain.from_iterable(texts)]
    # An already stripped text stays the same object, which compares quickly.
    is_bare = all(sentences) and [*map(str.strip, sentences)] == sentences
    return [Split(tuple(text), GIVEN) for text in texts] if is_bare else None


def numbered(texts: Sequence[Text], name: str) -> dict[str, Text]:
    """Returns texts by id: the name alone for one, numbered for several.

    >>> numbered(["a"], "ref"), numbered(["a", "b"], "ref")
    ({'ref': 'a'}, {'ref1': 'a', 'ref2': 'b'})
    """
    if len(texts) == 1:
        return {name: texts[0]}
    return {f"{name}{number}": text for number, text in enumerate(texts, start=1)}
