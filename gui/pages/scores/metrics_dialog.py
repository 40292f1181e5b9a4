"""Which metrics stand in the columns of the Scores page, with which options."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from awase.core.metrics.registry import GROUPS, METRICS, defaults_of
from awase.core.records.corpus import Corpus
from awase.gui.kit.texts.i18n import tr
from awase.gui.kit.texts.retranslation import Retranslated
from awase.gui.kit.vectors_row import ModelRow, VectorsRow
from awase.gui.session.drafts import Draft, what_is
from awase.gui.session.option_fields import OptionFields
from awase.jobs.scoring import DEFAULT_METRICS
from awase.jobs.supplies.gathering import MODEL, VECTORS

_NAME = Qt.ItemDataRole.UserRole


class MetricsDialog(Retranslated, QDialog):
    """Lists what the registry has, and edits the columns chosen from it."""

    chosen = Signal(object, str, str)
    """The metrics, as `awase score` spells them, where word vectors are, and where the model is."""

    def __init__(
        self,
        corpus: Corpus,
        metrics: Sequence[str],
        *,
        parsers: Sequence[str] = (),
        vectors: str = "",
        model: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """Builds the dialog.

        Args:
            corpus: What will be scored.
            metrics: Those chosen now, as `awase score` spells them.
            parsers: Models that parsed its sentences.
            vectors: Where word vectors are; empty = there are none.
            model: Where the language model is; empty = there is none.
            parent: The window that it belongs to.
        """
        super().__init__(parent)
        self._corpus = corpus
        self._parsers = tuple(parsers)
        known = (Draft.of_text(text) for text in metrics)
        self.drafts: list[Draft] = [draft for draft in known if draft is not None]
        self.offer, self.columns = QListWidget(), QListWidget()
        self.fields = OptionFields()
        self.signature, self.problem = QLabel(), QLabel()
        self._offer_title, self._columns_title, self._what = QLabel(), QLabel(), QLabel()
        self._signature_title = QLabel()
        self.vectors, self.model = VectorsRow(vectors), ModelRow(model)
        self.add, self.remove, self.usual = QPushButton(), QPushButton(), QPushButton()
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self._lay_out()
        self._connect()
        self._fill_offer()
        self._fill_columns(0)
        self._retranslate()

    def texts(self) -> tuple[str, ...]:
        """Returns the metrics chosen, each once."""
        return tuple(dict.fromkeys(draft.text() for draft in self.drafts))

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        for label in (self._offer_title, self._columns_title, self._signature_title):
            label.setProperty("look", "heading")
        for label in (self._what, self.signature, self.problem):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._what.setProperty("look", "muted")
        self.problem.setProperty("look", "danger")
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed.setPointSizeF(self.font().pointSizeF() * 0.9)
        self.signature.setFont(fixed)
        # A long line is cut with an ellipsis; its tool tip has all of it.
        for part in (self.offer, self.columns):
            part.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for button in (self.add, self.remove, self.usual):
            button.setAutoDefault(False)
        scroll = QScrollArea()
        scroll.setWidget(self.fields)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        left, middle, right = QVBoxLayout(), QVBoxLayout(), QVBoxLayout()
        left.addWidget(self._offer_title)
        left.addWidget(self.offer, 1)
        left.addWidget(self.add)
        middle.addWidget(self._columns_title)
        middle.addWidget(self.columns, 1)
        below = QHBoxLayout()
        below.addWidget(self.remove)
        below.addWidget(self.usual)
        middle.addLayout(below)
        right.addWidget(self._what)
        right.addWidget(scroll, 1)
        panes = QHBoxLayout()
        panes.setSpacing(line_px)
        for pane, share in ((left, 4), (middle, 4), (right, 6)):
            panes.addLayout(pane, share)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.setSpacing(line_px // 2)
        layout.addLayout(panes, 1)
        layout.addWidget(self.vectors)
        layout.addWidget(self.model)
        layout.addWidget(self._signature_title)
        for label in (self.signature, self.problem):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
            layout.addWidget(label)
        layout.addWidget(self._buttons)
        self.resize(line_px * 58, line_px * 34)

    def _connect(self) -> None:
        self.offer.itemActivated.connect(lambda _item: self._on_add())
        self.add.clicked.connect(self._on_add)
        self.remove.clicked.connect(self._on_remove)
        self.usual.clicked.connect(self._on_usual)
        self.columns.currentRowChanged.connect(lambda _row: self._show_draft())
        self.fields.changed.connect(self._on_fields_changed)
        self._buttons.accepted.connect(self._on_accepted)
        self._buttons.rejected.connect(self.reject)

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("Metrics"))
        self._offer_title.setText(tr("Every metric"))
        self._columns_title.setText(tr("Columns"))
        self._signature_title.setText(tr("Signature"))
        self.offer.setAccessibleName(tr("Every metric"))
        self.columns.setAccessibleName(tr("Columns"))
        self.add.setText(tr("Add as a column"))
        self.remove.setText(tr("Remove"))
        self.usual.setText(tr("As usual"))
        self.usual.setToolTip(tr("Only the TSC-3 metrics, as in a new corpus"))
        for row in range(self.offer.count()):
            item = self.offer.item(row)
            item.setToolTip(_explanation(item.data(_NAME)))
        self.vectors.retranslate()
        self.model.retranslate()
        self._show_draft()

    def _fill_offer(self) -> None:
        for name in (*GROUPS, *METRICS):
            item = QListWidgetItem(
                f"{name}  ({', '.join(GROUPS[name])})" if name in GROUPS else name
            )
            item.setData(_NAME, name)
            self.offer.addItem(item)
        self.offer.setCurrentRow(0)

    def _fill_columns(self, row: int) -> None:
        blocker = QSignalBlocker(self.columns)
        self.columns.clear()
        for draft in self.drafts:
            item = QListWidgetItem(_line(draft, self._corpus))
            item.setToolTip(draft.text())
            self.columns.addItem(item)
        del blocker
        self.columns.setCurrentRow(min(row, len(self.drafts) - 1))
        self._show_draft()

    def _draft(self) -> Draft | None:
        row = self.columns.currentRow()
        return self.drafts[row] if 0 <= row < len(self.drafts) else None

    def _show_draft(self) -> None:
        draft = self._draft()
        self._what.setText(_explanation(draft.name) if draft is not None else "")
        self.fields.show_draft(draft, self._corpus, self._parsers)
        self.remove.setEnabled(draft is not None)
        self._check()

    def _check(self) -> None:
        draft = self._draft()
        signatures, problem = draft.check(self._corpus) if draft is not None else ((), "")
        if not self.drafts:
            problem = tr("Add at least one metric.")
        self.vectors.setVisible(any(VECTORS in defaults_of(one.name) for one in self.drafts))
        self.model.setVisible(any(MODEL in defaults_of(one.name) for one in self.drafts))
        self.signature.setText("\n".join(signatures))
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        is_sound = all(not one.check(self._corpus)[1] for one in self.drafts)
        ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(bool(self.drafts) and is_sound)

    def _on_add(self) -> None:
        name = self.offer.currentItem().data(_NAME)
        self.drafts.append(_fitting(name, self._corpus))
        self._fill_columns(len(self.drafts) - 1)

    def _on_remove(self) -> None:
        row = self.columns.currentRow()
        if 0 <= row < len(self.drafts):
            del self.drafts[row]
            self._fill_columns(row)

    def _on_usual(self) -> None:
        self.drafts = [Draft(name=name) for name in DEFAULT_METRICS]
        self._fill_columns(0)

    def _on_fields_changed(self, values: dict[str, str]) -> None:
        row = self.columns.currentRow()
        if not 0 <= row < len(self.drafts):
            return
        self.drafts[row] = self.drafts[row].with_values(values)
        item = self.columns.item(row)
        item.setText(_line(self.drafts[row], self._corpus))
        item.setToolTip(self.drafts[row].text())
        self._check()

    def _on_accepted(self) -> None:
        self.chosen.emit(self.texts(), self.vectors.location(), self.model.location())
        self.accept()


def _line(draft: Draft, corpus: Corpus) -> str:
    return f"⚠ {draft.text()}" if draft.check(corpus)[1] else draft.text()


def _explanation(name: str) -> str:
    if name in GROUPS:
        return tr("{name}: stands for {members}", name=name, members=", ".join(GROUPS[name]))
    return f"{name}: {tr(what_is(name))}"


def _fitting(name: str, corpus: Corpus) -> Draft:
    """Returns the metric with tokens that the corpus's first sentences do not lose letters in."""
    from awase.core.text.sentences import detect_language
    from awase.core.text.tokens.ascii import lost_letters
    from awase.core.text.tokens.words import has_unspaced_script

    draft = Draft(name=name)
    text = "\n".join(
        s.text for topic in corpus.topics[:1] for a in topic.abstracts for s in a.sentences
    )
    if defaults_of(name).get("tokens") != "ascii" or not lost_letters(text):
        return draft
    if detect_language(text) == "ja":
        return draft.with_values({"tokens": "ja"})
    return draft.with_values({"tokens": "chars" if has_unspaced_script(text) else "unicode"})
