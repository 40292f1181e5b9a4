"""Guidelines beside the work, and the page on a low screen."""

from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QApplication, QMenu, QSplitter, QTextBrowser, QToolButton
from tests.gui.conftest import demonstration
from tests.gui.looking import least_size, outside, overlaps, sideways
from tests.gui.seeing import labels, resize, says

from awase.core.annotation.content import guidelines_edit
from awase.gui.dialogs.editing.editing import GuidelinesDialog
from awase.gui.frame.page_stack import Rail
from awase.gui.kit.i18n import LANGUAGES
from awase.gui.kit.look.fitting import ElidedButton
from awase.gui.kit.look.markup import MarkdownView
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.main_screens import settle, wait
from awase.storage.store import CorpusStore

K = Qt.Key


@pytest.mark.slow
def test_that_guidelines_have_a_fifth_of_a_wide_window_and_give_the_panes_their_widths_back(
    annotation,
):
    splitter = annotation.page.findChild(QSplitter)
    before = splitter.sizes()[:3]
    for _ in range(3):
        annotation.press("H")
        QApplication.processEvents()
        annotation.press("H")
        QApplication.processEvents()
    assert splitter.sizes()[:3] == before
    resize(annotation.page, 3000, 1000)
    annotation.press("H")
    QApplication.processEvents()
    assert annotation.page.guidelines.width() > 3000 / 5


def test_that_editing_guidelines_is_stored_shown_beside_the_work_and_undone(annotation, qtbot):
    assert not annotation.page.guidelines.isVisible()
    annotation.press(K.Key_H)
    assert annotation.page.guidelines.content.notice.isVisible()
    dialog = qtbot.added(GuidelinesDialog(annotation.session))
    dialog.editor.setPlainText("## 基準\n\n- **数字**を確かめる")
    dialog.refresh()
    assert dialog.preview.toPlainText() == "基準\n数字を確かめる"
    assert annotation.store.corpus().guidelines == ""
    n = annotation.page.annotation.n
    dialog.confirm()
    assert annotation.store.corpus().guidelines == "## 基準\n\n- **数字**を確かめる"
    assert annotation.page.guidelines.text.toPlainText() == "基準\n数字を確かめる"
    assert annotation.session.undo_stack.undoText() == "edit the guidelines"
    assert annotation.page.annotation.n == n
    annotation.session.undo_stack.undo()
    assert annotation.store.corpus().guidelines == ""
    assert annotation.page.guidelines.content.notice.isVisible()
    annotation.press("1")  # beside the work
    assert annotation.stored() == [[annotation.page.annotation.order[0].n]]
    annotation.press(K.Key_H)
    assert not annotation.page.guidelines.isVisible()


