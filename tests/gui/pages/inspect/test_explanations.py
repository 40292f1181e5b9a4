"""Trees, merged words and the pseudo-pyramid beside the sentence, or why there are none."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from tests import building
from tests.core.language.trees import tree
from tests.gui.looking import cut_texts, overlaps
from tests.gui.pages.inspect.conftest import rows_of
from tests.gui.seeing import pick, resize, says
from tests.in_part import in_part
from tests.models_made_up import WordByWord

from awase.core.language.conllu import conllu_of
from awase.core.plots.picture import Label
from awase.core.records.abstract import Limit
from awase.core.records.topic import Topic
from awase.gui.pages.inspect.explaining import InspectedPlace, PyramidPane, WordsPane
from awase.gui.pages.inspect.trees import TreesPane

TREE_VECTORS = {
    "cats": (1, 0),
    "chased": (0, 1),
    "mice": (1, 1),
    "small": (1, -1),
    "slept": (-1, 0),
}
PARSES = {
    "cats chased mice": ("cats 2 nsubj", "chased 0 root", "mice 2 obj"),
    "cats slept": ("cats 2 nsubj", "slept 0 root"),
    "cats chased small mice": ("cats 2 nsubj", "chased 0 root", "small 4 amod", "mice 2 obj"),
}


FORMS = WordByWord(TREE_VECTORS.__getitem__, "forms")


def sentences():
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
def trees(parsed):
    return parsed(sentences(), PARSES)


def bold(trees):
    shapes = trees.picture.picture().shapes
    return [one.text for one in shapes if isinstance(one, Label) and one.is_bold]


def test_that_the_most_similar_sentences_come_first_and_a_row_lets_its_words_stand_out(
    trees, look, services
):
    look(trees)
    assert trees.reference.currentText() == "1:2  cats chased small mice"
    assert "F 0.705" in trees.summary.text()
    assert rows_of(trees)[0] == ["3", "0.949", "cats chased mice", "chased small mice"]
    assert services.settings.settings.model == "here"
    assert bold(trees) == ["Output", "Reference"]
    trees.grid.choose(0, 0)
    assert bold(trees) == [
        "Output", "cats", "chased", "mice", "Reference", "chased", "small", "mice"
    ]  # fmt: skip


def test_that_the_sentence_in_sight_is_compared_with_what_is_most_like_it(trees, look):
    look(trees, text="cats slept")
    assert trees.reference.currentText() == "1:1  cats slept"
    assert trees.sentence.currentText() == "2  cats slept"
    look(trees, text="cats chased small mice")
    assert trees.reference.currentText() == "1:2  cats chased small mice"
    assert trees.sentence.currentText() == "1  cats chased mice"


def test_that_the_subtrees_of_the_reference_can_be_listed_and_options_count(trees, look):
    look(trees)
    trees.side.setCurrentIndex(1)
    trees.side.activated.emit(1)
    assert rows_of(trees)[-1][1:] in (["—", "small", "—"], ["—", "small mice", "—"])
    assert ["2", "—", "small mice", "—"] in rows_of(trees)
    trees.chooser.choose(("subtree:head=no",))
    look(trees)
    assert "F 0.806" in trees.summary.text()


@pytest.mark.slow
def test_that_sentences_to_choose_from_are_shown_whole_where_there_is_room(parsed, look):
    n_words = 20
    chain = ("cats 2 nsubj", "chased 0 root", *(f"mice {at} obj" for at in range(2, n_words)))
    text = " ".join(line.split()[0] for line in chain)
    known = replace(sentences(), outputs=(building.text("x", text),))
    trees = parsed(known, PARSES | {text: chain})
    look(trees)
    needed = trees.fontMetrics().horizontalAdvance(trees.sentence.currentText())
    for width, is_whole in ((needed * 2, False), (needed * 7, True)):
        resize(trees, width, 600)
        assert (trees.sentence.width() > needed) == is_whole


@pytest.mark.slow
def test_that_a_low_pane_scrolls_and_nothing_of_it_lies_on_the_rest(trees, look):
    look(trees)
    line_px = trees.fontMetrics().height()
    resize(trees, line_px * 30, line_px * 9)
    assert overlaps(trees) == []
    assert cut_texts(trees) == []
    assert trees.picture.parentWidget().height() > line_px * 5


VECTORS = {"cat": (1.0, 0.0), "feline": (1.0, 0.2), "dog": (0.0, 1.0), "slept": (-1.0, 0.1)}


def alike():
    return building.topic(
        docs=["A cat slept."],
        abstracts=[building.abstract("a", texts=["the cat slept"])],
        outputs=[building.text("x", "the feline slept"), building.text("y", "the dog slept")],
        language="en",
    )


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "vectors.txt"
    lines = [f"{word} {x} {y}" for word, (x, y) in VECTORS.items()]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture
def session(session_over):
    return session_over(alike())


MERGING = "prouge-1:ratio=0.7"
"""Three words of each vocabulary have a vector; 0.7 of them, two clusters, are to be left."""


@pytest.fixture
def words(session, pane_over, file):
    return pane_over(WordsPane, session, MERGING, vectors=str(file))


def cosine_distance(one, other):
    a, b = np.array(VECTORS[one]), np.array(VECTORS[other])
    return f"{1 - a @ b / (np.linalg.norm(a) * np.linalg.norm(b)):.3f}"


def test_that_clusters_are_shown_with_their_distance_chosen_and_copied(
    words, look, services, qtbot
):
    look(words)
    assert rows_of(words) == [
        ["", "x", "", "cat", "feline", cosine_distance("cat", "feline")],
        ["", "y", "", "slept", "dog slept", cosine_distance("dog", "slept")],
    ]
    assert words.summary.text() == (
        "2 vocabularies · 6 words · 6 with a vector · 2 fewer after merging"
    )
    assert words.signature.text().startswith("prouge-1:prune=cnt+cls")
    assert services.settings.settings.vectors.endswith("vectors.txt")
    shown = [one.title for one in words.grid.grid.columns if one.is_shown]
    assert shown == ["System", "In references", "In outputs", "Distance"]
    words.grid.choose(1)
    with qtbot.waitSignal(words.wordsChosen) as heard:
        words.grid.activated.emit(words.grid.currentIndex())
    assert heard.args == [("dog", "slept")]
    look(words, text="The dog barked.")  # its clusters stand first
    assert [(row[0], row[1]) for row in rows_of(words)] == [("✓", "y"), ("", "x")]
    assert not words.grid.isColumnHidden(0)
    pick(words.system, "y")
    words.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert "dog slept" in copied
    assert "feline" not in copied


@pytest.mark.parametrize(
    ("vectors", "why"),
    [
        ("chat 1 0\n", "None of these words is in the vectors"),
        ("cat 1 0\n", "No two of these words are so alike"),
    ],
)
def test_that_it_is_told_why_no_words_count_as_one(words, look, file, vectors, why):
    file.write_text(vectors, "utf-8")
    look(words)
    assert rows_of(words) == []
    assert says(words, why)


@pytest.mark.slow
def test_that_nothing_is_worked_out_while_nobody_looks(words, qtbot, services):
    words.hide()
    words.show_place(InspectedPlace(topic="t"))
    assert not services.jobs.is_busy
    words.show()
    qtbot.waitUntil(lambda: len(rows_of(words)) == 2)


def test_that_the_metric_of_the_scores_page_is_taken(session, services, qtbot):
    chosen = ("rouge-1", "prouge-1:tokens=ja")
    file = services.settings
    file.change(file.settings.with_score_metrics(session.location, chosen))
    words = qtbot.added(WordsPane(session, services))
    assert words.chooser.metrics == ("prouge-1:tokens=ja",)
    assert words.chooser.text() == "Metric: prouge-1 (tokens = ja)…"


SOURCE = (
    "the boat sank fast", "nobody on board died", "a storm had come", "the boat sank quickly",
)  # fmt: skip
METRIC = "pseudo-pyramid:unit=sentence"


def abstract(name, *texts, **more):
    return building.abstract(name, texts=texts, limit=Limit(unit="words", size=8), **more)


def worked_example(topic_id="t", length=None):
    """Of docs/metrics/pseudo-pyramid.md."""
    return building.topic(
        topic_id,
        docs=SOURCE,
        abstracts=(
            abstract("a", "the boat sank fast", "nobody on board died", length=length),
            abstract("b", "the boat sank fast", "a storm had come", length=length),
        ),
        outputs=(
            building.extract("one", 1, 3, length=length),
            building.extract("two", 4, 1, length=length),
            building.text("odd", "boat sank fast", "it was cold", length=length),
        ),
        language="en",
    )


@pytest.fixture
def pyramids(session_over, pane_over):
    topics = worked_example(), worked_example("u"), worked_example("v", "short")
    return pane_over(PyramidPane, session_over(*topics), METRIC)


@pytest.fixture
def read(look):
    def read(pyramids, system, **place):
        """Looks at a system of a topic; texts without a length class are scored under each."""
        look(pyramids, system=system, **place)
        return pyramids.browser.toPlainText()

    return read


def test_that_the_worked_example_is_explained_and_another_topic_keeps_the_system(
    pyramids, read, services, qtbot
):
    text = read(pyramids, "one")
    assert "3 / 3 = 1.000 · 2 of 3 oracle units found" in text
    assert "✓ found · weight 2 · s1 · d:1" in text
    assert "✗ missed · weight 1 · s2 · d:2" in text
    assert pyramids.signature.text().startswith("pseudo-pyramid:oracle=rouge-2,unit=sentence")
    text = read(pyramids, "two")  # what was found twice is paid once
    assert "2 / 3 = 0.667" in text
    assert text.count("again, not paid") == 1
    assert "the boat sank quickly" in text
    text = read(pyramids, "", topic="u")
    assert pyramids.system.currentText() == "two"
    assert text.startswith("u · two\n")
    assert read(pyramids, "two", topic="v", length="short").startswith("v · short · two\n")
    pyramids.explain()
    pyramids.show_place(None)  # before it is explained once more
    qtbot.waitUntil(lambda: not services.jobs.is_busy)
    assert pyramids.empty.isVisible()


def test_that_units_in_no_oracle_are_told_and_common_words_marked(pyramids, read):
    text = read(pyramids, "odd")
    assert text.endswith("it was cold")
    assert "by, 3 of 4 words" in text
    assert "text-decoration: underline" in pyramids.browser.toHtml()


def test_that_units_linked_to_the_sentence_in_sight_are_told(session_over, pane_over, read):
    plain = worked_example()
    linked = building.abstract(
        "a", "s1", texts=("the boat sank fast", "nobody on board died"),
        limit=Limit(unit="words", size=8),
    )  # fmt: skip
    topic = replace(plain, abstracts=(linked, plain.abstracts[1]))
    pyramids = pane_over(PyramidPane, session_over(topic), METRIC)
    text = read(pyramids, "one", abstract="a", n=1)
    assert "✓ found · weight 2 · s1 · d:1 · linked to the sentence above" in text
    assert text.count("linked to the sentence above") == 1
    text = read(pyramids, "one", abstract="a", n=1, annotator="somebody")
    assert "linked to the sentence above" not in text  # another alignment is looked at


@pytest.mark.parametrize(
    ("kind", "metric", "places", "message"),
    in_part(
        [
            (TreesPane, "subtree", {}, "needs a language model"),
            (WordsPane, MERGING, {}, "Name them with the button of the metrics, here or"),
            (PyramidPane, METRIC, {"oracles": "missing.json"}, "“missing.json” cannot be read"),
            (PyramidPane, "pseudo-pyramid:unit=edu-file", {}, "needs a file of EDUs."),
            (PyramidPane, "pseudo-pyramid:oracle=be", {}, "needs a parse of every source sentence"),
            (PyramidPane, "pseudo-pyramid:tau=2", {}, "tau=2 is not over 0 and up to 1."),
            (WordsPane, "prouge-1:prune=cnt", {}, "prouge-1 with prune=cnt merges no words."),
            (WordsPane, "prouge-1:ratio=2", {}, "ratio=2"),
        ],
        first=3,
    ),
)
def test_that_what_cannot_be_explained_is_told(
    session_over, pane_over, look, kind, metric, places, message
):
    pane = pane_over(kind, session_over(worked_example()), metric, **places)
    look(pane)
    assert message in pane.empty.text()
    assert pane.empty.isVisible()
    assert pane.signature.text() == ""


@pytest.mark.slow
def test_that_a_topic_without_anything_to_compare_says_so_and_shows_nothing_of_another(
    session_over, pane_over, look, file
):
    bare = Topic(id="bare", documents=alike().documents)
    words = pane_over(WordsPane, session_over(alike(), bare), MERGING, vectors=str(file))
    look(words)
    assert rows_of(words)
    look(words, topic="bare")
    assert words.empty.text() == "There is nothing to compare in this topic."
    assert rows_of(words) == []
