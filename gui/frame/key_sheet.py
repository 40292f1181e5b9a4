"""All keys of a page on one sheet."""

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QEvent, QMargins, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from awase.gui.kit.commands.command import Command, by_group
from awase.gui.kit.forms.dialog import room_for
from awase.gui.kit.keys.keys import KeyMap
from awase.gui.kit.texts.i18n import tr

_MOST_IN_A_ROW = 3
"""Keys of so many commands stand beside each other; of more, the first and the last."""


def in_columns(heights: Sequence[int], most: int) -> list[list[int]]:
    """Returns groups in columns, in their order, so that the highest column is low.

    Args:
        heights: Of the groups.
        most: So many columns, at least one.

    Returns:
        For each column the places of its groups.
    """
    spans = [sum(heights[i:j]) for i in range(len(heights)) for j in range(i + 1, len(heights) + 1)]
    for limit in sorted(spans):
        if limit >= max(heights):
            columns = _filled(heights, limit)
            if len(columns) <= max(1, most):
                return columns
    return []


def _filled(heights: Sequence[int], limit: int) -> list[list[int]]:
    columns: list[list[int]] = []
    used = limit + 1
    for at, height in enumerate(heights):
        if used + height > limit:
            columns.append([])
            used = 0
        columns[-1].append(at)
        used += height
    return columns


class KeySheet(QDialog):
    """Shows what each key does; any key that does not scroll it puts it away."""

    def __init__(self, commands: Iterable[Command], keys: KeyMap, parent: QWidget) -> None:
        super().__init__(parent)
        self._keys = keys
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Keys"))
        groups = [self._group(tr(title), lines) for title, lines in by_group(commands).items()]
        line, room = self.fontMetrics().height(), room_for(self)
        body = QWidget()
        columns = QHBoxLayout(body)
        columns.setSpacing(line * 2)
        columns.setContentsMargins(line, line, line, line)
        widest = max(group.sizeHint().width() for group in groups)
        most = (room.width() - line * 2) // (widest + line * 2)
        for part in in_columns([group.sizeHint().height() for group in groups], most):
            column = QVBoxLayout()
            column.setSpacing(line)
            for at in part:
                column.addWidget(groups[at])
            column.addStretch(1)
            columns.addLayout(column, 1)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        scroll.setAccessibleName(tr("Keys"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll)
        self.resize(body.sizeHint().grownBy(QMargins(0, 0, line, 0)).boundedTo(room))

    def keyPressEvent(self, event: QEvent) -> None:
        self.close()  # what scrolls the sheet does not come here

    def _group(self, title: str, lines: Mapping[str, Sequence[Command]]) -> QWidget:
        heading = QLabel(title)
        font = heading.font()
        font.setWeight(QFont.Weight.Bold)
        heading.setFont(font)
        grid = QGridLayout()
        grid.setHorizontalSpacing(self.fontMetrics().height())
        grid.setVerticalSpacing(self.fontMetrics().height() // 2)
        for row, commands in enumerate(lines.values()):
            keys = QLabel(self._keys_text(commands))
            keys.setFont(font)
            grid.addWidget(keys, row, 0, Qt.AlignmentFlag.AlignTop)
            words = QLabel(commands[0].line)
            words.setWordWrap(True)
            words.setMinimumWidth(self.fontMetrics().averageCharWidth() * 22)
            grid.addWidget(words, row, 1)
        grid.setColumnStretch(1, 1)
        group = QWidget()
        column = QVBoxLayout(group)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self.fontMetrics().height())
        column.addWidget(heading)
        column.addLayout(grid)
        return group

    def _keys_text(self, commands: Sequence[Command]) -> str:
        texts = [self._keys.texts(command.id) for command in commands]
        if len(texts) == 1:
            return ", ".join(texts[0])
        if len(texts) == 2:
            return ",  ".join(" ".join(pair) for pair in zip(*texts, strict=False))
        firsts = [keys[0] for keys in texts if keys]
        if len(firsts) > _MOST_IN_A_ROW and commands[0].number:
            return f"{firsts[0]} – {firsts[-1]}"
        return " ".join(firsts)
