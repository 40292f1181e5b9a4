"""Every screen is looked at and walked through: sizes, letters, languages, palettes, keys."""

from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)
from tests.gui.conftest import demonstration
from tests.gui.looking import (
    LEAST_CONTRAST,
    codes,
    covered,
    cut_cells,
    cut_plots,
    cut_texts,
    faint_texts,
    least_size,
    left_numbers,
    low_tables,
    outside,
    overlaps,
    pictures_alone,
    row_height,
    sideways,
    small_targets,
)
from tests.gui.walking import missed, unnamed

from awase.core.analysis.extractors import EXTRACTORS
from awase.core.metrics.registry import GROUPS, METRICS
from awase.core.text.encoding import ENCODINGS
from awase.gui.frame.commands import PAGES
from awase.gui.kit.commands import HandsFocusOn
from awase.gui.kit.i18n import LANGUAGES
from awase.gui.kit.look.stylesheet import PALETTES, TARGET_PX, contrast_ratio
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.main_screens import render_main, settle, wait
from awase.gui.session.scoring_choices import SubsetDialog
from awase.jobs.subset import Subset

pytestmark = pytest.mark.slow


SIZES = ((16, (1366, 728)), (20, (1920, 1040)))
OF_MANY_COLUMNS = (
    "scores-tests", "scores-plot", "scores-columns", "scores-compared", "correlations-differences",
)  # fmt: skip
"""Their tables have ten columns and more, or intervals, and may be scrolled to the side."""
PASSING = ("loading",)
"""Screens that are gone before anybody could press Tab."""


@pytest.mark.parametrize(("language", "letters"), [*product(LANGUAGES, SIZES)])
def test_that_every_screen_fits_and_no_text_of_it_is_cut(every_screen, language, letters):
    points, size = letters
    found, seen = [], set()
    for title, widget in every_screen(language, "light", points, size):
        seen.add(title.partition("-")[0])
        least = least_size(widget)
        if least.width() > size[0] or least.height() > size[1]:
            found.append(f"{title} wants {least.toTuple()}")
        looks = [cut_texts, cut_cells, outside, overlaps, small_targets, pictures_alone]
        looks += [low_tables, cut_plots, left_numbers, covered]
        if not title.startswith(OF_MANY_COLUMNS):
            looks.append(sideways)
        for look in looks:
            found += [f"{title}: {look.__name__}: {what}" for what in look(widget)]
    assert found == []
    assert {page.id for page in PAGES} <= seen, "`tools/screens/every_screen.py` shows every page"


@pytest.mark.main
def test_that_the_mouse_reaches_every_control_of_every_page(open_window, qtbot):
    found = []
    open_window.resize(1000, 500)
    for page in PAGES:
        open_window.workspace.show_page(page.id)
        settle()
        found += [f"{page.id}: {what}" for what in covered(open_window)]
    assert found == []


@pytest.mark.parametrize(("points", "size"), [(8, (1920, 1040)), (10, (1024, 640))])
def test_that_the_mouse_reaches_every_control_of_every_screen(every_screen, points, size):
    screens = every_screen("en", "light", points, size)
    assert [f"{title}: {what}" for title, widget in screens for what in covered(widget)] == []


@pytest.mark.parametrize("palette", PALETTES)
def test_that_every_text_stands_out_in_every_palette(every_screen, palette):
    screens = every_screen("en", palette, 16, SIZES[0][1])
    found = [f"{title}: {what}" for title, widget in screens for what in faint_texts(widget)]
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_tab_comes_to_every_control_of_every_screen_and_each_has_a_name(
    every_screen, language
):
    found = []
    for title, widget in every_screen(language, "light", 10, (1366, 728)):
        if title not in PASSING and not isinstance(widget, QMenu):
            widget.activateWindow()
            found += [f"{title}: {what}" for what in (*missed(widget), *unnamed(widget))]
    assert found == []


def test_that_letters_that_grow_under_a_page_cut_no_number_and_no_page_outgrows_a_small_screen():
    found = []
    with demonstration(size=(1366, 728)) as stage:
        file = stage.services.settings
        for page, points in product(PAGES, (10, 16, 20)):
            file.change(replace(file.settings, point_size=points))
            stage.window.workspace.show_page(page.id)
            settle()
            wait(lambda: not stage.services.jobs.is_busy)
            found += [f"{page.id} at {points}: {what}" for what in cut_cells(stage.window)]
            if least_size(stage.window).width() > 1366:
                found.append(f"{page.id} at {points} is too wide")
    assert found == []


NAMES = frozenset(
    (
        *METRICS,
        *GROUPS,
        *EXTRACTORS,
        *ENCODINGS,
        *LANGUAGES,
        *LANGUAGES.values(),
        *(f"{metric}.{value}" for metric in METRICS for value in "rpf"),
        *"Awase OK ID Stanza GiNZA rho tau-b Precision Coverage Weighted Cov WC".split(),
        *"Ctrl Shift Alt Return Enter Space Backspace Del Esc PgUp PgDown".split(),
        *"hand neural short long 0710-short 0710-long readability".split(),
        "ginza-ja-5.3.0-sudachidict-20260723",
    )
)
"""What is called the same in every language, keys, and what the demonstration calls its own."""


