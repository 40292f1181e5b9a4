"""A picture that can be saved, in the size that it is to have on paper, and copied."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import nan
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMarginsF, QModelIndex, QRect, QSizeF, QStandardPaths, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QGuiApplication,
    QImage,
    QImageWriter,
    QPageLayout,
    QPageSize,
    QPainter,
    QPaintEvent,
    QPdfWriter,
)
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from awase.core.errors import EnvironmentProblem, InputError
from awase.core.plots.charts import Point, scatter
from awase.core.plots.picture import FONT_PT, PRINT_COLOURS, Key, Picture, svg
from awase.core.reports.grid import Cell, Column, Grid, grid_of, text_cell
from awase.gui.kit.defects import problems_of
from awase.gui.kit.forms.controls import folder_for, open_once, path_of, with_ending
from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused, verdict_on
from awase.gui.kit.forms.parts import (
    Asks,
    Body,
    ChoiceField,
    Field,
    Form,
    Gap,
    Line,
    Note,
    Number,
    PathField,
    Row,
)
from awase.gui.kit.grid.grid import GridView, ShadeDelegate, SharingSplitter
from awase.gui.kit.i18n import follow, mark, problem_text, tr
from awase.gui.kit.look.flow import scroll_area
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.picture_canvas import Maker, PictureCanvas, draw, image_of, outline_of
from awase.jobs.files.writing import Target, whole_file

_POINTS_PER_CM: Final = 72 / 2.54
_DOTS_PER_METRE_PER_DPI: Final = 100 / 2.54
_PDF_DPI: Final = 1200


class PictureFormat(Enum):
    """Kinds of files, by their ending."""

    PDF = "pdf"
    SVG = "svg"
    PNG = "png"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSize:
    """A picture's size on paper."""

    width_cm: float
    height_cm: float
    letters_pt: float

    @property
    def scale(self) -> float:
        """Points on paper for each of a picture's points."""
        return self.letters_pt / FONT_PT


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPaper:
    """A picture and its scale."""

    picture: Picture
    scale: float

    @property
    def width_cm(self) -> float:
        return self.picture.width * self.scale / _POINTS_PER_CM

    @property
    def height_cm(self) -> float:
        return self.picture.height * self.scale / _POINTS_PER_CM


def on_paper(make: Callable[[float, float], Picture], size: PaperSize) -> OnPaper:
    """Returns the picture for that paper size, or larger if its letters need it."""
    room = _POINTS_PER_CM / size.scale
    picture = make(size.width_cm * room, size.height_cm * room)
    return OnPaper(picture=picture, scale=size.scale)


def write_picture(made: OnPaper, path: Path, kind: PictureFormat, *, dpi: int = 300) -> None:
    """Writes a picture that looks the same everywhere.

    PDFs embed fonts, SVGs have outlines, PNGs pixels. An existing file is replaced atomically.
    """
    with whole_file(Target(path=path, replaces=True)) as partial:
        if kind is PictureFormat.PDF:
            _write_pdf(made, partial)
        elif kind is PictureFormat.PNG:
            if not QImageWriter(str(partial), b"PNG").write(png_of(made, dpi)):
                raise OSError(tr("the picture cannot be written"))
        else:
            font = QFont()
            text = svg(made.picture, scale=made.scale, outline=lambda one: outline_of(one, font))
            partial.write_text(text, encoding="utf-8")


def png_of(made: OnPaper, dpi: int) -> QImage:
    """Returns the pixels, with the paper size as metadata."""
    image = image_of(made.picture, PRINT_COLOURS, made.scale * dpi / 72)
    image.setDotsPerMeterX(round(dpi * _DOTS_PER_METRE_PER_DPI))
    image.setDotsPerMeterY(round(dpi * _DOTS_PER_METRE_PER_DPI))
    return image


def _write_pdf(made: OnPaper, path: Path) -> None:
    writer = QPdfWriter(str(path))
    writer.setTitle(made.picture.title)
    writer.setResolution(_PDF_DPI)
    size = QSizeF(made.width_cm * 10, made.height_cm * 10)
    page = QPageSize(size, QPageSize.Unit.Millimeter, "", QPageSize.SizeMatchPolicy.ExactMatch)
    no_margins = QMarginsF(0, 0, 0, 0)
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, no_margins))
    painter = QPainter()
    if not painter.begin(writer):
        raise OSError(tr("the picture cannot be written"))
    scale = made.scale * _PDF_DPI / 72
    painter.scale(scale, scale)
    draw(painter, made.picture, PRINT_COLOURS, QFont())
    painter.end()


_KINDS: Final = (
    (PictureFormat.PDF.value, mark("PDF: lines and text, fonts embedded")),
    (PictureFormat.SVG.value, mark("SVG: lines, letters as outlines")),
    (PictureFormat.PNG.value, mark("PNG: pixels")),
)
_LOW_CM, _HIGH_CM = 2.0, 120.0
_LOW_PT, _HIGH_PT = 4, 36
_UNFIT: Final = re.compile(r"[^\w.-]+")
_LONGEST_NAME: Final = 60


