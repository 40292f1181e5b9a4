"""A dialog makes room for what it says, and a list of long texts wraps them."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QListWidget,
    QScrollArea,
    QStyle,
    QStyleOptionViewItem,
)  # fmt: skip
from tests.gui.looking import cut_texts, overlaps, sideways

from awase.gui.dialogs.editing.text_dialog import ReviewList, ReviewRow
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.forms.panel import height_for
from awase.gui.kit.forms.parts import Field, Form, Line, Note
from awase.gui.kit.i18n import mark
from awase.gui.kit.look.theme import Theme, ThemeBox

LONG = "A reason that takes several lines wherever it stands, as reasons do. " * 4


def test_that_a_long_message_squeezes_no_field(qtbot):
    parts = tuple(Field(f"field-{n}", mark("Name"), Line()) for n in range(6))
    dialog = qtbot.shown(
        FormDialog(Form(title=mark("Settings"), parts=parts, leave=mark("Close"), width=20))
    )
    QApplication.processEvents()
    before = [field.height() for field in dialog.findChildren(QLineEdit)]
    dialog.show_message(LONG)
    QApplication.processEvents()
    assert [field.height() for field in dialog.findChildren(QLineEdit)] == before
    assert cut_texts(dialog) == overlaps(dialog) == []


def test_that_a_form_higher_than_the_screen_is_scrolled_and_its_buttons_stay(qtbot):
    parts = tuple(Field(f"field-{n}", mark("Name"), Line()) for n in range(40))
    dialog = qtbot.shown(
        FormDialog(Form(title=mark("Settings"), parts=parts, leave=mark("Close"), width=20))
    )
    QApplication.processEvents()
    assert dialog.height() < QApplication.primaryScreen().availableSize().height()
    assert dialog.leave_button.visibleRegion().boundingRect() == dialog.leave_button.rect()
    last = dialog.field("field-39")
    assert last.visibleRegion().isEmpty()
    last.setFocus()
    dialog.field("field-38").setFocus()
    QTest.keyClick(dialog.field("field-38"), Qt.Key.Key_Tab)
    QApplication.processEvents()
    assert last.visibleRegion().boundingRect() == last.rect()


def test_that_a_form_with_room_is_no_higher_than_what_it_says_and_has_no_bar(qtbot):
    parts = (Note(LONG), Field("name", mark("Name"), Line()))
    dialog = qtbot.shown(
        FormDialog(Form(title=mark("Settings"), parts=parts, leave=mark("Close"), width=46))
    )
    QApplication.processEvents()
    (area,) = dialog.findChildren(QScrollArea)
    assert not area.verticalScrollBar().isVisible()
    fields = dialog.fields
    assert fields.height() == height_for(fields.layout(), fields.width(), is_least=False)


@pytest.fixture(params=(8, 10, 20))
def letters(qtbot, request):
    ThemeBox(Theme.named("light", request.param)).apply()


@pytest.mark.slow
@pytest.mark.parametrize("width", [600, 760, 811, 995])
def test_that_sentences_to_be_looked_at_are_wrapped(qtbot, letters, width):
    review = qtbot.shown(ReviewList(), width, 300)
    review.show_rows([ReviewRow(n, "木造船" * (8 * n), is_gone=True) for n in range(1, 6)])
    QApplication.processEvents()
    assert sideways(review) == []
    (rows,) = review.findChildren(QListWidget)
    option = QStyleOptionViewItem()
    rows.initViewItemOption(option)
    option.features |= QStyleOptionViewItem.ViewItemFeature.HasDisplay
    option.rect = rows.visualItemRect(rows.item(4))
    room = rows.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, rows)
    lines = rows.fontMetrics().boundingRect(0, 0, room.width(), 0, 0x1000, "木造船" * 40)
    assert room.height() >= lines.height()
