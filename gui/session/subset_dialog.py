"""Which topics and systems are scored, by check boxes."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from awase.gui.kit.texts.i18n import ntr, tr
from awase.jobs.subset import Subset

_ID = Qt.ItemDataRole.UserRole


class CheckList(QWidget):
    """A list of check boxes, with all and none."""

    changed = Signal()

    def __init__(
        self,
        title: str,
        items: Sequence[tuple[str, str]],
        checked: tuple[str, ...] | None,
        parent: QWidget | None = None,
    ) -> None:
        """Builds the list.

        Args:
            title: What it is a list of, in the window's language.
            items: (id, text).
            checked: Ids; None = all.
            parent: The widget that it belongs to.
        """
        super().__init__(parent)
        self._title = title
        self._heading = QLabel()
        self._heading.setProperty("look", "heading")
        self.list = QListWidget()
        self.list.setAccessibleName(title)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for item_id, text in items:
            item = QListWidgetItem(text)
            item.setData(_ID, item_id)
            item.setToolTip(text)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            is_checked = checked is None or item_id in checked
            item.setCheckState(Qt.CheckState.Checked if is_checked else Qt.CheckState.Unchecked)
            self.list.addItem(item)
        self.list.itemChanged.connect(self._on_item_changed)
        everything, nothing = QPushButton(tr("All")), QPushButton(tr("None"))
        everything.clicked.connect(lambda: self.check_all(Qt.CheckState.Checked))
        nothing.clicked.connect(lambda: self.check_all(Qt.CheckState.Unchecked))
        buttons = QHBoxLayout()
        for button in (everything, nothing):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._heading)
        layout.addWidget(self.list, 1)
        layout.addLayout(buttons)
        self._count()

    def checked(self) -> tuple[str, ...]:
        """Returns the ids of what is checked, in order."""
        items = [self.list.item(row) for row in range(self.list.count())]
        return tuple(i.data(_ID) for i in items if i.checkState() is Qt.CheckState.Checked)

    def chosen(self) -> tuple[str, ...] | None:
        """Returns the ids of what is checked; None = everything."""
        checked = self.checked()
        return None if len(checked) == self.list.count() else checked

    def check_all(self, state: Qt.CheckState) -> None:
        """Checks or unchecks everything."""
        self.list.blockSignals(True)
        for row in range(self.list.count()):
            self.list.item(row).setCheckState(state)
        self.list.blockSignals(False)
        self._on_item_changed()

    def _on_item_changed(self, *_: object) -> None:
        self._count()
        self.changed.emit()

    def _count(self) -> None:
        n, total = len(self.checked()), self.list.count()
        self._heading.setText(f"{self._title}  {n} / {total}")


class SubsetDialog(QDialog):
    """Two lists of check boxes."""

    chosen = Signal(object)
    """The `Subset`."""

    def __init__(
        self,
        topics: Sequence[tuple[str, str]],
        systems: Sequence[str],
        subset: Subset,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Topics and systems"))
        self.topics = CheckList(tr("Topics"), topics, subset.topics)
        self.systems = CheckList(tr("Systems"), [(s, s) for s in systems], subset.systems)
        self._hint = QLabel()
        self._hint.setProperty("look", "warning")
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self._buttons.accepted.connect(self._on_accepted)
        self._buttons.rejected.connect(self.reject)
        line_px = self.fontMetrics().height()
        lists = QHBoxLayout()
        lists.setSpacing(line_px)
        for part in (self.topics, self.systems):
            lists.addWidget(part, 1)
            part.changed.connect(self._check)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.addLayout(lists, 1)
        layout.addWidget(self._hint)
        layout.addWidget(self._buttons)
        self.resize(line_px * 38, line_px * 26)
        self._check()

    def _check(self) -> None:
        is_empty = not (self.topics.checked() and self.systems.checked())
        self._hint.setText(tr("Choose at least one topic and one system.") if is_empty else "")
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not is_empty)

    def _on_accepted(self) -> None:
        self.chosen.emit(Subset(topics=self.topics.chosen(), systems=self.systems.chosen()))
        self.accept()


def subset_text(subset: Subset) -> str:
    """Returns what is chosen, in words; empty = everything."""
    parts = []
    if subset.topics is not None:
        parts.append(ntr("{n} topic", "{n} topics", len(subset.topics)))
    if subset.systems is not None:
        parts.append(ntr("{n} system", "{n} systems", len(subset.systems)))
    return ", ".join(parts)
