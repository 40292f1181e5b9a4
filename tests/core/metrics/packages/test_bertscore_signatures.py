"""BERTScore's signature pins its numbers, too: a tiny model, asked for in every order."""

import json
import os
import random
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec

import pytest
from tests.core.metrics.test_signatures import CORPUS, SYSTEMS, WORDS, Backwards, cells, part_of

from awase.core.metrics.kit.signature import option_text

IS_THERE = all(map(find_spec, ("torch", "transformers", "bert_score")))
pytestmark = [
    pytest.mark.slow,  # torch takes its time to load
    pytest.mark.skipif(not IS_THERE, reason="BERTScore is not installed"),
]
N_LAYERS = 2
N_TRIALS = 12


def tiny_model(folder, seed):
    """Writes a model of random weights with a vocabulary of the corpus's words."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizer

    folder.mkdir()
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (folder / "words.txt").write_text("\n".join(vocabulary), "utf-8")
    tokenizer = BertTokenizer(str(folder / "words.txt"), model_max_length=64)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=N_LAYERS,
        num_attention_heads=2, intermediate_size=32, max_position_embeddings=64,
    )  # fmt: skip
    BertModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny_model(tmp_path_factory.mktemp("models") / "tiny", seed=1)


def requests(folder):
    name = option_text(str(folder))
    return tuple(f"bertscore:model={name},layers={layer}" for layer in range(1, N_LAYERS + 1))


def shuffled(corpus, chance):
    topics = [
        replace(
            one,
            abstracts=tuple(chance.sample(one.abstracts, len(one.abstracts))),
            outputs=tuple(chance.sample(one.outputs, len(one.outputs))),
        )
        for one in corpus.topics
    ]
    return replace(corpus, topics=tuple(chance.sample(topics, len(topics))))


def test_that_equal_signatures_have_equal_numbers(model):
    known = cells(CORPUS, requests(model))
    assert {key[1] for key in known} == {"bertscore.r", "bertscore.p", "bertscore.f"}
    chance, n_met = random.Random(1), 0
    for trial in range(N_TRIALS):
        topics = chance.sample("stu", chance.randint(1, 3))
        systems = chance.sample(SYSTEMS, chance.randint(1, len(SYSTEMS)))
        asked = [*requests(model), "rouge-1", "coverage"]
        asked = chance.sample(asked, chance.randint(2, len(asked)))
        workers = {"workers": Backwards()} if trial % 3 == 0 else {}
        part = part_of(shuffled(CORPUS, chance), topics, systems)
        found = cells(part, asked, **workers)
        met = found.keys() & known.keys()
        assert [key for key in met if found[key] != known[key]] == []
        n_met += len(met)
    assert n_met > 100


def test_that_another_model_of_the_same_name_has_another_signature(model, tmp_path):
    other = tiny_model(tmp_path / "tiny", seed=2)
    signatures = [{key[0] for key in cells(CORPUS, requests(folder))} for folder in (model, other)]
    assert not signatures[0] & signatures[1]


HASHED = """
import json, sys
from tests.core.metrics.packages.test_bertscore_signatures import CORPUS, cells, requests
found = cells(CORPUS, requests(sys.argv[1]))
print(json.dumps(sorted([list(map(str, key)), str(value)] for key, value in found.items())))
"""


def test_that_numbers_do_not_depend_on_the_process(model):
    here = cells(CORPUS, requests(model))
    run = subprocess.run(
        [sys.executable, "-c", HASHED, str(model)], capture_output=True, check=True, text=True,
        env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    there = json.loads(run.stdout.splitlines()[-1])
    assert there == sorted([[*map(str, key)], str(value)] for key, value in here.items())
