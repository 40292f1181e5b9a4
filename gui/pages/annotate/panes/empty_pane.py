"""What stands in a pane that has nothing to show: what is missing, and what to do."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget


class EmptyNotice(QWidget):
    """A heading and a line below it, in the middle."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._heading, self._hint = QLabel(), QLabel()
        self._heading.setProperty("look", "heading")
        self._hint.setProperty("look", "muted")
        line = self.fontMetrics().height()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line // 2, 0, line // 2, 0)  # what is free stands above and below
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
        """Shows what is missing and what to do about it."""
        self._heading.setText(heading)
        self._hint.setText(hint)
        self.setAccessibleName(f"{heading}. {hint}" if hint else heading)


class NoticeStack(QStackedWidget):
    """A widget, or a notice in its place."""

    def __init__(self, widget: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._widget = widget
        self.notice = EmptyNotice()
        self.addWidget(widget)
        self.addWidget(self.notice)
        self.setFocusProxy(widget)

    def show_notice(self, heading: str, hint: str = "") -> None:
        """Shows the notice; an empty heading shows the widget."""
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
