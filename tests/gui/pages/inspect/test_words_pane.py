"""Merged words beside the sentence: they are what scores rest on, or it says why not."""

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from tests import building
from tests.gui.pages.inspect.conftest import rows_of
from tests.gui.seeing import pick, says

from awase.core.records.topic import Topic
from awase.gui.pages.inspect.explaining import InspectedPlace, WordsPane

pytestmark = pytest.mark.slow

VECTORS = {"cat": (1.0, 0.0), "feline": (1.0, 0.2), "dog": (0.0, 1.0), "slept": (-1.0, 0.1)}


def topic():
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
    return session_over(topic())


METRIC = "prouge-1:ratio=0.7"
"""Three words of each vocabulary have a vector; 0.7 of them, two clusters, are to be left."""


@pytest.fixture
def pane(session, pane_over, file):
    return pane_over(WordsPane, session, METRIC, vectors=str(file))


def cosine_distance(one, other):
    a, b = np.array(VECTORS[one]), np.array(VECTORS[other])
    return f"{1 - a @ b / (np.linalg.norm(a) * np.linalg.norm(b)):.3f}"


@pytest.mark.main
def test_that_clusters_are_shown_with_their_distance_chosen_and_copied(pane, look, services, qtbot):
    look(pane)
    assert rows_of(pane) == [
        ["", "x", "", "cat", "feline", cosine_distance("cat", "feline")],
        ["", "y", "", "slept", "dog slept", cosine_distance("dog", "slept")],
    ]
    assert pane.summary.text() == (
        "2 vocabularies · 6 words · 6 with a vector · 2 fewer after merging"
    )
    assert pane.signature.text().startswith("prouge-1:prune=cnt+cls")
    assert services.settings.settings.vectors.endswith("vectors.txt")
    shown = [not pane.grid.isColumnHidden(at) for at in range(6)]
    assert shown == [False, True, False, True, True, True]
    pane.grid.choose(1)
    with qtbot.waitSignal(pane.wordsChosen) as heard:
        pane.grid.activated.emit(pane.grid.currentIndex())
    assert heard.args == [("dog", "slept")]
    look(pane, text="The dog barked.")  # its clusters stand first
    assert [(row[0], row[1]) for row in rows_of(pane)] == [("✓", "y"), ("", "x")]
    assert not pane.grid.isColumnHidden(0)
    pick(pane.system, "y")
    pane.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert "dog slept" in copied
    assert "feline" not in copied


@pytest.mark.main
@pytest.mark.parametrize(
    ("vectors", "why"),
    [
        ("chat 1 0\n", "None of these words is in the vectors"),
        ("cat 1 0\n", "No two of these words are so alike"),
    ],
)
def test_that_it_is_told_why_no_words_count_as_one(pane, look, file, vectors, why):
    file.write_text(vectors, "utf-8")
    look(pane)
    assert rows_of(pane) == []
    assert says(pane, why)


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("prouge-1:prune=cnt", "prouge-1 with prune=cnt merges no words."),
        ("prouge-1:ratio=2", "ratio=2"),
    ],
)
def test_that_a_metric_that_merges_nothing_is_told(pane, look, qtbot, services, metric, message):
    look(pane)
    pane.chooser.choose((metric,))
    qtbot.waitUntil(lambda: not services.jobs.is_busy)
    assert message in pane.empty.text()
    assert pane.empty.isVisible()
    assert rows_of(pane) == []


@pytest.mark.main
def test_that_missing_vectors_are_told(session, pane_over, look):
    pane = pane_over(WordsPane, session, METRIC)
    look(pane)
    assert "Name them with the button of the metrics, here or" in pane.empty.text()


def test_that_a_topic_without_anything_to_compare_says_so(session_over, pane_over, look, file):
    bare = Topic(id="bare", documents=topic().documents)
    pane = pane_over(WordsPane, session_over(bare), METRIC, vectors=str(file))
    look(pane, topic="bare")
    assert pane.empty.text() == "There is nothing to compare in this topic."


def test_that_nothing_is_worked_out_while_nobody_looks(pane, qtbot, services):
    pane.hide()
    pane.show_place(InspectedPlace(topic="t"))
    assert not services.jobs.is_busy
    pane.show()
    qtbot.waitUntil(lambda: len(rows_of(pane)) == 2)


@pytest.mark.main
def test_that_the_metric_of_the_scores_page_is_taken(session, services, qtbot):
    chosen = ("rouge-1", "prouge-1:tokens=ja")
    file = services.settings
    file.change(file.settings.with_score_metrics(session.location, chosen))
    pane = qtbot.added(WordsPane(session, services))
    assert pane.chooser.metrics == ("prouge-1:tokens=ja",)
    assert pane.chooser.text() == "Metric: prouge-1 (tokens = ja)…"
