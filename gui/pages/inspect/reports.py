"""One cell of the heat map, and a text beside what it resembles, in words that can be clicked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QUrl, Signal
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
from awase.gui.kit.i18n import aside, labelled, mark, tr
from awase.gui.kit.look.fitting import ElidedComboBox
from awase.gui.kit.look.flow import below_controls, called, label_for, spaced, stacked, styled
from awase.gui.kit.look.markup import Browser, marked
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.kit.texts import below, follow
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


_TITLES: Final[Mapping[Marking, str]] = MappingProxyType(
    {
        Marking.WORDS: mark("Words in common"),
        Marking.RUNS: mark("Runs of two words and more"),
        Marking.SUBSEQUENCE: mark("Longest common subsequence"),
    }
)


class MarkingBox(ElidedComboBox):
    """Offers every kind of marking."""

    def __init__(self) -> None:
        super().__init__()
        fill(called(self, mark("What is marked")), ChoiceField(messages=[*_TITLES.items()]))

    @property
    def marking(self) -> Marking:
        return Marking(self.currentData())


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


def text_report(
    abstract: Abstract,
    system: str,
    found: Sequence[Resemblance],
    marking: Marking,
    theme: Theme,
    numbers: Mapping[SentenceRef, int],
    *,
    n_own: int = 0,
) -> str:
    """Returns each sentence of the output with its most similar ones, as HTML.

    Marked words are shared with any of them; the share is that of idf-weighted words. `numbers`
    give short names of source sentences. With `n_own`, the number of the text's own references,
    `abstract` is one of these.
    """
    words = _BESIDE_OWN if n_own else _BESIDE
    title = words.title if n_own < 2 else _BESIDE_ONE_OF
    title = tr(title, system=system, abstract=abstract.id, n=abstract.id, all=n_own)
    rows = [f"<h3>{escape(title)}</h3>"]
    for number, sentence in enumerate(found, start=1):
        rows.append(_resembling(number, sentence, marking, theme, words, numbers))
    missed = _never_resembled(abstract, found)
    if missed:
        rows.append(f"<h4>{escape(tr(words.missed))}</h4>")
        rows += [f'<p style="margin-left:1em">{n}. {escape(text)}</p>' for n, text in missed]
    return "".join(rows)


def _resembling(
    number: int,
    sentence: Resemblance,
    marking: Marking,
    theme: Theme,
    words: _Wording,
    numbers: Mapping[SentenceRef, int],
) -> str:
    others = ([sentence.reference] if sentence.reference else []) + list(sentence.sources)
    ours = joined_spans(
        span for other in others for span in common_spans(sentence.text, other.text, marking)[0]
    )
    parts = [f"<p><b>{number}.</b> {marked(sentence.text, ours, theme)}</p>"]
    if sentence.reference is not None:
        label = tr(words.sentence, n=str(sentence.reference.ref))
        parts.append(_row(label, sentence.text, sentence.reference, marking, theme))
    for source in sentence.sources:
        parts.append(_row(_source_link(source, numbers), sentence.text, source, marking, theme))
    if not others:
        muted = theme.colours.muted
        parts.append(f'<p style="margin-left:2em; color:{muted}">{escape(tr(words.nothing))}</p>')
    return "".join(parts)


def _source_link(source: Resembled, numbers: Mapping[SentenceRef, int]) -> str:
    ref = escape(str(source.ref), quote=True)
    shown = ref
    if isinstance(source.ref, SentenceRef):
        shown = escape(address_of(source.ref, numbers))
    return f'<a href="{SHOW_SCHEME}:{ref}">{shown}</a>'


def _row(label: str, text: str, found: Resembled, marking: Marking, theme: Theme) -> str:
    spans = common_spans(text, found.text, marking)[1]
    share = tr("has {share} of its words", share=f"{100 * found.share:.0f} %")
    shown = label if isinstance(found.ref, SentenceRef) else escape(label)
    return (
        f'<p style="margin-left:2em"><span style="color:{theme.colours.muted}">'
        f"{shown} · {escape(share)}</span>"
        + below(found.text, marked(found.text, spans, theme), "margin-right:2em")
    )


def _never_resembled(abstract: Abstract, found: Sequence[Resemblance]) -> list[tuple[str, str]]:
    near = {sentence.reference.ref for sentence in found if sentence.reference is not None}
    return [
        (str(sentence.n), sentence.text)
        for sentence in abstract.sentences
        if sentence.n not in near
    ]


_RESEMBLED: Final = mark("What the sentences of a text resemble")


class OwnTexts(QWidget):
    """One system's text sentence by sentence, with similar ones."""

    showChosen = Signal(str, str)  # a topic and a source sentence to look at in its document

    def __init__(
        self, findings: InspectFindings, themes: ThemeBox, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._findings, self._themes = findings, themes
        self._topic = ""
        self.system, self.marking = called(ElidedComboBox(), mark("System")), MarkingBox()
        self.browser = called(Browser(), _RESEMBLED)
        self._where = styled(QLabel(), "muted")
        label = label_for(mark("System"), self.system)
        shown = (label, self.system, self.marking, self._where, None)
        row = spaced(QHBoxLayout(), self, *shown, down=1 / 3)
        stacked(self, row, self.browser, grows=self.browser)
        self.marking.activated.connect(self.refresh)
        self.browser.anchorClicked.connect(self._on_anchor_clicked)
        themes.changed.connect(self.refresh)
        follow(self, self.refresh)

    def show_topic(self, topic_id: str, systems: Sequence[str], system: str) -> None:
        self._topic = topic_id
        fill_names(self.system, systems)
        if system in systems:
            self.system.setCurrentText(system)
        self.refresh()

    def refresh(self) -> None:
        system, theme = self.system.currentText(), self._themes.theme
        numbers, marking = self._findings.numbers(self._topic), self.marking.marking
        beside = self._findings.beside_own_references(self._topic, system)
        parts = [
            text_report(reference, system, found, marking, theme, numbers, n_own=len(beside))
            for reference, found in beside
        ]
        self._where.setText(tr("Topic {topic}", topic=self._topic) if self._topic else "")
        self.browser.show_html("".join(parts))

    def _on_anchor_clicked(self, url: QUrl) -> None:
        self.showChosen.emit(self._topic, url.path(QUrl.ComponentFormattingOption.FullyDecoded))


class TextsPane(QWidget):
    """The text for the current sentence's abstract."""

    showChosen = Signal(str)  # a source sentence to look at in its document

    def __init__(self, session: CorpusSession, findings: InspectFindings, themes: ThemeBox) -> None:
        super().__init__()
        self._session, self._findings, self._themes = session, findings, themes
        self._sentence: InspectedSentence | None = None
        self.system, self.marking = called(ElidedComboBox(), mark("System")), MarkingBox()
        self.browser = called(Browser(), _RESEMBLED)
        below_controls(self, (self.system, self.marking), self.browser)
        self.system.activated.connect(self.refresh)
        self.marking.activated.connect(self.refresh)
        self.browser.anchorClicked.connect(self._on_anchor_clicked)
        declare(self.browser, self._why)

    def show_sentence(self, sentence: InspectedSentence | None) -> None:
        """Offers the systems that have a text for the sentence's topic; None = there is none."""
        self._sentence = sentence
        topic = self._session.topic(sentence.key.topic) if sentence is not None else None
        writers = [o.system for o in topic.outputs if isinstance(o, TextOutput)] if topic else []
        fill_names(self.system, dict.fromkeys(writers))
        if self.isVisible():
            self.refresh()

    def show_system(self, system: str) -> None:
        """Chooses a system: its text is shown wherever it has one."""
        fill_names(self.system, [system])

    def refresh(self) -> None:
        sentence, system = self._sentence, self.system.currentText()
        topic = self._session.topic(sentence.key.topic) if sentence is not None else None
        abstract = topic.abstract(sentence.key.abstract) if topic and sentence else None
        found = self._findings.resemblances(sentence, system) if sentence and system else ()
        if sentence is None or abstract is None or not found:
            self.browser.show_html(f"<p>{tr('No system has a text for this abstract.')}</p>")
            return
        theme, numbers = self._themes.theme, self._session.numbers(sentence.key.topic)
        html = text_report(abstract, system, found, self.marking.marking, theme, numbers)
        self.browser.show_html(html)

    def _why(self) -> Why:
        share = tr(
            "Each share says how much of the other sentence the system's sentence has: of its "
            "words, the rarer ones counting more."
        )
        return Why(name=self.system.currentText(), lines=(share,))

    def _on_anchor_clicked(self, url: QUrl) -> None:
        self.showChosen.emit(url.path(QUrl.ComponentFormattingOption.FullyDecoded))
