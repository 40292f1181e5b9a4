"""Who is at work, on a button whose menu hands over to somebody else."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from awase.gui.kit.fitting.buttons import ElidedButton
from awase.gui.kit.texts.binding import follow
from awase.gui.kit.texts.i18n import tr


class AnnotatorButton(ElidedButton):
    """Lists the annotators of the corpus, and asks for another name."""

    chosen = Signal(str)
    otherChosen = Signal()
    """A name is wanted that is not in the list."""

    def __init__(self, people: Callable[[], Sequence[str]], parent: QWidget | None = None) -> None:
        """Takes what tells the annotators known at the moment."""
        super().__init__(parent)
        self._people = people
        self._who = ""
        self.setProperty("look", "row")
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        follow(self, self._write_texts)

    def set_who(self, who: str) -> None:
        """Shows who is at work."""
        self._who = who
        self._write_texts()

    def _fill(self) -> None:
        self._menu.clear()
        for name in dict.fromkeys((self._who, *self._people())):
            action = self._menu.addAction(name.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(name == self._who)
            action.triggered.connect(lambda _=False, name=name: self.chosen.emit(name))
        self._menu.addSeparator()
        self._menu.addAction(tr("Another name…")).triggered.connect(self.otherChosen)

    def _write_texts(self) -> None:
        self.setText(tr("annotator {who}", who=self._who.replace("&", "&&")))
        self.set_short(self._who.replace("&", "&&"))
        self.setToolTip(tr("Whose alignment you make; choose somebody else here"))
        self.setAccessibleName(tr("annotator {who}", who=self._who))
