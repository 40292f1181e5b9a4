"""Shows which words of a topic a pruned metric takes for one, and with which vectors."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from awase.core.metrics.pruned.cluster_report import (
    ClusterReport,
    cluster_reports,
    merging_metrics,
    merging_request,
)
from awase.core.progress import Reporter
from awase.gui.dialogs.clusters.tables import cluster_table, summary_text
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.jobs.job_dialog import JobDialog
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.kit.vectors_row import VectorsRow
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession

_WORK = "clusters"


class ClustersDialog(JobDialog):
    """Asks for a metric, a topic and word vectors; the clusters of each system stand below."""

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        super().__init__(services.jobs, _FAILED, parent)
        self._session, self._services = session, services
        self._reports: tuple[ClusterReport, ...] = ()
        self.metric_box, self.topic_box, self.system_box = QComboBox(), QComboBox(), QComboBox()
        self.metric_box.setEditable(True)
        self.metric_box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.metric_box.addItems(self._metrics())
        for topic in session.topics():
            self.topic_box.addItem(f"{topic.id}  {topic.title or ''}".strip(), topic.id)
        self.vectors = VectorsRow(services.settings.settings.vectors)
        self.grid = GridView()
        self._intro, self.summary, self.signature = QLabel(), QLabel(), QLabel()
        self._labels = {name: QLabel() for name in ("metric", "topic", "system")}
        self._show = self._buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        self._copy = QPushButton()
        self._lay_out()
        self._show.clicked.connect(self.look)
        self._copy.clicked.connect(self.copy_table)
        self.system_box.activated.connect(self._show_state)
        self._retranslate()

    def choose(self, *, metric: str = "", topic: str = "", vectors: str | None = None) -> None:
        """Sets what is given."""
        if metric:
            self.metric_box.setEditText(metric)
        if topic:
            self.topic_box.setCurrentIndex(self.topic_box.findData(topic))
        if vectors is not None:
            self.vectors.field.setText(vectors)

    def look(self) -> None:
        """Merges the words of the chosen topic; what was shown goes."""
        topic = self._session.topic(self.topic_box.currentData() or "")
        if topic is None or self._job is not None:
            return
        location = self.vectors.location()
        settings = self._services.settings
        settings.change(replace(settings.settings, vectors=location))
        metric, store = self.metric_box.currentText().strip(), self._session.store
        corpus = replace(self._session.corpus(), topics=(topic,), human_scores=())
        supplier = self._services.supplier(store, vectors=location)

        def merge(reporter: Reporter) -> tuple[ClusterReport, ...]:
            request = merging_request(metric)
            return cluster_reports(corpus, request, supplier(corpus, [request], reporter), reporter)

        self._reports = ()
        self._start(_WORK, merge, self._on_found)

    def copy_table(self) -> None:
        """Puts the clusters that are shown on the clipboard."""
        QGuiApplication.clipboard().setText(self.grid.as_text())

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        self._intro.setProperty("look", "muted")
        self.signature.setProperty("look", "muted")
        for label in (self._intro, self.signature):
            label.setWordWrap(True)
        self.signature.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for name, box in self._boxes().items():
            self._labels[name].setBuddy(box)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(self._labels["metric"], self.metric_box)
        form.addRow(self._labels["topic"], self.topic_box)
        head = QHBoxLayout()
        head.setSpacing(line_px)
        head.addWidget(self.summary, 1)
        head.addWidget(self._labels["system"])
        head.addWidget(self.system_box)
        head.addWidget(self._copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.setSpacing(line_px // 2)
        layout.addWidget(self._intro)
        layout.addLayout(form)
        layout.addWidget(self.vectors)
        layout.addLayout(head)
        layout.addWidget(self.grid, 1)
        layout.addWidget(self.signature)
        layout.addWidget(self._progress)
        layout.addWidget(self._buttons)
        self._copy.setAutoDefault(False)
        self._show.setDefault(True)
        self.resize(line_px * 52, line_px * 36)

    def _metrics(self) -> list[str]:
        """Returns those of the Scores page first, as they are most likely asked about."""
        known = self._services.settings.settings.score_metrics
        of_page = [
            text
            for text in known.get(self._session.location, ())
            if text.partition(":")[0] in merging_metrics()
        ]
        return [*dict.fromkeys((*of_page, *merging_metrics()))]

    def _boxes(self) -> dict[str, QComboBox]:
        return {"metric": self.metric_box, "topic": self.topic_box, "system": self.system_box}

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("Words that count as one"))
        self._intro.setText(
            tr(
                "Pruned ROUGE and pruned BE take words for one whose vectors are close. Here is "
                "what they merge; options are written as for the command line, such as "
                "prouge-1:ratio=0.9."
            )
        )
        titles = {"metric": tr("Metric"), "topic": tr("Topic"), "system": tr("System")}
        for name, box in self._boxes().items():
            self._labels[name].setText(titles[name])
            box.setAccessibleName(titles[name])
        self.vectors.retranslate()
        self._copy.setText(tr("Copy table"))
        self.grid.setAccessibleName(tr("Words that count as one"))
        self._fill_systems()
        self._show_state()

    def _fill_systems(self) -> None:
        chosen = self.system_box.currentData()
        self.system_box.clear()
        self.system_box.addItem(tr("all"), None)
        for system in dict.fromkeys(report.system for report in self._reports if report.system):
            self.system_box.addItem(system, system)
        self.system_box.setCurrentIndex(max(0, self.system_box.findData(chosen)))

    def _show_state(self) -> None:
        super()._show_state()
        is_idle = self._job is None
        wanted = self.system_box.currentData()
        reports = [one for one in self._reports if wanted in (None, one.system)]
        self.grid.show_grid(*cluster_table(reports))
        self.summary.setText(summary_text(reports) if reports else "")
        self.signature.setText(reports[0].signature if reports else "")
        for widget in (self._labels["system"], self.system_box, self._copy):
            widget.setVisible(bool(self._reports))
        self._show.setEnabled(is_idle and self.topic_box.count() > 0)
        self._show.setText(tr("Show"))

    def _on_found(self, reports: tuple[ClusterReport, ...]) -> None:
        self._reports = reports
        self._fill_systems()
        if not reports:
            self.summary.setText(tr("There is nothing to compare in this topic."))

    def _on_ended(self) -> None:
        empty = "" if self._reports else self.summary.text()
        super()._on_ended()
        if empty:
            self.summary.setText(empty)


_FAILED = mark("The words cannot be merged.")
