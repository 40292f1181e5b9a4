"""The topics of an open corpus: a list, searched, filtered and sorted, and the button of it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, Self

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from awase.core.records.corpus import Assignment
from awase.core.reports.grid import UNDEFINED
from awase.core.team.progress import (
    TopicFilter,
    TopicFinder,
    TopicLine,
    TopicOrder,
    TopicState,
    line_of,
    work_of,
)
from awase.gui.kit.commands import SearchKeys
from awase.gui.kit.forms.controls import fill
from awase.gui.kit.forms.parts import ChoiceField
from awase.gui.kit.grid.tables import FlatTable, TableModel
from awase.gui.kit.i18n import LiveLabel, bind, follow, is_right_to_left, isolated, mark, ntr, tr
from awase.gui.kit.look.fitting import ElidedComboBox
from awase.gui.kit.look.flow import called, spaced, styled
from awase.gui.kit.look.stylesheet import letter_px
from awase.gui.kit.number_explanation import NO_PARENT, Index
from awase.gui.session.session import CorpusSession

_SHORT = 4


class TopicLines(QObject):
    """Caches counts as long as topics, assignments and annotator stay the same."""

    def __init__(self, session: CorpusSession) -> None:
        super().__init__(session)
        self._session = session
        self._who, self._sight = "", session.sight
        self._assignments: tuple[Assignment, ...] = ()
        self._work = work_of((), "")
        self._finder: TopicFinder | None = None
        self._state = (0, 0)

    @classmethod
    def of(cls, session: CorpusSession) -> Self:
        """Returns the session's instance, shared by its lists."""
        known = session.findChild(cls, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return cls(session) if known is None else known

    def finder(self) -> TopicFinder:
        self._look_who()
        session = self._session
        n_read, n_edited = self._state
        if self._finder is None or n_read != session.n_times_read:
            self._finder = TopicFinder(session.topics(), self._who, self._work, session.seen)
        else:
            edited = dict.fromkeys(session.edited_topics[n_edited:])
            self._finder.renew(one for id_ in edited if (one := session.topic(id_)) is not None)
        self._state = session.n_times_read, len(session.edited_topics)
        return self._finder

    def line_of(self, topic_id: str) -> TopicLine | None:
        """Returns the line of a topic; None when there is no such topic."""
        self._look_who()
        topic = self._session.topic(topic_id)
        return None if topic is None else line_of(self._session.seen(topic), self._who, self._work)

    @property
    def has_work(self) -> bool:
        """Whether the annotator at work has assignments."""
        self._look_who()
        return bool(self._work)

    def _look_who(self) -> None:
        session, sight = self._session, self._session.sight
        is_same = session.who == self._who and sight is self._sight
        if not is_same or session.frame.assignments is not self._assignments:
            self._who, self._sight = session.who, sight
            self._assignments = session.frame.assignments
            self._work = work_of(self._assignments, self._who)
            self._finder = None


def initials_of(who: str) -> str:
    """Returns a short word for a person: the id where it is short, else the initials."""
    if len(who) <= _SHORT:
        return who
    words = who.replace("_", " ").replace(".", " ").split()
    return "".join(word[0] for word in words)[:_SHORT] if len(words) > 1 else who[:_SHORT]


def people_by_topic(session: CorpusSession) -> dict[str, str]:
    """Returns other clients' names by topic id."""
    found: dict[str, dict[str, None]] = {}
    for one in session.others:
        if one.topic:
            found.setdefault(one.topic, {})[initials_of(one.who)] = None
    return {topic: " ".join(people) for topic, people in found.items()}


def name_of(line: TopicLine) -> str:
    title = isolated(line.title) if is_right_to_left(line.title) else line.title
    return f"{line.id}  {title}" if line.title else line.id


def short_text(line: TopicLine) -> str:
    """Returns the topic with the progress of the annotator at work first."""
    progress = filter(None, (_settled_text(line), _others_text(line)))
    return f"{name_of(line)}   {' · '.join(progress)}" if line.n_sentences else name_of(line)


def tip_of(line: TopicLine, who: str) -> str:
    """Returns the topic, and a line for each annotator."""
    total = line.n_sentences
    lines = [
        tr("{who}: {settled} of {total} settled", who=one, settled=settled, total=total)
        for one, settled in ((who, line.n_settled), *line.others)
    ]
    return "\n".join([name_of(line), *(lines if total else ())])


ID_ROLE: Final = Qt.ItemDataRole.UserRole
_SIGNS: Final[Mapping[TopicState, str]] = {
    TopicState.NOTHING: UNDEFINED,
    TopicState.TODO: "○",
    TopicState.BEGUN: "◐",
    TopicState.DONE: "●",
}
STATES: Final[Mapping[TopicState, str]] = {
    TopicState.NOTHING: mark("nothing to align"),
    TopicState.TODO: mark("to do"),
    TopicState.BEGUN: mark("begun"),
    TopicState.DONE: mark("done"),
}


def _state_text(line: TopicLine) -> str:
    return f"{_SIGNS[line.state]} {tr(STATES[line.state])}"


def _settled_text(line: TopicLine) -> str:
    return f"{line.n_settled}/{line.n_sentences}" if line.n_sentences else ""


def _others_text(line: TopicLine) -> str:
    return " · ".join(f"{who} {n}" for who, n in line.others)


class _Column(NamedTuple):
    title: str
    order: TopicOrder
    text: Callable[[TopicLine], str]


_COLUMNS: Final = (
    _Column(mark("Topic"), TopicOrder.NAME, name_of),
    _Column(mark("State"), TopicOrder.PROGRESS, _state_text),
    _Column(mark("Settled"), TopicOrder.PROGRESS, _settled_text),
    _Column(mark("Flags"), TopicOrder.FLAGS, lambda one: str(one.n_flagged or "")),
    _Column(mark("Others"), TopicOrder.WORK, _others_text),
    _Column(mark("Due"), TopicOrder.DUE, lambda one: one.due or ""),
    _Column(mark("Here now"), TopicOrder.WORK, lambda _: ""),  # the model knows
)
_HERE: Final = len(_COLUMNS) - 1


class TopicModel(TableModel):
    """Rows of topics; entries for no single topic come first, whatever the filter."""

    titles, numbers = [one.title for one in _COLUMNS], (2, 3)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._finder = TopicFinder((), "", None)
        self._first: tuple[tuple[str, str], ...] = ()
        self._places: Sequence[int] = ()
        self._here: Mapping[str, str] = {}
        self._who, self._words, self._filter = "", "", TopicFilter.ALL
        self._order, self._is_descending = TopicOrder.WORK, False

    def set_topics(
        self, finder: TopicFinder, who: str, first: Sequence[tuple[str, str]] = ()
    ) -> None:
        """Shows the topics' rows for `who`, after the entries `first` (id and text)."""
        self._finder, self._who, self._first = finder, who, tuple(first)
        self._find()

    def show_here(self, here: Mapping[str, str]) -> None:
        """Shows other clients' positions by topic id."""
        self._here = here
        if self.rowCount():
            last = self.index(self.rowCount() - 1, _HERE)
            self.dataChanged.emit(self.index(0, _HERE), last)

    def look_for(self, words: str) -> None:
        self._words = words
        self._find()

    def keep(self, shown: TopicFilter) -> None:
        self._filter = shown
        self._find()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts by a column; -1 = by work."""
        self.sorted_column = column
        self._order = TopicOrder.WORK if column < 0 else _COLUMNS[column].order
        self._is_descending = column >= 0 and order is Qt.SortOrder.DescendingOrder
        self._find()

    def row_of(self, topic_id: str) -> int:
        """Returns the row of a topic or of an entry before them; -1 = it is not shown."""
        first = [data for data, _ in self._shown_first()]
        if topic_id in first:
            return first.index(topic_id)
        place = self._finder.place_of(topic_id)
        if place is None or place not in self._places:
            return -1
        return len(first) + self._places.index(place)

    def first_topic_row(self) -> int:
        """Returns the row of the first topic, which Enter chooses once something was typed."""
        return len(self._shown_first()) if self._places else 0

    @property
    def n_topics(self) -> int:
        """Number of rows."""
        return len(self._places)

    @property
    def n_all(self) -> int:
        return len(self._finder)

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._shown_first()) + len(self._places)

    def cell_data(self, index: Index, role: int) -> object:
        first = self._shown_first()
        if index.row() < len(first):
            return _of_first(first[index.row()], index.column(), role)
        line = self._line(index.row() - len(first))
        if role == Qt.ItemDataRole.DisplayRole:
            column = index.column()
            return self._here.get(line.id, "") if column == _HERE else _COLUMNS[column].text(line)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_of(line, self._who)
        return line.id if role == ID_ROLE else None

    def _shown_first(self) -> tuple[tuple[str, str], ...]:
        return () if self._words.strip() else self._first

    def _line(self, at: int) -> TopicLine:
        return self._finder.line(self._places[at])

    def _find(self) -> None:
        self.beginResetModel()
        self._places = self._finder.matching(
            self._words, self._filter, self._order, is_descending=self._is_descending
        )
        self.endResetModel()


def _of_first(entry: tuple[str, str], column: int, role: int) -> object:
    if role == ID_ROLE:
        return entry[0]
    return entry[1] if role == Qt.ItemDataRole.DisplayRole and column == 0 else None


_MOST_MEASURED: Final = 100
# Width left to names where not all are measured, and before the numbers, in heights of a line.
_NAME, _FREE = 40, 16
_FILTERS: Final[Mapping[TopicFilter, str]] = {
    TopicFilter.ALL: mark("all topics"),
    TopicFilter.MINE: mark("assigned to me"),
    TopicFilter.OPEN: mark("mine, not done"),
    TopicFilter.DONE: mark("mine, done"),
    TopicFilter.FLAGGED: mark("mine, flagged"),
}


class _Table(FlatTable):
    _name_px = 0

    def __init__(self) -> None:
        super().__init__()
        self.setSortingEnabled(True)
        self.horizontalHeader().setSortIndicatorClearable(True)

    def fit(self) -> None:
        """Sizes each column to its longest texts among the first hundred rows."""
        super().fit()
        metrics, header, model = self.fontMetrics(), self.horizontalHeader(), self.model()
        n_measured = min(_MOST_MEASURED, model.rowCount())
        for column in range(len(_COLUMNS)):
            cells = (model.index(row, column) for row in range(n_measured))
            texts = [str(cell.data() or "") for cell in cells]
            title = str(model.headerData(column, Qt.Orientation.Horizontal) or "")
            width = max(map(metrics.horizontalAdvance, [*texts, f"{title}   "]))
            needed = width + round(metrics.height() * 1.6)
            if not column:
                is_known = n_measured == model.rowCount()
                self._name_px = needed if is_known else max(needed, metrics.height() * _NAME)
                continue
            # Unused columns are hidden.
            self.setColumnHidden(column, column > 2 and not any(texts))
            header.resizeSection(column, min(needed, metrics.height() * 14))
        self._share_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        """Stretches the names' column, with numbers close by."""
        header, most = self.horizontalHeader(), self._name_px + self.fontMetrics().height() * _FREE
        header.setStretchLastSection(False)  # it has its own width again
        left = self.viewport().width() - sum(map(header.sectionSize, range(1, header.count())))
        modes = QHeaderView.ResizeMode
        header.setSectionResizeMode(0, modes.Interactive if left > most else modes.Stretch)
        header.setStretchLastSection(left > most)  # the selection extends to the edge
        if left > most:
            header.resizeSection(0, most)


class TopicView(QWidget):
    """Table of topics; typing searches, arrows move, Enter or a click selects."""

    chosen = Signal(str)  # id of the topic, or of an entry that stands before them

    def __init__(self, session: CorpusSession) -> None:
        super().__init__()
        self._session = session
        self._lines = TopicLines.of(session)
        self._first: tuple[tuple[str, str], ...] = ()
        self.model = TopicModel(self)
        self.field, self.filter = QLineEdit(), ElidedComboBox()
        self.count = styled(LiveLabel(), "muted")
        self.table = _Table()
        self.table.setModel(self.model)
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.field.setClearButtonEnabled(True)
        SearchKeys(self.field, self.table, self._choose)
        fill(self.filter, ChoiceField(messages=[*_FILTERS.items()]))
        if self._lines.has_work:
            self.filter.setCurrentIndex(self.filter.findData(TopicFilter.MINE))
            self.model.keep(TopicFilter.MINE)
        line_px = self.fontMetrics().height()
        parts = (self.field, self.filter, self.count)
        row = spaced(QHBoxLayout(), self, *parts, grows=self.field, across=0, down=0)
        row.addStretch(0)
        self.field.setMaximumWidth(line_px * _NAME)
        spaced(QVBoxLayout(self), self, row, self.table, grows=self.table, across=0, down=0)
        self.setFocusProxy(self.field)
        self.field.textChanged.connect(self._on_typed)
        self.filter.currentIndexChanged.connect(self._on_filtered)
        self.table.clicked.connect(self._choose)
        session.othersMoved.connect(self._show_others)
        bind(self.field, "placeholderText", mark("Find a topic by id or title"))
        called(self.field, mark("Find a topic"))
        called(self.filter, mark("Which topics"))
        called(self.table, mark("Topics"))
        follow(self, self._write_texts)

    def offer(self, current: str = "", first: Sequence[tuple[str, str]] = ()) -> None:
        """Refreshes the rows, after the entries `first`, and selects `current`."""
        self._first = tuple(first)
        self.model.set_topics(self._lines.finder(), self._session.who, self._first)
        self._show_others()
        self._stand_at(self.model.row_of(current))
        self._show_count()

    def begin(self) -> None:
        """Focuses the field and selects its text."""
        self.field.setFocus()
        self.field.selectAll()

    def _show_others(self) -> None:
        self.model.show_here(people_by_topic(self._session))
        self.table.fit()

    def _stand_at(self, row: int) -> None:
        index = self.model.index(max(0, row), 0)
        self.table.setCurrentIndex(index)
        self.table.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _on_typed(self, words: str) -> None:
        self.model.look_for(words)
        self._stand_at(self.model.first_topic_row() if words.strip() else 0)
        self._show_count()

    def _on_filtered(self) -> None:
        self.model.keep(TopicFilter(self.filter.currentData()))
        self._stand_at(0)
        self._show_count()

    def _choose(self, index: QModelIndex) -> None:
        topic_id = index.data(ID_ROLE) if index.isValid() else None
        if topic_id is not None:
            self.chosen.emit(str(topic_id))

    def _show_count(self) -> None:
        shown, total = self.model.n_topics, self.model.n_all
        text = ntr("{n} topic", "{n} topics", total)
        self.count.setText(
            text if shown == total else tr("{shown} of {all}", shown=shown, all=text)
        )

    def _write_texts(self) -> None:
        self.model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, _HERE)
        self.table.fit()
        self._show_count()


