"""“Why this number?”: exact value and inputs of a displayed number.

Tables answer from their titles and tooltips. Other widgets declare their number with `declare`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QTableView, QWidget

from awase.gui.kit.commands import Command, pressed_by_enter
from awase.gui.kit.i18n import announce, bind, follow, following, labelled, mark, tr
from awase.gui.kit.look.flow import push_button

Index = QModelIndex | QPersistentModelIndex  # of a model, as Qt hands it over
NO_PARENT: Final = QModelIndex()


class GridRole(IntEnum):
    """Roles besides Qt's."""

    SORT = Qt.ItemDataRole.UserRole
    # How dark the cell is drawn, 0 to 1; None = as the rest of the row.
    SHADE = Qt.ItemDataRole.UserRole + 1
    ROW = Qt.ItemDataRole.UserRole + 2  # source row
    PLAIN = Qt.ItemDataRole.UserRole + 3  # the text as programs read it: a hyphen is a minus
    # Whether the cell has a number, or lacks one.
    IS_NUMBER = Qt.ItemDataRole.UserRole + 4
    OWN = Qt.ItemDataRole.UserRole + 8  # the first free role for derived models


_DIRECT: Final = Qt.FindChildOption.FindDirectChildrenOnly
_REFRESH_MS: Final = 250
_MOST_OF_NAME: Final = 80  # characters of each text that identifies a row


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Explanation of a number."""

    name: str  # name and subject, translated
    # Its exact value, how it comes about, what it rests on; empty ones are left out.
    lines: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All of it, a line each, none twice."""
        lines = "\n".join((self.name, *self.lines)).splitlines()
        return "\n".join(dict.fromkeys(filter(None, lines)))


class _Declared(QObject):
    def __init__(self, widget: QWidget, explain: Callable[[], Why | None]) -> None:
        super().__init__(widget)
        self.explain = explain


def declare(widget: QWidget, explain: Callable[[], Why | None]) -> None:
    """Declares a widget's number; `explain` returns None when it shows none."""
    _Declared(widget, explain)


def declare_text(label: QLabel, *lines: Callable[[], str]) -> None:
    """Declares the number in a label's text, explained by these lines; empty = it shows none."""

    def explain() -> Why | None:
        text = label.text()
        return Why(name=text, lines=tuple(line() for line in lines)) if text else None

    declare(label, explain)


def whys_on(page: QWidget, focus: QWidget | None) -> list[Why]:
    """Returns explanations of the numbers on a page, the focused one first."""
    found: list[Why | None] = []
    widget = focus if focus is not None and page.isAncestorOf(focus) else None
    of_widget = widget.findChildren(_Declared, options=_DIRECT) if widget is not None else []
    own = next(iter(of_widget), None)
    if own is not None:
        found.append(own.explain())
    elif isinstance(widget, QTableView):
        found.append(why_of_cell(widget))
    for one in page.findChildren(_Declared):
        shown = one.parent()
        if one is not own and isinstance(shown, QLabel) and shown.isVisibleTo(page):
            found.append(one.explain())
    return list(dict.fromkeys(one for one in found if one is not None))


def why_of_cell(view: QTableView) -> Why | None:
    """Returns a table's explanation of its current cell, or None."""
    index = view.currentIndex()
    text = index.data()
    if not index.isValid() or not text:
        return None
    tip, role = index.data(Qt.ItemDataRole.ToolTipRole), Qt.ItemDataRole.ToolTipRole
    titles = Qt.Orientation.Horizontal
    model = index.model()
    title = str(model.headerData(index.column(), titles) or "").replace("\n", " ")
    has_row_title = not view.verticalHeader().isHidden()
    row_title = model.headerData(index.row(), Qt.Orientation.Vertical) if has_row_title else ""
    names = _names_of_row(view, index)
    meaning = str(model.headerData(index.column(), titles, role) or "")
    of_row = str(names[0].data(role) or "") if names else ""
    leads_to = getattr(view, "leads_to", lambda _: "")  # of a `GridView`, which is slow to import
    parts = (
        str(row_title or ""),
        *(following(_shortened(str(one.data()))) for one in names),
        title,
    )
    return Why(
        name=labelled(" · ".join(dict.fromkeys(filter(None, parts))), following(str(text))),
        lines=(
            str(tip) if tip != text else "",
            meaning if meaning.replace("\n", " ") != title else "",
            of_row if names and of_row != str(names[0].data()) else "",
            leads_to(index),
        ),
    )


def _names_of_row(view: QTableView, index: QModelIndex) -> list[QModelIndex]:
    columns = range(view.horizontalHeader().count())
    cells = [index.siblingAtColumn(at) for at in columns if not view.isColumnHidden(at)]
    told = [one for one in cells if one != index and one.data()]
    texts = [one for one in told if not one.data(GridRole.IS_NUMBER)]
    return texts or [one for one in cells[:1] if one in told]


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_OF_NAME else text[: _MOST_OF_NAME - 1].rstrip() + "…"


class WhyPanel(QFrame):
    """Panel below the page that follows the focus from number to number."""

    def __init__(self, page: Callable[[], QWidget]) -> None:
        super().__init__()
        self._page = page
        self._focus: QWidget | None = None
        self.setProperty("look", "strip")
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidget(self.text)
        for part in (self.text, self._scroll.viewport()):
            part.setAutoFillBackground(False)  # the strip's own face
        self.close_button = pressed_by_enter(push_button(mark("Close"), self.toggle))
        line_px = self.fontMetrics().height()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(line_px, line_px // 3, line_px, line_px // 3)
        layout.addWidget(self._scroll, 1)
        layout.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        bind(self._scroll, "accessibleName", mark("Why this number?"))
        self._timer = QTimer(self)
        self._timer.setInterval(_REFRESH_MS)
        self._timer.timeout.connect(self.refresh)
        follow(self, self.refresh)
        self.hide()

    def toggle(self) -> None:
        self.setVisible(self.isHidden())
        if self.isHidden():
            self._timer.stop()
            return
        self._timer.start()
        self.refresh()

    def refresh(self) -> None:
        if self.isHidden():
            return
        page, focus = self._page(), self.window().focusWidget()
        if focus is not None and page.isAncestorOf(focus):
            self._focus = focus
        elif self._focus is not None and not page.isAncestorOf(self._focus):
            self._focus = None
        found = whys_on(page, self._focus)
        text = "\n\n".join(one.text for one in found)
        text = text or tr("There is no number here: go to one with Tab and the arrow keys.")
        if text != self.text.text():
            self.text.setText(text)
            self.text.setAccessibleName(text)
            self._make_room()
            announce(self, text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Limits the panel to a quarter of the window."""
        wanted = self.text.heightForWidth(self._scroll.viewport().width())
        most = self.window().height() // 4
        self._scroll.setFixedHeight(max(self.close_button.sizeHint().height(), min(wanted, most)))


def why_command(page_id: str) -> Command:
    """Returns the page's command for `W`; `Shift+F1` is global."""
    return Command(id=f"{page_id}:why", title=mark("Why this number?"), keys=("W",), run=_ask)


def _ask(page: QWidget) -> bool:
    panel = page.window().findChild(WhyPanel)
    if not isinstance(panel, WhyPanel):
        return False
    panel.toggle()
    return True