class _Paper(PictureCanvas):
    """Preview of the whole page, in its own colours."""

    def colours(self) -> Mapping[str, str]:
        return PRINT_COLOURS

    def ask_for_room(self) -> None:
        """Requests no room: the page scales."""

    def scale_px(self) -> float:
        whole = super().scale_px()
        if self.make is None:
            return whole
        page = self.make(0.0, 0.0)
        return min(whole, self.width() / page.width, self.height() / page.height)

    def ground(self) -> QRect:
        page = self.picture()
        if page is None:
            return QRect()
        scale = self.scale_px()
        return QRect(0, 0, round(page.width * scale), round(page.height * scale))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(self.themes.theme.colour("edge"))
        painter.drawRect(self.ground().adjusted(0, 0, -1, -1))


class SavePictureDialog(FormDialog):
    """Width and height in centimetres, font in points, and the resulting size."""

    keeps_text = True

    def __init__(self, make: Maker, themes: ThemeBox, parent: QWidget | None = None) -> None:
        self._make = make
        self._preview = _Paper(themes)
        self._made: OnPaper | None = None
        super().__init__(self._form(), parent)

    def chosen_size(self) -> PaperSize | None:
        """Returns the requested size; None = invalid."""
        width, height = (_number(self.fields.text(name)) for name in ("width", "height"))
        if not all(_LOW_CM <= one <= _HIGH_CM for one in (width, height)):
            return None
        letters = float(self.fields.number("letters"))
        return PaperSize(width_cm=width, height_cm=height, letters_pt=letters)

    def changed(self, name: str) -> None:
        if name == "kind":
            place = self.fields.text("place")
            if place:
                suffix, known = f".{self.fields.text('kind')}", {f".{one}" for one, _ in _KINDS}
                self.fields.set("place", str(with_ending(path_of(place), suffix, known)))

    def refresh(self) -> None:
        self.fields.show_part("dpi", self.fields.text("kind") == PictureFormat.PNG.value)
        size = self.chosen_size()
        made = self._made = None if size is None else on_paper(self._make, size)
        text = ""
        if made is not None:
            picture = made.picture
            self._preview.show_picture(lambda _width, _height: picture)
            text = tr(
                "On paper: {width} × {height} cm.",
                width=f"{made.width_cm:.1f}",
                height=f"{made.height_cm:.1f}",
            )
        self.fields.write("outcome", text)

    def verdict(self) -> Verdict:
        size, made = self.chosen_size(), self._made
        if size is None or made is None:
            return refused(
                tr("Width and height are {low} to {high} cm.", low=_LOW_CM, high=_HIGH_CM)
            )
        if not self.fields.text("place"):
            return refused(tr("Give the file a name."), "warning")
        is_larger = made.width_cm > size.width_cm + 0.05 or made.height_cm > size.height_cm + 0.05
        found = verdict_on(Target(path=path_of(self.fields.text("place")), replaces=True))
        if is_larger and found == Verdict():
            return Verdict(tr("It needs more room for letters of this size."), "warning")
        return found

    def submit(self) -> None:
        made, place = self._made, path_of(self.fields.text("place"))
        if made is None:
            return
        kind = PictureFormat(self.fields.text("kind"))
        try:
            write_picture(made, place, kind, dpi=self.fields.number("dpi"))
        except (InputError, EnvironmentProblem) as error:
            reason = " ".join(map(problem_text, problems_of(error)))
            self.show_outcome(tr("The picture was not saved: {reason}", reason=reason), "danger")
            return
        self.accept()

    def _form(self) -> Form:
        picture = self._make(0.0, 0.0)
        filters = [mark("Pictures (*.pdf *.svg *.png)")]
        place = PathField(
            str(_suggested(picture.title)),
            asks=Asks.NEW_FILE,
            question=mark("Save the picture"),
            filters=filters,
            suffix=PictureFormat.PDF.value,
        )
        size = (
            Field("width", mark("Width in cm"), Line("8.4"), tip=mark("One column of a paper")),
            Field("height", mark("Height in cm"), Line("6.3")),
            Field("letters", mark("Letters"), Number(8, _LOW_PT, _HIGH_PT, unit=mark(" pt"))),
            Gap(),
        )
        return Form(
            title=mark("Save the picture"),
            parts=(
                Field("kind", mark("Kind of file"), ChoiceField(messages=_KINDS)),
                Row(*size),
                Field("dpi", mark("Pixels per inch"), Number(300, 72, 1200)),
                Field("place", mark("File"), place),
                Note(name="outcome"),
                Body("preview", mark("The picture"), self._preview),
            ),
            accept=mark("Save"),
            focus="width",
            width=46,
            height=38,
        )


