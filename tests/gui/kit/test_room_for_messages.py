"""A dialog makes room for what it says, and a list of long texts wraps them."""

import pytest
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget
from tests.gui.conftest import unstyled
from tests.gui.looking import cut_texts, overlaps, sideways

from awase.gui.dialogs.editing.review import ReviewList, ReviewRow
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.forms.parts import Field, Form, Line
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.texts.i18n import mark

LONG = "A reason that takes several lines wherever it stands, as reasons do. " * 4


def test_that_a_long_message_squeezes_no_field(qtbot) -> None:
    parts = tuple(Field(f"field-{n}", mark("Name"), Line()) for n in range(6))
    dialog = FormDialog(Form(title=mark("Settings"), parts=parts, leave=mark("Close"), width=20))
    qtbot.addWidget(dialog)
    dialog.show()
    QApplication.processEvents()
    before = [field.height() for field in dialog.findChildren(QLineEdit)]
    dialog.show_message(LONG)
    QApplication.processEvents()
    assert [field.height() for field in dialog.findChildren(QLineEdit)] == before
    assert cut_texts(dialog) == overlaps(dialog) == []


@pytest.fixture
def large_letters(qtbot):
    ThemeBox(Theme.named("light", 20)).apply()
    yield
    unstyled()


@pytest.mark.parametrize("width", [600, 760, 811, 995])
def test_that_sentences_to_be_looked_at_are_wrapped(qtbot, large_letters, width) -> None:
    review = ReviewList()
    qtbot.addWidget(review)
    review.resize(width, 300)
    review.show()
    review.show_rows([ReviewRow(n, "木造船" * (8 * n), is_gone=True) for n in range(1, 6)])
    QApplication.processEvents()
    assert sideways(review) == []
    (rows,) = review.findChildren(QListWidget)
    lines = rows.fontMetrics().boundingRect(0, 0, rows.viewport().width(), 0, 0x1000, "木造船" * 40)
    assert rows.visualItemRect(rows.item(4)).height() >= lines.height()
