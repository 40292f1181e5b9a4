from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QApplication, QSplitter, QTextBrowser
from tests.gui.seeing import says

from awase.core.annotation.content import guidelines_edit
from awase.gui.dialogs.editing.editing import GuidelinesDialog
from awase.gui.kit.look.markup import MarkdownView

K = Qt.Key


def test_that_a_key_shows_the_guidelines_beside_the_work(annotation):
    panel = annotation.page.guidelines
    assert not panel.isVisible()
    annotation.session.perform(guidelines_edit("", "# Rules\n\n- one **bold**"))
    annotation.press(K.Key_H)
    assert panel.isVisible()
    assert panel.text.toPlainText() == "Rules\none bold"
    annotation.press("1")
    assert annotation.stored() == [[annotation.page.annotation.order[0].n]]
    annotation.press(K.Key_H)
    assert not panel.isVisible()


@pytest.mark.slow
def test_that_guidelines_give_the_panes_their_widths_back(annotation):
    splitter = annotation.page.findChild(QSplitter)
    before = splitter.sizes()[:3]
    for _ in range(3):
        annotation.press("H")
        QApplication.processEvents()
        annotation.press("H")
        QApplication.processEvents()
    assert splitter.sizes()[:3] == before


def test_that_editing_guidelines_is_stored_shown_and_undone(annotation, qtbot):
    annotation.press(K.Key_H)
    assert annotation.page.guidelines.content.notice.isVisible()
    dialog = GuidelinesDialog(annotation.session)
    qtbot.addWidget(dialog)
    dialog.editor.setPlainText("## 基準\n\n- 数字を確かめる")
    dialog.refresh()
    assert dialog.preview.toPlainText() == "基準\n数字を確かめる"
    assert annotation.store.corpus().guidelines == ""
    n = annotation.page.annotation.n
    dialog.confirm()
    assert annotation.store.corpus().guidelines == "## 基準\n\n- 数字を確かめる"
    assert annotation.page.guidelines.text.toPlainText() == "基準\n数字を確かめる"
    assert annotation.session.undo_stack.undoText() == "edit the guidelines"
    assert annotation.page.annotation.n == n
    annotation.session.undo_stack.undo()
    assert annotation.store.corpus().guidelines == ""
    assert annotation.page.guidelines.content.notice.isVisible()
    assert annotation.page.annotation.place.topic is not None


def test_that_guidelines_changed_meanwhile_are_kept_and_the_text_too(annotation, qtbot):
    dialog = GuidelinesDialog(annotation.session)
    qtbot.addWidget(dialog)
    annotation.store.apply(guidelines_edit("", "theirs"), who="2")
    dialog.editor.setPlainText("mine")
    dialog.confirm()
    assert dialog.editor.toPlainText() == "mine"
    assert says(dialog, "not stored")
    assert annotation.store.corpus().guidelines == "theirs"
    qtbot.waitUntil(lambda: annotation.session.guidelines == "theirs")


@pytest.mark.slow
def test_that_what_cannot_be_stored_is_left_out_and_told(annotation, qtbot):
    dialog = GuidelinesDialog(annotation.session)
    qtbot.addWidget(dialog)
    dialog.editor.setPlainText("a\x01b")
    dialog.confirm()
    assert says(dialog, "left out")
    dialog.confirm()
    assert annotation.store.corpus().guidelines == "ab"


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "secret.png"
    image = QImage(300, 300, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    assert image.save(str(path))
    return path


@pytest.mark.usefixtures("painted")
def test_that_markdown_fetches_nothing_and_takes_no_html(qtbot, picture):
    view = MarkdownView()
    qtbot.addWidget(view)
    address = QUrl.fromLocalFile(str(picture))
    view.show_markdown(f"![x]({address.toString()}) <b>raw</b>\n\n[out](https://example.org)")
    view.resize(600, 400)
    view.show()
    pixels = view.grab().toImage()
    red = Qt.GlobalColor.red
    assert not any(
        pixels.pixelColor(x, y) == red
        for x in range(0, pixels.width(), 9)
        for y in range(0, pixels.height(), 9)
    )
    kind = QTextDocument.ResourceType.ImageResource.value
    assert view.loadResource(kind, address).size().width() == 1
    assert "<b>raw</b>" in view.toPlainText()
    assert not view.openLinks()


@pytest.mark.slow
@pytest.mark.usefixtures("painted")
def test_that_the_picture_of_that_test_could_be_seen_otherwise(qtbot, picture):
    view = QTextBrowser()
    qtbot.addWidget(view)
    view.setMarkdown(f"![x]({QUrl.fromLocalFile(str(picture)).toString()})")
    view.resize(600, 400)
    view.show()
    assert view.grab().toImage().pixelColor(100, 100) == Qt.GlobalColor.red


@pytest.mark.slow
def test_that_guidelines_have_a_fifth_of_a_wide_window(annotation):
    page = annotation.page
    page.resize(3000, 1000)
    page.toggle_guidelines()
    QApplication.processEvents()
    assert page.guidelines.width() > 3000 / 5
    page.toggle_guidelines()
