"""The pseudo-pyramid beside the sentence: the worked example of its page, read in the window."""

from dataclasses import replace

import pytest
from tests import building

from awase.core.records.abstract import Limit
from awase.gui.pages.inspect.explaining import InspectedPlace, PyramidPane
from awase.jobs.supplies.gathering import Places

pytestmark = pytest.mark.slow

SOURCE = (
    "the boat sank fast", "nobody on board died", "a storm had come", "the boat sank quickly",
)  # fmt: skip
METRIC = "pseudo-pyramid:unit=sentence"


def abstract(name, *texts):
    return building.abstract(name, texts=texts, limit=Limit(unit="words", size=8))


def worked_example(topic_id="t"):
    """Of docs/metrics/pseudo-pyramid.md."""
    return building.topic(
        topic_id,
        docs=SOURCE,
        abstracts=(
            abstract("a", "the boat sank fast", "nobody on board died"),
            abstract("b", "the boat sank fast", "a storm had come"),
        ),
        outputs=(
            building.extract("one", 1, 3),
            building.extract("two", 4, 1),
            building.text("odd", "boat sank fast", "it was cold"),
        ),
        language="en",
    )


@pytest.fixture
def pane(session_over, services, qtbot):
    pane = PyramidPane(session_over(worked_example(), worked_example("u")), services)
    qtbot.addWidget(pane)
    pane.chooser.choose((METRIC,))
    pane.show()
    yield pane
    services.jobs.stop_all()


def read(pane, qtbot, system, **place):
    """Looks at a system of a topic; texts without a length class are scored under each."""
    pane.show_place(InspectedPlace(**{"topic": "t", "system": system, **place}))
    qtbot.waitUntil(lambda: not pane.services.jobs.is_busy)
    return pane.browser.toPlainText()


@pytest.mark.main
def test_that_the_worked_example_is_explained(pane, qtbot):
    text = read(pane, qtbot, "one")
    assert "3 / 3 = 1.000 · 2 of 3 oracle units found" in text
    assert "✓ found · weight 2 · s1 · d:1" in text
    assert "✗ missed · weight 1 · s2 · d:2" in text
    assert pane.signature.text().startswith("pseudo-pyramid:oracle=rouge-2,unit=sentence")


def test_that_what_was_found_twice_is_paid_once(pane, qtbot):
    text = read(pane, qtbot, "two")
    assert "2 / 3 = 0.667" in text
    assert text.count("again, not paid") == 1
    assert "the boat sank quickly" in text


def test_that_units_in_no_oracle_are_told_and_common_words_marked(pane, qtbot):
    text = read(pane, qtbot, "odd")
    assert text.endswith("it was cold")
    assert "by, 3 of 4 words" in text
    assert "text-decoration: underline" in pane.browser.toHtml()


def test_that_another_topic_keeps_the_system(pane, qtbot):
    read(pane, qtbot, "two")
    text = read(pane, qtbot, "", topic="u")
    assert pane.system.currentText() == "two"
    assert "u · two" in text


def test_that_units_linked_to_the_sentence_in_sight_are_told(session_over, services, qtbot):
    plain = worked_example()
    linked = building.abstract(
        "a", "s1", texts=("the boat sank fast", "nobody on board died"),
        limit=Limit(unit="words", size=8),
    )  # fmt: skip
    topic = replace(plain, abstracts=(linked, plain.abstracts[1]))
    pane = PyramidPane(session_over(topic), services)
    qtbot.addWidget(pane)
    pane.chooser.choose((METRIC,))
    pane.show()
    text = read(pane, qtbot, "one", abstract="a", n=1)
    assert "✓ found · weight 2 · s1 · d:1 · linked to the sentence above" in text
    assert text.count("linked to the sentence above") == 1
    text = read(pane, qtbot, "one", abstract="a", n=1, annotator="somebody")
    assert "linked to the sentence above" not in text  # another alignment is looked at
    services.jobs.stop_all()


@pytest.mark.parametrize(
    ("metric", "files", "message"),
    [
        ("pseudo-pyramid:tau=2", {}, "tau=2 is not over 0 and up to 1."),
        ("pseudo-pyramid:unit=edu-file", {}, "unit=edu-file needs a file of EDUs."),
        ("pseudo-pyramid:oracle=be", {}, "needs a parse of every source sentence"),
        (METRIC, {"oracles": "missing.json"}, "“missing.json” cannot be read"),
    ],
)
def test_that_what_cannot_be_explained_is_told(pane, qtbot, metric, files, message):
    pane.chooser.choose((metric,), Places(**files))
    read(pane, qtbot, "one")
    assert message in pane.empty.text()
    assert pane.empty.isVisible()
    assert pane.signature.text() == ""
