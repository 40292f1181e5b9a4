"""What is asked of extractors, and the backgrounds they count in."""

import math
from dataclasses import replace

import pytest
from hypothesis import strategies as st
from tests import building
from tests.building import abstract, corpus, document
from tests.in_part import in_turn
from tests.laws import law
from tests.oracles import extraction as plain
from tests.reporters import Heard

from awase.core.analysis.extracting import background_of_corpus, extract, named, read_background
from awase.core.analysis.extractors import (
    EXTRACTORS,
    Bags,
    at_random,
    clustered,
    extractions_of,
    lead,
    mmr,
    seeded,
    sources_by_date,
)
from awase.core.errors import CorpusFormatError, InputError, Silent
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic


def test_that_a_list_is_parted_at_commas_but_not_within_options():
    requests = extractions_of(["lead,mmr:lambda=0.7,pool=4", "random,seed=3"])
    assert [request.extractor for request in requests] == ["lead", "mmr", "random"]
    assert (float(requests[1].share), requests[1].pool, requests[2].seed) == (0.7, 4, 3)


def test_that_signatures_spell_every_option_and_are_requests_again():
    for name in EXTRACTORS:
        (request,) = extractions_of([name])
        assert extractions_of([request.signature]) == (request,)
        for option in EXTRACTORS[name].defaults:
            assert f"{option}=" in request.signature


def test_that_options_decide_the_name_of_the_system():
    names = [extractions_of([text])[0].system for text in ("mmr", "mmr:lambda=.50", "mmr:pool=4")]
    assert names[0] == names[1] != names[2]
    # Alignments do not matter without h, and no extractor comes twice.
    for alike in (["lead:size=3,annotator=y", "lead:size=3"], ["oracle:annotator=y", "oracle"]):
        (request,) = extractions_of(alike)
        assert request.read_by("unicode-2").oracle == (
            request.oracle and replace(request.oracle, tokens="unicode-2")
        )


def test_that_common_options_go_to_those_that_have_them_and_give_way():
    requests = extractions_of(["lead,random:seed=2,mmr:size=4"], {"size": "3", "seed": "7"})
    assert [(r.size, r.seed) for r in requests] == [(3, 0), (3, 2), (4, 0)]


def test_that_a_background_table_is_read():
    text = "tokens\tunicode-2\ndocuments\t10\nthe\t10\nboat\t2\n"
    background = read_background(text, "mainichi.df")
    frequencies = background.by_tokeniser["unicode-2"]
    assert (frequencies.n_documents, frequencies.by_token) == (10, {"the": 10, "boat": 2})
    sources = sources_by_date(corpus_of([[("new",)]]).topics[0])
    assert Bags(sources, "unicode-2", frequencies).scores == [pytest.approx(math.log(10))]
    assert background.label.startswith("mainichi.df.")


@in_turn(
    ("text", "where"),
    [
        ("", "f:1"),
        ("documents\t10\ntokens\tunicode-2\n", "f:1"),
        ("tokens\tunicode-2\ndocuments\t0\n", "f:1"),
        ("tokens\tunicode-2\ndocuments\t3\nboat\t4\n", "f:3"),
        ("tokens\tunicode-2\ndocuments\t3\nboat\t1\nboat\t1\n", "f:4"),
        ("tokens\tunicode-2\ndocuments\t3\nboat\n", "f:3: The line has no tab"),
        ("tokens\tunicode-2\ndocuments\t3\n\t1\n", "f:3: The line has no tab"),
        ("tokens\tunicode-2\ndocuments\t3\n1\n", "f:3: The line has no tab"),
        ("tokens\tunicode-2\ndocuments\t1000000000\n", "f:1"),
        ("tokens\tunicode-2\ndocuments\tmany\n", "f:1"),
        ("tokens\tunicode-2\ndocuments\t3\nboat\t２\n", "f:3"),
    ],
)
def test_that_a_bad_background_table_is_refused_at_its_line(text, where):
    with pytest.raises(CorpusFormatError, match=where):
        read_background(text, "f")


WORDS = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=6).map(tuple)
TEXTS = st.lists(WORDS, min_size=2, max_size=12)
DOCUMENTS = st.lists(TEXTS, min_size=2, max_size=3)


def corpus_of(documents: list[list[tuple[str, ...]]]) -> Corpus:
    dated = [
        document(f"d{idx}", [" ".join(words) for words in sentences], date=f"1998-01-{idx + 1:02}")
        for idx, sentences in enumerate(documents)
    ]
    return corpus(Topic(id="t", language="en", documents=tuple(dated)))


def bags_of(documents: list[list[tuple[str, ...]]]) -> Bags:
    made = corpus_of(documents)
    background = background_of_corpus(made, "unicode-2")
    sources = sources_by_date(made.topics[0])
    return Bags(sources, "unicode-2", background.by_tokeniser["unicode-2"])


def all_of(documents: list[list[tuple[str, ...]]]) -> list[tuple[str, ...]]:
    return [sentence for document in documents for sentence in document]


@law(40, DOCUMENTS)
def test_that_importance_is_the_sum_of_equation_9(documents):
    sets = [{token for sentence in document for token in sentence} for document in documents]
    expected = plain.tfidf(all_of(documents), sets)
    assert bags_of(documents).scores == pytest.approx(expected)


def test_that_a_repeated_token_counts_each_time_and_length_does_not_matter() -> None:
    # tf(a) = 3, df(a) = 1 of 2 documents: a a = 6 log 2, and b, in both documents, adds nothing.
    bags = bags_of([[("a", "a", "b"), ("a",)], [("b",)]])
    assert bags.scores == pytest.approx([6 * 0.6931471805599453, 3 * 0.6931471805599453, 0])


