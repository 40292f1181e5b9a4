import unicodedata
from dataclasses import replace

import pytest
from hypothesis import strategies as st
from tests import building, strategies
from tests.building import text, topic
from tests.core.formats.reading import folder_into, folder_refusals, imported, read_folder
from tests.in_part import in_turn
from tests.laws import law
from tests.written import files_written

from awase.core.errors import InputError
from awase.core.formats.reading.requests import WriteRequest
from awase.core.formats.tables.parallel_text import lines_of, safe_names
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic

FORMAT = "parallel-text"
BY_X = building.corpus(topic("1", outputs=[text("x", "c")]))


def warnings(files, **request):
    return [str(problem) for problem in read_folder(FORMAT, files, **request).warnings]


def outputs(corpus):
    return [
        (topic.id, output.system, output.sentences)
        for topic in corpus.topics
        for output in topic.outputs
    ]


def test_that_line_i_of_every_file_is_about_item_i():
    corpus = folder_into(
        FORMAT,
        {
            "src.txt": "A dog ran home. A cat slept.\n犬が走った。猫は寝た。\n",
            "ref.txt": "A dog ran.\n犬が走った。\n",
            "out_bart.txt": "<t> dogs . ran </t> <t> cats </t>\n犬。\n",
        },
    )
    first, second = corpus.topics
    assert (first.id, second.id) == ("1", "2")
    assert [s.text for s in first.documents[0].sentences] == ["A dog ran home.", "A cat slept."]
    assert [s.text for s in second.documents[0].sentences] == ["犬が走った。", "猫は寝た。"]
    assert [s.text for s in second.abstracts[0].sentences] == ["犬が走った。"]
    assert outputs(corpus) == [("1", "bart", ("dogs . ran", "cats")), ("2", "bart", ("犬。",))]


@in_turn(
    ("files", "ids"),
    [
        (
            {"ref.txt": "a\n", "ref0.txt": "b\n", "ref_B.txt": "c\n"},
            {"ref": "a", "0": "b", "B": "c"},
        ),
        ({"ref1.txt": "a\n", "ref_1.txt": "b\n"}, {"ref1": "a", "ref_1": "b"}),
    ],
)
def test_that_each_file_of_references_is_an_abstract_with_its_shortest_clear_name(files, ids):
    (topic,) = folder_into(FORMAT, files).topics
    assert {one.id: one.sentences[0].text for one in topic.abstracts} == ids


def test_that_what_has_no_known_encoding_is_refused_with_the_file():
    (refusal,) = folder_refusals(FORMAT, {"out_x.txt": b"\xff\xfe\xfd\x00\x81"})
    assert refusal.startswith("folder/out_x.txt")


@in_turn(
    ("line", "sentences"),
    [("<t> </t>", ()), ("zero <t> one <t> two </t></t> three", ("zero", "one", "two", "three"))],
)
def test_that_tags_bound_sentences_of_which_there_may_be_none_and_lose_no_text(line, sentences):
    files = {"out_x.txt": f"{line}\n", "ids.txt": "0310\n"}
    assert outputs(folder_into(FORMAT, files)) == [("0310", "x", sentences)]
    assert warnings(files) == []


def test_that_an_empty_line_is_a_missing_text_and_told():
    files = {"ref.txt": "a\nb\nc\n", "out_x.txt": "a\n\n  \n"}
    corpus = folder_into(FORMAT, files)
    assert outputs(corpus) == [("1", "x", ("a",))]
    assert len(corpus.topics) == 3
    assert warnings(files) == [
        "folder/out_x.txt:2: 2 lines are empty, so there is no text for the items 2, 3. Write "
        "<t> </t> for a text without words."
    ]


@in_turn("odd", ["\u2028", "\x0b", "\x0c", "\x1c", "\x85"])
def test_that_only_a_line_feed_ends_an_item(odd):
    assert lines_of(f"a{odd}b\nc\n") == [f"a{odd}b", "c"]


def test_that_the_last_item_may_be_missing():
    assert lines_of("a\n\n") == ["a", ""]
    assert lines_of("a\nb") == ["a", "b"]
    assert lines_of("") == []


def test_that_ids_that_disks_take_for_one_are_spelled_apart():
    assert safe_names(["Ä", "ä", "É", "e\u0301", "x", "CON"]) == {
        "Ä": "%C3%84", "ä": "ä", "É": "%C3%89", "e\u0301": "e%CC%81", "x": "x", "CON": "%43ON",
    }  # fmt: skip