_CHARACTERS = 36
_SHARE = 3  # stretch in a row; other choices have 1
First = Callable[[], Sequence[tuple[str, str]]]


class TopicChooser(QDialog):
    """Popup list; Enter or a click selects, Esc closes."""

    def __init__(self, session: CorpusSession, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Topics"))
        self.view = TopicView(session)
        self.view.chosen.connect(self.close)
        keys = tr("↑ ↓ choose · Enter opens · Esc leaves · a click on a title sorts")
        hint = styled(QLabel(keys), "muted")
        line_px = self.fontMetrics().height()
        spaced(QVBoxLayout(self), self, self.view, hint, grows=self.view, across=1 / 2)
        window = parent.window()
        self.resize(min(line_px * 46, window.width() - line_px * 2),
                    min(line_px * 26, window.height() - line_px * 4))  # fmt: skip

    def stand_under(self, widget: QWidget) -> None:
        """Places a popup below the widget, inside the window."""
        window, below = widget.window(), QPoint(0, widget.height())
        spare = window.width() - self.width()
        at = widget.mapTo(window, below)
        self.move(window.mapToGlobal(QPoint(max(0, min(at.x(), spare)), at.y())))


class TopicButton(QPushButton):
    """Shows the current topic; a click or shortcut opens the list."""

    chosen = Signal(str)  # id of the topic, or of an entry that stands before them

    def __init__(
        self,
        session: CorpusSession,
        *,
        first: First = tuple,
        shows_progress: bool = False,
        title: str = mark("Topic"),
    ) -> None:
        """`title` is an English message for screen readers."""
        super().__init__()
        self._session, self._first, self._shows_progress = session, first, shows_progress
        self.topic_id = ""  # the current topic or entry; empty without one
        self._title = title
        self._otherwise = ""
        self._grows = False
        self.chooser: TopicChooser | None = None
        self.setProperty("look", "choice")
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(letter_px(self) * 5)
        self.clicked.connect(self.open_list)
        follow(self, self.refresh)

    def show_topic(self, topic_id: str, otherwise: str = "") -> None:
        """Shows the topic or entry, else the text `otherwise`."""
        self.topic_id, self._otherwise = topic_id, otherwise
        self.refresh()

    def stand_in(self, row: QBoxLayout) -> None:
        """Adds the button to a row, stretching for a long title."""
        self._grows = True
        row.addWidget(self, _SHARE)
        self.refresh()

    def open_list(self) -> None:
        if not self.isEnabled():
            return
        self.chooser = TopicChooser(self._session, self)
        self.chooser.view.chosen.connect(self.chosen)
        self.chooser.view.offer(self.topic_id, self._first())
        self.chooser.finished.connect(self._on_closed)
        self.chooser.stand_under(self)
        self.chooser.open()
        self.chooser.view.begin()

    def sizeHint(self) -> QSize:
        width = self._usual_px()
        if self._otherwise:  # it labels a whole table; a topic is one of many
            width = max(width, self._needed_px())
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.minimumWidth(), super().minimumSizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._limit_growth()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_list()
            return
        super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        metrics = self.fontMetrics()
        pad = metrics.height() // 2
        room = self.rect().adjusted(pad, 0, -pad - metrics.height(), 0)
        words = self.text().replace("&&", "&")
        text = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        self._paint_arrow(painter, metrics.height())

    def _paint_arrow(self, painter: QPainter, line_px: int) -> None:
        """Paints a combo box's arrow."""
        pen = QPen(painter.pen().color(), max(1.0, line_px * 0.08))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        half = line_px * 0.18
        middle = QPointF(self.width() - line_px * 0.8, self.height() / 2)
        corners = (QPointF(-half, -half / 2), QPointF(0, half / 2), QPointF(half, -half / 2))
        painter.drawPolyline([middle + corner for corner in corners])

    def _on_closed(self) -> None:
        self.chooser = None

    def refresh(self) -> None:
        """Writes the topic, and how far it is."""
        entry = dict(self._first()).get(self.topic_id)
        line = None
        if entry is None and not self._otherwise:
            line = TopicLines.of(self._session).line_of(self.topic_id)
        if line is not None:
            text = short_text(line) if self._shows_progress else name_of(line)
            tip = tip_of(line, self._session.who)
        else:
            text = tip = self._otherwise or entry or ""
        self.setText(text.replace("&", "&&"))
        self.setToolTip(f"{tip}\n{tr('Ctrl+T shows the list of topics')}".strip())
        self.setAccessibleName(tr(self._title))
        self.setAccessibleDescription(text)
        self._limit_growth()

    def _usual_px(self) -> int:
        return self.fontMetrics().averageCharWidth() * _CHARACTERS

    def _needed_px(self) -> int:
        metrics = self.fontMetrics()
        return metrics.horizontalAdvance(self.text()) + metrics.height() * 5 // 2

    def _limit_growth(self) -> None:
        if self._grows:
            self.setMaximumWidth(max(self._usual_px(), self._needed_px()))
