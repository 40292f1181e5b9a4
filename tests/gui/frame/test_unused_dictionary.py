from awase.core.text import japanese
from awase.gui.app import ForgetsDictionary


def test_that_the_dictionary_goes_once_no_word_is_asked_for(qtbot):
    assert japanese.japanese_tokens("雪が降る") == ("雪", "が", "降る")
    held = japanese.analyser
    forgets = ForgetsDictionary(every_ms=1)
    qtbot.waitUntil(lambda: japanese.analyser is not held)
    forgets.deleteLater()
    assert japanese.japanese_tokens("雪が降る") == ("雪", "が", "降る")
