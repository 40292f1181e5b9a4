"""An annotator takes the next free topic by one key."""

from dataclasses import replace

import pytest
from tests.building import abstract, corpus, topic
from tests.gui.seeing import says, texts
from tests.stored import corpus_file

from awase.core.records.project import Person
from awase.gui.kit.problems import ProblemsDialog


@pytest.fixture
def window(window_over, tmp_path):
    made = corpus(*(topic(f"t{at}", abstracts=(abstract("a", texts=["one"]),)) for at in range(2)))
    made = replace(made, persons=(Person(id="A1"), Person(id="A2")))
    return window_over(corpus_file(tmp_path / "c.awase", made))


def test_that_the_key_gives_a_topic_and_shows_it_and_undo_gives_it_back(window):
    session = window.shown.session
    window.shown.show_page("project")
    session.set_who("A2")
    session.store.take_next(who="A1")  # behind the window's back
    window.menus.choose("menu:next-free")
    assert window.shown.page_id == "annotate"
    assert says(window, "Topic t1 is yours now.")
    assert [(one.topic, one.person) for one in session.assignments] == [("t0", "A1"), ("t1", "A2")]
    window.menus.choose("menu:next-free")
    assert says(window, "Topic t1 is yours, and not begun.")
    session.undo_stack.undo()
    assert session.assignments == session.store.corpus().assignments
    assert [one.person for one in session.assignments] == ["A1"]


@pytest.mark.slow
def test_that_who_is_not_of_the_project_is_told_and_gets_nothing(window):
    window.shown.session.set_who("X")
    window.menus.choose("menu:next-free")
    assert says(window, "“X” is not of this project.")  # one line, and nothing was to be stored
    assert not window.findChildren(ProblemsDialog)
    assert "saved" in texts(window.shown.annotate.strip)
    assert window.shown.session.assignments == ()
