"""The pseudo-pyramid beside the sentence: the worked example of its page, read in the window."""

from dataclasses import replace

import pytest
from tests import building

from awase.core.records.abstract import Limit
from awase.gui.pages.inspect.explaining import PyramidPane
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
def pane(session_over, pane_over):
    return pane_over(PyramidPane, session_over(worked_example(), worked_example("u")), METRIC)


@pytest.fixture
def read(look):
    def read(pane, system, **place):
        """Looks at a system of a topic; texts without a length class are scored under each."""
        look(pane, system=system, **place)
        return pane.browser.toPlainText()

    return read


@pytest.mark.main
def test_that_the_worked_example_is_explained_and_another_topic_keeps_the_system(pane, read):
    text = read(pane, "one")
    assert "3 / 3 = 1.000 · 2 of 3 oracle units found" in text
    assert "✓ found · weight 2 · s1 · d:1" in text
    assert "✗ missed · weight 1 · s2 · d:2" in text
    assert pane.signature.text().startswith("pseudo-pyramid:oracle=rouge-2,unit=sentence")
    text = read(pane, "two")  # what was found twice is paid once
    assert "2 / 3 = 0.667" in text
    assert text.count("again, not paid") == 1
    assert "the boat sank quickly" in text
    text = read(pane, "", topic="u")
    assert pane.system.currentText() == "two"
    assert "u · two" in text


@pytest.mark.main
def test_that_units_in_no_oracle_are_told_and_common_words_marked(pane, read):
    text = read(pane, "odd")
    assert text.endswith("it was cold")
    assert "by, 3 of 4 words" in text
    assert "text-decoration: underline" in pane.browser.toHtml()


@pytest.mark.main
def test_that_units_linked_to_the_sentence_in_sight_are_told(session_over, pane_over, read):
    plain = worked_example()
    linked = building.abstract(
        "a", "s1", texts=("the boat sank fast", "nobody on board died"),
        limit=Limit(unit="words", size=8),
    )  # fmt: skip
    topic = replace(plain, abstracts=(linked, plain.abstracts[1]))
    pane = pane_over(PyramidPane, session_over(topic), METRIC)
    text = read(pane, "one", abstract="a", n=1)
    assert "✓ found · weight 2 · s1 · d:1 · linked to the sentence above" in text
    assert text.count("linked to the sentence above") == 1
    text = read(pane, "one", abstract="a", n=1, annotator="somebody")
    assert "linked to the sentence above" not in text  # another alignment is looked at


@pytest.mark.parametrize(
    ("metric", "files", "message"),
    [
        ("pseudo-pyramid:tau=2", {}, "tau=2 is not over 0 and up to 1."),
        ("pseudo-pyramid:unit=edu-file", {}, "unit=edu-file needs a file of EDUs."),
        ("pseudo-pyramid:oracle=be", {}, "needs a parse of every source sentence"),
        (METRIC, {"oracles": "missing.json"}, "“missing.json” cannot be read"),
    ],
)
def test_that_what_cannot_be_explained_is_told(pane, read, metric, files, message):
    pane.chooser.choose((metric,), Places(**files))
    read(pane, "one")
    assert message in pane.empty.text()
    assert pane.empty.isVisible()
    assert pane.signature.text() == ""
