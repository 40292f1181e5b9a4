from itertools import product
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from awase.gui.frame.pages import PAGES
from awase.gui.kit.i18n import LANGUAGES
from awase.gui.kit.look.stylesheet import PALETTES
from awase.gui.main_screens import render_main

N_SCREENS = 94

pytestmark = pytest.mark.slow


def assert_shows_something(picture) -> None:
    image = QImage(str(picture))
    rows, columns = range(0, image.height(), 7), range(0, image.width(), 7)
    assert len({image.pixel(x, y) for y in rows for x in columns}) > 3, picture.name


def test_that_the_first_screen_and_each_page_are_drawn_in_every_language(qtbot, tmp_path):
    pictures = [*render_main(tmp_path / "made")]
    titles = ("welcome", *(page.id for page in PAGES))
    names = {f"{code}-light-{title}.png" for code, title in product(LANGUAGES, titles)}
    assert {picture.name for picture in pictures} == names
    assert len(names) == len(pictures)
    for picture in pictures:
        assert_shows_something(picture)


def test_that_every_screen_is_drawn_in_every_language_and_palette(qtbot, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "tools")
    tool = pytest.importorskip("screens.every_screen", reason="only a checkout has it")
    pictures = tool.render_all(tmp_path)
    assert len(pictures) == N_SCREENS * len(LANGUAGES) * len(PALETTES)
    assert len(set(pictures)) == len(pictures)
    for picture in pictures:
        assert_shows_something(picture)
