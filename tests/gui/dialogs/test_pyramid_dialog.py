"""The explanation of the pseudo-pyramid: the worked example of its page, read in the window."""

import pytest
from tests import building

from awase.core.records.abstract import Limit
from awase.gui.dialogs.pyramid.dialog import PyramidDialog
from awase.gui.session.session import CorpusSession
from awase.storage.store import CorpusStore

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
def dialog(make_corpus, services, qtbot):
    with CorpusStore.open(make_corpus(worked_example(), worked_example("u")), who="1") as store:
        dialog = PyramidDialog(CorpusSession(store, who="1"), services)
        qtbot.addWidget(dialog)
        dialog.choose(metric=METRIC)
        dialog.show()
        yield dialog
        services.jobs.stop_all()


def look(dialog, qtbot):
    dialog.confirm()
    qtbot.waitUntil(lambda: not dialog.is_busy)


def read(dialog, system):
    box = dialog.fields.box("system")
    box.setCurrentIndex(box.findText(system))
    return dialog.browser.toPlainText()


def test_that_the_worked_example_is_explained(dialog, qtbot) -> None:
    look(dialog, qtbot)
    text = read(dialog, "one")
    assert "3 / 3 = 1.0000 · 2 of 3 oracle units found" in text
    assert "✓ found · weight 2 · s1" in text
    assert "✗ missed · weight 1 · s2" in text
    assert (
        dialog.field("signature").text().startswith("pseudo-pyramid:oracle=rouge-2,unit=sentence")
    )


def test_that_what_was_found_twice_is_paid_once(dialog, qtbot) -> None:
    look(dialog, qtbot)
    text = read(dialog, "two")
    assert "2 / 3 = 0.6667" in text
    assert text.count("again, not paid") == 1
    assert "the boat sank quickly" in text


def test_that_units_in_no_oracle_are_told_and_common_words_marked(dialog, qtbot) -> None:
    look(dialog, qtbot)
    text = read(dialog, "odd")
    assert text.endswith("it was cold")
    assert "by, 3 of 4 words" in text
    assert "text-decoration: underline" in dialog.browser.toHtml()


def test_that_another_topic_keeps_the_system(dialog, qtbot) -> None:
    look(dialog, qtbot)
    read(dialog, "two")
    dialog.topics.chosen.emit("u")
    assert dialog.fields.box("system").currentText() == "two"
    assert "u · two" in dialog.browser.toPlainText()


@pytest.mark.parametrize(
    ("metric", "files", "message"),
    [
        ("rouge-1", {}, "Only pseudo-pyramid can be explained."),
        ("pseudo-pyramid:tau=2", {}, "tau=2 is not over 0 and up to 1."),
        ("pseudo-pyramid:unit=edu-file", {}, "unit=edu-file needs a file of EDUs."),
        ("pseudo-pyramid:oracle=be", {}, "needs a parse of every source sentence"),
        (METRIC, {"oracles": "missing.json"}, "“missing.json” cannot be read"),
    ],
)
def test_that_what_cannot_be_explained_is_told(dialog, qtbot, metric, files, message) -> None:
    dialog.choose(metric=metric, **files)
    with qtbot.waitSignal(dialog.failed) as failed:
        dialog.confirm()
    qtbot.waitUntil(lambda: not dialog.is_busy)
    assert message in str(failed.args[1])
    assert dialog.field("signature").text() == ""
