"""All keys of a page on one sheet."""

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from awase.gui.kit.commands.command import Command, by_group
from awase.gui.kit.keys.keys import KeyMap
from awase.gui.kit.texts.i18n import tr

_MOST_IN_A_ROW = 3
"""Keys of so many commands stand beside each other; of more, the first and the last."""


class KeySheet(QDialog):
    """Shows what each key does; any of Esc, Enter and ? puts it away."""

    def __init__(self, commands: Iterable[Command], keys: KeyMap, parent: QWidget) -> None:
        super().__init__(parent)
        self._keys = keys
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Keys"))
        layout = QHBoxLayout(self)
        line = self.fontMetrics().height()
        layout.setSpacing(line * 2)
        layout.setContentsMargins(line, line, line, line)
        for title, lines in by_group(commands).items():
            layout.addLayout(self._group(tr(title), lines), 1)

    def keyPressEvent(self, event: QEvent) -> None:
        self.close()

    def _group(self, title: str, lines: Mapping[str, Sequence[Command]]) -> QVBoxLayout:
        heading = QLabel(title)
        font = heading.font()
        font.setWeight(QFont.Weight.DemiBold)
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
        column = QVBoxLayout()
        column.setSpacing(self.fontMetrics().height())
        column.addWidget(heading)
        column.addLayout(grid)
        column.addStretch(1)
        return column

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
