"""All keys of the page on one sheet."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from awase.gui.kit.keys.keys import KeyMap
from awase.gui.kit.texts.i18n import tr
from awase.gui.pages.annotate.commands_table import CANDIDATE_IDS, GROUPS, RANK_IDS, CommandText


class KeySheet(QDialog):
    """Shows what each key does; any of Esc, Enter and ? puts it away."""

    def __init__(self, keys: KeyMap, n_ranks: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._keys = keys
        self._n_ranks = n_ranks
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Keys"))
        layout = QHBoxLayout(self)
        line = self.fontMetrics().height()
        layout.setSpacing(line * 2)
        layout.setContentsMargins(line, line, line, line)
        for title, commands in GROUPS:
            layout.addLayout(self._group(tr(title), commands), 1)

    def keyPressEvent(self, event: QEvent) -> None:
        self.close()

    def _group(self, title: str, commands: Sequence[CommandText]) -> QVBoxLayout:
        heading = QLabel(title)
        font = heading.font()
        font.setWeight(QFont.Weight.DemiBold)
        heading.setFont(font)
        grid = QGridLayout()
        grid.setHorizontalSpacing(self.fontMetrics().height())
        grid.setVerticalSpacing(self.fontMetrics().height() // 2)
        for row, command in enumerate(commands):
            keys = QLabel(self._keys_text(command))
            keys.setFont(font)
            grid.addWidget(keys, row, 0, Qt.AlignmentFlag.AlignTop)
            words = QLabel(tr(command.title))
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

    def _keys_text(self, command: CommandText) -> str:
        if command.ids == CANDIDATE_IDS:
            return f"{self._keys.text(CANDIDATE_IDS[0])} – {self._keys.text(CANDIDATE_IDS[-1])}"
        ids = command.ids[: self._n_ranks] if command.ids == RANK_IDS else command.ids
        if len(ids) == 2:
            pairs = zip(*(self._keys.texts(command_id) for command_id in ids), strict=False)
            return ",  ".join(" ".join(pair) for pair in pairs)
        if len(ids) == 1:
            return ", ".join(self._keys.texts(ids[0]))
        return " ".join(self._keys.text(command_id) for command_id in ids)
