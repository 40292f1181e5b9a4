"""Pseudo-pyramid of the current system, unit by unit."""

from collections.abc import Sequence
from typing import cast

from PySide6.QtWidgets import QWidget

from awase.core.metrics.kit.annotators import alignment_for
from awase.core.metrics.pseudo_pyramid import METRIC, Explained
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.identifiers import SentenceRef
from awase.gui.kit.fitting.boxes import ElidedComboBox
from awase.gui.kit.texts.binding import bind
from awase.gui.kit.texts.i18n import mark
from awase.gui.kit.texts.markup import Browser
from awase.gui.pages.inspect.explaining.pane import ExplanationPane
from awase.gui.pages.inspect.explaining.pyramid_report import pyramid_report
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession
from awase.jobs.explaining import ExplainedPyramids, explain_pyramids, pyramid_request
from awase.jobs.supplies.gathering import Supplying


class PyramidPane(ExplanationPane):
    """Units of the oracles matched and missed by a system, with weights."""

    JOB = "pyramid"
    TITLE = mark("Pseudo-pyramid")
    OFFERS = (METRIC,)

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        super().__init__(session, services, parent)
        self._found: ExplainedPyramids | None = None
        self.system, self.browser = ElidedComboBox(), Browser()
        self.system.activated.connect(self._show)
        services.themes.changed.connect(self._show)
        bind(self.system, "accessibleName", mark("System"))
        bind(self.browser, "accessibleName", mark("Pseudo-pyramid explained"))
        self.lay_out((self.system,), self.browser)

    def explanation(
        self, corpus: Corpus, metric: str, reporter: Reporter, supplies: Supplying
    ) -> Sequence[object]:
        found = explain_pyramids(corpus, pyramid_request(metric), reporter, supplies)
        return (found,) if found.explained else ()

    def take(self, found: Sequence[object]) -> None:
        self._found = cast("ExplainedPyramids", found[0]) if found else None
        self.signature.setText(self._found.signature if self._found is not None else "")
        chosen = self.system.currentText()
        self.system.clear()
        self.system.addItems([_name(one.system, one.length) for one in self._explained_ones()])
        self.system.setCurrentIndex(max(0, self.system.findText(chosen)))

    def follow_place(self) -> None:
        place = self.place
        if place is not None:
            at = self.system.findText(_name(place.system, place.length))
            if at >= 0:
                self.system.setCurrentIndex(at)
        self._show()

    def _explained_ones(self) -> Sequence[Explained]:
        return self._found.explained if self._found is not None else ()

    def _show(self) -> None:
        at, ones = self.system.currentIndex(), self._explained_ones()
        if not 0 <= at < len(ones):
            self.browser.clear()
            return
        numbers = self.session.numbers(ones[at].topic)
        theme = self.services.themes.theme
        self.browser.show_html(pyramid_report(ones[at], numbers, theme, linked=self._linked()))

    def _linked(self) -> frozenset[SentenceRef]:
        """Returns the source sentences linked to the current abstract sentence."""
        place = self.place
        topic = self.session.topic(place.topic) if place is not None else None
        abstract = topic.abstract(place.abstract) if topic is not None and place else None
        alignment = alignment_for(abstract, place.annotator) if abstract and place else None
        if alignment is None or place is None:
            return frozenset()
        alternatives = alignment.of_sentence(place.n).alternatives
        return frozenset(ref for alternative in alternatives for ref in alternative.members)


def _name(system: str, length: str | None) -> str:
    return " · ".join(filter(None, (system, length)))
