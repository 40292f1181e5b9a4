"""An abstract with its alignment as it is printed: each sentence with its alternatives in full."""

from collections.abc import Mapping
from html import escape

from awase.core.annotation.formula import label_of, running_numbers
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import SentenceAlignment
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic
from awase.gui.kit.texts.direction import inline
from awase.gui.kit.texts.i18n import tr
from awase.gui.kit.texts.state_names import STATE_NAMES


def alignment_html(topic: Topic, abstract: Abstract, annotator: str) -> str:
    """Returns the abstract with `annotator`'s links, as HTML."""
    numbers = running_numbers(topic)
    texts = {ref: sentence.text for ref, sentence in topic.sentences()}
    alignment = abstract.alignment_by(annotator)
    facts = " · ".join(
        (f"{topic.id}  {topic.title or ''}".strip(), abstract.id,
         tr("annotator {who}", who=annotator))
    )  # fmt: skip
    parts = [f"<p>{escape(facts)}</p>\n"]
    for sentence in abstract.sentences:
        entry = alignment.of_sentence(sentence.n) if alignment else SentenceAlignment(n=sentence.n)
        state = tr(STATE_NAMES[entry.state])
        rank = f" {sentence.rank}" if sentence.rank else ""
        parts.append(
            f"<h4>{sentence.n}{escape(rank)}  <small>{escape(state)}</small></h4>\n"
            f"<p><b>{escape(sentence.text)}</b></p>\n{_alternatives(entry, numbers, texts)}"
        )
        if entry.note:
            parts.append(f"<p><i>{escape(entry.note)}</i></p>\n")
    return "".join(parts)


def _alternatives(
    entry: SentenceAlignment, numbers: Mapping[SentenceRef, int], texts: Mapping[SentenceRef, str]
) -> str:
    items = []
    for alternative in entry.alternatives:
        lines = (
            f"<b>{escape(label_of(ref, numbers))}</b> {inline(texts.get(ref, ''))}"
            for ref in alternative.members
        )
        items.append(f"<li>{'<br/>'.join(lines)}</li>\n")
    return f"<ol>\n{''.join(items)}</ol>\n" if items else ""
