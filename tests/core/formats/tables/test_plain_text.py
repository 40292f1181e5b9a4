import pytest
from tests.core.formats.reading import read, read_into, refusals, warnings
from tests.in_part import in_turn

from awase.core.errors import InputError
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic


def document(text, source="set/980101001.txt", **request):
    ((topic, found),) = read("text", text, source=source, topic="t", **request).addition.documents
    assert topic == "t"
    return found


def test_that_a_file_is_a_document_named_after_it():
    found = document("犬が走った。猫は寝た。\n\n鳥も飛んだ。\n")
    assert found.id == "980101001"
    assert [(part.n, part.paragraph, part.text) for part in found.sentences] == [
        (1, 1, "犬が走った。"),
        (2, 1, "猫は寝た。"),
        (3, 2, "鳥も飛んだ。"),
    ]


@in_turn(
    ("source", "name"),
    [("a.b.txt", "a.b"), ("C:\\x\\d1.txt", "d1"), ("noending", "noending"), (".txt", ".txt")],
)
def test_that_folders_and_ending_are_not_part_of_the_id(source, name):
    assert document("犬。", source=source).id == name


def test_that_a_first_line_apart_is_the_title():
    found = document("\n犬の記事\n\n犬が走った。\n")
    assert (found.title, len(found.sentences)) == ("犬の記事", 1)


@in_turn("line", ["首相「辞めない」", "年金、どうなる？", "巨人優勝！", "Fire", "１０％増に"])
def test_that_japanese_headlines_may_end_in_marks_and_quotations(line):
    found = document(f"{line}\n\n犬が走った。\n")
    assert (found.title, len(found.sentences)) == (line, 1)


@in_turn(
    "text",
    [
        "犬が走った。\n\n猫は寝た。",
        "犬の記事\n犬が走った。",
        "「行くのか。」\n\n猫は寝た。",
        "Who won?\n\nWe did.",
    ],
)
def test_that_a_sentence_or_a_line_without_a_gap_is_no_title(text):
    found = document(text)
    assert (found.title, len(found.sentences)) == (None, 2)


def test_that_a_sentence_a_line_keeps_its_lines():
    lines = ["The dog ran.", "It was 5 p.m. on Monday.", "Then it slept."]
    assert [part.text for part in document("\n".join(lines)).sentences] == lines


def test_that_the_language_of_the_topic_decides_when_none_is_said():
    corpus = Corpus(topics=(Topic(id="t", language="en"),))
    text = "東京。 大阪。"
    assert len(document(text, corpus=corpus).sentences) == 2
    joined = read_into("text", "Mr. A ran.", corpus, source="d.txt", topic="t")
    assert [part.text for _, part in joined.topics[0].sentences()] == ["Mr. A ran."]


@in_turn(
    ("text", "what"),
    [
        ("", "The file has no text. Choose a file that has sentences."),
        (" \n　\n", "The file has no text. Choose a file that has sentences."),
        ("見出し\n\n", "The file has only a title. Choose a file that has sentences."),
    ],
)
def test_that_an_empty_file_is_refused(text, what):
    assert refusals("text", text, topic="t") == [what]


def test_that_the_topic_has_to_be_named():
    (message,) = refusals("text", "犬。")
    assert message.endswith("which topic its documents belong to. Name the topic.")


def test_that_a_language_without_rules_is_refused():
    with pytest.raises(InputError, match=r"“fr” cannot be split .* Use one of ja, en"):
        document("Bonjour.", language="fr")


def test_that_lost_characters_are_warned_about_with_their_line():
    (message,) = warnings("text", "題\n\n犬。\n猫\ufffd。", topic="t")
    assert message.startswith("4: The text has a replacement character")
