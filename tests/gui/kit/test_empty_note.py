from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QStackedWidget
from tests.gui.seeing import buttons

from awase.gui.kit.i18n import mark, set_language
from awase.gui.kit.notices import EmptyLabel, EmptyNote
from awase.gui.kit.texts import bind


def test_that_a_text_that_a_stack_gives_the_keyboard_to_survives_another_language(qtbot):
    stack, empty = QStackedWidget(), EmptyLabel()
    qtbot.addWidget(stack)
    for page in (QPushButton("a table"), empty):
        stack.addWidget(page)
    bind(empty, "text", mark("Close"))
    stack.show()
    qtbot.waitUntil(stack.isActiveWindow)
    stack.widget(0).setFocus()
    stack.setCurrentWidget(empty)
    assert empty.hasFocus()
    # A control of the text would be a child that goes while Qt tells one after the other.
    assert [one.metaObject().className() for one in empty.children()] == ["_Followers"]
    set_language("ja")
    QApplication.processEvents()
    assert empty.text() == "閉じる"


def test_that_buttons_below_a_text_are_those_offered_last_and_do_what_they_say(qtbot):
    note, done = EmptyNote(), []
    qtbot.addWidget(note)
    note.show()
    qtbot.waitUntil(note.isActiveWindow)
    note.offer((mark("Cancel"), lambda: done.append(1)), (mark("Close"), lambda: done.append(2)))
    assert [one.text() for one in buttons(note)] == ["Cancel", "Close"]
    note.offer((mark("Close"), lambda: done.append(3)))
    (button,) = buttons(note)
    assert not note.has_keyboard()
    button.setFocus()
    assert note.has_keyboard()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        QTest.keyClick(button, key)
    assert done == [3, 3]
    set_language("ja")
    QApplication.processEvents()
    assert button.text() == "閉じる"
