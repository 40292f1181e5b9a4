"""What is told when a parser cannot be used."""

import json
import re
import sys
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

from awase.core import packages
from awase.core.errors import EnvironmentProblem, InputError
from awase.core.language import stanza_parser
from awase.core.language.engines import ENGINES, ParserRequest, engine_by_id, ready_engine
from awase.core.language.stanza_parser import find_model

LIST = {
    "en": {
        "packages": {
            "default": {"tokenize": "x", "pos": "x", "lemma": "x", "depparse": "x"},
            "default_fast": {
                "tokenize": "f", "mwt": "f", "pos": "f", "lemma": "identity", "depparse": "f",
                "ner": "f",
            },
            "words": {"tokenize": "x"},
        },
        "pos": {"f": {"md5": "", "dependencies": [{"model": "pretrain", "package": "p"}]}},
    },
    "english": {"alias": "en"},
}  # fmt: skip
FAST = ("tokenize/f", "mwt/f", "pos/f", "pretrain/p", "depparse/f")
DEFAULT = ("tokenize/x", "pos/x", "lemma/x", "depparse/x")

needs_stanza = pytest.mark.skipif(find_spec("stanza") is None, reason="stanza is not installed")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "resources.json").write_text(json.dumps(LIST))
    return tmp_path


def put(folder, files, content=b"model"):
    for name in files:
        path = folder / "en" / f"{name}.pt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def told(folder, **options):
    missing = engine_by_id("stanza").missing(ParserRequest(language="en", folder=folder, **options))
    return None if missing is None else str(missing)


def test_that_the_fast_package_is_taken_before_the_default_and_any_before_none(folder):
    put(folder, DEFAULT)
    assert find_model(folder, "en").package == "default"
    put(folder, FAST)
    model = find_model(folder, "english")
    assert (model.language, model.package) == ("en", "default_fast")
    assert {path.relative_to(folder / "en").as_posix() for path in model.files} == {
        f"{name}.pt" for name in FAST
    }
    assert find_model(folder, "en", "default").package == "default"


def test_that_other_weights_are_another_model(folder):
    put(folder, DEFAULT)
    name = find_model(folder, "en").name()
    assert name.startswith("stanza-en-x-")
    put(folder, DEFAULT[:1], b"other")
    assert find_model(folder, "en").name() != name


def fake_pipeline(text):
    """Parses as stanza does what stands between empty lines: all hangs on the first word."""
    sentences, start = [], 0
    for line in text.split("\n\n"):
        tokens, n = [], 0
        for found in re.finditer(r"\S+", line):
            words = []
            for form in {"du": ("de", "le"), "endless": ("<UNK>",)}.get(found[0], (found[0],)):
                words.append(
                    SimpleNamespace(text=form, lemma=None, upos="X", xpos="Y", feats="Z=1",
                                    head=1 if n else 0, deprel="dep" if n else "root")
                )  # fmt: skip
                n += 1
            token = {"text": found[0], "words": words, "start_char": start + found.start()}
            tokens.append(SimpleNamespace(**token))
        sentences += [SimpleNamespace(tokens=tokens)] if tokens else []
        start += len(line) + 2
    return SimpleNamespace(sentences=sentences)


