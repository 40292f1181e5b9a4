"""Splitter of the panes, empty states and guidelines."""

from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from awase.core.records.edit import Changes
from awase.gui.kit.commands import HandsFocusOn
from awase.gui.kit.i18n import mark, tr
from awase.gui.kit.look.flow import FlowLayout, stacked
from awase.gui.kit.look.markup import MarkdownView
from awase.gui.kit.look.stylesheet import letter_px
from awase.gui.kit.texts import bind, follow
from awase.gui.session.session import CorpusSession

_SHARES: Final = (26, 46, 28)
_FIRST_PX: Final = (260, 460, 280, 260)
_GUIDELINES_PERCENT: Final = 22  # minimal share of the width when shown
# Of what narrow guidelines leave: the alternatives may have what others did below them.
_CENTRE_PERCENT: Final = 45


class PanesSplitter(QSplitter):
    """Three panes and the guidelines, which replace the abstract where four do not fit."""

    def __init__(
        self, abstract: QWidget, centre: QWidget, alternatives: QWidget, guidelines: QWidget
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._abstract, self._guidelines = abstract, guidelines
        self._panes = (abstract, centre, alternatives)
        # Widths without the guidelines; empty once the user moved a handle.
        self._widths_alone: list[int] = []
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        for at, (pane, share) in enumerate(zip(self._panes, _SHARES, strict=True)):
            self.addWidget(pane)
            self.setStretchFactor(at, share)
        self.addWidget(guidelines)
        guidelines.hide()
        self.setSizes(_FIRST_PX)
        self.splitterMoved.connect(lambda *_: self._widths_alone.clear())

    def toggle_guidelines(self) -> None:
        """Shows the guidelines, or hides them and restores the widths."""
        widths = self.sizes()
        self._guidelines.setVisible(self._guidelines.isHidden())
        self._give_place()
        if self._guidelines.isHidden():
            if self._widths_alone:
                self.setSizes(self._widths_alone)
            return
        self._widths_alone = widths
        if self._abstract.isHidden():
            least = self._least_px(self._guidelines)
            centre = (self.width() - least) * _CENTRE_PERCENT // 100
            self.setSizes([least, 0, centre, self.width() - least - centre])
        else:
            self._give_room()

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        if self._guidelines.isHidden():
            return hint
        return QSize(self._least_px(self._guidelines, *self._panes[1:]), hint.height())

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:  # letters or language are other ones
            self._give_place()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_place()

    def _least_px(self, *panes: QWidget) -> int:
        widths = (max(one.minimumWidth(), one.minimumSizeHint().width()) for one in panes)
        return sum(widths) + self.handleWidth() * (len(panes) - 1)

    def _give_place(self) -> None:
        """Puts the guidelines beside the panes, or in place of the first."""
        is_narrow = not self._guidelines.isHidden() and self.width() < self._least_px(
            *self._panes, self._guidelines
        )
        if is_narrow != self._abstract.isHidden():
            self._abstract.setHidden(is_narrow)
            self.insertWidget(0 if is_narrow else len(self._panes), self._guidelines)

    def _give_room(self) -> None:
        """Widens the guidelines to their share, as they were hidden at the first layout."""
        *widths, own = self.sizes()
        room = sum(widths) + own
        own = max(own, room * _GUIDELINES_PERCENT // 100)
        shared = [width * (room - own) // max(1, sum(widths)) for width in widths]
        self.setSizes([*shared, own])


class EmptyNotice(QWidget):
    """A heading and a line below it, in the middle."""

    def __init__(self) -> None:
        super().__init__()
        self._heading, self._hint = QLabel(), QLabel()
        self._heading.setProperty("look", "heading")
        self._hint.setProperty("look", "muted")
        line = self.fontMetrics().height()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line // 2, 0, line // 2, 0)  # the margins are above and below
        layout.setSpacing(line // 2)
        layout.addStretch(2)
        for label in (self._heading, self._hint):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            layout.addWidget(label)
        layout.addStretch(3)
        self.setAutoFillBackground(True)
        # It holds the keyboard for the pane, so that keys go on working.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)

    def show_text(self, heading: str, hint: str) -> None:
        self._heading.setText(heading)
        self._hint.setText(hint)
        self.setAccessibleName(f"{heading}. {hint}" if hint else heading)


class NoticeStack(QStackedWidget):
    """A widget, or a notice instead."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self._widget = widget
        self.notice = EmptyNotice()
        self.addWidget(widget)
        self.addWidget(self.notice)
        self.setFocusProxy(widget)

    def show_notice(self, heading: str, hint: str = "") -> None:
        """Shows the notice, or the widget for an empty heading."""
        if heading:
            self.notice.show_text(heading, hint)
        shown = self.notice if heading else self._widget
        if shown is self.currentWidget():
            return
        hidden = self._widget if heading else self.notice
        had_focus = hidden.hasFocus()
        self.setFocusProxy(shown)
        self.setCurrentWidget(shown)
        if had_focus:
            shown.setFocus()


class GuidelinesPanel(HandsFocusOn, QFrame):
    """Guidelines as stored; another window edits them."""

    editChosen = Signal()
    hideChosen = Signal()

    def __init__(self, session: CorpusSession) -> None:
        super().__init__()
        self._session = session
        self._title = QLabel()
        self._title.setProperty("look", "heading")
        self._edit, self._hide = QPushButton(), QPushButton()
        self.text = MarkdownView()
        self.content = NoticeStack(self.text)
        self.hand_focus_to(self.content)
        line = self.fontMetrics().height()
        head = FlowLayout()
        head.setContentsMargins(line // 2, line // 4, line // 2, line // 4)
        head.setSpacing(line // 3)
        head.addWidget(self._title)
        for button in (self._edit, self._hide):
            button.setAutoDefault(False)
            head.addWidget(button)
        stacked(self, head, self.content, grows=self.content)
        self.text.setMinimumWidth(letter_px(self) * 9)
        self._edit.clicked.connect(self.editChosen)
        self._hide.clicked.connect(self.hideChosen)
        session.changed.connect(self._on_changed)
        bind(self._title, "text", mark("Guidelines"))
        bind(self._edit, "text", mark("Edit…"))
        bind(self._hide, "text", mark("Hide"))
        bind(self._edit, "accessibleName", mark("Edit the guidelines"))
        bind(self._hide, "accessibleName", mark("Hide the guidelines"))
        bind(self.text, "accessibleName", mark("Guidelines"))
        follow(self, self._show_text)

    def _show_text(self) -> None:
        text = self._session.guidelines
        self._edit.setEnabled(not self._session.read_only)
        self.text.show_markdown(text)
        if text.strip():
            self.content.show_notice("")
        else:
            self.content.show_notice(
                tr("This corpus has no guidelines yet"),
                tr("“Edit…” writes down what its annotators are to keep to."),
            )

    def _on_changed(self, changes: Changes) -> None:
        if changes.corpus:
            self._show_text()
