"""Trees beside the sentence: the pane shows which subtrees match, or says why there is nothing."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from tests import building
from tests.core.language.trees import tree
from tests.gui.looking import cut_texts, overlaps

from awase.core.language.conllu import conllu_of
from awase.core.plots.picture import Label
from awase.gui.pages.inspect.explaining import InspectedPlace
from awase.gui.pages.inspect.trees import TreesPane
from awase.gui.session.session import CorpusSession
from awase.jobs.supplies.gathering import Places
from awase.storage.store import CorpusStore

pytestmark = pytest.mark.slow

VECTORS = {"cats": (1, 0), "chased": (0, 1), "mice": (1, 1), "small": (1, -1), "slept": (-1, 0)}
PARSES = {
    "cats chased mice": ("cats 2 nsubj", "chased 0 root", "mice 2 obj"),
    "cats slept": ("cats 2 nsubj", "slept 0 root"),
    "cats chased small mice": ("cats 2 nsubj", "chased 0 root", "small 4 amod", "mice 2 obj"),
}


class Forms:
    name, digest = "forms", "0" * 64

    def encode(self, sentences, step):
        step()
        return [
            np.array([VECTORS[one.text[start:stop]] for start, stop in one.spans], np.float32)
            for one in sentences
        ]


def topic():
    return building.topic(
        docs=["cats slept"],
        abstracts=[building.abstract("a", texts=("cats slept", "cats chased small mice"))],
        outputs=[building.text("x", "cats chased mice", "cats slept")],
    )


@pytest.fixture
def session(session_over):
    session = session_over(topic())
    parses = {text: conllu_of((tree(*lines),)) for text, lines in PARSES.items()}
    session.store.add_parses("test", parses, who="1")
    return session


@pytest.fixture
def pane(session, services, qtbot):
    pane = TreesPane(session, services)
    services.opened().models["here"] = Forms()
    qtbot.addWidget(pane)
    pane.chooser.choose(("subtree",), Places(model="here"))
    pane.show()
    return pane


def look(pane, qtbot, text=""):
    pane.show_place(InspectedPlace(topic="t", text=text))
    qtbot.waitUntil(lambda: not pane.services.jobs.is_busy)


def shown(pane):
    return [line.split("\t") for line in pane.grid.as_text().splitlines()[1:]]


def bold(pane):
    shapes = pane.picture.picture().shapes
    return [one.text for one in shapes if isinstance(one, Label) and one.is_bold]


def test_that_the_most_similar_sentences_are_shown_first(pane, qtbot, services):
    look(pane, qtbot)
    assert pane.reference.currentText() == "1:2  cats chased small mice"
    assert "F 0.705" in pane.summary.text()
    assert shown(pane)[0] == ["3", "0.949", "cats chased mice", "chased small mice"]
    assert services.settings.settings.model == "here"


def test_that_the_sentence_in_sight_is_compared_with_what_is_most_like_it(pane, qtbot):
    look(pane, qtbot, "cats slept")
    assert pane.reference.currentText() == "1:1  cats slept"
    assert pane.sentence.currentText() == "2  cats slept"
    look(pane, qtbot, "cats chased small mice")
    assert pane.reference.currentText() == "1:2  cats chased small mice"
    assert pane.sentence.currentText() == "1  cats chased mice"


def test_that_a_row_lets_its_words_stand_out(pane, qtbot):
    look(pane, qtbot)
    assert bold(pane) == ["Output", "Reference"]
    pane.grid.choose(0, 0)
    assert bold(pane) == [
        "Output", "cats", "chased", "mice", "Reference", "chased", "small", "mice"
    ]  # fmt: skip


def test_that_the_subtrees_of_the_reference_can_be_listed(pane, qtbot):
    look(pane, qtbot)
    pane.side.setCurrentIndex(1)
    pane.side.activated.emit(1)
    assert shown(pane)[-1][1:] in (["—", "small", "—"], ["—", "small mice", "—"])
    assert ["2", "—", "small mice", "—"] in shown(pane)


def test_that_options_of_the_metric_count(pane, qtbot):
    pane.chooser.choose(("subtree:head=no",))
    look(pane, qtbot)
    assert "F 0.806" in pane.summary.text()


def test_that_what_is_missing_is_told(pane, qtbot):
    pane.chooser.choose(("subtree",), Places())
    look(pane, qtbot)
    assert "needs a language model" in pane.empty.text()
    assert pane.grid.n_rows == 0


def test_that_sentences_to_choose_from_are_shown_whole_where_there_is_room(
    make_corpus, services, qtbot
):
    n_words = 20
    chain = ("cats 2 nsubj", "chased 0 root", *(f"mice {at} obj" for at in range(2, n_words)))
    text = " ".join(line.split()[0] for line in chain)
    known = topic()
    known = replace(known, outputs=(building.text("x", text),))
    with CorpusStore.open(make_corpus(known), who="1") as store:
        known_parses = PARSES | {text: chain}
        parses = {one: conllu_of((tree(*lines),)) for one, lines in known_parses.items()}
        store.add_parses("test", parses, who="1")
        pane = TreesPane(CorpusSession(store, who="1"), services)
        services.opened().models["here"] = Forms()
        qtbot.addWidget(pane)
        pane.chooser.choose(("subtree",), Places(model="here"))
        pane.show()
        look(pane, qtbot)
        needed = pane.fontMetrics().horizontalAdvance(pane.sentence.currentText())
        for width, is_whole in ((needed * 2, False), (needed * 7, True)):
            pane.resize(width, 600)
            QApplication.processEvents()
            assert (pane.sentence.width() > needed) == is_whole
        services.jobs.stop_all()


def test_that_a_low_pane_scrolls_and_nothing_of_it_lies_on_the_rest(pane, qtbot):
    look(pane, qtbot)
    line_px = pane.fontMetrics().height()
    pane.resize(line_px * 30, line_px * 9)
    QApplication.processEvents()
    assert overlaps(pane) == []
    assert cut_texts(pane) == []
    assert pane.picture.parentWidget().height() > line_px * 5
