"""Shows which words of a topic a pruned metric takes for one, and with which vectors."""

from dataclasses import replace

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from awase.core.metrics.pruned.cluster_report import (
    MERGING,
    ClusterReport,
)
from awase.core.progress import Reporter
from awase.gui.dialogs.clusters.tables import cluster_table, summary_text
from awase.gui.kit.forms.dialog import Verdict
from awase.gui.kit.forms.job_dialog import JobDialog
from awase.gui.kit.forms.parts import Body, Button, Choice, Field, Form, Gap, Note, Row
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.supply_fields import vectors_field
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession
from awase.jobs.explaining import merging_request, words_that_count_as_one
from awase.jobs.subset import Subset

_WORK = "clusters"


class ClustersDialog(JobDialog):
    """Asks for a metric, a topic and word vectors; the clusters of each system stand below."""

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        self._session, self._services = session, services
        self._reports: tuple[ClusterReport, ...] = ()
        self.grid = GridView()
        super().__init__(self._form(), services.jobs, _FAILED, parent)
        self.show_state()

    def choose(
        self,
        *,
        metric: str | None = None,
        topic: str | None = None,
        vectors: str | None = None,
    ) -> None:
        """Sets what is given."""
        self.fields.choose("metric", metric)
        self.fields.set_given(topic=topic, vectors=vectors)

    def submit(self) -> None:
        """Merges the words of the chosen topic; what was shown goes."""
        location = self.fields.text("vectors")
        settings = self._services.settings
        settings.change(replace(settings.settings, vectors=location))
        metric, store = self.fields.text("metric"), self._session.store
        corpus = Subset(topics=(self.fields.text("topic"),)).part_of(self._session.corpus())
        supplier = self._services.supplier(store, vectors=location)

        def merge(reporter: Reporter) -> tuple[ClusterReport, ...]:
            request = merging_request(metric)
            return words_that_count_as_one(corpus, request, reporter, supplier)

        self._reports = ()
        self.start(_WORK, merge, self._on_found)

    def copy_table(self) -> None:
        """Puts the clusters that are shown on the clipboard."""
        QGuiApplication.clipboard().setText(self.grid.as_text())

    def verdict(self) -> Verdict:
        return Verdict(is_ready=bool(self._session.topics()))

    def refresh(self) -> None:
        wanted = self.fields.value("system")
        reports = [one for one in self._reports if wanted in (None, one.system)]
        self.grid.show_grid(cluster_table(reports))
        self.fields.write("summary", summary_text(reports) if reports else "")
        self.fields.write("signature", reports[0].signature if reports else "")
        for name in ("system", "copy"):
            self.fields.show_part(name, bool(self._reports))

    def _form(self) -> Form:
        title = mark("Words that count as one")
        metrics = self._metrics()
        topics = [
            (topic.id, f"{topic.id}  {topic.title or ''}".strip())
            for topic in self._session.topics()
        ]
        return Form(
            title=title,
            parts=(
                Note(
                    mark(
                        "Pruned ROUGE and pruned BE take words for one whose vectors are close. "
                        "Here is what they merge; options are written as for the command line, "
                        "such as prouge-1:ratio=0.9."
                    )
                ),
                Field(
                    "metric",
                    mark("Metric"),
                    Choice([(one, one) for one in metrics], metrics[0]),
                ),
                Field("topic", mark("Topic"), Choice(topics)),
                vectors_field(self._services.settings.settings.vectors),
                Row(
                    (
                        Note(name="summary", look="", wraps=False),
                        Gap(),
                        Field("system", mark("System"), _systems(())),
                        Button("copy", mark("Copy table"), self.copy_table),
                    )
                ),
                Body("grid", title, self.grid, is_live=True),
                Note(name="signature", is_selectable=True),
            ),
            accept=mark("Show"),
            leave=mark("Close"),
            width=52,
            height=36,
        )

    def _metrics(self) -> list[str]:
        """Returns those of the Scores page first, as they are most likely asked about."""
        known = self._services.settings.settings.score_metrics
        of_page = [
            text
            for text in known.get(self._session.location, ())
            if text.partition(":")[0] in MERGING
        ]
        return [*dict.fromkeys((*of_page, *MERGING))]

    def _on_found(self, reports: tuple[ClusterReport, ...]) -> None:
        self._reports = reports
        self.fields.offer("system", _systems(reports))
        if not reports:
            self.show_outcome(tr("There is nothing to compare in this topic."))


def _systems(reports: tuple[ClusterReport, ...]) -> Choice:
    names = dict.fromkeys(report.system for report in reports if report.system)
    return Choice([(name, name) for name in names], messages=((None, mark("all")),))


_FAILED = mark("The words cannot be merged.")
