"""Base pane that explains a metric of the current topic, lazily."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import cast

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from awase.core.analysis.explanation import has_any_word
from awase.core.analysis.inspection import Marking, common_spans
from awase.core.annotation.formula import address_of
from awase.core.errors import Reporter
from awase.core.metrics.kit.outputs import FIRST_ANNOTATOR, alignment_for
from awase.core.metrics.kit.signature import weight_text
from awase.core.metrics.pruned import (
    MERGING,
    ClusterReport,
    MergedWords,
    check_merging,
    cluster_reports,
)
from awase.core.metrics.pseudo_pyramid import METRIC, Explained, check_explainable, explain
from awase.core.metrics.pseudo_pyramid import signature as signature_of
from awase.core.metrics.pseudo_pyramid_matching import PyramidUnit
from awase.core.metrics.registry import requests_of
from awase.core.records.corpus import Corpus
from awase.core.records.source import SentenceRef
from awase.core.reports.grid import Cell, Column, Grid, decimal_text, grid_of, text_cell
from awase.gui.kit.defects import problems_of
from awase.gui.kit.forms.controls import fill_names
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.i18n import bind, bind_problems, follow, mark, ntr, tr
from awase.gui.kit.look.fitting import ElidedComboBox, FoldedLabel
from awase.gui.kit.look.flow import (
    FlowLayout,
    called,
    holding,
    push_button,
    scrolled_down,
    spaced,
    stacked,
    styled,
)
from awase.gui.kit.look.markup import Browser, marked
from awase.gui.kit.look.theme import Theme
from awase.gui.kit.notices import EmptyLabel, JobStrip
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.session.scoring_choices import MetricsButton, named
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.jobs.subset import Subset
from awase.jobs.supplies.gathering import Supplying

_NO_TOPIC = mark("Choose a sentence of the table, or a topic.")
_NOTHING = mark("There is nothing to compare in this topic.")
# Height of an explanation, in heights of a line; where there is less room the pane scrolls.
_LEAST_BODY = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectedPlace:
    """The page's current position."""

    topic: str
    abstract: str = ""  # the abstract's id; empty = none
    n: int = 0
    length: str | None = None
    text: str = ""
    system: str = ""  # the system of the current number; empty = none
    annotator: str = FIRST_ANNOTATOR


class _Body(QStackedWidget):
    """Keeps a minimal height between the parts above and below."""

    def minimumSizeHint(self) -> QSize:
        usual = super().minimumSizeHint()
        return QSize(usual.width(), max(usual.height(), self.fontMetrics().height() * _LEAST_BODY))


