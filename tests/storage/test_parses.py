"""Parses in a corpus file, and what metrics are given of them."""

import json
from dataclasses import replace
from io import BytesIO

import pytest

from awase.core.errors import Cancelled, CorpusFormatError, EnvironmentProblem, InputError, Silent
from awase.core.language.conllu import ConlluReader
from awase.core.language.stored_parses import distinct_texts, lacking
from awase.core.metrics.kit.supplies import Supplies
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.records.addition import merge
from awase.core.records.corpus import Corpus
from awase.jobs.importing import LANGUAGES, demonstration, demonstration_parses, make_demonstration
from awase.jobs.supplies import parsing as jobs_conllu_import
from awase.jobs.supplies.gathering import supplies_of
from awase.jobs.supplies.parsing import import_conllu
from awase.storage.store import CorpusStore
from tests.in_part import in_part
from tests.reporters import Heard
from tests.stored import sql


def log_kinds(store):
    return [kind for (kind,) in sql(store.location, "select kind from operation order by id")]


def last_row_of_the_log(store):
    query = "select who, kind, subject, new from operation order by id desc limit 1"
    ((who, kind, subject, details),) = sql(store.location, query)
    return who, kind, subject, json.loads(details)


def test_that_parses_are_kept_by_model_and_text_and_logged(store, stored):
    many = {f"text {n}": f"parse {n}" for n in range(1200)}
    store.add_parses("m", many, who="ann")
    store.add_parses("m", {"text 1": "newer", "": "nothing"}, who="ann")
    store.add_parses("n", {"text 1": "other"}, who="ann")
    assert log_kinds(store)[-3:] == ["parse"] * 3
    store.close()
    with CorpusStore.open(stored, who="bo", read_only=True) as again:
        assert again.parse_models() == {"m": 1201, "n": 1}
        assert again.parses("m", many) == {**many, "text 1": "newer"}
        assert again.parses("n", ["text 1", "text 2"]) == {"text 1": "other"}
        assert again.parses("o", many) == {}
        with pytest.raises(EnvironmentProblem, match="read-only"):
            again.add_parses("m", {}, who="bo")


CORPUS = Corpus(name="empty")
BE = requests_of(["be"])


def test_that_nothing_is_read_for_metrics_without_parses(store):
    store.add_parses("m", {"a": "1"}, who="ann")
    assert supplies_of(store, store.corpus(), requests_of(["tsc3", "rouge"])) == Supplies()


def test_that_the_model_with_most_parses_is_taken_unless_another_is_asked_for(store):
    corpus = store.corpus()
    one, two, *_ = distinct_texts(corpus)
    store.add_parses("few", {one: "f"}, who="ann")
    store.add_parses("many", {one: "m", two: "m"}, who="ann")
    many = supplies_of(store, corpus, BE)
    assert (many.parses, many.parse_model) == ({one: "m", two: "m"}, "many")
    few = supplies_of(store, corpus, requests_of(["be:parser=few"]))
    assert (few.parses, few.parse_model) == ({one: "f"}, "few")
    both = supplies_of(store, corpus, requests_of(["be:parser=few+many"]))
    assert (both.parses, both.parse_model) == ({one: "f", two: "m"}, "few+many")
    # The same digest as of what is there, where that is all.
    assert both.parse_label == replace(both, parse_digest="").parse_label
    by_label = supplies_of(store, corpus, requests_of([f"be:parser={few.parse_label}"]))
    assert by_label == few
    store.add_parses("few", {"elsewhere": "f"}, who="ann")
    grown = supplies_of(store, corpus, requests_of(["be:parser=few"]))
    assert grown.parses == few.parses
    assert grown.parse_label != few.parse_label


def test_that_a_model_without_parses_or_two_models_at_once_are_refused(store):
    corpus = store.corpus()
    with pytest.raises(InputError, match=r"no parses by “x”\. Parse it first"):
        supplies_of(store, corpus, requests_of(["be:parser=x"]))
    with pytest.raises(InputError, match="of one model at a time, not of a, b"):
        supplies_of(store, corpus, requests_of(["be:parser=b", "be:parser=a,mode=h"]))


def conllu(*texts, head=""):
    return (
        head + "".join(f"# text = {one}\n1\tw\tw\tX\t_\t_\t0\troot\t_\t_\n\n" for one in texts)
    ).encode()


