"""The dialog of trees: it shows which subtrees match, or says why there is nothing."""

import numpy as np
import pytest
from tests import building
from tests.core.parsing.trees import tree

from awase.core.parsing.conllu import conllu_of
from awase.core.plots.picture import Label
from awase.gui.dialogs.trees.dialog import TreesDialog
from awase.gui.session.session import CorpusSession
from awase.storage.store import CorpusStore

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
def session(make_corpus):
    with CorpusStore.open(make_corpus(topic()), who="1") as store:
        parses = {text: conllu_of((tree(*lines),)) for text, lines in PARSES.items()}
        store.add_parses("test", parses, who="1")
        yield CorpusSession(store, who="1")


@pytest.fixture
def dialog(session, services, qtbot):
    dialog = TreesDialog(session, services)
    services.opened.models.keep("here", Forms())
    qtbot.addWidget(dialog)
    dialog.choose(metric="subtree", topic="t", model="here")
    dialog.show()
    return dialog


def look(dialog, qtbot):
    dialog.confirm()
    qtbot.waitUntil(lambda: not dialog.is_busy)


def shown(dialog):
    return [line.split("\t") for line in dialog.grid.as_text().splitlines()[1:]]


def bold(dialog):
    shapes = dialog.picture.picture().shapes
    return [one.text for one in shapes if isinstance(one, Label) and one.is_bold]


def test_that_the_most_similar_sentence_of_the_reference_is_shown_first(dialog, qtbot, services):
    look(dialog, qtbot)
    assert dialog.fields.box("reference").currentText() == "1:2  cats chased small mice"
    assert "F 0.7048" in dialog.field("summary").text()
    assert shown(dialog)[0] == ["3", "0.9487", "cats chased mice", "chased small mice"]
    assert services.settings.settings.model == "here"
    dialog.fields.set("sentence", 1)
    assert dialog.fields.box("reference").currentText() == "1:1  cats slept"


@pytest.mark.slow
def test_that_a_row_lets_its_words_stand_out(dialog, qtbot):
    look(dialog, qtbot)
    assert bold(dialog) == ["Output", "Reference"]
    dialog.choose_match(0)
    assert bold(dialog) == [
        "Output", "cats", "chased", "mice", "Reference", "chased", "small", "mice"
    ]  # fmt: skip


@pytest.mark.slow
def test_that_the_subtrees_of_the_reference_can_be_listed(dialog, qtbot):
    look(dialog, qtbot)
    dialog.fields.set("side", "reference")
    assert shown(dialog)[-1][1:] in (["—", "small", "—"], ["—", "small mice", "—"])
    assert ["2", "—", "small mice", "—"] in shown(dialog)


@pytest.mark.slow
def test_that_options_of_the_metric_count(dialog, qtbot):
    dialog.choose(metric="subtree:head=no")
    look(dialog, qtbot)
    assert "F 0.8059" in dialog.field("summary").text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "model", "message"),
    [("subtree", "", "needs a language model"), ("be", "here", "Only subtree compares trees")],
)
def test_that_what_is_missing_is_told(dialog, qtbot, metric, model, message):
    dialog.choose(metric=metric, model=model)
    told = []
    dialog.failed.connect(lambda _headline, error: told.append(str(error)))
    look(dialog, qtbot)
    assert [message in one for one in told] == [True]
    assert dialog.grid.n_rows == 0
