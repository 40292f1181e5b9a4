import sys
from types import SimpleNamespace

import pytest

from awase.core.annotation.candidates.bm25 import Bm25Ranker
from awase.core.annotation.candidates.embeddings import (
    by_embeddings,
    sentence_transformer,
    with_embeddings,
)
from awase.core.annotation.candidates.ranking import best_first

AXES = ("sea", "land", "sky")


class Encoder:
    """Counts the words of three subjects, and how often it is asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, texts):
        self.asked.append(list(texts))
        return [[float(text.count(axis)) for axis in AXES] for text in texts]


DOCUMENTS = [["sea sea", "land"], ["sea land", "sky"]]


def order(ranker, text, having=()):
    return best_first(ranker.scores(text, having))


def test_that_the_sentence_of_the_nearest_direction_comes_first():
    ranker = by_embeddings(Encoder())(DOCUMENTS)
    assert order(ranker, "sea")[0] == 0
    assert order(ranker, "sea land")[0] == 2
    assert ranker.scores("sea") == pytest.approx([1.0, 0.0, 0.5**0.5, 0.0])


def test_that_what_is_like_a_member_comes_later():
    ranker = by_embeddings(Encoder())(DOCUMENTS)
    assert order(ranker, "sea sea land", having=[0])[0] == 2


def test_that_a_text_is_encoded_once():
    encode = Encoder()
    ranker = by_embeddings(encode)(DOCUMENTS)
    for _ in range(3):
        ranker.scores("sky")
    assert encode.asked == [["sea sea", "land", "sea land", "sky"], ["sky"]]


def test_that_an_empty_topic_needs_no_encoder():
    encode = Encoder()
    assert by_embeddings(encode)([[]]).scores("sea") == []
    assert with_embeddings(Bm25Ranker, encode)([]).scores("sea") == []
    assert encode.asked == []


def test_that_the_sum_follows_either_ranker_where_the_other_is_silent():
    ranker = with_embeddings(Bm25Ranker, Encoder())([["kelp"], ["sky"], ["oak"]])
    assert order(ranker, "kelp")[0] == 0
    assert order(ranker, "skylight")[0] == 1


def test_that_a_model_is_read_from_its_folder_only(monkeypatch, tmp_path):
    asked = {}

    class Model:
        def __init__(self, path, **options):
            asked.update(options, path=path)

        def encode(self, texts, **_):
            return SimpleNamespace(tolist=lambda: [[float(len(text))] for text in texts])

    fake = SimpleNamespace(SentenceTransformer=Model)
    monkeypatch.setitem(sys.modules, "sentence_transformers", fake)
    assert sentence_transformer(tmp_path)(["ab", "c"]) == [[2.0], [1.0]]
    assert asked == {"path": str(tmp_path), "device": "cpu", "local_files_only": True}


def test_that_a_missing_library_is_said_when_it_is_used(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ModuleNotFoundError):
        sentence_transformer(tmp_path)
