import pytest
from PySide6.QtGui import QImage

from awase.gui.kit.look.palettes import PALETTES
from awase.gui.kit.texts.i18n import LANGUAGES
from awase.gui.screens import render_all

N_SCREENS = 64


@pytest.mark.slow
def test_that_every_screen_is_drawn_in_every_language_and_palette(qtbot, tmp_path) -> None:
    pictures = render_all(tmp_path)
    assert len(pictures) == N_SCREENS * len(LANGUAGES) * len(PALETTES)
    assert len(set(pictures)) == len(pictures)
    for picture in pictures:
        image = QImage(str(picture))
        rows, columns = range(0, image.height(), 7), range(0, image.width(), 7)
        assert len({image.pixel(x, y) for y in rows for x in columns}) > 3, picture.name
