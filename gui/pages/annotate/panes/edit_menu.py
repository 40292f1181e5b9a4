"""What can be edited beside the links, for the mouse: a button, and a menu on each sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from awase.gui.kit.keys.keys import KeyMap
from awase.gui.kit.texts.binding import bind
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.pages.annotate.rows.row_view import RowView


@dataclass(frozen=True, slots=True)
class EditEntry:
    """Something to edit.

    Attributes:
        id: What `editChosen` says.
        title: English message.
    """

    id: str
    title: str


TEXT: Final = EditEntry("edit:text", mark("&Edit the text of the sentence"))
OF_ABSTRACTS: Final = (
    EditEntry("edit:abstract", mark("&Split or join sentences of the abstract…")),
    EditEntry("edit:new-abstract", mark("&Write an abstract…")),
    EditEntry("edit:remove-abstract", mark("&Remove the abstract…")),
)
OF_DOCUMENTS: Final = (
    EditEntry("edit:document", mark("S&plit or join sentences of the document…")),
    EditEntry("edit:new-document", mark("&Add a document…")),
    EditEntry("edit:remove-document", mark("Remove the &document…")),
)


class EditMenu(QMenu):
    """Lists what can be edited, in groups, with the keys that do the same."""

    chosen = Signal(str)

    def __init__(
        self, groups: Sequence[Sequence[EditEntry]], keys: KeyMap, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._keys = keys
        self._entries: list[EditEntry] = []
        for at, group in enumerate(groups):
            if at:
                self.addSeparator()
            for entry in group:
                self._entries.append(entry)
                self.addAction("").triggered.connect(
                    lambda _=False, id=entry.id: self.chosen.emit(id)
                )
        self.aboutToShow.connect(self.retranslate)
        self.retranslate()

    def retranslate(self) -> None:
        """Writes every title in the window's language."""
        actions = [action for action in self.actions() if not action.isSeparator()]
        for entry, action in zip(self._entries, actions, strict=True):
            keys = self._keys.text(f"menu:{entry.id}")
            action.setText(f"{tr(entry.title)}\t{keys}" if keys else tr(entry.title))


class EditButton(QPushButton):
    """Opens the menu of all that can be edited; a click leaves the keyboard where it is."""

    def __init__(self, menu: EditMenu, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMenu(menu)
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._bind_texts()

    def _bind_texts(self) -> None:
        bind(self, "text", mark("Edit"))
        bind(self, "toolTip", mark("Edit sentences, abstracts and documents"))
        bind(self, "accessibleName", mark("Edit sentences, abstracts and documents"))


def offer_on_rows(view: RowView, menu: EditMenu) -> None:
    """Opens `menu` on a row of `view` that is clicked with the right button."""

    def show_at(at: QPoint) -> None:
        index = view.indexAt(at)
        view.setFocus()
        if index.isValid() and index.flags() & Qt.ItemFlag.ItemIsSelectable:
            view.setCurrentIndex(index)
        menu.popup(view.viewport().mapToGlobal(at))

    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    view.customContextMenuRequested.connect(show_at)
