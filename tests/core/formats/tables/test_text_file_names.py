"""What names of plain texts tell, and what is asked about their contents."""

import pytest

from awase.core.formats.reading.requests import TextFile
from awase.core.formats.tables.text_folder import Doubt, doubts, files_of, split_file


def told(*names: str) -> dict[str, tuple[str, ...]]:
    """Returns role, topic, label, length, author and date by name."""
    return {
        file.name: (file.role, file.topic, file.label, file.length, file.author, file.date)
        for file in files_of(names, "quake")
    }


def test_that_a_folder_is_a_topic_and_its_texts_are_documents_beside_an_abstract() -> None:
    assert told("asahi-2024-01-02.txt", "mainichi.txt", "abstract-short.txt") == {
        "asahi-2024-01-02.txt": (
            "document", "quake", "asahi-2024-01-02", "", "", "2024-01-02",
        ),
        "mainichi.txt": ("document", "quake", "mainichi", "", "", ""),
        "abstract-short.txt": ("reference", "quake", "short", "short", "", ""),
    }  # fmt: skip


def test_that_folders_in_a_folder_are_topics() -> None:
    found = told("fire/a.txt", "fire/abstract.long.B.txt", "flood/b.txt", "flood/要約_短.txt")
    assert [(one[0], one[1]) for one in found.values()] == [
        ("document", "fire"),
        ("reference", "fire"),
        ("document", "flood"),
        ("reference", "flood"),
    ]
    assert found["fire/abstract.long.B.txt"][2:5] == ("long_B", "long", "B")
    assert found["flood/要約_短.txt"][3] == "short"


def test_that_folders_of_roles_in_a_topic_hold_its_texts() -> None:
    names = ("t1/documents/a.txt", "t1/documents/b.txt", "t1/abstracts/short.txt",
             "t1/systems/lead/short.txt")  # fmt: skip
    assert [one[:4] for one in told(*names).values()] == [
        ("document", "t1", "a", ""),
        ("document", "t1", "b", ""),
        ("reference", "t1", "short", "short"),
        ("system", "t1", "lead", "short"),
    ]


@pytest.mark.parametrize("top", ["", "data/"])
def test_that_files_called_alike_in_folders_of_roles_are_topics(top: str) -> None:
    found = told(f"{top}documents/t1.txt", f"{top}references/t1.txt", f"{top}systems/x/t1.txt")
    assert [one[:3] for one in found.values()] == [
        ("document", "t1", ""),
        ("reference", "t1", ""),
        ("system", "t1", "x"),
    ]


def test_that_an_output_has_the_length_of_the_only_abstract() -> None:
    found = told("abstract-short.txt", "lead.system.txt", "a.txt")
    assert found["lead.system.txt"][2:4] == ("lead", "short")


def test_that_a_number_that_is_no_date_is_none() -> None:
    assert told("news-20249902.txt", "abstract.txt")["news-20249902.txt"][5] == ""


def file(name: str, role: str, topic: str = "t") -> TextFile:
    return TextFile(name=name, role=role, topic=topic)


def test_that_a_document_that_has_an_abstracts_sentence_is_asked_about() -> None:
    files = [file("a", "document"), file("b", "document"), file("r", "reference")]
    sentences = {"a": ["It  rained.", "More."], "b": ["Sun."], "r": ["It rained.", "Wind."]}
    assert doubts(files, sentences) == (
        Doubt(document="a", abstract="r", n_shared=1, n_sentences=2),
    )
    elsewhere = [file("a", "document", "u"), file("r", "reference")]
    assert doubts(elsewhere, sentences) == ()


def test_that_a_headline_is_a_title_and_lines_that_end_are_sentences() -> None:
    assert split_file("Fire\n\nIt burnt. All night.", "en").title == "Fire"
    lines = split_file("It burnt. All night.\nIt ended.", "en")
    assert lines.texts == ("It burnt. All night.", "It ended.")
