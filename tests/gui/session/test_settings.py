import json
import os
from dataclasses import replace

import pytest

from awase.gui.session.settings import Settings, SettingsFile


def test_that_settings_survive_a_restart(qapp, tmp_path):
    path = tmp_path / "deep" / "settings.json"
    chosen = Settings(language="ja", palette="dark", point_size=14, annotator="山田", geometry="AA")
    SettingsFile(path).change(chosen.with_recent("/a/b.awase"))
    assert SettingsFile(path).settings == chosen.with_recent("/a/b.awase")


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


def test_that_the_last_corpus_opened_comes_first_and_once():
    settings = Settings().with_recent("a").with_recent("b").with_recent("a")
    assert settings.recent == ("a", "b")


def test_that_no_more_than_ten_corpora_are_remembered():
    settings = Settings()
    for number in range(20):
        settings = settings.with_recent(str(number))
    assert settings.recent == tuple(str(number) for number in range(19, 9, -1))


def test_that_an_equal_change_is_not_written(qapp, tmp_path, qtbot):
    file = SettingsFile(tmp_path / "settings.json")
    with qtbot.assertNotEmitted(file.changed):
        file.change(replace(file.settings))
    assert not (tmp_path / "settings.json").exists()


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
