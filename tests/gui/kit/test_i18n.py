import pickle
import re
import runpy
import string
from functools import cache
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QLabel, QTreeView

from awase.core.errors import Listing, Problem
from awase.gui.kit.i18n import aside, labelled, listed, ntr, set_language, what_of

# The catalogues are made by developers; the bare environment of the wheel check has no Babel.
read_po = pytest.importorskip("babel.messages.pofile").read_po

TESTS = Path(__file__).parents[2]
MESSAGES = runpy.run_path(str(TESTS / "messages.py"))


def fields_of(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@cache
def catalogue(code: str):
    with MESSAGES["catalogue_path"](code).open("rb") as file:
        return read_po(file, locale=code)


@cache
def extracted() -> frozenset[str]:
    return frozenset(
        message if isinstance(message, str) else message[0]
        for message, _, _ in MESSAGES["extracted"]()
    )


def forms(string_: object) -> tuple[str, ...]:
    return string_ if isinstance(string_, tuple) else (str(string_ or ""),)


@pytest.mark.slow
@pytest.mark.parametrize("code", MESSAGES["LANGUAGES"])
def test_that_every_message_is_translated(code):
    translated = {
        (m.id[0] if isinstance(m.id, tuple) else m.id)
        for m in catalogue(code)
        if m.id and all(forms(m.string))
    }
    missing = sorted(extracted() - translated)
    assert not missing, f"run `python tests/messages.py` and translate: {missing}"


@pytest.mark.parametrize("code", MESSAGES["LANGUAGES"])
def test_that_what_the_catalogue_has_is_translated_with_the_fields_of_its_messages(code):
    for message in catalogue(code):
        if not message.id:
            continue
        source = message.id[0] if isinstance(message.id, tuple) else message.id
        assert all(forms(message.string)), source
        for form in forms(message.string):
            assert fields_of(form) == fields_of(source), source


@pytest.mark.parametrize("code", MESSAGES["LANGUAGES"])
def test_that_the_compiled_catalogue_is_that_of_the_source(code):
    compiled = MESSAGES["catalogue_path"](code, ".mo").read_bytes()
    assert compiled == MESSAGES["compiled"](catalogue(code)), "run `python tests/messages.py`"


def test_that_what_is_counted_has_a_singular():
    things = (
        "topic sentence document abstract system file word character item disagreement output unit "
        "alternative number score layer job token permutation resample kind"
    )
    before = "(?:(?:of the|more|common|judged|confirmed|abstract|oracle|other|human) )?"
    plural = re.compile(rf"\{{[^{{}}|]+\}} {before}(?:{'|'.join(things.split())})s\b")
    texts = [message.id for message in catalogue("ja") if isinstance(message.id, str)]
    texts += [path.read_text("utf-8") for path in (TESTS.parent / "cli").rglob("*.py")]
    never_one = {"{n} sentences", "{n} resamples", "{topics} topics", "{all} scores"}
    assert {found for text in texts for found in plural.findall(text)} == never_one


def test_that_numbers_choose_the_form_and_sentences_and_remarks_are_joined_as_languages_do(qapp):
    assert ntr("{n} sentence", "{n} sentences", 1) == "1 sentence"
    assert ntr("{n} sentence", "{n} sentences", 2) == "2 sentences"
    set_language("ja")
    assert ntr("{n} sentence", "{n} sentences", 2) == "2 文"
    assert aside("不足している文", 2) == "不足している文（2）"
    set_language("en")
    assert aside("Missing", 2) == "Missing (2)"


def test_that_qts_own_buttons_speak_the_language(qtbot):
    set_language("ja")
    box = qtbot.added(QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel))
    assert box.button(QDialogButtonBox.StandardButton.Cancel).text() == "キャンセル"
    set_language("en")
    QCoreApplication.processEvents()
    other = qtbot.added(QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel))
    assert other.button(QDialogButtonBox.StandardButton.Cancel).text() == "Cancel"


def test_that_what_is_joined_has_the_marks_of_the_language(qapp):
    problem = Problem(what="Scores of metrics are left out: {names}.", fields={"names": "?"})
    listing = Problem(what=problem.what, fields={"names": Listing(["m1", "m2"], most=1)})
    copied = pickle.loads(pickle.dumps(listing))  # as a worker process hands it on
    nested = Problem(what="{problem} The row is left out.", fields={"problem": listing})
    assert what_of(copied) == str(listing) == "Scores of metrics are left out: m1, …."
    assert what_of(nested) == str(nested) == f"{listing} The row is left out."
    set_language("ja")
    assert (listed([1, 2]), labelled("short", "h")) == ("1、2", "short：h")
    assert "m1、…" in what_of(copied)
    assert what_of(nested) == what_of(listing) + "この行は除きました。"


def test_that_qts_own_file_dialog_has_no_english_word_in_japanese(qtbot, tmp_path):
    (tmp_path / "folder").mkdir()
    set_language("ja")
    dialog = qtbot.added(QFileDialog(None, "…", str(tmp_path)))
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.show()
    labels = [label.text() for label in dialog.findChildren(QLabel) if label.text()]
    view = dialog.findChild(QTreeView)
    model = view.model()
    qtbot.waitUntil(lambda: model.rowCount(view.rootIndex()) > 0)
    kind = model.index(0, 2, view.rootIndex()).data()
    set_language("en")
    assert len(labels) == 3
    assert not [text for text in (*labels, kind) if re.search("[A-Za-z]{2}|:$", text)]
