"""One cell of the heat map in words, as rich text that can be selected, copied and clicked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

from awase.core.analysis.columns import SentenceFilter
from awase.core.analysis.explanation import Explanation, SeenSentence
from awase.core.analysis.inspection import InspectedSentence, Key
from awase.core.annotation.actions import LINK, alignment_edit, is_member, with_toggled
from awase.core.annotation.formula import address_of
from awase.core.errors import Listing
from awase.core.metrics.kit.annotators import FIRST_ANNOTATOR, Annotators
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import SentenceAlignment
from awase.core.records.identifiers import SentenceRef
from awase.core.reports.numbers import decimal_text
from awase.gui.kit.i18n import aside, labelled, tr
from awase.gui.kit.look.markup import marked
from awase.gui.kit.look.theme import Theme
from awase.gui.kit.texts import below
from awase.gui.pages.inspect.tables import SHARE_DECIMALS
from awase.gui.session.session import CorpusSession


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedAt:
    """Position on the page."""

    topic: str | None  # its id; None = all
    wanted: SentenceFilter
    about: Callable[[], str]
    key: Key | None
    system: str
    tab: int


def can_link(session: CorpusSession, sentence: InspectedSentence, annotator: str) -> bool:
    """Returns whether the inspected alignment of `annotator` is the user's own."""
    if session.read_only:
        return False
    if annotator != FIRST_ANNOTATOR:
        return Annotators.asked(annotator).name == session.who
    abstract = _abstract_of(session, sentence)
    if abstract is None:
        return False
    return not abstract.alignments or abstract.alignments[0].annotator == session.who


def why_no_link(session: CorpusSession) -> str:
    if session.read_only:
        return tr("This corpus is open for reading only; nothing can be changed.")
    return tr("This is not your alignment: choose yourself as the annotator to link.")


def link(session: CorpusSession, sentence: InspectedSentence, ref: SentenceRef) -> str:
    """Adds `ref` as an alternative; returns a message, empty = nothing new."""
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


LINK_SCHEME = "link"
SHOW_SCHEME = "show"


def sentence_report(
    sentence: InspectedSentence,
    system: str,
    explanation: Explanation | None,
    theme: Theme,
    numbers: Mapping[SentenceRef, int],
    *,
    can_link: bool,
) -> str:
    """Explains the coverage of a sentence by `system`, as HTML; `numbers` give short names."""
    head = (
        f'<p style="color:{theme.colours.muted}">{escape(sentence.place)}'
        + (f" · {escape(sentence.rank)}" if sentence.rank else "")
        + f"</p><p><b>{escape(sentence.text)}</b></p>"
    )
    if explanation is None:
        return head + f"<p>{escape(_why_not(sentence, system))}</p>"
    part = partial(_part, theme, numbers)
    body = [head, f"<h3>{escape(labelled(system, _verdict(explanation)))}</h3>"]
    body += part(tr("Extracted"), explanation.extracted)
    body += part(tr("Missing"), explanation.missing)
    body += part(tr("Redundant: covers what is covered already"), explanation.redundant)
    body += part(
        tr("Not linked, but looks as if it should be"), explanation.unlinked, links=can_link
    )
    if explanation.others:
        sizes = Listing(explanation.others)
        body.append(f"<p>{escape(tr('Sizes of the other alternatives: {sizes}', sizes=sizes))}</p>")
    body += part(tr("Irrelevant: in no alternative of any sentence"), explanation.irrelevant)
    return "".join(body)


def _why_not(sentence: InspectedSentence, system: str) -> str:
    if not system:
        return tr("Choose a cell of the table.")
    if sentence.sizes:
        return tr("“{system}” has no extract for this abstract.", system=system)
    return tr("The sentence has no alternative, so nothing can cover it.")


def _verdict(explanation: Explanation) -> str:
    n_had = len(explanation.extracted)
    n_all = n_had + len(explanation.missing)
    value = decimal_text(explanation.value, SHARE_DECIMALS)
    if not explanation.missing:
        return tr("covered in full (e = {value})", value=value)
    if not n_had:
        return tr("nothing of it (e = {value})", value=value)
    return tr("{had} of {all} (e = {value})", had=n_had, all=n_all, value=value)


def _part(
    theme: Theme,
    numbers: Mapping[SentenceRef, int],
    title: str,
    sentences: Sequence[SeenSentence],
    *,
    links: bool = False,
) -> list[str]:
    if not sentences:
        return []
    rows = [f"<h4>{escape(aside(title, len(sentences)))}</h4>"]
    rows += [_sentence(one, address_of(one.ref, numbers), theme, links=links) for one in sentences]
    return rows


def _sentence(sentence: SeenSentence, address: str, theme: Theme, *, links: bool) -> str:
    ref = escape(str(sentence.ref), quote=True)
    place = tr("place {n}", n=sentence.place) if sentence.place else tr("not extracted")
    link = f' · <a href="{LINK_SCHEME}:{ref}">{escape(tr("link it (L)"))}</a>' if links else ""
    return (
        f'<p style="margin-left:1em"><a href="{SHOW_SCHEME}:{ref}">{escape(address)}</a>'
        f' <span style="color:{theme.colours.muted}">{escape(place)}</span>{link}'
        + below(sentence.text, marked(sentence.text, sentence.matches, theme), "margin-right:1em")
    )