def test_that_stanza_is_given_texts_together_and_each_has_its_own_sentence(folder, monkeypatch):
    begun, given = [], []

    def pipeline(language, **options):
        begun.append((language, options["dir"], options["processors"], options["use_gpu"]))
        return lambda text: given.append(text) or fake_pipeline(text)

    monkeypatch.setitem(sys.modules, "stanza", SimpleNamespace(Pipeline=pipeline))
    put(folder, FAST)
    request = ParserRequest(language="en", folder=folder, gpu=True)
    parser = stanza_parser.load(request)
    processors = {one: "f" for one in ("tokenize", "mwt", "pos", "depparse")}
    assert begun == [("en", str(folder), processors | {"lemma": "identity"}, True)]
    assert parser.model == find_model(folder, "en").name()
    texts = ["Dogs ran", " ", "pain\ndu endless", *"x" * 30]
    (first, second) = parser.parses(texts)
    assert given == ["\n\n".join(texts[:32]).replace("n\nd", "n d"), "x"]
    (dogs,), nothing, (pain,), *others = [*first, *second]
    assert (nothing, len(others)) == ((), 30)
    assert [word.form for word in dogs.words] == ["Dogs", "ran"]
    assert [(w.form, w.head, w.upos, w.xpos, w.feats, w.lemma) for w in pain.words] == [
        ("pain", 0, "X", "Y", "Z=1", ""), ("de", 1, "X", "Y", "Z=1", ""),
        ("le", 1, "X", "Y", "Z=1", ""), ("endless", 1, "X", "Y", "Z=1", ""),
    ]  # fmt: skip
    assert [(one.first, one.last, one.form) for one in pain.tokens] == [(2, 3, "du")]
    assert pain.text == "pain du endless"
    monkeypatch.setitem(sys.modules, "stanza", SimpleNamespace(Pipeline=None, __version__="1.9"))
    with pytest.raises(EnvironmentProblem, match=r"“default_fast” in .*TypeError.*stanza 1\.9"):
        stanza_parser.load(request)


@needs_stanza
def test_that_a_missing_model_is_told_with_what_it_lacks(folder, tmp_path):
    assert "no resources.json" in told(tmp_path / "nowhere")
    put(folder, FAST[1:])
    assert "lacks en/tokenize/f.pt. Download the model." in told(folder)
    assert "no stanza model for parsing “en”" in told(folder, package="none")
    (folder / "resources.json").write_text("{")
    assert "cannot be read" in told(folder)
    (folder / "resources.json").write_text("[]")
    assert "cannot be read" in told(folder)


@needs_stanza
@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and no end"])
def test_that_a_cut_model_file_is_named(folder, content):
    put(folder, DEFAULT)
    put(folder, DEFAULT[-1:], content)
    assert told(folder) is None
    with pytest.raises(EnvironmentProblem, match=r"depparse.x\.pt” is cut off or damaged"):
        find_model(folder, "en").check()


def test_that_a_file_with_another_checksum_than_the_list_has_is_named(folder):
    resources = json.loads(json.dumps(LIST))
    resources["en"]["tokenize"] = {"x": {"md5": "0" * 32}}
    (folder / "resources.json").write_text(json.dumps(resources))
    put(folder, DEFAULT)
    with pytest.raises(EnvironmentProblem, match=r"tokenize.x\.pt” is cut off or damaged"):
        find_model(folder, "en").check()


def test_that_a_parser_that_is_not_installed_names_its_extra_and_the_other_way(monkeypatch):
    monkeypatch.setattr(packages, "find_spec", lambda _name: None)
    for engine in ENGINES.values():
        missing = str(engine.missing(ParserRequest(language=engine.languages[0])))
        assert f"{engine.title} needs the package" in missing
        assert f"[{engine.extra}]" in missing
        assert "CoNLL-U" in missing
    with pytest.raises(EnvironmentProblem, match="Stanza needs the package stanza, which is not"):
        ready_engine(ParserRequest(language="ja"))


def test_that_the_first_engine_that_lacks_nothing_is_taken(monkeypatch, folder):
    monkeypatch.setattr(packages, "find_spec", lambda _name: object())
    assert ready_engine(ParserRequest(language="ja", folder=folder)).id == "ginza"
    put(folder, DEFAULT)
    assert ready_engine(ParserRequest(language="en", folder=folder)).id == "stanza"
    with pytest.raises(InputError, match="supports the language “xx”"):
        ready_engine(ParserRequest(language="xx"))


def test_that_an_engine_that_does_not_exist_or_a_language_that_it_lacks_is_refused():
    with pytest.raises(InputError, match=r"no parser “x”\. Use one of stanza, ginza"):
        engine_by_id("x")
    assert "not used for the language “en”" in str(
        engine_by_id("ginza").missing(ParserRequest(language="en"))
    )
