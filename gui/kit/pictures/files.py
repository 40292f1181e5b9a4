"""Pictures as files for papers: as large as asked for, in the colours of paper."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QMarginsF, QSizeF
from PySide6.QtGui import QFont, QImage, QImageWriter, QPageLayout, QPageSize, QPainter, QPdfWriter

from awase.core.plots.picture import FONT_PT, PRINT_COLOURS, Picture, svg
from awase.gui.kit.pictures.drawing import draw, image_of, outline_of
from awase.gui.kit.texts.i18n import tr
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
    """How large a picture is on paper.

    Attributes:
        width_cm: What there is from left to right.
        height_cm: What there is from top to bottom.
        letters_pt: Size of its letters.
    """

    width_cm: float
    height_cm: float
    letters_pt: float

    @property
    def scale(self) -> float:
        """How many points on paper one of a picture's points is."""
        return self.letters_pt / FONT_PT


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPaper:
    """A picture and its scale.

    Attributes:
        picture: It.
        scale: How many points on paper one of its points is.
    """

    picture: Picture
    scale: float

    @property
    def width_cm(self) -> float:
        """How wide it is."""
        return self.picture.width * self.scale / _POINTS_PER_CM

    @property
    def height_cm(self) -> float:
        """How high it is."""
        return self.picture.height * self.scale / _POINTS_PER_CM


def on_paper(make: Callable[[float, float], Picture], size: PaperSize) -> OnPaper:
    """Returns the picture made for that much paper; it is larger where its letters need more."""
    room = _POINTS_PER_CM / size.scale
    picture = make(size.width_cm * room, size.height_cm * room)
    return OnPaper(picture=picture, scale=size.scale)


def write_picture(made: OnPaper, path: Path, kind: PictureFormat, *, dpi: int = 300) -> None:
    """Writes a picture whose letters look the same everywhere.

    A PDF embeds its fonts, an SVG has the letters as outlines, a PNG has pixels.

    Args:
        made: It.
        path: Of the file; one that is there is replaced when the new one is whole.
        kind: Of the file.
        dpi: Pixels an inch of a PNG.

    Raises:
        InputError: A corpus is there.
        EnvironmentProblem: It cannot be written.
    """
    with whole_file(Target(path=path, replaces=True)) as partial:
        if kind is PictureFormat.PDF:
            _write_pdf(made, partial)
        elif kind is PictureFormat.PNG:
            if not QImageWriter(str(partial), QByteArray(b"PNG")).write(png_of(made, dpi)):
                raise OSError(tr("the picture cannot be written"))
        else:
            font = QFont()
            text = svg(made.picture, scale=made.scale, outline=lambda one: outline_of(one, font))
            partial.write_text(text, encoding="utf-8")


def png_of(made: OnPaper, dpi: int) -> QImage:
    """Returns the pixels; the image knows how large it is on paper."""
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
