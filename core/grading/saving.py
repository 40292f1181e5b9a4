"""Keeping a composed extract as the output of a system."""

from collections.abc import Sequence
from dataclasses import replace

from awase.core.annotation.content import topic_edit
from awase.core.errors import InputError, Listing
from awase.core.records.edits.edit import TopicEdit
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract
from awase.core.records.topic import Topic

SAVE_EXTRACT = "save_extract"
"""Id of the action. It is stored in the operation log, so it is for ever."""


def save_edit(
    topic: Topic, system: str, length: str | None, sentences: Sequence[SentenceRef]
) -> TopicEdit | None:
    """Returns the edit that makes `sentences` the system's extract; None = it is already.

    An extract that the system has for this length class is replaced.

    Raises:
        InputError: There is no sentence, one is not of the topic, or the name cannot be used.
    """
    if not sentences:
        raise InputError.of("The extract is empty.", "Choose at least one sentence.")
    if not system.strip():
        raise InputError.of("The system has no name.", "Give it one.")
    extract = Extract(system=system.strip(), sentences=tuple(sentences), length=length)
    places = [
        idx
        for idx, output in enumerate(topic.outputs)
        if isinstance(output, Extract)
        and (output.system, output.length) == (extract.system, length)
    ]
    outputs = list(topic.outputs)
    if places:
        outputs[places[0]] = extract
    else:
        outputs.append(extract)
    return topic_edit(
        topic, replace(topic, outputs=tuple(outputs)), verb=SAVE_EXTRACT, subject=extract.system
    )


def read_refs(text: str, topic: Topic) -> tuple[SentenceRef, ...]:
    """Returns the sentences that pasted text names, in its order, each once.

    They are addresses such as `doc:3`, or running numbers such as `s10` or `10`, with blanks,
    commas or line ends between them.

    Raises:
        InputError: Something is neither, or names no sentence of the topic; with all of these.
    """
    order = tuple(topic.refs())
    known = {str(ref): ref for ref in order}
    known |= {f"s{number}": ref for number, ref in enumerate(order, start=1)}
    known |= {str(number): ref for number, ref in enumerate(order, start=1)}
    words = [word for word in text.replace(",", " ").replace("、", " ").split() if word]
    unknown = [word for word in dict.fromkeys(words) if word not in known]
    if unknown or not words:
        raise InputError.of(
            "These are no sentences of topic “{topic}”: {words}.",
            "Give addresses such as {example}, or numbers from s1 to s{n}.",
            topic=topic.id,
            words=Listing(unknown, most=10) or "∅",
            example=str(order[0]) if order else "doc:1",
            n=len(order),
        )
    return tuple(dict.fromkeys(known[word] for word in words))
