"""One cell of the heat map, and a text beside what it resembles, in words that can be clicked."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from awase.core.analysis.explanation import Explanation, SeenSentence, SentenceFilter
from awase.core.analysis.inspection import (
    InspectedSentence,
    Key,
    Marking,
    Resemblance,
    Resembled,
    common_spans,
)
from awase.core.annotation.actions import LINK, alignment_edit, is_member, with_toggled
from awase.core.annotation.formula import address_of
from awase.core.errors import Listing
from awase.core.metrics.kit.outputs import FIRST_ANNOTATOR, Annotators
from awase.core.records.abstract import Abstract, SentenceAlignment
from awase.core.records.source import SentenceRef
from awase.core.records.topic import TextOutput
from awase.core.reports.grid import decimal_text
from awase.core.text.script import joined_spans
from awase.gui.kit.forms.controls import fill, fill_names
from awase.gui.kit.forms.parts import ChoiceField
from awase.gui.kit.i18n import aside, below, follow, labelled, mark, tr
from awase.gui.kit.look.fitting import ElidedComboBox
from awase.gui.kit.look.flow import below_controls, called, label_for, spaced, stacked, styled
from awase.gui.kit.look.markup import Browser, marked
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.pages.inspect.findings import InspectFindings
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
        return Annotators.parse(annotator).name == session.who
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
    return session.seen(topic).abstract(sentence.key.abstract) if topic is not None else None


LINK_SCHEME = "link"
SHOW_SCHEME = "show"


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceReport:
    """Explains the coverage of a sentence by `system`, as HTML."""

    sentence: InspectedSentence
    system: str
    explanation: Explanation | None
    theme: Theme
    numbers: Mapping[SentenceRef, int]  # they give short names
    can_link: bool

    def html(self) -> str:
        sentence, found = self.sentence, self.explanation
        rank = f" · {escape(sentence.rank)}" if sentence.rank else ""
        body = [
            f'<p style="color:{self.theme.colours.muted}">{escape(sentence.place)}{rank}</p>'
            f"<p><b>{escape(sentence.text)}</b></p>"
        ]
        if found is None:
            return "".join((*body, f"<p>{escape(self._why_not())}</p>"))
        body.append(f"<h3>{escape(labelled(self.system, _verdict(found)))}</h3>")
        body += self._part(tr("Extracted"), found.extracted)
        body += self._part(tr("Missing"), found.missing)
        body += self._part(tr("Redundant: covers what is covered already"), found.redundant)
        unlinked = tr("Not linked, but probably should be")
        body += self._part(unlinked, found.unlinked, links=self.can_link)
        if found.others:
            sizes = tr("Sizes of the other alternatives: {sizes}", sizes=Listing(found.others))
            body.append(f"<p>{escape(sizes)}</p>")
        body += self._part(tr("Irrelevant: in no alternative of any sentence"), found.irrelevant)
        return "".join(body)

    def _why_not(self) -> str:
        if not self.system:
            return tr("Choose a cell of the table.")
        if self.sentence.sizes:
            return tr("“{system}” has no extract for this abstract.", system=self.system)
        return tr("The inspected alignment links nothing to the sentence, so nothing can cover it.")

    def _part(
        self, title: str, sentences: Sequence[SeenSentence], *, links: bool = False
    ) -> Iterator[str]:
        if sentences:
            yield f"<h4>{escape(aside(title, len(sentences)))}</h4>"
        for one in sentences:
            yield self._sentence(one, links=links)

    def _sentence(self, one: SeenSentence, *, links: bool) -> str:
        ref, address = escape(str(one.ref), quote=True), address_of(one.ref, self.numbers)
        place = tr("place {n}", n=one.place) if one.place else tr("not extracted")
        link = f' · <a href="{LINK_SCHEME}:{ref}">{escape(tr("link it (L)"))}</a>' if links else ""
        return (
            f'<p style="margin-left:1em"><a href="{SHOW_SCHEME}:{ref}">{escape(address)}</a>'
            f' <span style="color:{self.theme.colours.muted}">{escape(place)}</span>{link}'
            + below(one.text, marked(one.text, one.matches, self.theme), "margin-right:1em")
        )


def _verdict(explanation: Explanation) -> str:
    n_had = len(explanation.extracted)
    n_all = n_had + len(explanation.missing)
    value = decimal_text(explanation.value, SHARE_DECIMALS)
    if not explanation.missing:
        return tr("covered in full (e = {value})", value=value)
    if not n_had:
        return tr("nothing of it (e = {value})", value=value)
    return tr("{had} of {all} (e = {value})", had=n_had, all=n_all, value=value)


_TITLES: Final[Mapping[Marking, str]] = {
    Marking.WORDS: mark("Words in common"),
    Marking.RUNS: mark("Runs of two words and more"),
    Marking.SUBSEQUENCE: mark("Longest common subsequence"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wording:
    """English messages of the report, by what the output is compared with."""

    title: str
    sentence: str
    nothing: str
    missed: str


_BESIDE: Final = _Wording(
    title=mark("{system}, beside “{abstract}” and the sources"),
    sentence=mark("abstract {n}"),
    nothing=mark("Resembles no sentence of the abstract or the sources."),
    missed=mark("Sentences of the abstract that nothing resembles"),
)
_BESIDE_OWN: Final = _Wording(
    title=mark("{system}, beside its own reference and the sources"),
    sentence=mark("reference {n}"),
    nothing=mark("Resembles no sentence of the reference or the sources."),
    missed=mark("Sentences of the reference that nothing resembles"),
)
_BESIDE_ONE_OF: Final = mark("{system}, beside its own reference {n} of {all} and the sources")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReport:
    """Each sentence of an output with its most similar ones, as HTML.

    Marked words are shared with any of them; the share is that of idf-weighted words.
    """

    abstract: Abstract
    system: str
    found: Sequence[Resemblance]
    marking: Marking
    theme: Theme
    numbers: Mapping[SentenceRef, int]  # they give short names of source sentences
    n_own: int = 0  # number of the text's own references, of which `abstract` is one

    def html(self) -> str:
        words, name = _BESIDE_OWN if self.n_own else _BESIDE, self.abstract.id
        title = words.title if self.n_own < 2 else _BESIDE_ONE_OF
        title = tr(title, system=self.system, abstract=name, n=name, all=self.n_own)
        rows = [f"<h3>{escape(title)}</h3>"]
        for number, sentence in enumerate(self.found, start=1):
            rows += self._resembling(number, sentence, words)
        near = {one.reference.ref for one in self.found if one.reference is not None}
        missed = [one for one in self.abstract.sentences if one.n not in near]
        if missed:
            rows.append(f"<h4>{escape(tr(words.missed))}</h4>")
        for one in missed:
            rows.append(f'<p style="margin-left:1em">{one.n}. {escape(one.text)}</p>')
        return "".join(rows)

    def _resembling(self, number: int, sentence: Resemblance, words: _Wording) -> Iterator[str]:
        text, reference = sentence.text, sentence.reference
        others = [*([reference] if reference else ()), *sentence.sources]
        spans = (common_spans(text, other.text, self.marking)[0] for other in others)
        ours = joined_spans(chain.from_iterable(spans))
        yield f"<p><b>{number}.</b> {marked(text, ours, self.theme)}</p>"
        if reference is not None:
            label = tr(words.sentence, n=str(reference.ref))
            yield self._row(escape(label), text, reference)
        for source in sentence.sources:
            yield self._row(self._source_link(source), text, source)
        if not others:
            muted, nothing = self.theme.colours.muted, escape(tr(words.nothing))
            yield f'<p style="margin-left:2em; color:{muted}">{nothing}</p>'

    def _source_link(self, source: Resembled) -> str:
        ref = escape(str(source.ref), quote=True)
        shown = ref
        if isinstance(source.ref, SentenceRef):
            shown = escape(address_of(source.ref, self.numbers))
        return f'<a href="{SHOW_SCHEME}:{ref}">{shown}</a>'

    def _row(self, label: str, text: str, found: Resembled) -> str:
        spans = common_spans(text, found.text, self.marking)[1]
        share = tr("has {share} of its words", share=f"{100 * found.share:.0f} %")
        return (
            f'<p style="margin-left:2em"><span style="color:{self.theme.colours.muted}">'
            f"{label} · {escape(share)}</span>"
            + below(found.text, marked(found.text, spans, self.theme), "margin-right:2em")
        )


class _TextsView(QWidget):
    """A system's text, sentence by sentence, with similar ones."""

    def __init__(
        self,
        session: CorpusSession,
        findings: InspectFindings,
        themes: ThemeBox,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._findings, self._themes = session, findings, themes
        self.system = called(ElidedComboBox(), mark("System"))
        self.marking = called(ElidedComboBox(), mark("What is marked"))
        fill(self.marking, ChoiceField(messages=[*_TITLES.items()]))
        self.browser = called(Browser(), mark("What the sentences of a text resemble"))
        self.marking.activated.connect(self.refresh)

    def refresh(self) -> None:
        raise NotImplementedError

    def _html(
        self, topic: str, abstract: Abstract, found: Sequence[Resemblance], n_own: int = 0
    ) -> str:
        return TextReport(
            abstract=abstract,
            system=self.system.currentText(),
            found=found,
            marking=Marking(self.marking.currentData()),
            theme=self._themes.theme,
            numbers=self._session.numbers(topic),
            n_own=n_own,
        ).html()


class OwnTexts(_TextsView):
    """A text beside references of its own."""

    showChosen = Signal(str, str)  # a topic and a source sentence to look at in its document

    def __init__(
        self,
        session: CorpusSession,
        findings: InspectFindings,
        themes: ThemeBox,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(session, findings, themes, parent)
        self._topic = ""
        self._where = styled(QLabel(), "muted")
        label = label_for(mark("System"), self.system)
        shown = (label, self.system, self.marking, self._where, None)
        row = spaced(QHBoxLayout(), self, *shown, down=1 / 3)
        stacked(self, row, self.browser, grows=self.browser)
        self.browser.linkChosen.connect(lambda _, ref: self.showChosen.emit(self._topic, ref))
        themes.changed.connect(self.refresh)
        follow(self, self.refresh)

    def show_topic(self, topic_id: str, systems: Sequence[str], system: str) -> None:
        self._topic = topic_id
        fill_names(self.system, systems)
        if system in systems:
            self.system.setCurrentText(system)
        self.refresh()

    def refresh(self) -> None:
        beside = self._findings.beside_own_references(self._topic, self.system.currentText())
        parts = (self._html(self._topic, *one, n_own=len(beside)) for one in beside)
        self._where.setText(tr("Topic {topic}", topic=self._topic) if self._topic else "")
        self.browser.show_html("".join(parts))


class TextsPane(_TextsView):
    """The text for the current sentence's abstract."""

    showChosen = Signal(str)  # a source sentence to look at in its document

    def __init__(self, session: CorpusSession, findings: InspectFindings, themes: ThemeBox) -> None:
        super().__init__(session, findings, themes)
        self._sentence: InspectedSentence | None = None
        below_controls(self, (self.system, self.marking), self.browser)
        self.system.activated.connect(self.refresh)
        self.browser.linkChosen.connect(lambda _, ref: self.showChosen.emit(ref))
        declare(self.browser, self._why)

    def show_sentence(self, sentence: InspectedSentence | None) -> None:
        """Offers the systems that have a text for the sentence's topic; None = there is none."""
        self._sentence = sentence
        topic = self._session.topic(sentence.key.topic) if sentence is not None else None
        writers = [o.system for o in topic.outputs if isinstance(o, TextOutput)] if topic else []
        fill_names(self.system, dict.fromkeys(writers))
        if self.isVisible():
            self.refresh()

    def refresh(self) -> None:
        sentence, system = self._sentence, self.system.currentText()
        abstract = _abstract_of(self._session, sentence) if sentence is not None else None
        found = self._findings.resemblances(sentence, system) if sentence and system else ()
        html = f"<p>{tr('No system has a text for this abstract.')}</p>"
        if sentence is not None and abstract is not None and found:
            html = self._html(sentence.key.topic, abstract, found)
        self.browser.show_html(html)

    def _why(self) -> Why:
        share = tr(
            "Each share says how much of the other sentence the system's sentence has: of its "
            "words, the rarer ones counting more."
        )
        return Why(name=self.system.currentText(), lines=(share,))