def _number(text: str) -> float:
    """Parses a number with a point or a comma; NaN = invalid."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return nan


def _suggested(title: str) -> Path:
    folder = folder_for(QStandardPaths.StandardLocation.PicturesLocation)
    name = _UNFIT.sub("-", title).strip("-.")[:_LONGEST_NAME] or "awase"
    return folder / f"{name}.{PictureFormat.PDF.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A resizable picture, and its data as a table."""

    make: Maker | None  # makes it; None = there is nothing to plot
    note: str = ""  # what is left out, in words; empty = nothing
    table: Grid = field(default_factory=Grid)
    key_of: Callable[[int, int], Key] = lambda _row, _column: ()


class PlotView(SharingSplitter):
    """Plot and table with a common current item, activated by Enter."""

    chosen = Signal(object)  # the `Key` of what was chosen

    def __init__(self, themes: ThemeBox) -> None:
        self.picture = PictureView(themes)
        self._scroll = scroll_area(self.picture)  # before the table, by which Tab goes
        super().__init__(self._size_of_picture)
        self.table = GridView()
        self._plot = Plot(make=None)
        self._is_following = False
        for part in (self._scroll, self.table):
            self.addWidget(part)
        self.table.setItemDelegate(ShadeDelegate(themes, self.table))
        # Names of systems often differ at their ends alone.
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setStretchFactor(0, 1)
        self.picture.chosen.connect(self.chosen)
        self.picture.currentChanged.connect(self._on_mark_changed)
        self.table.activated.connect(self._on_activated)
        self.table.selectionModel().currentChanged.connect(self._on_cell_changed)
        follow(self, self._write_texts)

    def _size_of_picture(self) -> int:
        """Returns what the table leaves; beside it, up to two thirds for the picture's needs."""
        table, room = self.table, self.room_px()
        most = round(room / 2)
        if self.orientation() is Qt.Orientation.Vertical:
            return room - min(table.preferred_height_px(), most)
        bar = table.verticalScrollBar().sizeHint().width()
        wanted = table.preferred_width_px() + 2 * table.frameWidth() + bar
        needed = self.picture.minimumWidth() + self._scroll.verticalScrollBar().sizeHint().width()
        return max(room - min(wanted, most), min(needed, room * 2 // 3))

    def show_plot(self, plot: Plot) -> None:
        self._plot = plot
        self.table.show_grid(plot.table)
        self.table.setVisible(bool(plot.table.rows))
        self.share_out()
        self.picture.show_picture(plot.make)
        self.share_out()
        self._write_texts()

    def _on_mark_changed(self, key: Key) -> None:
        marks = [one for one in self.picture.marks() if one.key == key]
        if marks:
            place = self.picture.rectangle_of(marks[0]).toRect().center()
            self._scroll.ensureVisible(place.x(), place.y())
        grid = self._plot.table
        places = (
            (row, column) for row in range(len(grid.rows)) for column in range(len(grid.columns))
        )
        at = next((place for place in places if self._plot.key_of(*place) == key), None)
        if at is not None:
            self._is_following = True
            self.table.choose(*at)
            self._is_following = False

    def _on_cell_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        if not self._is_following:
            self.picture.show_current(self._key_at(index))

    def _on_activated(self, index: QModelIndex) -> None:
        key = self._key_at(index)
        if key:
            self.chosen.emit(key)

    def _key_at(self, index: QModelIndex) -> Key:
        row = self.table.row_of(index)
        return self._plot.key_of(row, index.column()) if row >= 0 else ()

    def _write_texts(self) -> None:
        title = self.picture.accessibleName()
        self.table.setAccessibleName(tr("{plot}: the numbers", plot=title))


def scatter_plot(points: Sequence[Point], x_title: str, y_title: str) -> Plot:
    title = tr("{metric} against {human}", metric=x_title, human=y_title)

    def made(width: float, height: float) -> Picture:
        return scatter(
            points, title=title, x_title=x_title, y_title=y_title, width=width, height=height
        )

    columns = (
        Column(title=tr("System")),
        Column(title=x_title, is_number=True),
        Column(title=y_title, is_number=True),
    )
    rows = [
        (
            text_cell(point.label),
            *(
                Cell(text=f"{value:.3f}", value=value, tip=f"{value:.6f}")
                for value in (point.x, point.y)
            ),
        )
        for point in points
    ]
    keys = [(point.label,) for point in points]
    return Plot(
        make=made if points else None,
        table=grid_of(columns, rows),
        key_of=lambda row, _column: keys[row],
    )


_COPY_SCALE: Final = 4.0


class PictureView(PictureCanvas):
    """Offers its picture for saving and copying, in the colours of paper."""

    def copy(self) -> None:
        picture = self.picture()
        if picture is not None:
            image = image_of(picture, PRINT_COLOURS, _COPY_SCALE)
            QGuiApplication.clipboard().setImage(image)

    def save(self) -> QDialog | None:
        if self.make is None:
            return None
        dialog = SavePictureDialog(self.make, self.themes, self)
        return open_once(dialog)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.picture() is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Save the picture…")).triggered.connect(self.save)
        menu.addAction(tr("Copy the picture")).triggered.connect(self.copy)
        menu.popup(event.globalPos())
