"""Links a source sentence to an abstract sentence from where one sees that it is missing."""

from awase.core.annotation.actions import LINK, alignment_edit, is_member, with_toggled
from awase.core.inspection.sentences import InspectedSentence
from awase.core.metrics.kit.annotators import FIRST_ANNOTATOR, Annotators
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import SentenceAlignment
from awase.core.records.identifiers import SentenceRef
from awase.gui.kit.texts.i18n import tr
from awase.gui.session.session import CorpusSession


def can_link(session: CorpusSession, sentence: InspectedSentence, annotator: str) -> bool:
    """Returns whether what is looked at, the alignment of `annotator`, is one's own."""
    if session.read_only:
        return False
    if annotator != FIRST_ANNOTATOR:
        return Annotators.asked(annotator).name == session.who
    abstract = _abstract_of(session, sentence)
    if abstract is None:
        return False
    return not abstract.alignments or abstract.alignments[0].annotator == session.who


def why_no_link(session: CorpusSession) -> str:
    """Returns why `can_link` says no."""
    if session.read_only:
        return tr("This corpus is open for reading only; nothing can be changed.")
    return tr("This is not your alignment: choose yourself as the annotator to link.")


def link(session: CorpusSession, sentence: InspectedSentence, ref: SentenceRef) -> str:
    """Adds `ref` as an alternative of its own; returns what is to be said, empty = nothing new."""
    key, abstract, who = sentence.key, _abstract_of(session, sentence), session.who
    if abstract is None:
        return ""
    own = abstract.alignment_by(who)
    entry = own.of_sentence(key.n) if own else SentenceAlignment(n=key.n)
    if any(
        is_member(entry, at, ref) and len(alternative.members) == 1
        for at, alternative in enumerate(entry.alternatives)
    ):
        return ""
    new = with_toggled(entry, len(entry.alternatives), ref)
    edit = alignment_edit(key.topic, abstract, who, new, verb=LINK, subject=str(ref))
    if edit is None or not session.perform(edit):
        return ""
    return tr(
        "Linked {ref} to sentence {n}; confirm it on the Annotate page.", ref=str(ref), n=key.n
    )


def _abstract_of(session: CorpusSession, sentence: InspectedSentence) -> Abstract | None:
    topic = session.topic(sentence.key.topic)
    return topic.abstract(sentence.key.abstract) if topic is not None else None
