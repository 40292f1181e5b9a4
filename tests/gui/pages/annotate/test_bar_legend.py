"""What the bars beside the abstract's sentences are."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QColor, QImage
from tests.building import extract

from awase.core.records.corpus import Corpus
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.pages.annotate.abstract_pane import BarLegend


@pytest.mark.slow
def test_that_the_legend_shows_each_system_in_the_colour_of_its_bars(qtbot):
    themes = ThemeBox(Theme.named("light"))
    legend = BarLegend(themes)
    qtbot.addWidget(legend)
    legend.show_systems([(0, "lead"), (1, "tfidf"), (2, "mmr")], "tfidf")
    legend.resize(600, legend.heightForWidth(600))
    assert legend.names() == ("lead", "tfidf", "mmr")
    picture = QImage(legend.size(), QImage.Format.Format_RGB32)
    picture.fill(QColor("white"))
    legend.render(picture)
    colours = [
        picture.pixelColor(x, y).name()
        for x in range(picture.width())
        for y in range(picture.height())
    ]
    places = [colours.index(themes.theme.bar(at).name()) for at in range(3)]
    assert places == sorted(places)


def test_that_a_legend_takes_a_second_line_and_ends_with_dots(qtbot):
    legend = BarLegend(ThemeBox(Theme.named("light")))
    qtbot.addWidget(legend)
    names = [f"a system {n}" for n in range(8)]
    legend.show_systems(list(enumerate(names)), "")
    wide = legend.heightForWidth(4000)
    assert legend.heightForWidth(250) == 2 * wide
    legend.resize(250, 2 * wide)
    *whole, last = legend.names()
    assert list(whole) == names[: len(whole)]
    assert last.endswith("…")
    assert all(name in legend.toolTip() for name in names)


@pytest.mark.slow
def test_that_the_legend_names_the_only_bar_where_there_are_many_systems(table_1, lend_page):
    outputs = tuple(extract(f"system {n}", n, n + 1) for n in range(1, 12))
    opened = lend_page(Corpus(name="c", topics=(replace(table_1, outputs=outputs),)))
    legend = opened.page.abstract.legend
    assert legend.names() == ("system 1",)
    opened.page.live_results.choose("system 4")
    assert legend.names() == ("system 4",)
