"""Dialog to write a report and open it."""

from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from awase.core.metrics.registry import requests_of
from awase.core.progress import Reporter
from awase.gui.kit.forms.asking import path_of
from awase.gui.kit.forms.dialog import JobDialog, Verdict, refused
from awase.gui.kit.forms.parts import Asks, Button, Check, Field, Form, Note, PathField, Shown
from awase.gui.kit.i18n import aside, language, listed, mark, placed_text, shows_codes, tr
from awase.gui.session.metric_button import named
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.gui.session.subset_dialog import subset_text
from awase.jobs.files.writing import Target, write_whole_file
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
        """Reports on `metrics` and `subset` of the Scores page."""
        self._session, self._services = session, services
        self._metrics, self._subset = metrics, subset
        self._written = ""
        headline = mark("The report was not exported.")
        super().__init__(self._form(), services.jobs, headline, parent)
        self.show_state()

    def refresh(self) -> None:
        part, metrics = subset_text(self._subset), listed(map(named, self._metrics))
        self.fields.set("metrics", aside(metrics, part) if part else metrics)
        self.fields.show_part("open", bool(self._written))

    def verdict(self) -> Verdict:
        place = self.fields.text("place")
        if not place:
            return refused(tr("Give the file a name."), "warning")
        path = path_of(place)
        if str(path) != self._written and path.exists():
            return Verdict(tr("There is a file of this name; it will be replaced."), "warning")
        return Verdict()

    def submit(self) -> None:
        path = path_of(self.fields.text("place"))
        metrics, subset = self._metrics, self._subset
        has_intervals = self.fields.is_checked("intervals")
        corpus, made = self._session.corpus(), datetime.now(UTC)
        supplies = self._services.supplier(self._session.store)

        def work(reporter: Reporter) -> str:
            from awase.core.reports.content import Voice
            from awase.core.reports.html_report import html_pieces
            from awase.gui.session.metric_drafts import metric_title

            plan = ReportPlan(
                requests=requests_of(metrics), subset=subset, has_intervals=has_intervals
            )
            content = report(corpus, plan, reporter, made=made, supplies=supplies)
            called = str if shows_codes() else metric_title  # as the command line has it
            voice = Voice(say=tr, tell=placed_text, metric=called, language=language())
            write_whole_file(Target(path=path, replaces=True), html_pieces(content, voice))
            return str(path)

        self._written = ""
        self.start(REPORT_JOB, work, self._on_written)

    def open_written(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(self._written))

    def _form(self) -> Form:
        place = str(Path(self._session.location).with_suffix(".html"))
        return Form(
            title=mark("Report"),
            parts=(
                Note(
                    mark(
                        "One HTML page with the scores and their signatures, plots, and the "
                        "sentences that systems miss. It loads nothing and opens in any browser."
                    )
                ),
                Field(
                    "metrics",
                    mark("Metrics"),
                    Shown(wraps=True),
                    tip=mark("Those of the Scores page"),
                ),
                Field(
                    "place",
                    mark("File"),
                    PathField(place, asks=Asks.NEW_FILE, question=mark("Report"), suffix="html"),
                ),
                Field("intervals", mark("With 95 % intervals"), Check(True)),
            ),
            accept=mark("Export"),
            leave=mark("Close"),
            actions=(Button("open", mark("Open in the browser"), self.open_written),),
            focus="place",
            width=40,
        )

    def _on_written(self, path: str) -> None:
        self._written = path
        self.show_outcome(tr("Exported: {path}", path=path))
