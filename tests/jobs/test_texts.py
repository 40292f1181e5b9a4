"""Plain texts are looked at, and imported as somebody said."""

from dataclasses import replace
from pathlib import Path

import pytest

from awase.core.errors import InputError
from awase.core.progress import Silent
from awase.core.records.corpus import Corpus
from awase.jobs.importing import format_of_place, read_all
from awase.jobs.texts import are_texts, look_at


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (
        ("asahi-2024-01-02.txt", "Quake\n\nThe hall fell. Nobody was hurt."),
        ("mainichi.txt", "A hall fell down. It was old."),
        ("abstract-short.txt", "An old hall fell."),
        ("lead.system.txt", "The hall fell."),
    ):
        path = tmp_path / "quake" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path / "quake"


def test_that_a_folder_of_texts_becomes_a_topic(folder):
    found = look_at([folder], None, Silent())
    read = read_all(Corpus(), [found.to_import(found.files)], Silent())
    (topic,) = read.corpus.topics
    assert [(one.id, one.title, one.date) for one in topic.documents] == [
        ("asahi-2024-01-02", "Quake", "2024-01-02"),
        ("mainichi", None, None),
    ]
    assert [(one.id, one.length) for one in topic.abstracts] == [("short", "short")]
    assert [(one.system, one.length) for one in topic.outputs] == [("lead", "short")]
    assert read.warnings == ()  # somebody looked at the table


def test_that_files_by_themselves_are_found_as_their_folder_is(folder):
    alone = look_at(sorted(folder.iterdir()), None, Silent())
    assert alone.files == look_at([folder], None, Silent()).files
    assert are_texts([folder])
    assert are_texts([*folder.iterdir()])
    assert format_of_place(folder).id == "text-folder"


def test_that_a_corrected_role_is_taken(folder):
    found = look_at([folder], None, Silent())
    said = [
        replace(file, role="reference", author="Kato") if file.name == "mainichi.txt" else file
        for file in found.files
    ]
    (topic,) = read_all(Corpus(), [found.to_import(said)], Silent()).corpus.topics
    assert [(one.id, one.author) for one in topic.abstracts] == [
        ("short", None),
        ("mainichi", "Kato"),
    ]


def test_that_a_folder_without_texts_is_told(tmp_path):
    (tmp_path / "a.png").write_bytes(b"\x89PNG")
    assert not are_texts([tmp_path])
    with pytest.raises(InputError, match="no plain text"):
        look_at([tmp_path], None, Silent())


def test_that_a_text_that_cannot_be_decoded_is_told_by_its_name(folder):
    (folder / "odd.txt").write_bytes(b"\xff\xfe\x00\xd8\x00\x00")
    found = look_at([folder], None, Silent())
    assert [*found.problems] == ["odd.txt"]
    assert "odd.txt" not in found.texts
