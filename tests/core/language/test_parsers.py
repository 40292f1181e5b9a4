"""The real parsers on real text; slow, as they import torch and load models."""

import shutil
import zipfile

import pytest
from tests.shared_data import SHARED_DATA

from awase.core.errors import EnvironmentProblem, InputError
from awase.core.language.basic_elements import basic_elements
from awase.core.language.conllu import conllu_of, parse_of
from awase.core.language.engines import ParserRequest, engine_by_id

pytestmark = pytest.mark.slow

STANZA = SHARED_DATA.parent / "models" / "stanza"
needs_stanza = pytest.mark.skipif(
    not (STANZA / "resources.json").is_file(), reason="the shared model is not here"
)


def all_parses(parser, texts):
    return [parse for some in parser.parses(texts) for parse in some]


@pytest.fixture(scope="module")
def ginza():
    pytest.importorskip("ja_ginza")
    return engine_by_id("ginza").load(ParserRequest(language="ja"))


@pytest.fixture(scope="module")
def stanza():
    pytest.importorskip("stanza")
    return engine_by_id("stanza").load(ParserRequest(language="en", folder=STANZA, gpu=False))


JAPANESE = [
    "太郎は学校で英語を　学んだ。犬が走る。",
    "雨によって試合が中止された。",
    "   ",
    "",
    " 「」",
]


def test_that_each_japanese_text_is_one_sentence_with_one_root_and_every_word_in_place(ginza):
    parses = all_parses(ginza, JAPANESE * 20)
    assert [len(parse) for parse in parses] == [1, 1, 0, 0, 1] * 20
    for text, parse in zip(JAPANESE * 20, parses, strict=True):
        for sentence in parse:
            assert sentence.text == text
            made = [text[slice(*word.span)] for word in sentence.words]
            assert made == [word.form for word in sentence.words]
            assert parse_of(conllu_of((sentence,))) == (sentence,)
    first = parses[0][0]
    made = [word.form for word in first.words]
    assert made == "太郎 は 学校 で 英語 を 学ん だ 。 犬 が 走る 。".split()
    # spaCy saw two sentences; the second root stands beside the first now.
    found = [word.deprel for word in first.words if word.form in ("学ん", "走る")]
    assert found == ["root", "parataxis"]
    assert ("学ん", "英語", "obj") in basic_elements(first)


def test_that_japanese_words_are_short_units_and_labels_are_plain(ginza):
    (parse,) = all_parses(ginza, ["国会議事堂前駅で会いました。"])
    assert [word.form for word in parse[0].words][:5] == ["国会", "議事", "堂", "前", "駅"]
    assert all("_" not in word.deprel for word in parse[0].words)


def test_that_a_sentence_too_long_for_sudachi_is_named(ginza):
    with pytest.raises(InputError, match="too long a sentence"):
        all_parses(ginza, ["犬" * 20_000])


ENGLISH = [
    "John went to the store on foot.",
    "",
    "Don't go. I won't.",
    " ",
    "Ann sang\nand danced.",
    "\n",
]


@needs_stanza
def test_that_each_english_text_is_one_sentence_with_every_word_in_place(stanza):
    texts = ENGLISH * 9  # more than one batch
    parses = all_parses(stanza, texts)
    assert [len(parse) for parse in parses] == [1, 0, 1, 0, 1, 0] * 9
    for text, parse in zip(texts, parses, strict=True):
        for sentence in parse:
            flat = text.replace("\n", " ")
            assert sentence.text == flat
            found = [flat[slice(*word.span)] for word in sentence.words]
            assert found == [word.form for word in sentence.words]
    elements = basic_elements(parses[0][0])
    for one in (("went", "john", "nsubj"), ("store", "the", "det"), ("went", "store", "obl:to")):
        assert one in elements


@needs_stanza
@pytest.mark.parametrize("fault", ["another version", "cut"])
def test_that_a_model_that_cannot_be_loaded_is_told(tmp_path, fault):
    pytest.importorskip("stanza")
    folder = tmp_path / "stanza"
    shutil.copytree(STANZA, folder)
    path = folder / "en" / "depparse" / "ewt.pt"
    if fault == "cut":
        path.write_bytes(path.read_bytes()[:100_000])
    else:
        path.unlink()
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("archive/data.pkl", b"\x80\x02}q\x00.")
    with pytest.raises(EnvironmentProblem) as caught:
        engine_by_id("stanza").load(ParserRequest(language="en", folder=folder, gpu=False))
    assert "cut off, or made for another version than stanza" in str(caught.value)
