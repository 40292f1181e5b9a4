"""Covers, oracles and what scores rest on are the same in the window and on the command line."""

import json
from dataclasses import replace

import pytest

pytest.importorskip("PySide6")

from tests.core.language.trees import tree
from tests.gui.pages.inspect.test_explanations import FORMS
from tests.jobs.faces import Faces
from tests.jobs.small_corpus import of_two_annotators, small_corpus

from awase.core.language.conllu import conllu_of
from awase.core.records.corpus import Corpus
from awase.core.records.topic import TextOutput
from awase.gui.pages.annotate.page import AnnotatePage
from awase.gui.pages.grade.page import GradePage
from awase.gui.pages.inspect.explaining import InspectedPlace, PyramidPane
from awase.gui.pages.inspect.trees import TreesPane
from awase.jobs.supplies.gathering import Places
from awase.storage.store import CorpusStore

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)

PYRAMID = "pseudo-pyramid:unit=sentence,tokens=unicode"


def covers_said(faces: Faces, *words: object) -> dict[tuple[str, str], dict[str, object]]:
    told = json.loads(faces.says("cover", faces.corpus, "--annotator", "all", "--json", *words))
    return {(one["topic"], one["annotator"]): one for one in told["covers"]}


def test_that_h_is_the_same_to_everybody_who_grades(faces, qtbot):
    faces.store(of_two_annotators())
    said = covers_said(faces)
    assert {one["h"] for one in said.values()} == {1, 2}
    with faces.window_on(faces.corpus) as session:
        page = faces.owned(GradePage(session, faces.services, None))
        page.show()
        shown = {}
        for topic in ("t", "u", "v"):
            page.composition.go_to(topic, f"{topic}-short")
            qtbot.waitUntil(lambda: len(page.composition.goals) == 2)
            shown |= {(topic, goal.annotator): goal.h for goal in page.composition.goals}
        page.hide()
    assert shown == {place: one["h"] for place, one in said.items()}


@pytest.mark.slow
def test_that_minimal_covers_are_the_same_while_one_annotates(faces, qtbot):
    said = covers_said(faces)
    with faces.window_on(faces.corpus) as session:
        page = faces.owned(AnnotatePage(session, faces.services, None))
        shown = {}
        for topic in ("t", "u", "v"):
            page.annotation.go_to(topic, f"{topic}-short")
            qtbot.waitUntil(lambda: page.live_results.state.n_covers is not None)
            state = page.live_results.state
            shown[topic, "1"] = (state.lower, state.upper, state.n_covers, state.is_count_exact)
    names = ("lower", "upper", "minimal_covers", "minimal_covers_exact")
    assert shown == {place: tuple(map(one.__getitem__, names)) for place, one in said.items()}


def explained(faces: Faces, session, **places: str) -> PyramidPane:
    pane = faces.owned(PyramidPane(session, faces.services))
    pane.chooser.choose((PYRAMID,), Places(**places))
    pane.show()
    pane.show_place(InspectedPlace(topic="t"))
    faces.settle()
    return pane


@pytest.mark.slow
def test_that_pyramids_are_explained_alike(faces, session):
    pane = explained(faces, session)
    said = json.loads(faces.says("explain", faces.corpus, "-m", PYRAMID, "--json"))["explained"]
    shown = {}
    for topic in ("t", "u", "v"):
        pane.show_place(InspectedPlace(topic=topic))
        faces.settle()
        for at in range(pane.system.count()):
            pane.system.setCurrentIndex(at)
            pane.system.activated.emit(at)
            shown[topic, pane.system.currentText()] = pane.browser.toPlainText()
    assert len(shown) == len(said)
    for one in said:
        text = shown[one["topic"], f"{one['system']} · {one['length']}"]
        assert f"{one['paid']} / {one['upper']} = {one['value']:.3f}" in text
        found = [unit["text"] for unit in one["oracle"] if unit["found_by"] is not None]
        assert text.count("✓") == len(found)
        assert text.count("✗") == len(one["oracle"]) - len(found)
        assert all(f"weight {unit['weight']}" in text for unit in one["oracle"])
    assert any(one["paid"] != "0" for one in said)


@pytest.mark.slow
def test_that_explanations_rest_on_the_oracles_that_are_found_alone(faces, session):
    """And those of a file that one face writes are those that the other finds."""
    file = faces.folder / "oracles.json"
    words = ("--oracle", "rouge-2", "--unit", "sentence", "--tokens", "unicode")
    faces.says("oracle", faces.corpus, *words, "-o", file)
    said = json.loads(file.read_text("utf-8"))["oracles"]
    panes = explained(faces, session), explained(faces, session, oracles=str(file))
    found, read = (pane.signature.text() for pane in panes)
    assert "oracles=found" in found
    assert "oracles=file@" in read
    texts = [pane.browser.toPlainText() for pane in panes]
    assert texts[0] == texts[1]
    of_topic = next(one for one in said if one["topic"] == "t")
    assert texts[0].count("weight ") == len(of_topic["units"]) > 0
    assert all(of_topic["texts"][unit] in texts[0] for unit in of_topic["units"])


def of_single_sentences() -> Corpus:
    """Returns one topic, an output and a reference of a sentence each."""
    topic = small_corpus().topics[0]
    (abstract,) = topic.abstracts
    first = replace(abstract.sentences[0], text="cats chased small mice")
    reference = replace(abstract, sentences=(first,), alignments=())
    output = TextOutput(system="x", length="short", sentences=("cats chased mice",))
    return Corpus(topics=(replace(topic, abstracts=(reference,), outputs=(output,)),))


@pytest.mark.slow
def test_that_trees_are_matched_alike(faces, monkeypatch):
    faces.store(of_single_sentences())
    parses = {
        "cats chased mice": ("cats 2 nsubj", "chased 0 root", "mice 2 obj"),
        "cats chased small mice": ("cats 2 nsubj", "chased 0 root", "small 4 amod", "mice 2 obj"),
    }
    with CorpusStore.open(faces.corpus, who="1") as store:
        written = {text: conllu_of((tree(*lines),)) for text, lines in parses.items()}
        store.add_parses("test", written, who="1")
    monkeypatch.setattr(
        "awase.jobs.supplies.gathering.SupplyCaches.model", lambda *_args, **_named: FORMS
    )
    with faces.window_on(faces.corpus) as session:
        pane = faces.owned(TreesPane(session, faces.services))
        pane.chooser.choose(("subtree",), Places(model="here"))
        pane.show()
        pane.show_place(InspectedPlace(topic="t"))
        faces.settle()
        shown = {}
        for at, side in enumerate(("output", "reference")):
            pane.side.setCurrentIndex(at)
            pane.side.activated.emit(at)
            rows = [line.split("\t") for line in pane.grid.as_text().splitlines()[1:]]
            shown[side] = {(row[2], row[1], row[3]) for row in rows}
        summary = pane.summary.text()
    words = ("-m", "subtree", "--model", "here", "--json")
    (said,) = json.loads(faces.says("explain", faces.corpus, *words))["explained"]
    for side, name in (("output", "of_system"), ("reference", "of_reference")):
        assert shown[side] == {
            (one["text"], f"{one['similarity']:.3f}", one["partner"]["text"])
            if one["partner"]
            else (one["text"], "—", "—")
            for one in said[name]
        }
    assert f"R {said['r']:.3f}, P {said['p']:.3f}, F {said['f']:.3f}" in summary