class ExplanationPane(QWidget):
    """Explains a selectable metric, lazily for each topic."""

    JOB = ""  # key of its work, and name of the command that brings it to the front
    TITLE = ""  # what its tab is called
    OFFERS: Sequence[str] = ()  # metrics that it explains

    wordsChosen = Signal(object)  # words that sentences are to have, a tuple

    def __init__(self, session: CorpusSession, services: Services) -> None:
        super().__init__()
        self.session, self.services = session, services
        self.place: InspectedPlace | None = None
        self._explained: object = None
        usual = next(iter(self._known(self.OFFERS)), self.OFFERS[0])
        self.chooser = MetricsButton(session, services, (usual,), offers=self.OFFERS)
        self.strip = JobStrip(mark("Stopped: nothing is explained."))
        self.empty, self.stack = EmptyLabel(), _Body()
        self.signature = styled(FoldedLabel(), "muted", wraps=True)
        self.chooser.chosen.connect(self.explain)
        self.strip.againChosen.connect(self.explain)
        declare(self.signature, self._why)
        session.changed.connect(self.explain)

    # What each pane fills in

    def explanation(
        self, corpus: Corpus, metric: str, reporter: Reporter, supplies: Supplying
    ) -> Sequence[object]:
        """Computes the topic's explanation on a worker; touches no widget."""
        raise NotImplementedError

    def take(self, found: Sequence[object]) -> None:
        raise NotImplementedError

    def follow_place(self) -> None:
        raise NotImplementedError

    # What they share

    def show_place(self, place: InspectedPlace | None) -> None:
        self.place = place
        if self.isVisible():
            self._bring_up()

    def explain(self) -> None:
        self._explained = None
        if self.isVisible():
            self._bring_up()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._bring_up()

    def lay_out(self, controls: Sequence[QWidget], body: QWidget) -> None:
        line_px = self.fontMetrics().height()
        row, parts = FlowLayout(), QWidget()
        stacked(parts, row, self.stack, self.signature, grows=self.stack)
        scroll = scrolled_down(parts)
        stacked(self, scroll, grows=scroll)
        spaced(row, self, self.chooser, *controls, self.strip, across=1 / 2, down=1 / 3)
        self.empty.setContentsMargins(line_px, line_px, line_px, line_px)
        self.signature.setContentsMargins(line_px // 2, 0, line_px // 2, line_px // 4)
        holding(self.stack, body, self.empty)
        bind(self.empty, "text", _NO_TOPIC)
        self.stack.setCurrentWidget(self.empty)

    def choose_metric(self, name: str) -> None:
        """Explains this metric, with the options that it has on the Scores page."""
        known = self._known((name,))
        (now,) = self.chooser.metrics
        if now not in known and (known or now.partition(":")[0] != name):
            self.chooser.choose((next(iter(known), name),))

    def _known(self, names: Sequence[str]) -> list[str]:
        """Returns which of these metrics are on the Scores page, with their options."""
        known = self.services.settings.settings.score_metrics.get(self.session.location, ())
        return [text for text in known if text.partition(":")[0] in names]

    def _bring_up(self) -> None:
        place = self.place
        if place is None or self.session.topic(place.topic) is None:
            self._explained = None
            self.services.jobs.drop(self.JOB)  # or it would show a topic that was left
            self.signature.clear()
            bind(self.empty, "text", _NO_TOPIC)
            self.stack.setCurrentWidget(self.empty)
            return
        wanted = (place.topic, self.chooser.metrics, self.chooser.places)
        if wanted == self._explained:
            self.follow_place()
            return
        self._explained = wanted
        self._start(place.topic)

    def _start(self, topic: str) -> None:
        corpus = Subset(topics=(topic,)).part_of(self.session.corpus())
        places, (metric,) = self.chooser.places, self.chooser.metrics
        supplies = self.services.supplier(
            self.session.store,
            vectors=places.vectors,
            model=places.model,
            edus=places.edus,
            oracles=places.oracles,
        )
        job = self.services.jobs.start(
            self.JOB,
            lambda reporter: self.explanation(corpus, metric, reporter, supplies),
            self._on_result,
            self._on_failed,
        )
        self.strip.watch(job)

    def _on_result(self, found: Sequence[object]) -> None:
        self.signature.clear()
        self.take(found)
        if not found:
            bind(self.empty, "text", _NOTHING)
        self.stack.setCurrentIndex(0 if found else 1)
        self.signature.setVisible(bool(self.signature.text()))
        if found:
            self.follow_place()

    def _on_failed(self, error: BaseException) -> None:
        self.take(())
        self.signature.clear()
        bind_problems(self.empty, problems_of(error))
        self.stack.setCurrentWidget(self.empty)

    def _why(self) -> Why | None:
        if not self.isVisible() or not self.signature.text():
            return None
        (metric,) = self.chooser.metrics
        return Why(name=named(metric), lines=(self.signature.text(),))


def cluster_table(
    reports: Sequence[ClusterReport], sentence: str = ""
) -> tuple[Grid, list[MergedWords]]:
    """Returns a row for each cluster, those with a word of `sentence` first, and its cluster."""
    found = [
        (has_any_word(sentence, merged.words), report, merged)
        for report in reports
        for merged in report.merged
    ]
    found.sort(key=lambda one: not one[0])
    columns = (
        Column(
            title=tr("Here"),
            tip=tr("Whether the visible sentence has one of the words."),
            is_shown=any(is_here for is_here, _, _ in found),
        ),
        Column(title=tr("System"), is_shown=any(report.system for report in reports)),
        Column(title=tr("Length"), is_shown=any(report.length for report in reports)),
        Column(title=tr("In references"), stretches=True),
        Column(title=tr("In outputs"), stretches=True),
        Column(title=tr("Distance"), tip=tr("Of the two words that are farthest apart.")),
    )
    rows = [
        (
            Cell(text="✓" if is_here else "", value=float(is_here), is_number=False),
            text_cell(report.system or ""),
            text_cell(report.length or ""),
            text_cell(" ".join(merged.in_references)),
            text_cell(" ".join(merged.in_outputs)),
            Cell(text=f"{merged.distance:.3f}", value=merged.distance),
        )
        for is_here, report, merged in found
    ]
    return grid_of(columns, rows), [merged for _, _, merged in found]


def summary_text(reports: Sequence[ClusterReport]) -> str:
    parts = (
        ntr("{n} vocabulary", "{n} vocabularies", len(reports)),
        ntr("{n} word", "{n} words", sum(report.n_words for report in reports)),
        tr("{n} with a vector", n=sum(report.n_with_vector for report in reports)),
        tr("{n} fewer after merging", n=sum(report.n_merges for report in reports)),
    )
    return " · ".join(parts)


def why_no_clusters(reports: Sequence[ClusterReport]) -> str:
    """Returns why there are no clusters, with a hint; empty with clusters or without words."""
    if not reports or any(report.merged for report in reports):
        return ""
    if any(report.n_with_vector for report in reports):
        return tr("No two of these words are so alike that they count as one.")
    return tr(
        "None of these words is in the vectors: choose vectors of the texts' language with the "
        "button of the metric."
    )


class WordsPane(ExplanationPane):
    """Clusters of words, the current sentence's first; a row is a filter."""

    JOB = "clusters"
    TITLE = mark("Words as one")
    OFFERS = MERGING

    def __init__(self, session: CorpusSession, services: Services) -> None:
        super().__init__(session, services)
        self._reports: Sequence[ClusterReport] = ()
        self.system = called(ElidedComboBox(), mark("System"))
        self.grid = called(GridView(), mark("Words that count as one"))
        self.summary, self.why_none = (styled(QLabel(), wraps=True) for _ in range(2))
        self.copy = push_button(mark("Copy table"), self.grid.copy_all)
        self.system.activated.connect(self._show)
        self.grid.on_item(lambda merged: self.wordsChosen.emit(merged.words))
        self.grid.way = mark("Enter shows the sentences with one of these words.")
        body, line_px = QWidget(), self.fontMetrics().height()
        for label in (self.summary, self.why_none):
            label.setContentsMargins(line_px // 2, 0, line_px // 2, line_px // 4)
        column = stacked(body, self.summary, self.why_none, self.grid, grows=self.grid)
        column.setSpacing(line_px // 3)
        self.lay_out((self.system, self.copy), body)
        follow(self, self._show)

    def explanation(
        self, corpus: Corpus, metric: str, reporter: Reporter, supplies: Supplying
    ) -> Sequence[object]:
        request = check_merging(requests_of([metric]), metric)
        gathered = supplies(corpus, [request], reporter)
        return tuple(cluster_reports(corpus, request, gathered, reporter))

    def take(self, found: Sequence[object]) -> None:
        self._reports = cast("Sequence[ClusterReport]", found)
        self.signature.setText(self._reports[0].signature if self._reports else "")
        names = dict.fromkeys(one.system for one in self._reports if one.system)
        fill_names(self.system, names, (None, mark("all")))
        self._show()

    def follow_place(self) -> None:
        self._show()

    def _show(self) -> None:
        wanted = self.system.currentData()
        reports = [one for one in self._reports if wanted in (None, one.system)]
        text = self.place.text if self.place is not None else ""
        self.grid.show_grid(*cluster_table(reports, text))
        self.summary.setText(summary_text(reports) if reports else "")
        self.why_none.setText(why_no_clusters(reports))
        self.why_none.setVisible(bool(self.why_none.text()))


@dataclass(frozen=True, slots=True, kw_only=True)
class PyramidReport:
    """A pseudo-pyramid explained, as HTML."""

    one: Explained
    numbers: Mapping[SentenceRef, int]
    theme: Theme
    linked: frozenset[SentenceRef]  # the source sentences of the sentence in sight

    def html(self) -> str:
        units = (self._unit(idx, unit) for idx, unit in enumerate(self.one.pyramid.units))
        return "".join((self._head(), *units, self._useless()))

    def _head(self) -> str:
        one = self.one
        paid, upper = weight_text(one.matching.paid), weight_text(one.pyramid.upper)
        value = decimal_text(one.value)
        where = " · ".join(filter(None, (one.topic, one.length, one.system)))
        n_found, n_all = len(one.matching.matches), len(one.pyramid.units)
        found = ntr("{found} of {n} oracle unit found", "{found} of {n} oracle units found",
                    n_all, found=n_found)  # fmt: skip
        head = (
            f"<h3>{escape(where)}</h3>"
            f"<p><b>{escape(paid)} / {escape(upper)} = {value}</b> · {escape(found)}</p>"
        )
        reason = tr("Undefined: no unit of the source within the limit shares anything with a "
                    "reference (Upper = 0).")  # fmt: skip
        return head if one.value is not None else f"{head}<p>{escape(reason)}</p>"

    def _unit(self, idx: int, unit: PyramidUnit) -> str:
        one, theme = self.one, self.theme
        match = next((match for match in one.matching.matches if match.oracle_idx == idx), None)
        verdict = tr("found") if match is not None else tr("missed")
        sign = "✓" if match is not None else "✗"
        weight = tr("weight {weight}", weight=weight_text(unit.weight))
        label = address_of(unit.unit.ref, self.numbers)
        ours = one.units[match.system_idx] if match is not None else ""
        here = f" · {tr('linked to the sentence above')}" if unit.unit.ref in self.linked else ""
        spans, theirs = (
            common_spans(unit.unit.text, ours, Marking.SUBSEQUENCE) if ours else ((), ())
        )
        parts = [
            f"<p>{sign} <b>{escape(verdict)}</b> · {escape(weight)} · {escape(label + here)}<br/>"
            f"{marked(unit.unit.text, spans, theme)}</p>"
        ]
        if match is not None:
            n, common = len(unit.tokens), match.common
            shared = ntr("by, {common} of {n} word", "by, {common} of {n} words", n, common=common)
            parts.append(self._below(shared, marked(ours, theirs, theme)))
        used = {other.system_idx for other in one.matching.matches}
        for other in one.matching.others:
            if other.oracle_idx == idx and other.system_idx not in used:
                again = escape(one.units[other.system_idx])
                parts.append(self._below(tr("again, not paid"), again))
        return "".join(parts)

    def _useless(self) -> str:
        one = self.one
        pairs = (*one.matching.matches, *one.matching.others)
        alike = {match.system_idx for match in pairs}
        texts = [text for idx, text in enumerate(one.units) if idx not in alike]
        rows = "".join(
            f'<p style="margin-left:2em; color:{self.theme.colours.muted}">{escape(text)}</p>'
            for text in texts
        )
        title = tr("Units of the system that are in no oracle")
        return f"<h4>{escape(title)}</h4>{rows}" if texts else ""

    def _below(self, what: str, html: str) -> str:
        told = f'<span style="color:{self.theme.colours.muted}">{escape(what)}</span>'
        return f'<p style="margin-left:2em">{told}<br/>{html}</p>'


class PyramidPane(ExplanationPane):
    """Units of the oracles matched and missed by a system, with weights."""

    JOB = "pyramid"
    TITLE = mark("Pseudo-pyramid")
    OFFERS = (METRIC,)

    def __init__(self, session: CorpusSession, services: Services) -> None:
        super().__init__(session, services)
        self._found: Sequence[Explained] = ()
        self.system = called(ElidedComboBox(), mark("System"))
        self.browser = called(Browser(), mark("Pseudo-pyramid explained"))
        self.system.activated.connect(self._show)
        services.themes.changed.connect(self._show)
        self.lay_out((self.system,), self.browser)

    def explanation(
        self, corpus: Corpus, metric: str, reporter: Reporter, supplies: Supplying
    ) -> Sequence[object]:
        request = check_explainable(requests_of([metric]))
        gathered = supplies(corpus, [request], reporter)
        explained = tuple(explain(corpus, request, reporter, gathered))
        return (signature_of(corpus, request, gathered), *explained) if explained else ()

    def take(self, found: Sequence[object]) -> None:
        signature, *explained = found or ("",)
        self._found = cast("list[Explained]", explained)
        self.signature.setText(str(signature))
        fill_names(self.system, (name_of(one.system, one.length) for one in self._found))

    def follow_place(self) -> None:
        place = self.place
        if place is not None:
            self.system.setCurrentText(name_of(place.system, place.length))
        self._show()

    def _show(self) -> None:
        at, ones = self.system.currentIndex(), self._found
        if not 0 <= at < len(ones):
            self.browser.clear()
            return
        report = PyramidReport(
            one=ones[at],
            numbers=self.session.numbers(ones[at].topic),
            theme=self.services.themes.theme,
            linked=self._linked(),
        )
        self.browser.show_html(report.html())

    def _linked(self) -> frozenset[SentenceRef]:
        place = self.place
        topic = self.session.topic(place.topic) if place is not None else None
        abstract = self.session.seen(topic).abstract(place.abstract) if topic and place else None
        alignment = alignment_for(abstract, place.annotator) if abstract and place else None
        entry = alignment.of_sentence(place.n) if alignment and place else None
        return frozenset(entry.refs() if entry is not None else ())


def name_of(system: str, length: str | None) -> str:
    """Returns the name of a system's text of this length class."""
    return " · ".join(filter(None, (system, length)))
