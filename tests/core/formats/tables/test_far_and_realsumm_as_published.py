"""FAR's annotation and REALSumm's scores as their authors publish them: text, and pickles."""

import io
import json
import pickle
from collections import OrderedDict, defaultdict
from pathlib import Path

import numpy as np
import pytest
from tests.in_part import in_turn
from tests.shared_data import SHARED_DATA as DATA

from awase.core.errors import CorpusFormatError, InputError, Silent
from awase.core.formats.importing import read_files
from awase.core.formats.reading.pickles import plain_value
from awase.core.formats.reading.requests import ReadRequest
from awase.core.formats.tables import data_sets, far
from awase.core.records.addition import merge
from awase.core.records.corpus import Corpus
from awase.jobs.files.reading import unpacked, unpacked_file
from awase.jobs.importing import format_of_place

TEXT = """idx: 7
ID: 0abc
Document
the cat sat . `` it slept , '' ann said . a dog ran by ! was it black ? it was . nobody knew .

Reference
Facet-0: a cat slept near ann .
[Support Group-0][Sent-0][Sent_idx:1]: `` it slept , '' ann said .
[Support Group-1][Sent-0][Sent_idx:0]: the cat sat .
[Support Group-1][Sent-1][Sent_idx:4]: it was .

Facet-1: it rained .



idx: 9
ID: 0def
Document
snow fell .

Reference
Facet-0: winter came .
"""


def read(text, reader=far.read):
    return reader(ReadRequest(text=text, source="f"))


def test_that_facets_in_text_have_their_groups_and_sentences_their_numbers():
    first, second = read(TEXT).addition.topics
    texts = {one.n: one.text for one in first.documents[0].sentences}
    assert texts == {1: "the cat sat .", 2: "`` it slept , '' ann said .", 3: "a dog ran by !",
                     4: "was it black ?", 5: "it was .", 6: "nobody knew ."}  # fmt: skip
    (alignment,) = first.abstracts[0].alignments
    groups = [[[ref.n for ref in one.members] for one in entry.alternatives]
              for entry in alignment.sentences]  # fmt: skip
    assert groups == [[[2], [1, 5]], []]
    assert not second.abstracts[0].alignments
    assert second.id == "9"


def test_that_an_extract_may_end_at_the_last_sentence_and_what_lies_behind_it_is_told():
    for first in (0, 1):
        topic = {"topic": "t", "docid": "d", "sentences": ["One.", "Two."], "abstract": [],
                 "extracts": {"s": [first + 1, first, first + 2]}}  # fmt: skip
        found = read(json.dumps({"zero_based": not first, "topics": [topic]}))
        assert list(map(str, found.addition.topics[0].outputs[0].sentences)) == ["d:2", "d:1"]
        (told,) = found.warnings
        assert f"is left out: t s {first + 2}" in str(told)


def test_that_what_lies_between_is_divided_into_as_many_as_there_have_to_be():
    fewer = TEXT.replace("Sent_idx:4", "Sent_idx:3")
    (first, _) = read(fewer).addition.topics
    assert [one.text for one in first.documents[0].sentences][2:4] == [
        "a dog ran by ! was it black ?", "it was ."]  # fmt: skip
    more = read(TEXT.replace("Sent_idx:4", "Sent_idx:6"))
    numbers = [one.n for one in more.addition.topics[0].documents[0].sentences]
    assert numbers == [1, 2, 3, 4, 7, 8]
    assert "Sentences 4, 5 of sample 7" in str(more.warnings[0])


@pytest.mark.slow
@pytest.mark.skipif(not (DATA / "far.json").exists(), reason="FAR's data are not here")
def test_that_all_of_far_written_as_text_has_the_facets_of_its_json():
    told = json.loads((DATA / "far.json").read_text("utf-8"))
    lines = []
    for topic in told["topics"]:
        lines += [f"idx: {topic['topic']}", f"ID: {topic['docid']}", "Document",
                  " ".join(topic["sentences"]), "", "Reference"]  # fmt: skip
        for facet in topic["abstract"]:
            lines.append(f"Facet-{facet['id'] - 1}: {facet['text']}")
            for g, group in enumerate(facet["alternatives"]):
                for s, idx in enumerate(group):
                    text = topic["sentences"][idx]
                    lines.append(f"[Support Group-{g}][Sent-{s}][Sent_idx:{idx}]: {text}")
            lines.append("")
        lines += ["", ""]
    assert facets(read("\n".join(lines))) == facets(read(json.dumps(told)))


def facets(result):
    """Returns, by topic and facet, the numbers and texts of every support group."""
    found = {}
    for topic in merge(Corpus(), result.addition).topics:
        texts = {one.n: one.text for one in topic.documents[0].sentences}
        for entry in topic.abstracts[0].alignments[0].sentences:
            found[topic.id, entry.n] = [[(ref.n, texts[ref.n]) for ref in one.members]
                                        for one in entry.alternatives]  # fmt: skip
    assert len(found) > 1
    return found


SCORES = {
    0: {
        "doc_id": 14,
        "ref_summ": "<t> a cat slept . </t>",
        "system_summaries": {
            "bart_out.txt": {
                "system_summary": "<t> the cat sat . </t> <t> it slept . </t>",
                "scores": {"rouge_1_recall": 0.5, "litepyramid_recall": np.float64(0.25)},
            }
        },
    }
}


