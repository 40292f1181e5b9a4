"""Buttons of commands, and menu of edits beside links."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QMimeData, QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QMenu, QPushButton, QTreeView, QWidget

from awase.core.annotation import content
from awase.core.text.script import on_one_line
from awase.gui.kit.commands import ENTER, Command
from awase.gui.kit.i18n import aside, follow, listed, mark, tr
from awase.gui.kit.keys import KeyMap
from awase.gui.kit.look.fitting import TextEditor
from awase.gui.kit.look.flow import called, written
from awase.gui.pages.annotate.annotation_state import AnnotationState
from awase.gui.pages.annotate.commands import BY_ID, EDIT_TEXT
from awase.gui.pages.annotate.rows.row_view import RowView
from awase.gui.pages.annotate.sources_pane import SourcesPane


class InlineEditor(TextEditor):
    """Editor over a row; Enter or leaving stores, Esc cancels."""

    def __init__(
        self, view: QTreeView, index: QModelIndex, text: str, store: Callable[[str], bool]
    ) -> None:
        """Edits `text` over the row of `index`; `store` returns whether it was stored."""
        super().__init__(text, view.viewport())
        self._view = view
        self._store = store
        self._is_done = False
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName(tr("Text of the sentence"))
        self.setToolTip(tr("Enter saves the text, Esc discards the change."))
        view.scrollTo(index)
        self._cover(view.visualRect(index))
        view.verticalScrollBar().valueChanged.connect(self._finish)
        self.moveCursor(QTextCursor.MoveOperation.End)
        self.show()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self._finish()
        elif event.key() == Qt.Key.Key_Escape:
            self._close()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (
            Qt.FocusReason.PopupFocusReason,
            Qt.FocusReason.ActiveWindowFocusReason,
        ):
            self._finish()

    def insertFromMimeData(self, source: QMimeData) -> None:
        self.insertPlainText(on_one_line(source.text()))

    def _cover(self, row: QRect) -> None:
        lines = self.fontMetrics().height() * 3
        height = max(row.height(), lines)
        top = min(row.top(), self._view.viewport().height() - height)
        self.setGeometry(QRect(row.left(), max(0, top), row.width(), height))

    def _finish(self) -> None:
        if self._is_done:
            return
        self._is_done = True  # `store` may move the focus and re-enter
        text = on_one_line(self.toPlainText())
        if not text or self._store(text):
            self._close()
            return
        self._is_done = False
        self.setFocus()

    def _close(self) -> None:
        self._is_done = True
        self.hide()
        self._view.setFocus()
        self.deleteLater()


_SIGNS = {"Return": "↵"}


@dataclass(frozen=True, slots=True)
class Controls:
    """The page's commands, and the keys that run them."""

    commands: Mapping[str, Callable[[], object]]
    keys: KeyMap

    def button(self, command: str, short: str) -> "CommandButton":
        """Returns a button for `command` with the English text `short` on it."""
        return CommandButton(command, short, self)


class CommandButton(QPushButton):
    """Button with a short title and its key; the tooltip has the full title."""

    def __init__(self, command: str, short: str, controls: Controls) -> None:
        super().__init__()
        self._command = command
        self._short = short
        self._keys = controls.keys
        # Enter always confirms, so no button may be the default.
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(lambda _=False: controls.commands[command]())
        follow(self, self._write_texts)

    def _write_texts(self) -> None:
        keys = self._keys.texts(self._command)
        title, short = BY_ID[self._command].line, tr(self._short)
        sign = _SIGNS.get(keys[0], keys[0]) if keys else ""
        # A rank's name mostly is its key.
        self.setText(f"{short}  {sign}" if sign not in ("", short) else short)
        self.setToolTip(aside(title, listed(keys)) if keys else title)
        self.setAccessibleName(f"{title} {short}" if short not in title else title)


class EditMenu(QMenu):
    """Menu of the edit of a sentence's text and of groups of edits, with their keys."""

    chosen = Signal(str)

    def __init__(self, groups: Sequence[Sequence[Command]], keys: KeyMap, parent: QWidget) -> None:
        super().__init__(parent)
        self._keys = keys
        self._actions: list[tuple[Command, QAction]] = []
        for at, group in enumerate(((EDIT_TEXT,), *groups)):
            if at:
                self.addSeparator()
            for command in group:
                edit, action = command.id.removeprefix("menu:"), self.addAction("")
                action.triggered.connect(lambda _=False, edit=edit: self.chosen.emit(edit))
                self._actions.append((command, action))
        self.aboutToShow.connect(self._write_titles)
        self._write_titles()

    def _write_titles(self) -> None:
        for command, action in self._actions:
            keys = self._keys.text(command.id)
            action.setText(f"{tr(command.title)}\t{keys}" if keys else tr(command.title))

    def offer_on(self, view: RowView) -> None:
        """Opens on a row of `view` that is clicked with the right button."""

        def show_at(at: QPoint) -> None:
            index = view.indexAt(at)
            view.setFocus()
            if index.isValid() and index.flags() & Qt.ItemFlag.ItemIsSelectable:
                view.setCurrentIndex(index)
            self.popup(view.viewport().mapToGlobal(at))

        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(show_at)


class EditButton(QPushButton):
    """Opens the menu of edits; a click keeps the focus."""

    def __init__(self, menu: EditMenu) -> None:
        super().__init__()
        self.setMenu(menu)
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        tip = mark("Edit sentences, abstracts and documents")
        called(written(self, mark("Edit"), tip), tip)


def edit_in_place(
    annotation: AnnotationState, abstract_view: RowView, centre: SourcesPane, *, is_abstract: bool
) -> None:
    """Opens an editor over the current row, stored as one edit."""
    view = abstract_view if is_abstract and annotation.n else centre.view
    if annotation.session.read_only:
        annotation.said.emit(tr("This corpus is open for reading only."))
    elif not (view.currentIndex().isValid() and view.isVisibleTo(view.window())):
        annotation.said.emit(tr("Choose a sentence first."))
    elif view is abstract_view:
        _edit_abstract_sentence(annotation, abstract_view)
    else:
        _edit_source_sentence(annotation, centre)


def _edit_abstract_sentence(annotation: AnnotationState, view: RowView) -> None:
    topic, abstract, n = annotation.place.topic, annotation.place.abstract, annotation.n
    if topic is None or abstract is None:
        return

    def store(text: str) -> bool:
        edit = content.abstract_text_edit(topic.id, abstract, n, text)
        return annotation.session.perform(edit)

    InlineEditor(view, view.currentIndex(), annotation.place.text(n), store)


def _edit_source_sentence(annotation: AnnotationState, centre: SourcesPane) -> None:
    topic, ref = annotation.place.topic, centre.current_ref()
    if topic is None or ref is None:
        return

    def store(new: str) -> bool:
        return annotation.session.perform(content.source_text_edit(topic, ref, new))

    text = centre.sources.text(ref)
    InlineEditor(centre.view, centre.view.currentIndex(), text, store)
