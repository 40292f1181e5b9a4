"""Base pane that explains a metric of the current topic, lazily."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from awase.core.metrics.kit.annotators import FIRST_ANNOTATOR
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.gui.kit.defects import problems_of
from awase.gui.kit.empty_note import EmptyLabel
from awase.gui.kit.fitting.labels import BreakableLabel
from awase.gui.kit.flow import FlowLayout, scrolled_down, stacked
from awase.gui.kit.jobs.job_strip import JobStrip
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.kit.texts.binding import bind, bind_problems, follow
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.session.metrics.button import MetricsButton, named
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession
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
    system: str = ""  # the system whose number is looked at; empty = none
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

    def __init__(
        self,
        session: CorpusSession,
        services: Services,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.session, self.services = session, services
        self.place: InspectedPlace | None = None
        self._explained: object = None
        usual = next(iter(self._known(self.OFFERS)), self.OFFERS[0])
        self.chooser = MetricsButton(session, services, (usual,), offers=self.OFFERS)
        self.strip, self.empty, self.stack = JobStrip(), EmptyLabel(), _Body()
        self.signature = BreakableLabel()
        self.signature.setProperty("look", "muted")
        self.chooser.chosen.connect(self.explain)
        self.strip.againChosen.connect(self.explain)
        declare(self.signature, self._why)
        session.changed.connect(self._on_session_changed)

    # What each pane fills in

    def explanation(
        self, corpus: Corpus, metric: str, reporter: Reporter, supplies: Supplying
    ) -> Sequence[object]:
        """Computes the topic's explanation on a worker; touches no widget."""
        raise NotImplementedError

    def take(self, found: Sequence[object]) -> None:
        """Shows the topic's explanation; empty = nothing."""
        raise NotImplementedError

    def follow_place(self) -> None:
        """Shows the current sentence and system."""
        raise NotImplementedError

    # What they share

    def show_place(self, place: InspectedPlace | None) -> None:
        """Sets the page's position."""
        self.place = place
        if self.isVisible():
            self._bring_up()

    def explain(self) -> None:
        """Recomputes the explanation."""
        self._explained = None
        if self.isVisible():
            self._bring_up()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._bring_up()

    def lay_out(self, controls: Sequence[QWidget], body: QWidget) -> None:
        """Lays out controls, body, and the signature."""
        line_px = self.fontMetrics().height()
        row, parts = FlowLayout(), QWidget()
        stacked(parts, row, self.stack, self.signature, grows=self.stack)
        scroll = scrolled_down(parts)
        stacked(self, scroll, grows=scroll)
        row.setContentsMargins(line_px // 2, line_px // 3, line_px // 2, line_px // 3)
        row.setSpacing(line_px // 2)
        for widget in (self.chooser, *controls, self.strip):
            row.addWidget(widget)
        self.empty.setContentsMargins(line_px, line_px, line_px, line_px)
        self.signature.setContentsMargins(line_px // 2, 0, line_px // 2, line_px // 4)
        self.stack.addWidget(body)
        self.stack.addWidget(self.empty)
        bind(self.empty, "text", _NO_TOPIC)
        self.stack.setCurrentWidget(self.empty)
        follow(self, self._write_texts)

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
        """Computes the topic's explanation if needed, then shows the position."""
        place = self.place
        if place is None or self.session.topic(place.topic) is None:
            self._explained = None
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
            self.JOB, lambda reporter: self.explanation(corpus, metric, reporter, supplies)
        )
        job.finished.connect(self._on_found)
        job.failed.connect(self._on_failed)
        self.strip.watch(job)

    def _on_found(self, found: Sequence[object]) -> None:
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
        """Explains what all numbers of the pane depend on."""
        if not self.isVisible() or not self.signature.text():
            return None
        (metric,) = self.chooser.metrics
        return Why(name=named(metric), lines=(self.signature.text(),))

    def _on_session_changed(self, _changes: object) -> None:
        self.explain()

    def _write_texts(self) -> None:
        self.strip.retranslate(tr("Stopped: nothing is explained."), tr("Compute again"))
