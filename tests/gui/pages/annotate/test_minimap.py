import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from tests.gui.pages.annotate.conftest import s

K = Qt.Key


@pytest.fixture
def minimap(annotation):
    annotation.press(K.Key_V)
    return annotation.page.centre.minimap


def y_of(minimap, number):
    return round((number - 0.6) * minimap.height() / 61)


def test_that_a_click_goes_to_the_sentence(annotation, minimap):
    for number in (50, 2):
        QTest.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=QPoint(8, y_of(minimap, number)))
        assert annotation.page.centre.current_ref() == s(number)
        view = annotation.page.centre.documents
        assert view.viewport().rect().contains(view.visualRect(view.currentIndex()))
    assert annotation.stored_alignment() is None


@pytest.mark.slow
def test_that_links_stand_out(annotation, minimap, themes):
    accent = QColor(themes.theme.colours.accent).name()

    def colours_at(number):
        picture = minimap.grab().toImage()
        y = y_of(minimap, number)
        return {picture.pixelColor(picture.width() - 5, row).name() for row in range(y - 3, y + 6)}

    annotation.page.annotation_actions.toggle(s(30))
    assert accent in colours_at(30)
    annotation.session.undo_stack.undo()
    assert accent not in colours_at(30)


@pytest.mark.slow
def test_that_the_map_has_an_accessible_name(minimap):
    assert minimap.accessibleName()