def test_that_guidelines_changed_meanwhile_are_kept_and_what_cannot_be_stored_is_told(
    annotation, qtbot
):
    dialog = qtbot.added(GuidelinesDialog(annotation.session))
    annotation.store.apply(guidelines_edit("", "theirs"), who="2")
    dialog.editor.setPlainText("mine")
    dialog.confirm()
    assert dialog.editor.toPlainText() == "mine"
    assert says(dialog, "not stored")
    assert annotation.store.corpus().guidelines == "theirs"
    qtbot.waitUntil(lambda: annotation.session.frame.guidelines == "theirs")
    dialog = qtbot.added(GuidelinesDialog(annotation.session))
    dialog.editor.setPlainText("a\x01b")
    dialog.confirm()
    assert says(dialog, "left out")
    assert dialog.has_unsaved()
    dialog.confirm()
    assert annotation.store.corpus().guidelines == "ab"


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "secret.png"
    image = QImage(300, 300, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    assert image.save(str(path))
    return path


def is_red_in(view) -> bool:
    pixels = view.grab().toImage()
    places = product(range(0, pixels.width(), 9), range(0, pixels.height(), 9))
    return any(pixels.pixelColor(*place) == Qt.GlobalColor.red for place in places)


@pytest.mark.usefixtures("painted")
def test_that_markdown_fetches_nothing_and_takes_no_html(qtbot, picture):
    view, plain = qtbot.shown(MarkdownView(), 600, 400), qtbot.shown(QTextBrowser(), 600, 400)
    address = QUrl.fromLocalFile(str(picture))
    markdown = f"![x]({address.toString()}) <b>raw</b>\n\n[out](https://example.org)"
    view.show_markdown(markdown)
    plain.setMarkdown(markdown)
    assert [is_red_in(one) for one in (view, plain)] == [False, True]
    kind = QTextDocument.ResourceType.ImageResource.value
    assert view.loadResource(kind, address).size().width() == 1
    assert "<b>raw</b>" in view.toPlainText()
    assert not view.openLinks()


LOW = (1366, 728)


@pytest.fixture(params=LANGUAGES)
def low_stage(request):
    """A low screen with the largest letters, and the demonstration opened."""
    with demonstration(request.param, 20, LOW) as stage:
        yield stage


def assert_all_in_sight(window):
    settle()
    least = least_size(window)
    assert least.width() <= LOW[0]
    assert least.height() <= LOW[1]
    page = window.workspace.annotate
    for pane in (page.abstract, page.centre, page.alternatives):
        assert pane.isHidden() or pane.height() >= pane.minimumSizeHint().height()
    assert outside(window) == []
    assert sideways(window) == []
    assert overlaps(window) == []


@pytest.mark.slow
def test_that_nothing_is_cut_on_a_low_screen_in_letters_of_20_points(low_stage):
    window = low_stage.window
    page = window.workspace.annotate
    window.workspace.begin_tour()
    assert_all_in_sight(window)
    window.workspace.end_tour()
    page.annotation.toggle_others()
    page.toggle_guidelines()
    assert_all_in_sight(window)
    location = window.workspace.session.location
    window.close_corpus()
    with CorpusStore.open(location, who="Sato"):
        window.open_location(location)
        wait(lambda: window.workspace is not None)
        assert_all_in_sight(window)
        window.close_corpus()


@pytest.mark.slow
def test_that_guidelines_stand_in_the_abstracts_place_where_four_panes_have_no_room(low_stage):
    window = low_stage.window
    page = window.workspace.annotate
    page.abstract.setFocus()
    page.toggle_guidelines()
    settle()
    assert not page.abstract.isVisible()
    assert page.guidelines.mapTo(page, QPoint()).x() < page.centre.mapTo(page, QPoint()).x()
    assert page.centre.isAncestorOf(window.focusWidget())
    page.step_pane(1)
    assert page.alternatives.isAncestorOf(window.focusWidget())
    page.step_pane(1)
    assert page.centre.isAncestorOf(window.focusWidget())
    page.focus_pane(0)
    settle()
    assert not page.guidelines.isVisible()
    assert page.abstract.isAncestorOf(window.focusWidget())
    page.toggle_guidelines()
    window.resize(2400, 900)
    settle()
    assert page.abstract.isVisible()
    assert page.guidelines.isVisible()


@pytest.mark.slow
def test_that_a_notice_is_whole_and_the_icons_of_the_rail_are_as_high_as_its_letters(low_stage):
    pane = low_stage.window.workspace.annotate.abstract
    pane.filter.step(3)
    settle()
    for label in labels(pane.content.notice):
        assert label.height() >= label.heightForWidth(label.width()) > 0
    for button in low_stage.window.workspace.findChild(Rail).findChildren(QToolButton):
        assert button.iconSize().height() >= button.fontMetrics().capHeight()


@pytest.mark.slow
def test_that_a_button_without_room_for_its_text_says_a_shorter_one(qtbot):
    ThemeBox(Theme.named("light", 20)).apply()
    long, short = ElidedButton(), ElidedButton()
    for button in (long, short):
        qtbot.addWidget(button)
        button.setMenu(QMenu(button))
    short.setText("Yamamoto")
    long.setText("annotator Yamamoto")
    long.set_short("Yamamoto")
    least = short.sizeHint()
    assert least.width() < long.sizeHint().width()
    for button in (long, short):
        button.resize(least)
    assert long.grab().toImage() == short.grab().toImage()
    long.shorten(True)
    assert long.sizeHint() == least
    long.shorten(False)
    assert long.sizeHint().width() == long.whole_width() > least.width()