def test_that_references_named_after_a_system_are_its_own():
    files = {
        "ref.txt": "shared\n",
        "ref_x.txt": "for x\n",
        "ref_x.2.txt": "for x too\n",
        "out_x.txt": "a\n",
        "out_y.txt": "b\n",
    }
    (topic,) = folder_into(FORMAT, files).topics
    assert [abstract.id for abstract in topic.abstracts] == ["ref"]
    found = {one.system: one.references for one in topic.outputs}
    assert found == {"x": (("for x",), ("for x too",)), "y": None}
    apart = {"out_x.txt": "<t> a </t>\n", "ref_x.txt": "It rained. It ended.\n"}
    assert folder_into(FORMAT, apart).topics[0].outputs[0].split == "en-2+given"
    assert warnings(files) == [
        "2 files of references are named after systems (ref_x.2.txt, ref_x.txt), and each is for "
        "this system alone."
    ]


def test_that_folders_below_are_length_classes():
    files = {
        "short/src.txt": "a\n",
        "short/ref.txt": "s\n",
        "short/out_x.txt": "o\n",
        "long/src.txt": "a\n",
        "long/ref.txt": "l\n",
        "l%2Fg/ref.txt": "m\n",
        "short/older/out_y.txt": "p\n",  # is further below
    }
    (topic,) = folder_into(FORMAT, files).topics
    assert len(topic.documents) == 1
    found = [(one.id, one.length) for one in topic.abstracts]
    assert found == [("ref-l/g", "l/g"), ("ref-long", "long"), ("ref-short", "short")]
    assert [one.length for one in topic.outputs] == ["short"]
    (alone,) = folder_into(FORMAT, {**files, "ref.txt": "t\n"}).topics  # no folder counts beside it
    assert [(one.id, one.length) for one in alone.abstracts] == [("ref", None)]


def test_that_a_guessed_encoding_is_told_once():
    sentence = "犬が走った。猫は寝ていたので、何も見なかったという話である。\n".encode("euc-jp")
    read = imported(FORMAT, {"out_x.txt": sentence, "out_y.txt": sentence})
    assert [str(warning) for warning in read.warnings] == [
        "folder: The encoding of 2 files was guessed: euc-jp; out_x.txt is one. If characters are "
        "wrong, import the files again and name their encoding."
    ]


def test_that_another_system_joins_what_is_there():
    files = {"src.txt": "a\nb\n", "ref.txt": "a\nb\n", "out_x.txt": "c\nd\n"}
    corpus = folder_into(FORMAT, files)
    more = {**files, "out_y.txt": "e\nf\n"}
    del more["out_x.txt"]
    joined = folder_into(FORMAT, more, corpus)
    assert [(t, s) for t, s, _ in outputs(joined)] == [
        ("1", "x"), ("1", "y"), ("2", "x"), ("2", "y"),
    ]  # fmt: skip
    assert [(len(t.documents), len(t.abstracts)) for t in joined.topics] == [(1, 1), (1, 1)]
    assert warnings(more, corpus=corpus) == [
        "2 items join topics of that name, which the corpus has: 1, 2. Import into a new corpus "
        "if they are different."
    ]


def test_that_aliases_rename_systems_and_unused_ones_are_told():
    read = imported(FORMAT, {"out_x.txt": "a\n"}, aliases={"x": "BART", "z": "T5"})
    assert outputs(read.corpus) == [("1", "BART", ("a",))]
    found = [str(warning) for warning in read.warnings]
    assert found == ["Aliases that match no system of the files: z. The files have: x."]


def test_that_a_file_is_no_folder_and_the_reverse():
    with pytest.raises(InputError, match="“parallel-text” reads a folder, and this is a file"):
        imported(FORMAT, {}, data=b"a\n")
    with pytest.raises(InputError, match="“text” reads a file, and this is a folder"):
        imported("text", {"a.txt": "b"}, topic="t")


# Writing


def document(*sentences):
    return building.document("src", sentences)


def abstract(id_, *sentences, length=None):
    return building.abstract(id_, texts=sentences, length=length)


def written(*topics, **request):
    return files_written("parallel-text", WriteRequest(corpus=Corpus(topics=topics), **request))


def test_that_sentences_are_written_in_tags_and_gaps_as_empty_lines():
    files = written(
        Topic(id="1", documents=(document("A.", "B."),), abstracts=(abstract("ref", "R."),)),
        Topic(id="2", outputs=(building.text("x", "two\nlines"),)),
    )
    assert files == {
        "src.txt": "<t> A. </t> <t> B. </t>\n\n",
        "ref.txt": "<t> R. </t>\n\n",
        "out_x.txt": "\n<t> two lines </t>\n",
    }


