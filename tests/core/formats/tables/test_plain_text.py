from tests.core.formats.reading import read, read_into
from tests.in_part import in_turn

from awase.core.formats.reading.requests import TextFile
from awase.core.formats.tables.text_folder import Doubt, doubts, files_of, split_file
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic


def document(text, source="set/980101001.txt", **request):
    ((topic, found),) = read("text", text, source=source, topic="t", **request).addition.documents
    assert topic == "t"
    return found


def test_that_a_file_is_a_document_named_after_it():
    found = document("犬が走った。猫は寝た。\n\n鳥も飛んだ。\n")
    assert found.id == "980101001"
    made = [(part.n, part.paragraph, part.text) for part in found.sentences]
    assert made == [(1, 1, "犬が走った。"), (2, 1, "猫は寝た。"), (3, 2, "鳥も飛んだ。")]


@in_turn(
    ("source", "name"),
    [("a.b.txt", "a.b"), ("C:\\x\\d1.txt", "d1"), ("noending", "noending"), (".txt", ".txt")],
)
def test_that_folders_and_ending_are_not_part_of_the_id(source, name):
    assert document("犬。", source=source).id == name


HEADLINES = ("犬の記事", "首相「辞めない」", "年金、どうなる？", "巨人優勝！", "Fire", "１０％増に")


@in_turn(
    ("text", "title"),
    [
        *((f"\n{line}\n\n犬が走った。\n", line) for line in HEADLINES),
        ("犬が走った。\n\n猫は寝た。", None),
        ("犬の記事\n犬が走った。", None),
        ("「行くのか。」\n\n猫は寝た。", None),
        ("Who won?\n\nWe did.", None),
    ],
)
def test_that_a_first_line_apart_is_the_title_unless_it_is_a_sentence(text, title):
    found = document(text)
    assert (found.title, len(found.sentences)) == (title, 1 if title else 2)


def test_that_a_sentence_a_line_keeps_its_lines():
    lines = ["The dog ran.", "It was 5 p.m. on Monday.", "Then it slept."]
    assert [part.text for part in document("\n".join(lines)).sentences] == lines


def test_that_the_language_of_the_topic_decides_when_none_is_said():
    corpus = Corpus(topics=(Topic(id="t", language="en"),))
    text = "東京。 大阪。"
    assert len(document(text, corpus=corpus).sentences) == 2
    joined = read_into("text", "Mr. A ran.", corpus, source="d.txt", topic="t")
    assert [part.text for _, part in joined.topics[0].sentences()] == ["Mr. A ran."]


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


@in_turn(
    ("names", "found"),
    [
        ("fire/a.txt fire/abstract.long.B.txt flood/b.txt flood/要約_短.txt",
         ["document fire a  ", "reference fire long_B long B", "document flood b  ",
          "reference flood 短 short "]),
        ("t1/documents/a.txt t1/documents/b.txt t1/abstracts/short.txt t1/systems/lead/short.txt",
         ["document t1 a  ", "document t1 b  ", "reference t1 short short ",
          "system t1 lead short "]),
        *((f"{top}documents/t1.txt {top}references/t1.txt {top}systems/x/t1.txt",
           ["document t1   ", "reference t1   ", "system t1 x  "]) for top in ("", "data/")),
        ("abstract-short.txt lead.system.txt news-20249902.txt",  # a number that is no date
         ["reference quake short short ", "system quake lead short ",
          "document quake news-20249902  "]),
        ("abstract-2-smith-short.txt lead-long.system.txt",  # of a length of its own
         ["reference quake 2_smith_short short smith", "system quake lead long "]),
        ("t1/documents/a.txt t1/documents/b.txt t1/systems/my-lead/out.txt",
         ["document t1 a  ", "document t1 b  ", "system t1 my-lead  "]),
        ("a/documents/1.txt a/systems/x/1.txt b/documents/2.txt b/systems/x/2.txt",
         ["document 1 a  ", "system 1 a/x  ", "document 2 b  ", "system 2 b/x  "]),
        ("data/documents/t1.txt data/systems/x/t1.txt extra/note.txt",
         ["document t1   ", "system t1 x  ", "document extra note  "]),
        ("system/s.2004.1.txt system/s.2004.2.txt model/A.2004.1.txt model/A.2004.2.txt",
         ["system 1 s  ", "system 2 s  ", "reference 1 A  A", "reference 2 A  A"]),
        ("system/s.1.txt model/A.1.txt model/A.2.txt model/A.3.txt",  # few numbers are of both
         ["system quake s.1  ", *(f"reference quake A.{n}  A" for n in (1, 2, 3))]),
    ],
)  # fmt: skip
def test_that_folders_are_topics_or_roles_and_one_abstract_tells_the_length(names, found):
    assert [" ".join(one) for one in told(*names.split()).values()] == [f"{one} " for one in found]


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
