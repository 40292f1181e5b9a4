"""Pages that are made, dressed and shown one after the other."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QToolButton, QWidget
from tests.programs import ran

from awase.gui.frame.commands import PAGES
from awase.gui.frame.page_stack import PageStack, Rail
from awase.gui.kit.i18n import bind, mark, set_language, tr
from awase.gui.kit.look.flow import spaced
from awase.gui.kit.look.theme import ThemeBox
from awase.storage.store import CorpusStore


class Page(QWidget):
    """A page of one field, which counts how often it is given its looks."""

    def __init__(self, themes: ThemeBox, parent: QWidget) -> None:
        super().__init__(parent)
        self.field = QLineEdit(self)
        self.seen: list[str] = []
        self.n_looks = 0
        themes.changed.connect(lambda theme: self.seen.append(theme.name))
        bind(self.field, "placeholderText", mark("Cancel"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self.n_looks += 1

    @property
    def ground(self) -> str:
        return self.field.palette().base().color().name()


@pytest.fixture
def stack(qtbot, services):
    services.themes.apply()
    stack = qtbot.added(PageStack(services.themes))
    for _ in range(3):
        themes = ThemeBox(services.themes.theme, stack)
        stack.add(Page(themes, stack), themes)
    stack.show()
    for page in pages(stack):
        stack.show_page(page)
        QApplication.processEvents()
    stack.show_page(pages(stack)[0])
    return stack


def pages(stack):
    return [stack.widget(at) for at in range(stack.count())]


def change(services, **changes):
    themes = services.themes
    themes.set_theme(type(themes.theme).named(**{"name": themes.theme.name, **changes}))


def test_that_a_rail_leaves_its_texts_out_where_the_window_is_too_low_for_them(services, qtbot):
    rail = Rail(PAGES, services.themes, services.keys.keys)
    window = qtbot.added(QWidget())
    spaced(QHBoxLayout(window), window, rail, across=0, down=0)
    window.show()
    buttons, looks = rail.findChildren(QToolButton), []
    for height in (rail.minimumSizeHint().height(), 800):
        window.resize(window.width(), height)
        QApplication.processEvents()
        assert sum(button.sizeHint().height() for button in buttons) <= window.height() <= height
        looks.append({button.toolButtonStyle() for button in buttons})
    style = Qt.ToolButtonStyle
    assert looks == [{style.ToolButtonIconOnly}, {style.ToolButtonTextUnderIcon}]


def test_that_pages_out_of_sight_are_passed_over_when_the_look_changes(stack, services):
    seen, *others = pages(stack)
    before = [page.n_looks for page in others]
    change(services, name="dark")
    assert seen.ground == services.themes.theme.colours.base.lower()
    assert seen.seen == ["dark"]
    assert [page.n_looks for page in others] == before
    assert [page.seen for page in others] == [[], []]


def test_that_a_page_has_the_look_of_the_window_when_it_is_shown(stack, services):
    second = pages(stack)[1]
    change(services, name="dark")
    change(services, name="dark", point_size=20)
    stack.show_page(second)
    assert second.ground == services.themes.theme.colours.base.lower()
    assert second.field.font().pointSize() == 20
    assert second.seen == ["dark"]


def test_that_pages_that_nobody_shows_follow_one_after_the_other(stack, services, qtbot):
    change(services, name="dark")
    base = services.themes.theme.colours.base.lower()
    qtbot.waitUntil(lambda: all(page.ground == base for page in pages(stack)))
    qtbot.waitUntil(lambda: all(page.seen == ["dark"] for page in pages(stack)))


def test_that_a_look_is_changed_once_pages_out_of_sight_have_none(stack, services, qtbot):
    done = []
    stack.prepare(lambda: (done.append(True), change(services, name="dark")))
    assert not done
    third = pages(stack)[2]
    stack.show_page(third)  # meanwhile
    qtbot.waitUntil(lambda: bool(done))
    base = services.themes.theme.colours.base.lower()
    qtbot.waitUntil(lambda: all(page.ground == base for page in pages(stack)))


def test_that_the_page_in_sight_has_a_turn_of_its_own_after_a_look_that_was_prepared(
    stack, services, qtbot
):
    seen = pages(stack)[0]
    told = []

    def state():
        return [*seen.seen], seen.testAttribute(Qt.WidgetAttribute.WA_ForceUpdatesDisabled)

    stack.prepare(
        lambda: (change(services, name="dark", point_size=20), told.append(state())),
        lambda: told.append(state()),
    )
    qtbot.waitUntil(lambda: len(told) == 2)
    assert told == [([], True), (["dark"], False)]  # it keeps its picture until then
    assert seen.ground == services.themes.theme.colours.base.lower()
    assert seen.field.font().pointSize() == 20


def test_that_a_look_is_seen_at_once_after_one_that_failed(stack, services):
    seen = pages(stack)[0]
    change(services, name="dark")  # the others have no looks, so the next one is not waited for
    with pytest.raises(ZeroDivisionError):
        stack.prepare(lambda: 1 / 0)
    change(services, name="light")
    assert seen.seen == ["dark", "light"]


def test_that_pages_are_told_of_letters_when_they_have_their_turn(stack, services):
    second = pages(stack)[1]
    before = second.field.font().pointSize()
    change(services, point_size=20)
    assert second.field.font().pointSize() == before != 20
    stack.show_page(second)
    assert second.field.font().pointSize() == 20
    change(services, name="light", point_size=12)
    assert second.field.font().pointSize() == second.font().pointSize() == 12


def test_that_pages_say_all_in_the_new_language_when_they_are_shown(stack, qtbot):
    seen, second, third = pages(stack)
    set_language("ja")
    QApplication.processEvents()
    stack.window().event(QEvent(QEvent.Type.LanguageChange))
    assert seen.field.placeholderText() == tr("Cancel") != "Cancel"
    assert second.field.placeholderText() == "Cancel"
    stack.show_page(second)
    assert second.field.placeholderText() == tr("Cancel")
    qtbot.waitUntil(lambda: third.field.placeholderText() == tr("Cancel"))


def test_that_the_rail_takes_the_colours_that_are_chosen(qtbot, services):
    rail = qtbot.added(Rail(PAGES, services.themes, services.keys.keys))

    def drawn():
        return [one.icon().pixmap(16).toImage() for one in rail.findChildren(QToolButton)]

    before = drawn()
    change(services, name="dark")
    assert all(one != other for one, other in zip(drawn(), before, strict=True))


LATER = (
    "sqlalchemy",
    "numpy",
    "awase.core.records",
    "awase.core.metrics",
    "awase.gui.kit.forms",
    "awase.gui.dialogs",
)
NOT_TO_ANNOTATE = (
    "numpy",
    "awase.core.metrics.registry",
    "awase.core.statistics",
    "awase.gui.pages.scores.page",
    "awase.gui.pages.inspect.page",
)


def _loaded_by(*modules: str) -> list[str]:
    loaded = ran(f"import sys, {', '.join(modules)}; print(*sys.modules)").stdout.split()
    assert set(modules) <= set(loaded)
    return loaded


@pytest.mark.slow
def test_that_the_window_is_painted_before_what_is_slow_is_loaded():
    loaded = _loaded_by("awase.cli.window", "awase.gui.app", "awase.gui.frame.main_window")
    assert [name for name in loaded if name.startswith(LATER)] == []


@pytest.mark.slow
def test_that_the_look_is_given_without_making_the_class_of_styles():
    """With its eight enumerations it takes longer than all the rest of giving the look."""
    code = (
        "import PySide6.QtWidgets as widgets\n"
        "from awase.gui.app import application\n"
        "from awase.gui.kit.look.theme import Theme, ThemeBox\n"
        "app = application(); ThemeBox(Theme.named('light')).apply()\n"
        "print('QApplication' in vars(widgets), 'QStyle' in vars(widgets))\n"
        "app.setStyleSheet(''); print(app.style().name())"
    )
    assert ran(code).stdout.split() == ["True", "False", "fusion"]


@pytest.mark.slow
def test_that_nothing_reads_the_source_of_what_is_imported():
    """PySide6 does so where its wrapper of `import` is left in place."""
    code = (
        "import PySide6.QtWidgets, awase.gui.app, awase.gui.frame.main_window\n"
        "import sqlite3, linecache; print(*linecache.cache)"
    )
    read = ran(code).stdout.split()
    assert [name for name in read if "main_window" in name or "sqlite" in name] == []


@pytest.mark.slow
def test_that_a_corpus_opens_before_what_only_other_pages_need_is_loaded():
    loaded = _loaded_by("awase.gui.frame.workspace", "awase.storage.store")
    assert [name for name in loaded if name.startswith(NOT_TO_ANNOTATE)] == []


@pytest.mark.slow
def test_that_a_corpus_is_told_from_files_to_import_without_loading_any_format(tmp_path):
    path = tmp_path / "made.awase"
    CorpusStore.create(path, name="made", who="1").close()
    code = (
        "import sys; from pathlib import Path\n"
        "from awase.gui.frame.welcome import becomes_corpus\n"
        f"print(becomes_corpus(Path({str(path)!r})), 'awase.core.formats' in sys.modules)"
    )
    assert ran(code).stdout.split() == ["False", "False"]