@pytest.mark.parametrize("protocol", [0, 2, 4, 5])
def test_that_realsumms_own_pickle_is_imported(tmp_path: Path, protocol: int) -> None:
    path = tmp_path / "abs.pkl"
    path.write_bytes(pickle.dumps(SCORES, protocol=protocol))
    assert format_of_place(path).id == "realsumm"
    text = unpacked(path.name, path.read_bytes()).data.decode("utf-8")
    addition = read(text, data_sets.read_realsumm).addition
    (topic,) = addition.topics
    (output,) = topic.outputs
    assert (topic.id, output.system) == ("14", "bart_out.txt")
    assert [*output.sentences] == ["the cat sat .", "it slept ."]
    assert output.references == (("a cat slept .",),)
    (score,) = addition.human_scores
    assert (score.measure, score.value) == ("litepyramid_recall", 0.25)


@in_turn(
    ("source", "sentences"),
    [
        ("<t> a . b </t> <t> c . </t>", ["a . b", "c ."]),
        ("<t> it fell . then it rose . </t>", ["it fell .", "then it rose ."]),
    ],
)
def test_that_tags_of_realsumm_bound_sentences_but_not_around_a_whole_article(source, sentences):
    line = {"topic": "1", "source": source, "systems": {"s": {"summary": ["x"]}}}
    (topic,) = read(json.dumps(line), data_sets.read_realsumm).addition.topics
    assert [one.text for one in topic.documents[0].sentences] == sentences


def test_that_plain_data_come_out_as_json_has_them():
    counted = defaultdict(list, {0: [{0}, {2}], 1: [{3, 5}]})
    value = {"a": (1, 2.5, None, True), "b": counted, "c": OrderedDict(x="鶴"), "d": float("nan"),
             "e": np.int64(7)}  # fmt: skip
    assert plain_value(pickle.dumps(value), "p") == {
        "a": [1, 2.5, None, True], "b": {"0": [[0], [2]], "1": [[3, 5]]}, "c": {"x": "鶴"},
        "d": None, "e": 7,
    }  # fmt: skip


class Runs:
    """What a stranger would put into a pickle."""

    def __init__(self, call, *args):
        self.call, self.args = call, args

    def __reduce__(self):
        return self.call, self.args


def endless():
    value = []
    value.append(value)
    return value


def laughs():
    value = ["ha"]
    for _ in range(60):
        value = [value, value]
    return value


@pytest.mark.parametrize(
    "data",
    [
        pickle.dumps(Runs(open, "made", "w")),
        pickle.dumps(Runs(exec, "open('made', 'w')"), protocol=0),
        pickle.dumps({"a": [Runs(getattr, "x", "upper")]}),
        pickle.dumps(io.BytesIO(b"x")),
        pickle.dumps(Runs(list, Runs(open, "made", "w"))),
        pickle.dumps(Path("made")),
        pickle.dumps(endless()),
        b"\x80\x04]r\xff\xff\xff\xff.",  # remembers a list in place 4294967295
        b"\x80\x02cos\nsystem\nX\x04\x00\x00\x00truetR.",
        b"\x80\x02\x82\x01.",
        b"\x80\x04cbuiltins\nlist\n}X\x01\x00\x00\x00aK\x01sb.",  # would change what makes lists
        b"not a pickle",
        b"",
        pickle.dumps([1, 2])[:-2],
    ],
    ids=range(14),
)
def test_that_a_pickle_runs_nothing(data: bytes, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as error:
        plain_value(data, "p.pkl")
    assert "p.pkl" in str(error.value.problems[0])
    assert not [*tmp_path.iterdir()]
    assert isinstance(list([1]), list)


def test_that_lists_of_lists_of_lists_do_not_fill_the_memory():
    with pytest.raises(CorpusFormatError, match="without end"):
        plain_value(pickle.dumps(laughs()), "p")
    with pytest.raises(CorpusFormatError, match="a number of more digits"):
        plain_value(b"I" + 5_000 * b"9" + b"\n.", "p")


def test_that_fars_pickled_extracts_join_its_texts(tmp_path: Path) -> None:
    labels = defaultdict(list, {7: [np.int64(4), np.int64(0), 60], 9: [0], 105: [1]})
    path = tmp_path / "idx2labels_bs.pkl"
    path.write_bytes(pickle.dumps(labels))
    assert format_of_place(path).id == "far"
    files = [
        ReadRequest(source="low.txt", data=TEXT.encode(), format_id="far"),
        ReadRequest(source=str(path), data=unpacked_file(path).data, format_id="far"),
    ]
    found = read_files(Corpus(), files, Silent(), len(files))
    extracts = {topic.id: [(one.system, [ref.n for ref in one.sentences]) for one in topic.outputs]
                for topic in found.corpus.topics}  # fmt: skip
    assert extracts == {"7": [("bs", [5, 1])], "9": [("bs", [1])]}
    told = " ".join(map(str, found.warnings))
    assert "1 sample is not in the corpus, and its extract is left out: 105" in told
    assert "is not a sentence of its article and is left out: 7 60" in told


def test_that_pickled_extracts_without_their_texts_say_what_is_missing() -> None:
    with pytest.raises(CorpusFormatError, match=r"output/low_abstraction\.txt"):
        read('{"0": [1, 2]}')
