"""Which topics and systems are scored, by check boxes."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Body, Button, Columns, Form, Gap, Row
from awase.gui.kit.i18n import listed, mark, ntr, tr
from awase.gui.kit.texts import follow
from awase.jobs.subset import Subset

_ID = Qt.ItemDataRole.UserRole


class CheckList(QWidget):
    """A list of check boxes, with all and none."""

    changed = Signal()

    def __init__(
        self, title: str, items: Sequence[tuple[str, str]], checked: tuple[str, ...] | None
    ) -> None:
        """`checked` None = all."""
        super().__init__()
        self._title = title
        self._heading = QLabel()
        self._heading.setProperty("look", "heading")
        self.list = QListWidget()
        self.list.setProperty("look", "checks")
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
        everything = Button("all", mark("All"), lambda: self.check_all(Qt.CheckState.Checked))
        nothing = Button("none", mark("None"), lambda: self.check_all(Qt.CheckState.Unchecked))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._heading)
        parts = (Body("list", title, self.list), Row(everything, nothing, Gap()))
        layout.addWidget(FormPanel(parts), 1)
        follow(self, self._count)

    def checked(self) -> tuple[str, ...]:
        """Returns the checked ids, in order."""
        items = [self.list.item(row) for row in range(self.list.count())]
        return tuple(i.data(_ID) for i in items if i.checkState() is Qt.CheckState.Checked)

    def chosen(self) -> tuple[str, ...] | None:
        """Returns the checked ids; None = all."""
        checked = self.checked()
        return None if len(checked) == self.list.count() else checked

    def check_all(self, state: Qt.CheckState) -> None:
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
        self._heading.setText(f"{tr(self._title)}  {n} / {total}")


class SubsetDialog(FormDialog):
    """Two lists of check boxes."""

    chosen = Signal(object)  # the `Subset`

    def __init__(
        self,
        topics: Sequence[tuple[str, str]],
        systems: Sequence[str],
        subset: Subset,
        parent: QWidget | None = None,
    ) -> None:
        self.topics = CheckList(mark("Topics"), topics, subset.topics)
        self.systems = CheckList(mark("Systems"), [(s, s) for s in systems], subset.systems)
        # Titles are beside ids.
        lists = ((3, Body("topics", "", self.topics)), (2, Body("systems", "", self.systems)))
        form = Form(
            title=mark("Topics and systems"),
            parts=(Columns([(share, (part,)) for share, part in lists]),),
            accept=mark("OK"),
            leave=mark("Cancel"),
            width=44,
            height=26,
        )
        super().__init__(form, parent)
        for part in (self.topics, self.systems):
            part.changed.connect(self.show_state)
        self.show_state()

    def verdict(self) -> Verdict:
        if self.topics.checked() and self.systems.checked():
            return Verdict()
        return refused(tr("Choose at least one topic and one system."), "warning")

    def submit(self) -> None:
        self.chosen.emit(Subset(topics=self.topics.chosen(), systems=self.systems.chosen()))
        self.accept()


def subset_text(subset: Subset) -> str:
    """Describes the selection; empty = everything."""
    parts = []
    if subset.topics is not None:
        parts.append(ntr("{n} topic", "{n} topics", len(subset.topics)))
    if subset.systems is not None:
        parts.append(ntr("{n} system", "{n} systems", len(subset.systems)))
    return listed(parts)