def test_that_an_extract_is_written_as_text_and_a_text_before_it():
    extract = building.extract("x", "src:2 src:2")
    topic = Topic(id="1", documents=(document("A.", "B."),), outputs=(extract,))
    assert written(topic)["out_x.txt"] == "<t> B. </t>\n"
    text = building.text("x", "own")
    both = Topic(id="1", documents=(document("A.", "B."),), outputs=(extract, text))
    assert written(both)["out_x.txt"] == "<t> own </t>\n"
    short = replace(both, outputs=(replace(extract, length="short"), text))
    assert written(short)["short/out_x.txt"] == "<t> B. </t>\n"


def test_that_an_abstract_that_is_called_as_a_system_is_not_taken_for_its_reference():
    made = Topic(
        id="1", abstracts=(abstract("x", "R."), abstract("y", "Q.")), outputs=BY_X.topics[0].outputs
    )
    files = written(made)
    assert {*files} == {"out_x.txt", "ref-x.txt", "ref_y.txt"}
    (again,) = folder_into(FORMAT, files).topics
    assert (again.abstracts, again.outputs) == (made.abstracts, made.outputs)


def test_that_abstracts_with_ids_of_their_own_topic_share_one_file():
    one = Topic(id="a", abstracts=(abstract("a-short", "A.", length="short"),))
    two = Topic(id="b", abstracts=(abstract("b-short", "B.", length="short"),))
    found = written(one, two)
    assert found == {"short/ids.txt": "a\nb\n", "short/ref.txt": "<t> A. </t>\n<t> B. </t>\n"}


def test_that_names_that_a_disk_takes_for_one_come_back_as_they_were():
    """Windows and macOS disregard case and composition; Windows keeps CON for itself."""
    names = ["Bart", "bart", "が", "か\u3099", "CON"]
    topic = Topic(id="1", outputs=tuple(building.text(name, "a", length="CON") for name in names))
    files = written(topic)
    alike = {unicodedata.normalize("NFC", name).casefold() for name in files}
    assert len(alike) == len(files)
    assert not any(name.upper().startswith("CON/") for name in files)
    corpus = folder_into(FORMAT, files)
    assert [one.system for one in corpus.topics[0].outputs] != []
    assert {one.system for one in corpus.topics[0].outputs} == {*names}


def test_that_only_the_chosen_topic_is_written_and_nothing_that_would_not_come_back():
    topics = [topic(id_, docs={}, outputs=[text("x", id_)]) for id_ in ("1", "2")]
    assert written(*topics, topic="2") == {"ids.txt": "2\n", "out_x.txt": "<t> 2 </t>\n"}
    with pytest.raises(InputError, match="“a <t> b” has a tag"):
        written(topic(docs={}, outputs=[text("x", "a <t> b")]))
    with pytest.raises(InputError, match="no topic to export"):
        written()


sentences = st.lists(
    st.text("ab.犬。<>&% \u2028", min_size=1, max_size=5).filter(lambda s: s == s.strip() != ""),
    max_size=3,
).map(tuple)


@st.composite
def corpora(draw):
    ids = draw(strategies.unique(strategies.ids, 3, 1))
    systems = draw(strategies.unique(strategies.ids, 2))
    abstracts = draw(strategies.unique(strategies.ids, 2, 1))
    lengths = draw(st.sampled_from([[None], ["short", "l/g"]]))
    topics = []
    for topic_id in ids:
        outputs = []
        for length in lengths:
            for system in systems:
                own = draw(st.none() | st.lists(sentences, min_size=1, max_size=2).map(tuple))
                written = building.text(system, *draw(sentences), length=length, references=own)
                outputs.append(written)
        topics.append(
            Topic(
                id=topic_id,
                documents=(document(*draw(sentences)),),
                abstracts=tuple(
                    abstract("-".join(filter(None, (id_, length))), *draw(sentences), length=length)
                    for length in lengths
                    for id_ in abstracts
                ),
                outputs=tuple(outputs),
            )
        )
    return Corpus(topics=tuple(topics))


def in_order(corpus):
    """Returns the topics by id, with their parts in one order; a folder has none."""
    return {
        topic.id: (
            topic.documents,
            {one.id: one for one in topic.abstracts},
            {(one.system, one.length): one for one in topic.outputs},
        )
        for topic in corpus.topics
    }


@pytest.mark.slow
@law(40, corpora())
def test_that_a_corpus_of_texts_comes_back_as_it_was(corpus):
    try:
        files = files_written("parallel-text", WriteRequest(corpus=corpus))
    except InputError as error:
        assert "have the name" in str(error)  # noqa: PT017
        return
    assert in_order(folder_into(FORMAT, files)) == in_order(corpus)