@law(40, DOCUMENTS, st.integers(1, 5), st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_that_mmr_takes_the_best_of_each_step(documents, n, share):
    bags = bags_of(documents)
    expected = plain.mmr(all_of(documents), bags.scores, n, share)
    assert mmr(bags, n, 3, share) == expected


def test_that_mmr_weighs_importance_by_the_highest():
    # The second sentence is all there already, though it has four times the score of the third.
    assert mmr(bags_of([[("a", "b"), ("a", "b"), ("c",)], [("d",)]]), 2, 3, 0.5) == [0, 2]


@pytest.mark.slow
@law(40, DOCUMENTS, st.integers(1, 5))
def test_that_clustering_is_ward_s_and_takes_the_best_of_each(documents, n):
    bags = bags_of(documents)
    chosen = clustered(bags, n, 3)
    pool = bags.best_first[: 3 * n]
    assert len(chosen) == len({*chosen}) == min(n, len(pool))
    clusters = plain.ward(all_of(documents), pool, n)
    if clusters is not None:
        assert chosen == sorted((min(c, key=pool.index) for c in clusters), key=pool.index)


@pytest.mark.slow
def test_that_clustering_keeps_its_number_when_sentences_are_equal():
    bags = bags_of([[("a", "b")] * 6, [("c",)]])
    assert len(clustered(bags, 3, 3)) == 3


def test_that_lead_goes_round_the_documents_by_date():
    corpus = corpus_of([[("a",), ("b",), ("c",)], [("d",)], [("e",), ("f",)]])
    late_first = replace(corpus.topics[0], documents=corpus.topics[0].documents[::-1])
    sources = sources_by_date(late_first)
    refs = [str(sources[idx].ref) for idx in lead(sources, 5)]
    assert refs == ["d0:1", "d1:1", "d2:1", "d0:2", "d2:2"]


def test_that_documents_without_a_date_come_last_and_blank_sentences_not_at_all():
    undated = building.document("u", ["x"])
    dated = building.document("d", [" ", "y"], numbers=(1, 4), date="2001")
    unread = building.document("w", ["z"], date="in spring")
    sources = sources_by_date(Topic(id="t", documents=(undated, unread, dated)))
    assert [str(source.ref) for source in sources] == ["d:4", "w:1", "u:1"]


def test_that_random_follows_its_seed_and_fewer_are_the_first_ones():
    sources = sources_by_date(corpus_of([[("a",)] * 20]).topics[0])
    drawn = at_random(sources, 8, seeded(1, "t"))
    assert drawn[:3] == at_random(sources, 3, seeded(1, "t"))
    assert drawn != at_random(sources, 8, seeded(2, "t"))
    assert drawn != at_random(sources, 8, seeded(1, "other"))
    assert len({*drawn}) == 8


NEWS = building.topic(
    docs=["The boat sank.", "Rain fell.", "The crew swam.", "The boat."],
    language="en",
    abstracts=[
        abstract("s", {"x": "3", "y": "2; 3"}, texts=["The crew swam.", "Rain fell."], length="1"),
        abstract("s2", "1", texts=["The boat sank."], length="1"),
        abstract("l", "1; 2; 3&4", texts=["A", "B", "C"], length="2"),
        abstract("n", texts=["Nobody aligned this."], length="3"),
    ],
)
COUNTED = "tokens\tunicode-2\ndocuments\t8\nboat\t8\nthe\t8\ncrew\t1\nrain\t2\n"


def test_that_each_system_extracts_for_each_length_what_it_can_and_the_rest_is_told():
    of, background, heard = corpus(NEWS), read_background(COUNTED, "b.df"), Heard()
    requests = {
        "lead": "lead", "both": "lead:annotator=y", "oracle": "oracle",
        "second": "oracle:reference=2", "h": "oracle:limit=h,oracle=rouge-1",
        "rare": f"tfidf:size=2,background={background.label}", "all": "tfidf:size=9",
    }  # fmt: skip
    systems = named(of, extractions_of(requests.values()), [*requests])
    found = extract(of, systems, Silent(), background)
    assert {
        (one.length, one.system): [ref.n for ref in one.sentences] for one in found.extracts["t"]
    } == {
        ("1", "lead"): [1], ("1", "both"): [1, 2], ("1", "oracle"): [2, 3], ("1", "second"): [1],
        ("1", "h"): [3], ("1", "rare"): [3, 2], ("1", "all"): [1, 2, 3, 4],
        ("2", "lead"): [1, 2, 3, 4], ("2", "rare"): [3, 2], ("2", "all"): [1, 2, 3, 4],
        ("3", "rare"): [3, 2], ("3", "all"): [1, 2, 3, 4],
    }  # fmt: skip
    told = [str(one).partition(". ")[0] for one in found.warnings]
    assert told == [
        "The corpus has one document, so that every TF-IDF is 0",
        "Topic “t” has 4 sentences, fewer than are to be extracted",
        "Topic “t”, length “2”: h is unknown, as no sentence is aligned (annotator=y)",
        "Topic “t”, length “2”: there is no oracle",
        "Topic “t”, length “3”: h is unknown, as no sentence is aligned (annotator=first)",
        "Topic “t”, length “3”: h is unknown, as no sentence is aligned (annotator=y)",
        "Topic “t”, length “3”: there is no oracle",
    ]
    assert not extract(of, named(of, extractions_of(["lead:size=1"])), heard).warnings
    assert heard.calls == [(0, 1, "t"), (1, 1, "")]
    with pytest.raises(InputError, match="no background “b"):
        extract(of, systems, heard)
    by_letters = f"tfidf:tokens=chars,background={background.label}"
    systems = named(of, extractions_of([by_letters]))
    with pytest.raises(InputError, match=r"not counted with tokens=chars.* topic “t”"):
        extract(of, systems, heard, background)
