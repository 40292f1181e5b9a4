"""Trees beside the sentence: the pane shows which subtrees match, or says why there is nothing."""

from dataclasses import replace

import pytest
from tests import building
from tests.core.language.trees import tree
from tests.gui.looking import cut_texts, overlaps
from tests.gui.pages.inspect.conftest import rows_of
from tests.gui.seeing import resize
from tests.models_made_up import WordByWord

from awase.core.language.conllu import conllu_of
from awase.core.plots.picture import Label
from awase.gui.pages.inspect.trees import TreesPane
from awase.jobs.supplies.gathering import Places

pytestmark = pytest.mark.slow

VECTORS = {"cats": (1, 0), "chased": (0, 1), "mice": (1, 1), "small": (1, -1), "slept": (-1, 0)}
PARSES = {
    "cats chased mice": ("cats 2 nsubj", "chased 0 root", "mice 2 obj"),
    "cats slept": ("cats 2 nsubj", "slept 0 root"),
    "cats chased small mice": ("cats 2 nsubj", "chased 0 root", "small 4 amod", "mice 2 obj"),
}


FORMS = WordByWord(VECTORS.__getitem__, "forms")


def topic():
    return building.topic(
        docs=["cats slept"],
        abstracts=[building.abstract("a", texts=("cats slept", "cats chased small mice"))],
        outputs=[building.text("x", "cats chased mice", "cats slept")],
    )


@pytest.fixture
def parsed(session_over, pane_over, services):
    """Shows the pane over a topic of parsed sentences."""

    def show(known, parses):
        session = session_over(known)
        texts = {text: conllu_of((tree(*lines),)) for text, lines in parses.items()}
        session.store.add_parses("test", texts, who="1")
        services.opened().models["here"] = FORMS
        return pane_over(TreesPane, session, "subtree", model="here")

    return show


@pytest.fixture
def pane(parsed):
    return parsed(topic(), PARSES)


def bold(pane):
    shapes = pane.picture.picture().shapes
    return [one.text for one in shapes if isinstance(one, Label) and one.is_bold]


@pytest.mark.main
def test_that_the_most_similar_sentences_come_first_and_a_row_lets_its_words_stand_out(
    pane, look, services
):
    look(pane)
    assert pane.reference.currentText() == "1:2  cats chased small mice"
    assert "F 0.705" in pane.summary.text()
    assert rows_of(pane)[0] == ["3", "0.949", "cats chased mice", "chased small mice"]
    assert services.settings.settings.model == "here"
    assert bold(pane) == ["Output", "Reference"]
    pane.grid.choose(0, 0)
    assert bold(pane) == [
        "Output", "cats", "chased", "mice", "Reference", "chased", "small", "mice"
    ]  # fmt: skip


@pytest.mark.main
def test_that_the_sentence_in_sight_is_compared_with_what_is_most_like_it(pane, look):
    look(pane, text="cats slept")
    assert pane.reference.currentText() == "1:1  cats slept"
    assert pane.sentence.currentText() == "2  cats slept"
    look(pane, text="cats chased small mice")
    assert pane.reference.currentText() == "1:2  cats chased small mice"
    assert pane.sentence.currentText() == "1  cats chased mice"


@pytest.mark.main
def test_that_the_subtrees_of_the_reference_can_be_listed_and_options_count(pane, look):
    look(pane)
    pane.side.setCurrentIndex(1)
    pane.side.activated.emit(1)
    assert rows_of(pane)[-1][1:] in (["—", "small", "—"], ["—", "small mice", "—"])
    assert ["2", "—", "small mice", "—"] in rows_of(pane)
    pane.chooser.choose(("subtree:head=no",))
    look(pane)
    assert "F 0.806" in pane.summary.text()


@pytest.mark.main
def test_that_what_is_missing_is_told(pane, look):
    pane.chooser.choose(("subtree",), Places())
    look(pane)
    assert "needs a language model" in pane.empty.text()
    assert pane.grid.n_rows == 0


def test_that_sentences_to_choose_from_are_shown_whole_where_there_is_room(parsed, look):
    n_words = 20
    chain = ("cats 2 nsubj", "chased 0 root", *(f"mice {at} obj" for at in range(2, n_words)))
    text = " ".join(line.split()[0] for line in chain)
    known = replace(topic(), outputs=(building.text("x", text),))
    pane = parsed(known, PARSES | {text: chain})
    look(pane)
    needed = pane.fontMetrics().horizontalAdvance(pane.sentence.currentText())
    for width, is_whole in ((needed * 2, False), (needed * 7, True)):
        resize(pane, width, 600)
        assert (pane.sentence.width() > needed) == is_whole


def test_that_a_low_pane_scrolls_and_nothing_of_it_lies_on_the_rest(pane, look):
    look(pane)
    line_px = pane.fontMetrics().height()
    resize(pane, line_px * 30, line_px * 9)
    assert overlaps(pane) == []
    assert cut_texts(pane) == []
    assert pane.picture.parentWidget().height() > line_px * 5
