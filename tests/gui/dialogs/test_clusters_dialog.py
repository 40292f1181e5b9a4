"""The dialog of merged words: it shows what the scores rest on, or says why there is nothing."""

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from tests import building

from awase.core.records.topic import Topic
from awase.gui.dialogs.clusters.dialog import ClustersDialog
from awase.gui.session.session import CorpusSession
from awase.storage.store import CorpusStore

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
def session(make_corpus):
    with CorpusStore.open(make_corpus(topic()), who="1") as store:
        yield CorpusSession(store, who="1")


@pytest.fixture
def dialog(session, services, qtbot, file):
    dialog = ClustersDialog(session, services)
    qtbot.addWidget(dialog)
    # Three words of each vocabulary have a vector; 0.7 of them, two clusters, are to be left.
    dialog.choose(metric="prouge-1:ratio=0.7", topic="t", vectors=str(file))
    dialog.show()
    return dialog


def cosine_distance(one, other):
    a, b = np.array(VECTORS[one]), np.array(VECTORS[other])
    return f"{1 - a @ b / (np.linalg.norm(a) * np.linalg.norm(b)):.3f}"


def look(dialog, qtbot):
    dialog.confirm()
    qtbot.waitUntil(lambda: not dialog.is_busy)


def shown(dialog):
    return [line.split("\t") for line in dialog.grid.as_text().splitlines()[1:]]


def test_that_the_clusters_of_each_system_are_shown_with_their_distance(dialog, qtbot) -> None:
    look(dialog, qtbot)
    assert shown(dialog) == [
        ["x", "", "cat", "feline", cosine_distance("cat", "feline")],
        ["y", "", "slept", "dog slept", cosine_distance("dog", "slept")],
    ]
    assert dialog.field("summary").text() == (
        "2 vocabularies · 6 words · 6 with a vector · 2 fewer after merging"
    )
    assert dialog.field("signature").text().startswith("prouge-1:prune=cnt+cls")


def test_that_one_system_can_be_chosen_and_the_table_copied(dialog, qtbot) -> None:
    look(dialog, qtbot)
    dialog.fields.set("system", "y")
    dialog.copy_table()
    copied = QGuiApplication.clipboard().text()
    assert "dog slept" in copied
    assert "feline" not in copied


def test_that_the_place_of_the_vectors_is_remembered(dialog, services, file, qtbot) -> None:
    look(dialog, qtbot)
    assert services.settings.settings.vectors == str(file)


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("rouge-1", "rouge-1 merges no words. Choose one of prouge-1, prouge-2, pbe."),
        ("prouge-1:prune=cnt", "prouge-1 with prune=cnt merges no words."),
        ("prouge-1:ratio=2", "ratio=2"),
    ],
)
def test_that_a_metric_that_merges_nothing_is_refused(dialog, qtbot, metric, message) -> None:
    dialog.choose(metric=metric)
    with qtbot.waitSignal(dialog.failed) as failed:
        dialog.confirm()
    qtbot.waitUntil(lambda: not dialog.is_busy)
    assert message in str(failed.args[1])
    assert shown(dialog) == []


def test_that_missing_vectors_are_told(dialog, qtbot) -> None:
    dialog.choose(vectors="")
    with qtbot.waitSignal(dialog.failed) as failed:
        dialog.confirm()
    qtbot.waitUntil(lambda: not dialog.is_busy)
    assert "vectors" in str(failed.args[1])


def test_that_a_topic_without_anything_to_compare_says_so(make_corpus, services, file, qtbot):
    bare = Topic(id="bare", documents=topic().documents)
    with CorpusStore.open(make_corpus(bare), who="1") as store:
        dialog = ClustersDialog(CorpusSession(store, who="1"), services)
        qtbot.addWidget(dialog)
        dialog.choose(vectors=str(file))
        look(dialog, qtbot)
        assert dialog.message.text() == "There is nothing to compare in this topic."


def test_that_the_metrics_of_the_scores_page_are_offered_first(session, services, qtbot) -> None:
    chosen = ("rouge-1", "prouge-1:tokens=ja")
    file = services.settings
    file.change(file.settings.with_score_metrics(session.location, chosen))
    dialog = ClustersDialog(session, services)
    qtbot.addWidget(dialog)
    box = dialog.fields.box("metric")
    offered = [box.itemText(row) for row in range(box.count())]
    assert offered == ["prouge-1:tokens=ja", "prouge-1", "prouge-2", "pbe"]
