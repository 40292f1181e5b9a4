"""Explains the pseudo-pyramid of each system and topic, unit by unit."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from awase.core.annotation.formula import running_numbers
from awase.core.metrics.pseudo_pyramid.family import METRIC, Explained
from awase.gui.dialogs.pyramid.report import pyramid_report
from awase.gui.dialogs.pyramid.work import Found, PyramidPlan, find
from awase.gui.kit.jobs.job_dialog import JobDialog
from awase.gui.kit.texts.browser import Browser
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession

PYRAMID_JOB = "pyramid"
_USUAL = (
    METRIC,
    f"{METRIC}:unit=sentence",
    f"{METRIC}:oracle=be,unit=sentence",
    f"{METRIC}:unit=edu-file",
)
_FAILED = mark("Nothing can be explained.")


class PyramidDialog(JobDialog):
    """Finds all explanations at once; one topic and system of them is shown."""

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        super().__init__(services.jobs, _FAILED, parent)
        self._session, self._services = session, services
        self._found: Found | None = None
        self.metric_box, self.topic_box, self.system_box = QComboBox(), QComboBox(), QComboBox()
        self.metric_box.setEditable(True)
        self.metric_box.addItems(self._metrics())
        self.files = {name: QLineEdit() for name in ("edus", "oracles")}
        self._browse = {name: QPushButton() for name in self.files}
        self._labels = {key: QLabel() for key in ("metric", "topic", "system", *self.files)}
        self.browser, self.signature = Browser(), QLabel()
        self.show_button = self._buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        self._lay_out()
        self.show_button.clicked.connect(self.look)
        self.topic_box.activated.connect(self._on_topic_chosen)
        self.system_box.activated.connect(self._show)
        for name, button in self._browse.items():
            button.clicked.connect(lambda _=False, name=name: self._ask_file(name))
        self._retranslate()

    def choose(self, *, metric: str = "", edus: str = "", oracles: str = "") -> None:
        """Sets what is given."""
        if metric:
            self.metric_box.setEditText(metric)
        for name, text in (("edus", edus), ("oracles", oracles)):
            if text:
                self.files[name].setText(text)

    def look(self) -> None:
        """Finds the oracles and compares every system with them."""
        if self._job is not None:
            return
        plan = PyramidPlan(
            metric=self.metric_box.currentText().strip(),
            edus=self.files["edus"].text().strip(),
            oracles=self.files["oracles"].text().strip(),
        )
        store, corpus = self._session.store, self._session.corpus()
        self._found = None
        self._start(
            PYRAMID_JOB, lambda reporter: find(store, corpus, plan, reporter), self._on_found
        )

    def _metrics(self) -> list[str]:
        """Returns those of the Scores page first."""
        known = self._services.settings.settings.score_metrics
        of_page = known.get(self._session.location, ())
        chosen = [text for text in of_page if text.partition(":")[0] == METRIC]
        return [*dict.fromkeys((*chosen, *_USUAL))]

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        self.metric_box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.signature.setProperty("look", "muted")
        self.signature.setWordWrap(True)
        self.signature.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(self._labels["metric"], self.metric_box)
        for name, field in self.files.items():
            row = QHBoxLayout()
            row.addWidget(field, 1)
            row.addWidget(self._browse[name])
            self._browse[name].setAutoDefault(False)
            self._labels[name].setBuddy(field)
            form.addRow(self._labels[name], row)
        which = QHBoxLayout()
        which.setSpacing(line_px // 2)
        for key, box in (("topic", self.topic_box), ("system", self.system_box)):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            self._labels[key].setBuddy(box)
            which.addWidget(self._labels[key])
            which.addWidget(box)
        which.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.setSpacing(line_px // 2)
        layout.addLayout(form)
        layout.addLayout(which)
        layout.addWidget(self.browser, 1)
        layout.addWidget(self.signature)
        layout.addWidget(self._progress)
        layout.addWidget(self._buttons)
        self.show_button.setDefault(True)
        self.resize(line_px * 52, line_px * 40)

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("Pseudo-pyramid explained"))
        titles = {
            "metric": tr("Metric"),
            "topic": tr("Topic"),
            "system": tr("System"),
            "edus": tr("EDU file"),
            "oracles": tr("Oracle file"),
        }
        for key, label in self._labels.items():
            label.setText(titles[key])
        for key, box in (
            ("metric", self.metric_box), ("topic", self.topic_box), ("system", self.system_box)
        ):  # fmt: skip
            box.setAccessibleName(titles[key])
        hints = {
            "edus": tr("of your own segmenter, for unit=edu-file"),
            "oracles": tr("found before, with awase oracle -o; without it they are found now"),
        }
        for name, field in self.files.items():
            field.setAccessibleName(titles[name])
            field.setPlaceholderText(hints[name])
            self._browse[name].setText(tr("Browse…"))
        self.show_button.setText(tr("Explain"))
        self.browser.setAccessibleName(tr("Pseudo-pyramid explained"))
        self._show()
        self._show_state()

    def _show_state(self) -> None:
        super()._show_state()
        is_idle = self._job is None
        self.show_button.setEnabled(is_idle)
        has_any = self._found is not None and bool(self._found.explained)
        for key, box in (("topic", self.topic_box), ("system", self.system_box)):
            box.setVisible(has_any)
            self._labels[key].setVisible(has_any)

    def _of_topic(self) -> list[Explained]:
        topic = self.topic_box.currentData()
        if self._found is None:
            return []
        return [one for one in self._found.explained if one.topic == topic]

    def _on_topic_chosen(self) -> None:
        chosen = self.system_box.currentText()
        self.system_box.clear()
        for one in self._of_topic():
            self.system_box.addItem(" · ".join(filter(None, (one.system, one.length))))
        self.system_box.setCurrentIndex(max(0, self.system_box.findText(chosen)))
        self._show()

    def _show(self) -> None:
        of_topic, at = self._of_topic(), self.system_box.currentIndex()
        self.signature.setText(self._found.signature if self._found is not None else "")
        if not 0 <= at < len(of_topic):
            nothing = tr("Which units of the oracles a system found, at what weight, and missed.")
            self.browser.show_html(f"<p>{nothing}</p>")
            return
        one = of_topic[at]
        topic = self._session.topic(one.topic)
        numbers = running_numbers(topic) if topic is not None else {}
        self.browser.show_html(pyramid_report(one, numbers, self._services.themes.theme))

    def _ask_file(self, name: str) -> None:
        dialog = QFileDialog(self, self._labels[name].text(), self.files[name].text())
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.files[name].setText)
        dialog.open()

    def _on_found(self, found: Found) -> None:
        self._found = found
        chosen = self.topic_box.currentData()
        self.topic_box.clear()
        for topic_id in dict.fromkeys(one.topic for one in found.explained):
            topic = self._session.topic(topic_id)
            title = topic.title if topic is not None and topic.title else ""
            self.topic_box.addItem(f"{topic_id}  {title}".strip(), topic_id)
        self.topic_box.setCurrentIndex(max(0, self.topic_box.findData(chosen)))
        self._on_topic_chosen()
