import pytest
from tests import building
from tests.core.language.trees import tree
from tests.reporters import Heard

from awase.core.errors import Cancelled, Silent
from awase.core.language import engines
from awase.core.language.conllu import parse_of
from awase.core.language.engines import parse_texts
from awase.core.language.stored_parses import TextKind, distinct_texts, lacking, languages_of
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


def test_that_every_text_is_parsed_and_kept():
    kept = {}
    assert parse_texts(["a", "b", "c"], PairParser(), kept.update, Silent()) == 3
    assert {text: parse_of(conllu)[0].text for text, conllu in kept.items()} == {
        "a": "a", "b": "b", "c": "c",
    }  # fmt: skip


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
            language="en",
            docs=["One."],
            abstracts=[building.abstract("a", texts=["Two."])],
            outputs=[building.text("s", "One.", "Three.", " ", references=[["Four."]])],
        ),
        building.topic("j", docs=["犬だ。"]),
    )
)


def test_that_the_sentences_of_a_corpus_are_its_sources_abstracts_outputs_and_references():
    assert distinct_texts(CORPUS) == ["One.", "Two.", "Three.", "Four.", "犬だ。"]
    assert [*distinct_texts(CORPUS, "ja")] == ["犬だ。"]
    assert languages_of(CORPUS) == ("en", "ja")


def test_that_what_lacks_a_parse_is_counted_by_kind():
    assert lacking(CORPUS, {"One."}.intersection) == {
        TextKind.SOURCE: 1, TextKind.ABSTRACT: 1, TextKind.OUTPUT: 1, TextKind.REFERENCE: 1,
    }  # fmt: skip
    assert lacking(CORPUS, {"One.", "Two.", "Three.", "Four.", "犬だ。"}.intersection) == {}
