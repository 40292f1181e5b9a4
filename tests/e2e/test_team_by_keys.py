"""A lead names people, shares work out and an annotator takes a topic: by real keys, under X."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.building import abstract, corpus, topic
from tests.e2e.test_first_sentence import Screen, pytestmark, server, until
from tests.stored import corpus_file

from awase.core.records.corpus import Corpus
from awase.gui.kit.texts.i18n import set_language, tr
from awase.storage.store import CorpusStore

__all__ = ["pytestmark"]
_DRIVER = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from awase.gui import app
home, file, who = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
def window():
    from PySide6.QtWidgets import QApplication
    from awase.gui.frame.main_window import MainWindow
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow)]
def look():
    for one in window():
        if one.workspace is not None:
            one.shown.session.set_who(who)
            (home / "open").touch()
watch = QTimer()
watch.timeout.connect(look)
app.application()
watch.start(300)
QTimer.singleShot(1500, lambda: window()[0].open_location(file))
sys.exit(app.run(config=home / "config", data=home / "data", log=home / "log"))
"""


def stored(place: Path) -> Corpus:
    with CorpusStore.open(place, who="x", read_only=True) as store:
        return store.corpus()


@contextmanager
def program(display: str, home: Path, place: Path, who: str, locale: str) -> Iterator[Screen]:
    """Runs the window as `who`, with the keyboard in it."""
    home.mkdir()
    environment = os.environ | {"DISPLAY": display, "HOME": str(home), "LANG": locale}
    environment |= {"LC_ALL": locale, "LANGUAGE": locale[:2], "QT_QPA_PLATFORM": "xcb"}
    running = subprocess.Popen(
        [sys.executable, "-c", _DRIVER, str(home), str(place), who], env=environment
    )
    try:
        screen = Screen(display)
        until((home / "open").exists)
        screen.wait_for(f"{place.stem}.*Awase")
        yield screen
    finally:
        running.terminate()
        running.wait()


def typed(screen: Screen, text: str) -> None:
    for letter in text:
        screen.key(letter)


@pytest.mark.parametrize("locale", ["C.UTF-8", "ja_JP.UTF-8"])
def test_that_a_lead_shares_work_out_and_an_annotator_takes_more(
    tmp_path: Path, locale: str
) -> None:
    made = corpus(*(topic(f"t{at}", abstracts=(abstract("a", texts=["one"]),)) for at in range(4)))
    place = corpus_file(tmp_path / "shared.awase", replace(made, name="shared"))
    set_language("ja" if locale.startswith("ja") else "en")
    person, assign, main = tr("Person"), tr("Assign work"), "shared.*Awase"
    set_language("en")
    with server() as display:
        with program(display, tmp_path / "lead", place, "L", locale) as screen:
            screen.key("ctrl+7")
            for n, who in enumerate(("a1", "a2"), 1):
                screen.key("a")
                screen.wait_for(person)
                typed(screen, who)
                screen.key("Return")
                until(lambda n=n: len(stored(place).persons) == 1 + n)
                screen.wait_for(main)
            screen.key("w")
            screen.wait_for(assign)
            screen.key("Return")
            until(lambda: len(stored(place).assignments) == 4)
            screen.wait_for(main)
            screen.key("ctrl+z")
            until(lambda: not stored(place).assignments)
        with program(display, tmp_path / "annotator", place, "a1", locale) as screen:
            screen.key("ctrl+shift+t")
            until(lambda: [one.topic for one in stored(place).assignments] == ["t0"])
            screen.key("ctrl+shift+t")
            screen.key("1")
            screen.key("Return")
            until(lambda: bool(stored(place).topics[0].abstracts[0].alignments))
            assert [one.person for one in stored(place).assignments] == ["a1"]
            screen.key("ctrl+shift+t")
            until(lambda: [one.topic for one in stored(place).assignments] == ["t0", "t1"])
