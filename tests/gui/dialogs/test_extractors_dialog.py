"""The dialog of extractors: what it puts into the corpus is what core extracts."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.conftest import small_topic

from awase.core.analysis.extractors import EXTRACTORS
from awase.gui.dialogs.deriving import ExtractorsDialog


def topic(topic_id):
    """One whose abstract has words of its source, so that there is an oracle."""
    whole = small_topic(topic_id)
    (abstract,) = whole.abstracts
    first, *others = abstract.sentences
    sentences = (replace(first, text="A dog ran."), *others)
    return replace(whole, abstracts=(replace(abstract, sentences=sentences),))


@pytest.fixture
def session(session_over):
    return session_over(topic("t"), topic("u"))


@pytest.fixture
def dialog(session, services, qtbot):
    dialog = qtbot.shown(ExtractorsDialog(session, services, None))
    yield dialog
    services.jobs.stop_all()


def choose(dialog, wanted):
    """Ticks exactly these extractors, and fills in their options."""
    for row, name in enumerate(EXTRACTORS):
        state = Qt.CheckState.Checked if name in wanted else Qt.CheckState.Unchecked
        dialog.offer.item(row).setCheckState(state)
        if name in wanted:
            dialog.offer.setCurrentRow(row)
            for option, value in wanted[name].items():
                dialog.options.panel.set(option, value)


def put(dialog, qtbot):
    dialog.accept_button.click()
    qtbot.waitUntil(lambda: not dialog.is_busy)


def extracts_of(session, system):
    return {
        (topic.id, output.length): output.sentences
        for topic in session.topics()
        for output in topic.outputs
        if output.system == system
    }


def test_that_a_name_can_be_given_and_is_not_taken_twice(dialog, session, qtbot):
    QTest.keyClicks(dialog.fields["name"], "first")
    assert dialog.has_unsaved()
    choose(dialog, {"lead": {"size": "1"}})
    put(dialog, qtbot)
    assert len(extracts_of(session, "first")) == 2
    assert not dialog.has_unsaved()
    with qtbot.waitSignal(dialog.failed) as failed:
        dialog.confirm()
    qtbot.waitUntil(lambda: not dialog.is_busy)
    assert "extracts of “first” already" in str(failed.args[1])
    choose(dialog, {"lead": {"size": "2"}})
    dialog.fields.set("replace", True)
    put(dialog, qtbot)
    assert {len(sentences) for sentences in extracts_of(session, "first").values()} == {2}


def test_that_a_wrong_option_is_told_at_once_and_keeps_from_extracting(dialog):
    assert dialog.ticked() == ["lead", "tfidf", "cluster", "mmr"]  # as in the paper
    choose(dialog, {"lead": {"size": "none"}})
    assert dialog.message.text().startswith("lead: size=none is not a number of sentences.")
    assert not dialog.accept_button.isEnabled()
    assert dialog.options.values()["size"] == "none"
    dialog.offer.item(0).setCheckState(Qt.CheckState.Unchecked)  # it is told all the same
    dialog.offer.item(1).setCheckState(Qt.CheckState.Checked)
    assert dialog.message.text().startswith("lead: size=none")
    assert dialog.accept_button.isEnabled()
    choose(dialog, {"lead": {"size": "3"}})
    assert dialog.accept_button.isEnabled()
    assert dialog.fields["signature"].text().startswith("lead:size=3")
    choose(dialog, {})  # there is nothing to do
    assert not dialog.accept_button.isEnabled()


@pytest.mark.slow
def test_that_without_parses_an_oracle_of_basic_elements_is_refused(dialog, session, qtbot):
    before = session.corpus()
    choose(dialog, {"oracle": {"oracle": "be"}})
    with qtbot.waitSignal(dialog.failed) as failed:
        dialog.confirm()
    qtbot.waitUntil(lambda: not dialog.is_busy)
    assert "needs a parse of every source sentence" in str(failed.args[1])
    assert session.store.corpus() == before


@pytest.mark.slow
def test_that_enter_in_the_list_extracts_and_where_rows_have_an_enter_of_their_own_it_does_not(
    dialog, qtbot, monkeypatch
):
    submitted = []
    monkeypatch.setattr(dialog, "submit", lambda: submitted.append(dialog.ticked()))
    dialog.show()
    dialog.offer.setFocus()
    qtbot.keyClick(dialog.offer, Qt.Key.Key_Return)
    assert len(submitted) == 1
    dialog.offer.itemActivated.connect(lambda _item: None)
    qtbot.keyClick(dialog.offer, Qt.Key.Key_Return)
    assert len(submitted) == 1


@pytest.mark.slow
def test_that_the_field_that_is_wrong_is_in_sight(dialog):
    dialog.resize(600, 420)
    choose(dialog, {"oracle": {"limit": "a page"}})
    for name in ("lead", "oracle"):
        dialog.offer.setCurrentRow([*EXTRACTORS].index(name))
    QApplication.processEvents()
    field, area = dialog.options.panel["limit"], dialog.options.parentWidget()
    place = QRect(field.mapTo(area, QPoint(0, 0)), field.size())
    assert dialog.options.height() > area.height()
    assert area.rect().contains(place), (place, area.rect())
