from tests.building import document
from tests.core.formats.reading import read_into, warnings

from awase.core.errors import Silent
from awase.core.formats.importing import read_files
from awase.core.formats.reading.requests import ReadRequest
from awase.core.records.abstract import Limit
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic

DOCUMENTS = tuple(document(id_, ["The dog ran."]) for id_ in ("X", "Y"))
CORPUS = Corpus(topics=(Topic(id="d061j", documents=DOCUMENTS),))


def summary(text="Dogs run. Cats\nsleep.", **changed):
    said = {
        "docset": "d061", "type": "MULTI", "size": "100", "docref": "X Y", "selector": "J",
        "summarizer": "B", **changed,
    }  # fmt: skip
    attributes = " ".join(f'{key.upper()}="{value}"' for key, value in said.items() if value)
    return f"<SUM {attributes}>\n{text}\n</SUM>\n"


def corpus(text, **request):
    return read_into("duc-abstracts", text, **{"source": "file", **request})


def topics(text, **request):
    return corpus(text, **request).topics


def told(text, **request):
    return warnings("duc-abstracts", text, **request)


def test_that_a_summary_of_a_person_is_an_abstract():
    (topic,) = topics(f"<html><body>{summary()}</body></html>")
    assert topic.id == "d061j"
    (abstract,) = topic.abstracts
    assert (abstract.id, abstract.author, abstract.length) == ("B-100", "B", "100")
    assert abstract.limit == Limit(unit="words", size=100)
    assert [(s.n, s.text) for s in abstract.sentences] == [(1, "Dogs run."), (2, "Cats sleep.")]
    assert told(f"<html><body>{summary()}</body></html>") == []


def test_that_the_set_of_the_corpus_is_found_with_the_selector():
    (topic,) = topics(summary(), corpus=CORPUS)
    assert (topic.id, len(topic.abstracts)) == ("d061j", 1)
    short = Corpus(topics=(Topic(id="D061"),))
    assert [topic.id for topic in topics(summary(), corpus=short)] == ["D061"]
    assert [topic.id for topic in topics(summary(docset="D30001"))] == ["D30001"]


def test_that_the_name_of_a_file_of_one_summary_tells_everything():
    names = {
        "models/D30001.M.100.T.A": "Dogs run. Cats sleep.",
        "models/D30001.P.10.T.B.APW1998.0240": "Dogs run.",
        "peers/D30001.M.100.T.11": "A dog.",
        "peers/D0736-B.M.100.H.2.html": '<html><body><a name="1">[1]</a> <a href="#1" id=1>A &amp; '
        'B</a>\n<a name="2">[2]</a> <a href="#2" id=2>The cat .</a></body></html>',
    }
    files = [
        ReadRequest(source=name, data=text.encode(), format_id="duc-abstracts")
        for name, text in names.items()
    ]
    found = read_files(Corpus(), files, Silent(), len(files)).corpus
    assert [topic.id for topic in found.topics] == ["D30001", "D30001.APW1998.0240", "D0736-B"]
    first, single, last = found.topics
    assert [(a.id, len(a.sentences)) for a in first.abstracts] == [("A-100", 2)]
    assert [(a.id, a.length) for a in single.abstracts] == [("B-10", "10")]
    made = [(o.system, o.length, o.sentences) for o in first.outputs]
    assert made == [("11", "100", ("A dog.",))]
    assert last.outputs[0].sentences == ("A & B", "The cat .")


def test_that_folder_and_name_tell_what_the_tag_does_not():
    text = "<html><body>Dogs run.</body></html>"
    (topic,) = topics(text, source="extracts_abstracts/d061jb/100")
    assert topic.id == "d061j"
    assert (topic.abstracts[0].id, topic.abstracts[0].length) == ("B-100", "100")


def test_that_the_request_comes_first():
    (topic,) = topics(summary(), topic="t", abstract="a", annotator="c")
    assert topic.id == "t"
    assert (topic.abstracts[0].id, topic.abstracts[0].author) == ("a", "C")
    (topic,) = topics("Dogs.", source="D30001.M.100.T.A", topic="t", annotator="c")
    assert (topic.id, topic.abstracts[0].author) == ("t", "C")
