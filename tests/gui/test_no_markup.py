"""Text of a corpus is never markup: every page and dialog over a corpus of tags in every field."""

import re
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QLabel, QTextEdit, QToolTip, QWidget
from tests import building
from tests.gui.every_dialog import MAKERS, Place
from tests.in_part import in_part
from tests.stored import corpus_file

import awase.gui
from awase.core.records.corpus import Corpus, Person
from awase.core.records.source import SentenceRef
from awase.core.records.topic import HumanScore
from awase.gui.frame.commands import PAGES
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.main_screens import settle, wait
from awase.gui.session.session import CorpusSession
from awase.jobs.supplies.parsing import ParseStatus
from awase.storage.store import CorpusStore

TAG = '<b>B</b><img src="x">'
QUICK = ["annotate", "inspect", "review"]
SLOW = [page.id for page in PAGES if page.id not in QUICK]
AS_IT_IS = {"language", "role", "unit", "assist", "split"}
"""Fields whose values are words of the program."""
HANDED_OVER = re.compile(r"\.(setHtml|setMarkdown|setTextFormat|insertHtml)\(")
MAY_HAND_OVER = {"kit/look/markup.py", "kit/printing.py", "kit/grid/model.py"}


def tagged(value):
    """Returns a record with a tag before every text in it."""
    if type(value) is str:
        return TAG + value
    if isinstance(value, SentenceRef):
        return SentenceRef(tagged(value.document_id), value.n)
    if isinstance(value, tuple):
        return tuple(map(tagged, value))
    if not is_dataclass(value):
        return value
    own = {one.name: getattr(value, one.name) for one in fields(value) if one.init}
    return replace(value, **{name: tagged(of) for name, of in own.items() if name not in AS_IT_IS})


def corpus_of_tags() -> Corpus:
    links = {"1": "A: s1; B: !s2&s3", "2": "A: s2; B: s3"}
    abstract = building.abstract("a", links, texts=("One.", "Two."), length="short", author="x")
    topics = [
        building.topic(
            name,
            docs={"d": ("The dog ran.", "The cat slept.", "It rained.")},
            abstracts=(abstract,),
            outputs=(
                *(building.extract(one, "s1 s2", length="short") for one in ("lead", "x", "y")),
                building.text("own", "The dog ran.", length="short"),
            ),
            title="Dogs",
            language="en",
        )
        for name in ("t", "u")
    ]
    scores = [
        HumanScore(system=one, measure="m", value=at, topic=topic, annotator="1")
        for at, one in enumerate(("lead", "x", "y"))
        for topic in ("t", "u")
    ]
    corpus = building.corpus(*topics, scores=scores, name="small")
    corpus = tagged(replace(corpus, persons=(Person(id="1"), Person(id="2"))))
    return replace(corpus, guidelines="# Rules\n" + TAG)


def interpreted(window: QWidget) -> list[str]:
    """Returns what Qt takes for markup, and what our own markup holds of the corpus unescaped."""
    found = []
    for label in window.findChildren(QLabel):
        label.ensurePolished()
        is_plain = label.textFormat() is Qt.TextFormat.PlainText
        if not is_plain and (label.property("markup") is None or has_picture(label.text())):
            found.append(f"{type(label).__name__}: {label.text()}")
    for browser in window.findChildren(QTextEdit):
        if "<img" in browser.toHtml():
            found.append(f"{type(browser).__name__}: {browser.toPlainText()}")
    return found


def has_picture(html: str) -> bool:
    document = QTextDocument()
    document.setHtml(html)
    return "<img" in document.toHtml()


@pytest.fixture
def session_of_tags(tmp_path):
    path = corpus_file(tmp_path / "tags.awase", corpus_of_tags())
    with CorpusStore.open(path, who=TAG + "1") as store:
        yield CorpusSession(store, who=TAG + "1")


@pytest.fixture
def styled(qtbot) -> None:
    ThemeBox(Theme.named("light", 10)).apply()


@pytest.mark.parametrize("ids", in_part([QUICK, SLOW]), ids=" ".join)
def test_that_no_page_takes_text_of_a_corpus_for_markup(
    ids, services, styled, tmp_path, window_over
):
    window = window_over(corpus_file(tmp_path / "tags.awase", corpus_of_tags()))
    ThemeBox(Theme.named("light", 10)).apply()
    page, found = window.workspace.annotate, []
    page.annotation.toggle_others()
    page.toggle_guidelines()
    for one in ids:
        window.workspace.show_page(one)
        settle()
        wait(lambda: not services.jobs.is_busy)
        found += [f"{one}: {what}" for what in interpreted(window)]
        if has_picture(window.workspace.print_content().html):
            found.append(f"print of {one}")
    assert found == []


@pytest.mark.qt_log_ignore("raise", "propagateSizeHints")
def test_that_a_tip_of_a_tag_is_plain(styled, qtbot):
    below = qtbot.shown(QWidget())
    QToolTip.showText(QPoint(1, 1), '<img src="file:///dev/zero">', below)
    (tip,) = [one for one in below.findChildren(QLabel) if one.text()]
    assert tip.textFormat() is Qt.TextFormat.PlainText
    QToolTip.hideText()


@pytest.mark.parametrize("kind", in_part(MAKERS), ids=lambda kind: kind.__name__)
def test_that_no_dialog_takes_text_of_a_corpus_for_markup(
    kind, services, styled, tmp_path, session_of_tags, monkeypatch
):
    nothing = ParseStatus(n_texts=0, n_parsed={}, missing=None)
    monkeypatch.setattr("awase.gui.dialogs.deriving.look", lambda *_: nothing)  # takes seconds
    window = QWidget()
    dialog = MAKERS[kind](Place(session_of_tags, services, window, tmp_path))
    dialog.setParent(None)
    dialog.show()
    settle()
    assert interpreted(dialog) == []
    dialog.done(0)


def test_that_only_these_modules_hand_markup_to_qt():
    root = Path(awase.gui.__file__).parent
    using = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if HANDED_OVER.search(path.read_text("utf-8"))
    }
    assert using == MAY_HAND_OVER
