"""Button showing the selected metrics; a click opens their dialog."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from awase.core.errors import AwaseError, Missing, Problem
from awase.gui.kit.forms.controls import open_once
from awase.gui.kit.i18n import aside, joined_sentences, labelled, listed, mark, ntr, tr
from awase.gui.kit.look.fitting import ElidedButton
from awase.gui.kit.look.flow import stacked
from awase.gui.kit.notices import Banner, Step
from awase.gui.kit.texts import Message, follow
from awase.gui.session.metric_drafts import Draft
from awase.jobs.supplies.gathering import Places

if TYPE_CHECKING:  # The dialog imports the registry lazily.
    from awase.core.records.score import Score
    from awase.gui.kit.look.theme import ThemeBox
    from awase.gui.session.metric_dialog import MetricsDialog
    from awase.gui.session.session import CorpusSession
    from awase.gui.session.settings import Services

_SHOWN = 2


class MetricsButton(ElidedButton):
    """The metrics of one question; paths of vectors and models are in the settings."""

    chosen = Signal()  # other metrics, or other files for them

    def __init__(
        self,
        session: "CorpusSession",
        services: "Services",
        metrics: Sequence[str],
        *,
        offers: Sequence[str] = (),
    ) -> None:
        """With `offers` exactly one of these is selected, else any number."""
        super().__init__()
        self._session, self._services = session, services
        # The selection, as `awase score` spells it.
        self.metrics, self._offers = tuple(metrics), tuple(offers)
        self._files = Places()
        self.clicked.connect(self.ask)
        follow(self, self._write)

    @property
    def places(self) -> Places:
        """Paths of the metrics' resources."""
        settings = self._services.settings.settings
        return replace(self._files, vectors=settings.vectors, model=settings.model)

    def show_metrics(self, metrics: Sequence[str]) -> None:
        """Sets the selection without signals."""
        self.metrics = tuple(metrics)
        self._write()

    def choose(self, metrics: Sequence[str], places: Places | None = None) -> None:
        if places is not None:
            self._files = places
            file = self._services.settings
            file.change(replace(file.settings, vectors=places.vectors, model=places.model))
        self.show_metrics(metrics)
        self.chosen.emit()

    def ask(self) -> "MetricsDialog":
        """Opens the dialog that chooses."""
        from awase.gui.session.metric_dialog import MetricsDialog

        dialog = MetricsDialog(
            self._session.corpus(),
            self.metrics,
            parsers=self._parsers(),
            places=self.places,
            offers=self._offers,
            parent=self,
        )
        dialog.chosen.connect(self.choose)
        return open_once(dialog)

    def _parsers(self) -> tuple[str, ...]:
        """Returns the models of the corpus's parses; empty if unreadable."""
        try:
            return tuple(self._session.store.parse_models())
        except AwaseError:
            return ()

    def _write(self) -> None:
        names = [named(text) for text in self.metrics]
        shown = listed(names[:_SHOWN])
        if len(names) > _SHOWN:
            n_more = len(names) - _SHOWN
            shown = tr("{names} and {more}", names=shown, more=ntr("{n} more", "{n} more", n_more))
        title = tr("Metric") if self._offers else tr("Metrics")
        self.setText(tr("{title}: {shown}…", title=title, shown=shown))
        self.setToolTip("\n".join(names))
        self.setAccessibleName(labelled(title, listed(names)))


class FailedMetrics(QWidget):
    """Lines that say which metrics could not be computed and why, with a button that mends it."""

    commandChosen = Signal(str)  # id of a command of the window

    def __init__(self, metrics: MetricsButton, themes: "ThemeBox") -> None:
        super().__init__()
        self._parse: Step = (
            mark("Parse sentences…"),
            lambda: self.commandChosen.emit("menu:parse"),
        )
        self._choose: Step = (mark("Metrics…"), metrics.ask)
        self._unparsed, self._others = Banner(themes, icon="scores"), Banner(themes, icon="scores")
        self._unparsed.chosen.connect(self._parse[1])
        self._others.chosen.connect(self._choose[1])
        stacked(self, self._unparsed, self._others)
        self.show_failed(())

    def show_failed(self, failed: "Sequence[Score]") -> None:
        """Shows the reasons of failed metrics, given a score of each."""
        unparsed = [one for one in failed if one.reason and one.reason.missing is Missing.PARSES]
        others = [one for one in failed if one not in unparsed]
        _say_why(self._unparsed, unparsed, self._parse[0])
        _say_why(self._others, others, self._choose[0])
        self.setVisible(bool(failed))

    def steps(self, problems: Sequence[Problem]) -> list[Step]:
        """Returns what mends these where no metric could be computed."""
        is_unparsed = any(one.missing is Missing.PARSES for one in problems)
        return [self._parse, self._choose] if is_unparsed else [self._choose]


def _say_why(banner: Banner, failed: "Sequence[Score]", action: Message) -> None:
    def text() -> str:
        from awase.gui.session.metric_drafts import why_failed

        return joined_sentences(*dict.fromkeys(map(why_failed, failed)))

    if failed:
        banner.show_message(text, action)
    banner.setVisible(bool(failed))


def named(metric: str) -> str:
    """Returns a metric's label on a button: rouge-2 (stem = yes)."""
    draft = Draft.of_text(metric)
    if draft is None:
        return metric
    if not draft.values:
        return draft.name
    return aside(draft.name, listed(f"{option} = {value}" for option, value in draft.spelled()))
