"""Controls of the scores: view, metrics, exports."""

from collections.abc import Iterable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QPushButton, QVBoxLayout, QWidget

from awase.core.metrics.significance import PairedTest
from awase.core.reports.score_views import View, ViewKind
from awase.gui.kit.forms.controls import fill, fill_names
from awase.gui.kit.forms.parts import ChoiceField
from awase.gui.kit.grid.copying import ExportButton
from awase.gui.kit.i18n import mark, tr
from awase.gui.kit.jobs.waiting import JobStrip
from awase.gui.kit.look.fitting import ElidedComboBox
from awase.gui.kit.look.flow import FlowLayout, label_for, push_button, titled, together, written
from awase.gui.kit.texts import bind, follow
from awase.gui.session.metric_button import MetricsButton
from awase.gui.session.session import CorpusSession
from awase.gui.session.topic_button import TopicButton
from awase.jobs.scoring import StatisticsPlan

# What can be written, with its entry in the menu and the file's ending.
EXPORTS = {
    "tidy": (mark("Every score as CSV…"), "csv"),
    "tidy-bom": (mark("Every score as CSV for Excel…"), "csv"),
    "wide": (mark("This table as CSV…"), "csv"),
    "wide-bom": (mark("This table as CSV for Excel…"), "csv"),
    "latex": (mark("This table as LaTeX…"), "tex"),
    "html": (mark("This table as HTML…"), "html"),
}


class ScoresControls(QWidget):
    """Lines of controls; the page reads and connects them."""

    viewChosen = Signal(object)  # the `View` that is chosen in the list of topics

    def __init__(self, session: CorpusSession, metrics: MetricsButton) -> None:
        super().__init__()
        self.metrics = metrics
        self.topic = TopicButton(session, first=lambda: [("", tr("Mean over topics"))])
        self.baseline, self.test = ElidedComboBox(), ElidedComboBox()
        tests = (mark("Approximate randomisation"), mark("Paired bootstrap"))
        fill(self.test, ChoiceField(messages=[*zip(PairedTest, tests, strict=True)]))
        self.fill_baselines(())
        baseline = mark("Each system is tested against it on the topics that both have scores of.")
        bind(self.baseline, "toolTip", baseline)
        bind(self.test, "accessibleName", mark("Test"))
        tip = mark("95 % bootstrap interval of each mean: topics are drawn anew 10,000 times.")
        self.intervals = written(QCheckBox(), mark("Intervals"), tip)
        tip = mark(
            "Show the scores as a picture below the table; "
            "where there is no room for both, in its place"
        )
        self.plot = written(QCheckBox(), mark("Plot"), tip)
        self.strip = JobStrip(again=mark("Compute"))
        tip = mark("Back to the table of systems (Esc)")
        self.back = push_button(mark("← Back"), lambda: self.viewChosen.emit(View()), tip)
        tip = mark("For spreadsheets and word processors, with signatures (Ctrl+C)")
        self.copy = push_button(mark("Copy table"), tip=tip)
        tip = mark("Keep these scores in the corpus, under a title")
        self.keep = push_button(mark("Keep…"), tip=tip)
        self.subset, self.kept = QPushButton(), push_button(mark("Kept scores…"))
        self.export = ExportButton({name: title for name, (title, _) in EXPORTS.items()})
        self._lay_out()
        self.back.hide()
        self.test.hide()
        self.topic.chosen.connect(self._on_topic_chosen)
        follow(self, lambda: self.topic.set_title(tr("Show")))

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        controls = FlowLayout()
        controls.setSpacing(line_px // 2)
        for widget in (
            self.back,
            together(label_for(mark("Show"), self.topic), self.topic),
            self.metrics,
            self.subset,
            self.copy,
            self.export,
            self.keep,
            self.kept,
            self.intervals,
            self.plot,
            titled(mark("Compare with"), self.baseline),
            self.test,
            # In what is left of a line: one of its own would push the table down, to be painted.
            self.strip,
        ):
            controls.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        layout.addLayout(controls)

    def fill_baselines(self, systems: Iterable[str]) -> None:
        fill_names(self.baseline, systems, ("", mark("no baseline")))

    def show_view(self, view: View, title: str) -> None:
        """Shows the view; `title` of a single system or metric replaces the topics."""
        self.back.setVisible(view != View())
        if view.kind in (ViewKind.MEANS, ViewKind.TOPIC):
            self.topic.show_topic(view.subject)
        else:
            self.topic.show_topic("", title)

    def plan(self) -> StatisticsPlan:
        return StatisticsPlan(
            has_intervals=self.intervals.isChecked(),
            baseline=self.baseline.currentData() or "",
            test=self.test.currentData(),
        )

    def _on_topic_chosen(self, topic_id: str) -> None:
        is_topic = bool(topic_id)
        self.viewChosen.emit(View(kind=ViewKind.TOPIC, subject=topic_id) if is_topic else View())
