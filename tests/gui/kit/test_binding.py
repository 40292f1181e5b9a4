"""Texts that were written before the language was chosen follow it all the same."""

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QLabel

from awase.core.errors import Problem
from awase.gui.kit.i18n import mark, set_language
from awase.gui.kit.texts import bind, bind_problems

_FEW = Problem(
    what=mark("Agreement is between two annotators or more; here is {n}."), hint="", fields={"n": 1}
)


def _switch(label: QLabel, language: str) -> None:
    set_language(language)
    QCoreApplication.sendEvent(label, QEvent(QEvent.Type.LanguageChange))


def test_that_what_is_wrong_is_told_in_the_language_that_is_chosen_later(qtbot):
    label = QLabel()
    qtbot.addWidget(label)
    bind_problems(label, [_FEW, _FEW])
    english = label.text()
    assert english.splitlines() == ["Agreement is between two annotators or more; here is 1."] * 2
    try:
        _switch(label, "ja")
        assert label.text() != english
        assert "1" in label.text()
        bind(label, "text", mark("Copy table"))
        _switch(label, "en")
        assert label.text() == "Copy table"
    finally:
        set_language("en")
