"""Asks where the report goes, writes it, and shows it."""

from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QCheckBox,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from awase.core.metrics.registry import requests_of
from awase.core.progress import Reporter
from awase.gui.kit.jobs.job_dialog import JobDialog
from awase.gui.kit.texts.i18n import language, mark, tr
from awase.gui.kit.writing import write_text
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession
from awase.gui.session.subset_dialog import subset_text
from awase.jobs.reporting import ReportPlan, report
from awase.jobs.subset import Subset

REPORT_JOB = "report"


class ReportDialog(JobDialog):
    """Writes scores, plots and where systems fail to one HTML page."""

    def __init__(
        self,
        session: CorpusSession,
        services: Services,
        metrics: tuple[str, ...],
        subset: Subset,
        parent: QWidget | None = None,
    ) -> None:
        """Asks about a report of `metrics` over `subset`: those of the Scores page."""
        super().__init__(services.jobs, mark("The report was not written."), parent)
        self._session, self._services = session, services
        self._metrics, self._subset = metrics, subset
        self._written = ""
        self.place, self._browse = QLineEdit(), QPushButton()
        self.place.setText(str(Path(session.location).with_suffix(".html")))
        self.intervals = QCheckBox()
        self.intervals.setChecked(True)
        self._labels = {name: QLabel() for name in ("about", "metrics", "place", "status")}
        self._listed = QLabel(", ".join(metrics))
        self.write_button = self._buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        self.open_button = self._buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        self._lay_out()
        self._browse.clicked.connect(self._on_browse)
        self.place.textChanged.connect(self._show_state)
        self.write_button.clicked.connect(self.write)
        self.open_button.clicked.connect(self.open_written)
        self._retranslate()

    def write(self) -> None:
        """Writes the report to the place in the field."""
        if self._job is not None:
            return
        path = Path(self.place.text().strip()).expanduser()
        metrics, subset = self._metrics, self._subset
        has_intervals = self.intervals.isChecked()
        corpus, made = self._session.corpus(), datetime.now(UTC)
        supplies = self._services.supplier(self._session.store)

        def work(reporter: Reporter) -> str:
            from awase.core.reports.html_report import html_report

            plan = ReportPlan(
                requests=requests_of(metrics), subset=subset, has_intervals=has_intervals
            )
            content = report(corpus, plan, reporter, made=made, supplies=supplies)
            write_text(path, html_report(content, tr, language()))
            return str(path)

        self._written = ""
        self._start(REPORT_JOB, work, self._on_written)

    def open_written(self) -> None:
        """Shows the report in the browser."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(self._written))

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        for label in (self._labels["about"], self._labels["status"], self._listed):
            label.setWordWrap(True)
        self._labels["about"].setProperty("look", "muted")
        self._labels["place"].setBuddy(self.place)
        self._browse.setAutoDefault(False)
        place = QHBoxLayout()
        place.addWidget(self.place, 1)
        place.addWidget(self._browse)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(self._labels["metrics"], self._listed)
        form.addRow(self._labels["place"], place)
        form.addRow("", self.intervals)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.setSpacing(line_px // 2)
        layout.addWidget(self._labels["about"])
        layout.addLayout(form)
        layout.addStretch(1)
        layout.addWidget(self._labels["status"])
        layout.addWidget(self._progress)
        layout.addWidget(self._buttons)
        self.write_button.setDefault(True)
        self.resize(line_px * 40, line_px * 18)

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("Report"))
        self._labels["about"].setText(
            tr(
                "One HTML page with the scores and their signatures, plots, and the sentences that "
                "systems miss. It loads nothing and opens in any browser."
            )
        )
        part = subset_text(self._subset)
        self._labels["metrics"].setText(tr("Metrics"))
        listed = ", ".join(self._metrics)
        self._listed.setText(f"{listed}  ({part})" if part else listed)
        self._listed.setToolTip(tr("Those of the Scores page"))
        self._labels["place"].setText(tr("File"))
        self.place.setAccessibleName(tr("File"))
        self._browse.setText(tr("Browse…"))
        self.intervals.setText(tr("With 95 % intervals"))
        self.write_button.setText(tr("Write"))
        self.open_button.setText(tr("Open in the browser"))
        self._show_state()

    def _show_state(self) -> None:
        super()._show_state()
        is_idle = self._job is None
        self.write_button.setEnabled(is_idle and bool(self.place.text().strip()))
        self.open_button.setVisible(bool(self._written))
        for widget in (self.place, self._browse, self.intervals):
            widget.setEnabled(is_idle)
        written = tr("Written: {path}", path=self._written) if self._written else ""
        self._labels["status"].setText(written)

    def _on_browse(self) -> None:
        dialog = QFileDialog(self, tr("Report"), self.place.text())
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("html")
        dialog.fileSelected.connect(self.place.setText)
        dialog.open()

    def _on_written(self, path: str) -> None:
        self._written = path