def test_that_no_japanese_screen_says_it_in_english(every_screen):
    found = {
        what.partition("“")[2]
        for title, widget in every_screen("ja", "light", 10, (1920, 1040))
        for what in codes(widget, NAMES)
    }
    assert not found, "\n".join(sorted(found))


class Pane(HandsFocusOn, QWidget):
    def __init__(self, *, is_proxied: bool) -> None:
        super().__init__()
        first, self.second = QPushButton("first"), QPushButton("second")
        layout = QVBoxLayout(self)
        layout.addWidget(first)
        layout.addWidget(self.second)
        self.hand_focus_to(self.second)
        if is_proxied:
            self.setFocusProxy(self.second)


@pytest.mark.main
@pytest.mark.parametrize(("is_proxied", "passed_over"), [(False, []), (True, ["first"])])
def test_that_tab_passes_over_nothing_but_before_a_focus_proxy(qtbot, is_proxied, passed_over):
    window, pane = QWidget(), Pane(is_proxied=is_proxied)
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    layout.addWidget(QPushButton("beside"))
    layout.addWidget(pane)
    window.show()
    pane.setFocus()
    assert window.focusWidget() is pane.second
    assert missed(window) == [f"QPushButton “{text}”" for text in passed_over]


@pytest.mark.main
@pytest.mark.parametrize(
    ("make", "look"),
    [
        (partial(QLabel, "much longer than that"), cut_texts),
        (partial(QPushButton, "much longer than that"), cut_texts),
        (partial(QLineEdit, "much longer than that"), cut_texts),
        (partial(QPushButton, "×"), small_targets),
    ],
)
def test_that_what_is_cut_or_small_is_found(services, qtbot, make, look):
    widget = qtbot.shown(make(), 300, 60)
    assert look(widget) == []
    widget.resize(20, 60)
    assert len(look(widget)) == 1


@pytest.mark.main
def test_that_what_covers_another_or_is_scrolled_to_the_side_is_found(services, qtbot):
    window = qtbot.added(QWidget())
    text, button = QPlainTextEdit("x" * 400, window), QPushButton("on it", window)
    text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    text.setGeometry(0, 0, 300, 100)
    button.setGeometry(0, 101, 100, 40)
    window.show()
    assert overlaps(window) == []
    assert len(sideways(window)) == 1
    button.move(0, 90)
    text.setPlainText("")
    QApplication.processEvents()
    assert len(overlaps(window)) == 1
    assert sideways(window) == []


@pytest.mark.main
@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("any", True),
        ("指標：rouge (tokens = chars)…", True),
        ("「limit=none」を選んでください。", True),
        ("最も多く解析したモデルのもの", False),
        ("rouge-1.r 0.503", False),
        ("lead:size=h,annotator=first,version=1", False),
        ("Ctrl+Shift+Z, Ctrl+Y", False),
    ],
)
def test_that_codes_and_english_on_a_japanese_screen_are_found(qtbot, text, is_found):
    box = qtbot.shown(QComboBox())
    box.addItem(text)
    assert len(codes(box, NAMES)) == is_found


@pytest.mark.main
@pytest.mark.parametrize(("ink", "is_faint"), [("#767676", False), ("#777777", True)])
def test_that_ink_below_4_5_is_found(qtbot, ink, is_faint):
    label = QLabel("■■■")
    label.setStyleSheet(f"background: white; color: {ink}; font-size: 40px")
    qtbot.shown(label)
    assert bool(faint_texts(label)) is is_faint


@pytest.mark.main
@pytest.mark.parametrize("points", [8, 10, 16, 20])
def test_that_rows_of_lists_and_trees_can_be_hit_in_letters_of_any_size(qtbot, points):
    ThemeBox(Theme.named("light", points)).apply()
    for view in (QListWidget(), QTreeWidget()):
        qtbot.shown(view)
        if isinstance(view, QListWidget):
            view.addItems(["one", "two"])
        else:
            view.addTopLevelItems([QTreeWidgetItem(["one"]), QTreeWidgetItem(["two"])])
        assert row_height(view) >= TARGET_PX
        assert small_targets(view) == []
        if isinstance(view, QListWidget):
            view.item(0).setSizeHint(QSize(50, TARGET_PX - 1))
            assert len(small_targets(view)) == 1, "a row that is too low is found"


@pytest.mark.main
def test_that_rows_filled_before_a_dialog_is_shown_can_be_hit(qtbot):
    ThemeBox(Theme.named("light", 10)).apply()
    names = [("1", "one"), ("2", "two")]
    dialog = qtbot.added(SubsetDialog(names, ["lead", "mmr"], Subset()))
    for view in dialog.findChildren(QListWidget):
        assert view.visualItemRect(view.item(0)).height() > 0
    dialog.show()
    QApplication.processEvents()
    assert small_targets(dialog) == []


@pytest.mark.main
@pytest.mark.parametrize("palette", PALETTES)
def test_that_a_hint_in_an_empty_field_stands_out(qtbot, palette):
    theme = Theme.named(palette, 20)
    ThemeBox(theme).apply()
    for field in (QLineEdit(), QPlainTextEdit()):
        qtbot.shown(field)
        hint = field.palette().color(QPalette.ColorRole.PlaceholderText)
        assert hint.name(QColor.NameFormat.HexArgb) == theme.colours.muted.replace("#", "#ff")
        assert contrast_ratio(theme.colours.muted, theme.colours.base) >= LEAST_CONTRAST


N_SCREENS = 94


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
