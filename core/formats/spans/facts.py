"""What stands beside the text of a task: which abstract it is about, and how it was exported."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from awase.core.errors import CorpusFormatError
from awase.core.formats.reading.findings import Findings, Place
from awase.core.formats.reading.places import abstract_named, topic_named
from awase.core.formats.reading.requests import ReadRequest
from awase.core.formats.spans.layout import Layout, Stretch, layout_of
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import AlignmentState, Alternative
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic

_STATES = {state.value: state for state in AlignmentState}
_SHOWN = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What an abstract sentence was when the task was made.

    Attributes:
        state: None when the file does not say.
        alternatives: As sets they can be compared with the labels; their members have the
            annotator's order.
        note: The annotator's remark.
        rank: The importance of the sentence.
        own_rank: The annotator's own, beside it.
    """

    state: AlignmentState | None = None
    alternatives: tuple[Alternative, ...] = ()
    note: str | None = None
    rank: str | None = None
    own_rank: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a task is about.

    Attributes:
        topic: Whose sentences its text has.
        abstract: Whose sentences its labels name.
        annotator: As the task says; None when it does not.
        layout: Its text.
        exported: By number of the abstract sentence; empty when the task was not made here.
    """

    topic: Topic
    abstract: Abstract
    annotator: str | None
    layout: Layout
    exported: Mapping[int, Exported]

    @property
    def was_settled(self) -> bool:
        """Whether any sentence was settled when the task was made."""
        return any(was.state is not None and was.state.is_settled for was in self.exported.values())


def subject(
    text: object, facts: Mapping[str, object], place: Place, request: ReadRequest, notes: Findings
) -> Subject | None:
    """Returns what a task is about; None, and a problem noted, when that is not clear.

    Args:
        text: The task's text.
        facts: What stands beside it; null stands for an absent key.
        place: Where the task is.
        request: Names topic and abstract where the task does not.
        notes: Takes what is wrong.
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
    )


def _name(facts: Mapping[str, object], key: str) -> str | None:
    """Returns a name; numbers are names, too, because tables turn “12” into 12."""
    value = facts.get(key)
    return str(value) if isinstance(value, str | int) and value != "" else None


def _layout(
    text: str, listed: object, topic: Topic, place: Place, notes: Findings
) -> Layout | None:
    if isinstance(listed, list) and listed:
        return _listed_layout(text, listed, topic, place.at("source_sentences"), notes)
    layout = layout_of(topic)
    if text.rstrip() == layout.text.rstrip():
        # Blanks behind the last sentence may differ, and spans may reach into them.
        return Layout(max(text, layout.text, key=len), layout.stretches)
    line = next(
        number
        for number, pair in enumerate(
            zip(f"{text}\n\0".split("\n"), f"{layout.text}\n\1".split("\n"), strict=False), start=1
        )
        if pair[0] != pair[1]
    )
    notes.add(
        place,
        what="The text is not that of topic “{topic}”: they part in line {number} of the text.",
        hint="The offsets would name other sentences. Export the topic anew, "
        "or keep the list of source sentences beside the text.",
        topic=topic.id,
        number=line,
    )
    return None


def _listed_layout(
    text: str, listed: list[object], topic: Topic, place: Place, notes: Findings
) -> Layout | None:
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
                hint="The text was changed since the export: undo that, or export the topic anew.",
                ref=name,
                found=text[start:end][:_SHOWN],
                known=sentence[:_SHOWN],
            )
            return None
        stretches.append(Stretch(ref, start, end))
    return Layout(text, tuple(sorted(stretches, key=lambda stretch: stretch.start)))


def _exported(listed: object, topic: Topic) -> dict[int, Exported]:
    """Returns what the task says about each abstract sentence; what is damaged counts as unsaid."""
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
