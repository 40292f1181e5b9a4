"""Buttons with an icon before their text, and rows with a name and where it is."""

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStyleOptionButton,
    QVBoxLayout,
    QWidget,
)

from awase.gui.kit.focus import pressed_by_enter
from awase.gui.kit.texts.binding import follow
from awase.gui.kit.texts.i18n import tr

_GAP: Final = "\N{NO-BREAK SPACE}"


class IconButton(QPushButton):
    """Button with a gap between icon and text, which Qt does not scale with the font."""

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(self.fontMetrics().horizontalAdvance(_GAP), 0)

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        super().initStyleOption(option)
        option.text = _GAP + option.text


class RowButton(QPushButton):
    """A button as wide as its list."""

    def __init__(
        self,
        name: str,
        *,
        detail: str = "",
        is_message: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """Builds the row.

        Args:
            detail: Its path; elided in the middle.
            is_message: Whether `name` is an English message to be translated.
        """
        super().__init__(parent)
        pressed_by_enter(self)
        self._full_name, self._full_detail, self._is_message = name, detail, is_message
        self.setProperty("look", "row")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._icon, self._name, self._detail = QLabel(), QLabel(), QLabel(detail)
        self._detail.setProperty("look", "muted")
        self._detail.setVisible(bool(detail))
        self._detail.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        for label in (self._icon, self._name, self._detail):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        line_px = self.fontMetrics().height()
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(self._name)
        texts.addWidget(self._detail)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(line_px // 2, line_px // 3, line_px // 2, line_px // 3)
        layout.setSpacing(line_px // 2)
        layout.addWidget(self._icon)
        layout.addLayout(texts, 1)
        follow(self, self._write_texts)

    def set_icon(self, picture: QIcon) -> None:
        side = round(self.fontMetrics().height() * 1.3)
        self._icon.setPixmap(picture.pixmap(QSize(side, side), self.devicePixelRatioF()))

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return layout.sizeHint() if layout is not None else super().sizeHint()

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]  # Qt hands a QResizeEvent
        width = self._detail.width()
        elided = self._detail.fontMetrics().elidedText(
            self._full_detail, Qt.TextElideMode.ElideMiddle, width
        )
        self._detail.setText(elided)

    def _write_texts(self) -> None:
        name = tr(self._full_name) if self._is_message else self._full_name
        self._name.setText(name)
        self.setAccessibleName(name)
