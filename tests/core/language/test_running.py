from dataclasses import replace

import pytest
from tests import building
from tests.core.language.trees import tree
from tests.reporters import Heard

from awase.core.errors import Cancelled, Silent
from awase.core.language import engines
from awase.core.language.conllu import parse_of
from awase.core.language.engines import parse_texts
from awase.core.language.stored_parses import (
    TextKind,
    distinct_texts,
    lacking,
    languages_of,
    texts_by_id,
)
from awase.core.records.corpus import Corpus


class PairParser:
    model = "pairs"

    def parses(self, texts):
        for first in range(0, len(texts), 2):
            yield [(tree(f"{text} 0 root"),) for text in texts[first : first + 2]]


class NotesBatches(PairParser):
    def __init__(self):
        self.batches = []

    def parses(self, texts):
        for first, parses in zip(range(0, len(texts), 2), super().parses(texts), strict=True):
            self.batches.append([*texts[first : first + 2]])
            yield parses


def test_that_every_text_is_parsed_and_given_away_once_in_portions():
    texts, portions, heard = [f"w{n}" for n in range(502)], [], Heard()
    assert parse_texts(texts, PairParser(), portions.append, heard) == 502
    assert [[*some] for some in portions] == [texts[:500], texts[500:]]
    assert all(parse_of(some[text])[0].text == text for some in portions for text in some)
    assert heard.calls == [(n, 502, "pairs") for n in range(0, 504, 2)]


def test_that_texts_given_in_portions_are_parsed_together_as_if_all_were_given(monkeypatch):
    texts = [*"abcdefghi"]
    outcomes = []
    for n_texts in (100, 4):
        monkeypatch.setattr(engines, "GIVEN_AT_A_TIME", n_texts)
        parser, kept = NotesBatches(), {}
        assert parse_texts(texts, parser, kept.update, Silent()) == len(texts)
        outcomes.append((parser.batches, [*kept.items()]))
    assert outcomes[0] == outcomes[1]


def test_that_what_is_done_when_the_work_is_stopped_is_kept():
    kept = {}
    with pytest.raises(Cancelled):
        parse_texts(["a", "b", "c", "d"], PairParser(), kept.update, Heard(at=2))
    assert [*kept] == ["a", "b"]


CORPUS = Corpus(
    topics=(
        building.topic(
            "t",
            language="de",
            docs={"d": ["One.", "Uno."], "e": ["One.", "Un.", " ", "Eins."]},
            abstracts=[building.abstract("a", texts=["Two.", "One.", "Due."])],
            outputs=[
                building.text(
                    "s", "One.", "Three.", " ", references=[["Four."], ["Five.", "Six."]]
                ),
                building.text("s", "Seven.", length="short"),
                replace(building.extract("x", 1), references=(("Four.", "Six.", "Ten."),)),
            ],
        ),
        building.topic("j", docs=["犬だ。"]),
    )
)
TEXTS = "One. Uno. Un. Eins. Two. Due. Three. Four. Five. Six. Seven. Ten.".split()


def test_that_the_sentences_of_a_corpus_are_its_sources_abstracts_outputs_and_references():
    assert {*distinct_texts(CORPUS)} == {*TEXTS, "犬だ。"}
    assert distinct_texts(CORPUS)[:6] == TEXTS[:6]
    assert [*distinct_texts(CORPUS, "ja")] == ["犬だ。"]
    assert languages_of(CORPUS) == ("de", "ja")


def test_that_what_lacks_a_parse_is_counted_by_kind():
    assert lacking(CORPUS, {"One.", "Ten."}.intersection) == {
        TextKind.SOURCE: 4, TextKind.ABSTRACT: 2, TextKind.OUTPUT: 2, TextKind.REFERENCE: 3,
    }  # fmt: skip
    assert lacking(CORPUS, {*TEXTS, "犬だ。"}.intersection) == {}


def test_that_every_sentence_has_the_id_of_its_document_abstract_or_output():
    spelled = {
        "t/d": "One. Uno.", "t/e": "One. Un. _ Eins.", "t/a": "Two. One. Due.",
        "t/s": "One. Three. _",
        "t/s/ref1": "Four.", "t/s/ref2": "Five. Six.", "t/s/short": "Seven.",
        "t/x/ref1": "Four. Six. Ten.", "j/d": "犬だ。",
    }  # fmt: skip
    assert [*texts_by_id(CORPUS).items()] == [
        (f"{name}:{n}", text.replace("_", " "))
        for name, texts in spelled.items()
        for n, text in enumerate(texts.split(), start=1)
    ]
    twice = building.topic(docs=["one"], outputs=[building.text("d", "other", "more")])
    assert texts_by_id(Corpus(topics=(twice,))) == {"t/d:1": "one", "t/d:2": "more"}
