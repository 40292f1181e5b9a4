"""What is asked of extractors, and the backgrounds they count in."""

import pytest
from tests.in_part import in_turn

from awase.core.analysis.extract_sources import read_background
from awase.core.analysis.extractors import EXTRACTORS, extractions_of
from awase.core.errors import CorpusFormatError, InputError


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


def test_that_common_options_go_to_those_that_have_them_and_give_way():
    requests = extractions_of(["lead,random:seed=2,mmr:size=4"], {"size": "3", "seed": "7"})
    assert [(r.size, r.seed) for r in requests] == [(3, 0), (3, 2), (4, 0)]


@in_turn(
    ("text", "hint"),
    [
        ("leed", "Did you mean “lead”?"),
        ("lead:size=0", "size=h"),
        ("mmr:lambda=1.5", "lambda"),
        ("mmr:pool=x", "pool=3"),
        ("tfidf:tokens=klingon", "tokens=unicode"),
        ("lead:lambda=1", "It has: size, annotator."),
    ],
)
def test_that_what_does_not_exist_is_refused_with_a_hint(text, hint):
    with pytest.raises(InputError, match=hint):
        extractions_of([text])


def test_that_a_background_table_is_read():
    text = "tokens\tunicode-2\ndocuments\t10\nthe\t10\nboat\t2\n"
    background = read_background(text, "mainichi.df")
    frequencies = background.by_tokeniser["unicode-2"]
    assert (
        frequencies.n_documents,
        frequencies.document_frequency("boat"),
        frequencies.document_frequency("new"),
    ) == (10, 2, 1)
    assert background.label.startswith("mainichi.df.")


@in_turn(
    ("text", "where"),
    [
        ("", "f:1"),
        ("documents\t10\ntokens\tunicode-2\n", "f:1"),
        ("tokens\tunicode-2\ndocuments\t0\n", "f:1"),
        ("tokens\tunicode-2\ndocuments\t3\nboat\t4\n", "f:3"),
        ("tokens\tunicode-2\ndocuments\t3\nboat\t1\nboat\t1\n", "f:4"),
        ("tokens\tunicode-2\ndocuments\t3\nboat\n", "f:3"),
    ],
)
def test_that_a_bad_background_table_is_refused_at_its_line(text, where):
    with pytest.raises(CorpusFormatError, match=where):
        read_background(text, "f")
