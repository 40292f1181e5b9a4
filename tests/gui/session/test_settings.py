"""Settings, and where somebody was."""

import json
import os
from dataclasses import fields, replace

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QApplication
from tests.gui.conftest import small_topic
from tests.gui.seeing import column
from tests.in_part import in_turn

from awase.core.annotation.actions import NOTE, alignment_edit, with_note
from awase.core.annotation.content import guidelines_edit
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.session.settings import (
    MOST_PLACES,
    LastPosition,
    Settings,
    SettingsFile,
    last_position,
    places_of,
    still_there,
)


def test_that_settings_and_places_survive_a_restart(qapp, tmp_path):
    path = tmp_path / "deep" / "settings.json"
    chosen = Settings(language="ja", palette="dark", point_size=14, annotator="山田", geometry="AA")
    chosen = replace(chosen, left_off=(HERE,), recent_commands=("undo",), folds_candidates=True)
    chosen = replace(chosen, vectors="v.kv", model="m").with_score_metrics("a", ("bleu", "rouge-1"))
    chosen = chosen.with_recent("/a/b.awase")
    assert all(getattr(chosen, one.name) != one.default for one in fields(Settings))
    SettingsFile(path).change(chosen)
    assert SettingsFile(path).settings == chosen


def test_that_a_damaged_file_is_put_aside(qapp, tmp_path):
    path = tmp_path / "settings.json"
    path.write_text("{", "utf-8")
    assert SettingsFile(path).settings == Settings()
    assert (tmp_path / "settings.json.damaged").read_text("utf-8") == "{"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("language", "xx"),
        ("palette", 3),
        ("point_size", 400),
        ("annotator", "  "),
        ("recent", "x"),
        ("geometry", None),
    ],
)
def test_that_a_value_that_makes_no_sense_is_left_at_its_default(qapp, tmp_path, field, value):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({field: value, "unknown": 1}), "utf-8")
    assert SettingsFile(path).settings == Settings()


def test_that_the_last_corpus_opened_comes_first_and_once_and_ten_are_remembered():
    settings = Settings().with_recent("a").with_recent("b").with_recent("a")
    assert settings.recent == ("a", "b")
    for number in range(20):
        settings = settings.with_recent(str(number))
    assert settings.recent == tuple(str(number) for number in range(19, 9, -1))


def test_that_an_equal_change_is_not_written(qapp, tmp_path, qtbot):
    file = SettingsFile(tmp_path / "settings.json")
    with qtbot.assertNotEmitted(file.changed):
        file.change(replace(file.settings))
    assert not (tmp_path / "settings.json").exists()


def test_that_settings_hold_for_now_where_they_cannot_be_written_which_is_told_once(
    open_window, services, tmp_path
):
    (tmp_path / "config" / "settings.json.part").mkdir()
    for palette in ("dark", "light"):
        open_window.menus.paletteChosen.emit(palette)
        assert services.themes.theme.name == palette
    (dialog,) = open_window.findChildren(ProblemsDialog)
    assert "settings.json” or its folder cannot be written" in column(dialog.table, 1)[0]
    open_window.close()
    assert open_window.workspace is None


@pytest.mark.skipif(os.name != "posix", reason="Windows has other rights")
def test_that_nobody_else_may_read_the_settings(qapp, tmp_path):
    path = tmp_path / "settings.json"
    path.write_text("{}", "utf-8")
    path.chmod(0o644)
    (tmp_path / "settings.json.part").write_text("left by a crash", "utf-8")
    SettingsFile(path).change(Settings(annotator="山田"))
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "location", ["postgresql://ann:s3cret@host/db", "postgresql://host/db?password=s3cret"]
)
def test_that_no_password_is_remembered(qapp, tmp_path, location):
    assert Settings().with_recent(location).recent == ()
    assert Settings().with_recent("postgresql://ann@host/db").recent
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"recent": [location, "/a.awase"]}), "utf-8")
    assert SettingsFile(path).settings.recent == ("/a.awase",)


HERE = LastPosition(location="c", who="1", topic="t", abstract="t-short", n=2, pane=2, step=5)


# Which place counts


def test_that_the_kept_place_counts_until_the_log_is_ahead_of_it():
    (abstract,) = small_topic("u").abstracts
    entry = with_note(abstract.alignment_by("1").of_sentence(1), "x")
    edit = alignment_edit("u", abstract, "1", entry, verb=NOTE)
    known = (replace(HERE, who="2"), HERE)
    assert last_position(known, "c", "1", step=5, edit=edit, n=1) == HERE
    ahead = last_position(known, "c", "1", step=6, edit=edit, n=1)
    assert ahead is not None
    assert (ahead.topic, ahead.abstract, ahead.n) == ("u", "u-short", 1)
    assert last_position((), "c", "1", step=6, edit=edit, n=1) == ahead
    assert last_position((), "c", "1", step=0, edit=None, n=0) is None
    about_nothing = guidelines_edit("", "x")
    assert last_position(known, "c", "1", step=9, edit=about_nothing, n=0) == HERE


def test_that_what_no_longer_exists_is_left_out():
    topic = small_topic("t")
    assert still_there(HERE, topic) == ("t", "t-short", 2)
    assert still_there(replace(HERE, n=7), topic) == ("t", "t-short", 0)
    assert still_there(replace(HERE, abstract="gone"), topic) == ("t", None, 0)
    assert still_there(HERE, None) is None


def test_that_a_place_replaces_the_one_before_and_the_oldest_are_forgotten():
    known = Settings(left_off=(HERE,)).with_last_position(replace(HERE, n=1))
    assert known.left_off == (replace(HERE, n=1),)
    of_other = replace(HERE, who="2")
    assert known.with_last_position(of_other).left_off == (of_other, replace(HERE, n=1))
    for number in range(MOST_PLACES):
        known = known.with_last_position(replace(HERE, location=f"c{number}"))
    assert len(known.left_off) == MOST_PLACES
    assert known.left_off[0].location == f"c{MOST_PLACES - 1}"
    assert HERE.location not in {place.location for place in known.left_off}


@in_turn("broken", [None, 3, {}, [{}], [{"n": True}], ["x"]])
def test_that_a_settings_file_with_nonsense_for_places_opens(broken):
    assert places_of(broken) == ()


# In the window


@pytest.fixture
def opened(window, window_over):
    """Closes the corpus, opens another one, and returns the page that it opens on."""

    def open_it(path):
        window.close_corpus()
        return window_over(path).workspace.annotate

    return open_it


def place(page):
    return page.annotation.place.topic.id, page.annotation.n


@pytest.mark.slow
def test_that_each_annotator_goes_on_where_they_left(opened, window, make_corpus, services):
    path = make_corpus(small_topic("t"), small_topic("u"))
    page = opened(path)
    assert place(page) == ("t", 1)
    page.annotation.go_to("u")
    window.workspace.session.set_who("2")
    assert services.settings.settings.annotator == "2"
    page.annotation.go_to("t")
    page.annotation.select(2)
    window.workspace.session.set_who("1")
    assert place(page) == ("u", 1)
    window.workspace.session.set_who("2")
    assert place(page) == ("t", 2)
    QApplication.sendEvent(page.alternatives.view, QFocusEvent(QEvent.Type.FocusIn))
    assert opened(path).place() == ("t", "t-short", 2, 2)
