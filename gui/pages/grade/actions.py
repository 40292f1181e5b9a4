"""What can be done to the extract under way: the row of buttons."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QSpinBox, QWidget

from awase.gui.kit.texts.i18n import tr
from awase.gui.kit.texts.retranslation import Retranslated


class Actions(Retranslated, QWidget):
    """Buttons for the best next sentence, the best extract, and where extracts come from."""

    nextChosen = Signal()
    bestChosen = Signal(int)
    """How many sentences are allowed."""
    clearChosen = Signal()
    systemChosen = Signal(str)
    """Take this system's extract over."""
    pasteChosen = Signal()
    openChosen = Signal()
    saveChosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.next, self.best, self.clear = QPushButton(), QPushButton(), QPushButton()
        self.paste, self.open, self.save = QPushButton(), QPushButton(), QPushButton()
        self.most = QSpinBox()
        self.most.setRange(1, 999)
        self.systems = QComboBox()
        self.systems.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._lay_out()
        self._connect()
        self._retranslate()

    @property
    def is_weighted(self) -> bool:
        """Whether Weighted coverage decides what is best."""
        return bool(self.goal.currentData())

    def offer(self, systems: list[str], h: int | None) -> None:
        """Offers these systems, and h as the size of the best extract."""
        with QSignalBlocker(self.systems):
            self.systems.clear()
            self.systems.addItem("")
            self.systems.addItems(systems)
        self.systems.setEnabled(bool(systems))
        if h:
            self.most.setValue(h)
        for button in (self.next, self.best):
            button.setEnabled(h is not None)
        self._retranslate()

    def _lay_out(self) -> None:
        self.goal = QComboBox()
        self.goal.addItem("", False)
        self.goal.addItem("", True)
        line_px = self.fontMetrics().height()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(line_px, line_px // 3, line_px, line_px // 3)
        layout.setSpacing(line_px // 2)
        for widget in (self.goal, self.next, self.best, self.most):
            layout.addWidget(widget)
        layout.addStretch(1)
        for widget in (self.systems, self.paste, self.open, self.clear, self.save):
            layout.addWidget(widget)

    def _connect(self) -> None:
        self.next.clicked.connect(self.nextChosen)
        self.best.clicked.connect(lambda: self.bestChosen.emit(self.most.value()))
        self.clear.clicked.connect(self.clearChosen)
        self.paste.clicked.connect(self.pasteChosen)
        self.open.clicked.connect(self.openChosen)
        self.save.clicked.connect(self.saveChosen)
        self.systems.activated.connect(self._on_system_activated)

    def _on_system_activated(self, at: int) -> None:
        if at > 0:
            self.systemChosen.emit(self.systems.itemText(at))

    def _retranslate(self) -> None:
        self.goal.setItemText(0, tr("Coverage"))
        self.goal.setItemText(1, tr("Weighted coverage"))
        self.goal.setAccessibleName(tr("What “best” means"))
        self.goal.setToolTip(tr("What “best” means"))
        self.next.setText(tr("Best next"))
        self.next.setToolTip(tr("Add the sentence that adds most (N)"))
        self.best.setText(tr("Best extract of"))
        self.best.setToolTip(
            tr("Replace the extract by one of at most so many sentences that covers most, proved.")
        )
        self.most.setAccessibleName(tr("Sentences allowed"))
        self.clear.setText(tr("Clear"))
        self.paste.setText(tr("Paste"))
        self.paste.setToolTip(tr("Take the sentences that the clipboard names (Ctrl+V)"))
        self.open.setText(tr("Open…"))
        self.open.setToolTip(tr("Take the sentences that a text file names"))
        self.save.setText(tr("Save as a system…"))
        self.systems.setItemText(0, tr("Take over a system's extract"))
        self.systems.setAccessibleName(tr("Take over a system's extract"))