def take(store, data, *, source="f", reporter=None, name=""):
    return import_conllu(
        store, BytesIO(data), source=source, who="ann", reporter=reporter or Silent(), name=name,
        n_bytes=len(data),
    )  # fmt: skip


def test_that_a_files_parses_are_kept_under_the_name_it_gives(store):
    one, two, *rest = distinct_texts(store.corpus())
    data = conllu(one, "unknown", head="# model = theirs\n\n")
    taken = take(store, data, source="f.conllu")
    assert (taken.model, taken.n_kept, taken.n_texts) == ("theirs", 1, 2 + len(rest))
    assert [warning.line for warning in taken.warnings] == [6]
    assert take(store, conllu(two), source="f.conllu").model == "f"
    named = conllu(two, head="# model = theirs\n\n")
    assert take(store, named, name="mine").model == "mine"
    assert store.parse_models() == {"f": 1, "mine": 1, "theirs": 1}


def test_that_parses_of_one_text_that_differ_are_refused_and_equal_ones_count_once(store):
    one, two, *_ = distinct_texts(store.corpus())
    data = conllu(one, two) + conllu(one).replace(b"1\tw\tw", b"1\tz\tz")
    with pytest.raises(CorpusFormatError, match="another parse in line 1") as told:
        take(store, data)
    assert [one.hint for one in told.value.problems] == ["Keep one of the two."]
    assert store.parse_models() == {}
    again = conllu(one, two) + conllu(one)
    assert take(store, again, source="f.conllu", name="f").n_kept == 2
    assert last_row_of_the_log(store) == (
        "ann",
        "parse",
        "f.conllu",
        {"model": "f", "sentences": 2},
    )


def test_that_a_file_of_which_somebody_stops_the_import_changes_nothing(store, monkeypatch):
    monkeypatch.setattr(jobs_conllu_import, "LINES_A_STEP", 1)
    data, before = conllu(*distinct_texts(store.corpus())), store.state()
    n_lines = len(data.splitlines())
    for after in (0, 5, n_lines, n_lines + 1):  # the last of them within the transaction
        with pytest.raises(Cancelled):
            take(store, data, reporter=Heard(calls=after))
        assert store.parse_models() == {}
        assert store.state() == before
    take(store, data, reporter=Heard(calls=n_lines + 100))
    assert store.state() != before


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (conllu("unknown"), InputError, "No sentence of “f” .1. is in the corpus"),
        (b"1\tw\n", CorpusFormatError, "f:1: The line has 2 columns"),
        (b"\xff", InputError, "f:1: Byte 0 .* is not utf-8"),
    ],
)
def test_that_a_file_that_cannot_be_used_changes_nothing(store, data, error, message):
    with pytest.raises(error, match=message):
        take(store, data)
    assert store.parse_models() == {}


@pytest.mark.slow
@pytest.mark.parametrize("language", in_part(LANGUAGES))
def test_that_the_demonstration_brings_a_parse_of_every_sentence(language, tmp_path):
    corpus = merge(Corpus(), demonstration(language))
    ((model, parses),) = demonstration_parses(language).items()
    assert lacking(corpus, {*parses}.intersection) == {}
    assert {*parses} == {*distinct_texts(corpus)}
    with CorpusStore.open(
        make_demonstration(language, tmp_path, who=""), who="", read_only=True
    ) as store:
        assert store.parse_models() == {model: len(parses)}
        table = score_corpus(corpus, BE, Silent(), supplies_of(store, corpus, BE))
    recalls = {
        (score.length, score.system): score.value
        for score in table.scores
        if score.topic is None and score.metric == "be.r"
    }
    for length in ("short", "long"):
        assert recalls[length, "hand"] > recalls[length, "lead"] > recalls[length, "random"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("language", in_part(LANGUAGES))
def test_that_the_demonstrations_parses_are_trees_with_every_word_in_its_place(language):
    ((_, parses),) = demonstration_parses(language).items()
    for sentence_text, stored in parses.items():
        reader = ConlluReader(stored.split("\n"))
        ((sentence, _, _),) = reader
        assert sentence.text == sentence_text
        assert all(word.span for word in sentence.words)
        assert reader.warnings == []
