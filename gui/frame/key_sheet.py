"""All keys of a page on one sheet."""

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QEvent, QSize, Qt
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
from awase.gui.kit.texts.i18n import listed, tr

# Keys of so many commands stand beside each other; of more, the first and the last.
_MOST_IN_A_ROW = 3
_FEWEST_CHARACTERS = 28  # what is said of a key is broken into lines of no less


def in_columns(heights: Sequence[int], most: int) -> list[list[int]]:
    """Distributes groups over at most `most` columns in order, minimising the highest."""
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


def _columns(groups: "Sequence[_Group]", across: int, gap: int) -> list[list[int]]:
    """Returns groups in as many columns as fit, wrapping words."""
    heights = [group.sizeHint().height() for group in groups]
    for most in range(len(groups), 0, -1):
        parts = in_columns(heights, most)
        for part in parts:
            across_keys = max(groups[at].across_keys for at in part)
            for at in part:
                groups[at].begin_words_at(across_keys)
        least = sum(max(groups[at].minimumSizeHint().width() for at in part) for part in parts)
        if least + gap * len(parts) <= across:
            break
    return parts


class KeySheet(QDialog):
    """Sheet of keys; any key but for scrolling closes it."""

    def __init__(self, commands: Iterable[Command], keys: KeyMap, parent: QWidget) -> None:
        super().__init__(parent)
        self._keys = keys
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Keys"))
        groups = [_Group(self, tr(title), lines) for title, lines in by_group(commands).items()]
        line, room = self.fontMetrics().height(), room_for(self)
        self.body = QWidget()
        columns = QHBoxLayout(self.body)
        columns.setSpacing(line * 2)
        columns.setContentsMargins(line, line, line, line)
        across = room.width() - line  # without the scroll bar
        parts = _columns(groups, across, line * 2)
        widths = [max(groups[at].width_in_full for at in part) for part in parts]
        for part, width in zip(parts, widths, strict=True):
            column = QVBoxLayout()
            column.setSpacing(line)
            for at in part:
                column.addWidget(groups[at])
            column.addStretch(1)
            columns.addLayout(column, width)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(self.body)
        scroll.setAccessibleName(tr("Keys"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll)
        width = min(sum(widths) + line * 2 * len(parts), across)
        height = columns.totalHeightForWidth(width)
        self.resize(QSize(width + line, height).boundedTo(room))

    def keyPressEvent(self, event: QEvent) -> None:
        self.close()  # what scrolls the sheet does not come here

    def keys_text(self, commands: Sequence[Command]) -> str:
        """Returns the keys of commands on one line."""
        texts = [self._keys.texts(command.id) for command in commands]
        if len(texts) == 1:
            return listed(texts[0])
        if len(texts) == 2:
            return listed(" ".join(pair) for pair in zip(*texts, strict=False))
        firsts = [keys[0] for keys in texts if keys]
        if len(firsts) > _MOST_IN_A_ROW and commands[0].number:
            return f"{firsts[0]} – {firsts[-1]}"
        return " ".join(firsts)


class _Group(QWidget):
    """Keys under one heading."""

    def __init__(self, sheet: KeySheet, title: str, lines: Mapping[str, Sequence[Command]]) -> None:
        super().__init__(sheet)
        metrics = sheet.fontMetrics()
        heading = QLabel(title)
        font = heading.font()
        font.setWeight(QFont.Weight.Bold)
        heading.setFont(font)
        self._grid = grid = QGridLayout()
        grid.setHorizontalSpacing(metrics.height())
        grid.setVerticalSpacing(metrics.height() // 2)
        in_full = self.across_keys = 0
        for row, commands in enumerate(lines.values()):
            keys = QLabel(sheet.keys_text(commands))
            keys.setFont(font)
            self.across_keys = max(self.across_keys, keys.sizeHint().width())
            grid.addWidget(keys, row, 0, Qt.AlignmentFlag.AlignTop)
            words = QLabel(commands[0].line)
            in_full = max(in_full, words.sizeHint().width())
            words.setWordWrap(True)
            grid.addWidget(words, row, 1)
        grid.setColumnMinimumWidth(1, min(in_full, metrics.averageCharWidth() * _FEWEST_CHARACTERS))
        grid.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.height())
        column.addWidget(heading)
        column.addLayout(grid)
        self._in_full, self._heading = in_full, heading

    def begin_words_at(self, across_keys: int) -> None:
        """Aligns descriptions with those of the groups above."""
        self._grid.setColumnMinimumWidth(0, across_keys)

    @property
    def width_in_full(self) -> int:
        """Width without line breaks."""
        keys = self._grid.columnMinimumWidth(0) + self._grid.horizontalSpacing()
        return max(keys + self._in_full, self._heading.sizeHint().width())
