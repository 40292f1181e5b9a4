"""What `import awase` offers: stable names, a light import, numbers equal to the program's own."""

import importlib.util
import json
import subprocess
import sys
from fractions import Fraction
from itertools import chain, combinations

import pytest
from hypothesis import strategies as st
from tests.cli.conftest import DEMOS
from tests.in_part import in_turn
from tests.laws import law

import awase
from awase.api import corpora
from awase.cli import window
from awase.cli.main import cli
from awase.core import packages
from awase.core.errors import EnvironmentProblem, InputError
from awase.core.text import tokenisers
from awase.core.text.tokenisers import tokeniser_called
from awase.jobs.supplies.gathering import Places, without_supplies

NAMES = [
    "Corpus", "Cover", "Scores", "Table", "__version__", "agreement", "correlate", "cover",
    "create", "demo", "open", "oracle", "pseudo_pyramid", "read", "rouge", "score",
]  # fmt: skip
"""What is under semantic versioning; a change here is a change for those who import it."""


def test_that_nothing_joins_or_leaves_the_public_names_unannounced():
    assert sorted(awase.__all__) == sorted(NAMES)
    assert all(getattr(awase, name) is not None for name in NAMES)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = awase.nothing


def test_that_importing_it_imports_nothing_slow():
    program = "import sys; before = {*sys.modules}; import awase; print(*({*sys.modules} - before))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    brought = run.stdout.split()
    assert "awase" in brought
    slow = ("numpy", "pandas", "sqlalchemy", "PySide6", "scipy", "awase.core")
    assert [name for name in brought if name.startswith(slow)] == []


def test_that_alternatives_that_share_sentences_are_counted_once():
    # Three needs in the manner of Table 1 of Hirao et al. 2004.
    needs = [[["s1"], ["s10", "s11"]], [["s3", "s5", "s6"]], [["s20", "s21", "s23"], ["s1", "s30", "s60"]]]  # fmt: skip  # noqa: E501
    found = awase.cover(needs)
    assert (found.h, found.n_covers, found.n_covers_exact) == (6, 1, True)
    assert found.in_every == {"s1", "s3", "s5", "s6", "s30", "s60"}


ITEMS = st.sets(st.integers(0, 6), min_size=1, max_size=3)


@law(60, st.lists(st.lists(ITEMS, min_size=1, max_size=3), max_size=5))
def test_that_h_is_that_of_brute_force(needs):
    def covers(chosen):
        return all(any(one <= set(chosen) for one in need) for need in needs)

    subsets = chain.from_iterable(combinations(range(7), size) for size in range(8))
    smallest = next(len(chosen) for chosen in subsets if covers(chosen))
    found = awase.cover(needs)
    assert found.h == smallest
    assert covers(found.items)


def test_that_a_need_without_alternatives_and_text_for_a_list_are_told():
    assert awase.cover([[["a"]], []]).unsatisfied == (1,)
    assert not awase.cover([[["a"], ["b"], ["c"]]], max_covers=2).n_covers_exact
    with pytest.raises(InputError, match="Expected a list of items"):
        awase.cover([["s1"]])
    with pytest.raises(InputError, match="An alternative is empty"):
        awase.cover([[[]]])


@in_turn(("system", "references", "sentences", "r1"), [
    ("a b", "a c", False, 0.5),
    ("a b", ["a c", "x y"], False, 0.25),
    (["a b", "c d"], ["a b", "x y"], False, 0.5),  # as evaluate, sacrebleu and rouge_score read it
    (["a b", "c d"], [["a b"], ["x y"]], False, 0.5),
    (["a b", "c d"], ["a b", "x y"], True, 0.5),
    (["a b", "c d"], [["a b", "x y"], ["a b c d"]], True, 0.75),
    ("a b\nc d", "c d\na b", False, 1),
])  # fmt: skip
def test_that_lists_are_items_unless_they_are_said_to_be_sentences(
    system, references, sentences, r1
):
    scores = awase.rouge(system, references, ["rouge-1"], sentences=sentences)
    assert scores.exact[None, None, "system", "rouge-1.r"] == pytest.approx(r1)


def test_that_lists_that_can_be_read_in_two_ways_are_refused_with_both_spellings():
    with pytest.raises(InputError, match=r"a reference .* for each text; or sentences=True"):
        awase.rouge(["a b", "c d"], ["a b"])
    one, listed = (awase.rouge(["a", "c"], of, sentences=True) for of in (["a", "d"], [["a", "d"]]))
    assert one.exact == listed.exact


@in_turn(("system", "references"), [
    ([["a b", "c d"]], [["a b"]]),
    ([None], ["a b"]),
    (["a b", 2], ["a b"]),
])  # fmt: skip
def test_that_what_is_no_text_is_refused_in_words(system, references):
    with pytest.raises(InputError, match=r"is not a text\. A text is a string"):
        awase.rouge(system, references, sentences=True)


@in_turn(("text", "way", "split"), [
    ("a b c. D e f.", "", "en-2"),
    ("a b c\nd e f", "", "lines"),
    (["a b c", "d e f"], "", "given"),
    ("", "", "given"),
    ("a b c. D e f.", "one", "one"),
])  # fmt: skip
def test_that_a_signature_tells_how_texts_became_sentences(text, way, split):
    reference = "d e f. A b c." if way == "one" else ["D e f.", "A b c."]
    found = awase.score({"s": [text]}, [[reference]], ["rouge-l"], sentences=way).table.scores
    expected = split if split in ("one", "given") else "+".join(sorted({split, "given"}))
    assert {f"split={expected}," in score.signature for score in found} == {True}
    if way:
        own = awase.rouge(text, [reference], ["rouge-l"], sentences=way).signature
        assert all(f"split={expected}," in one for one in own)


def test_that_ways_of_before_are_refused_with_those_of_now():
    with pytest.raises(InputError, match="It is called one now"):
        awase.score({"s": ["a"]}, [["a"]], sentences="line")


def test_that_a_string_is_read_by_words_and_not_by_letters():
    """Letter by letter these two would have F = .909."""
    texts = "the cat sat on the mat", "the cat is on the mat"
    scores = awase.rouge(texts[0], [texts[1]], ["rouge-1"])
    assert scores.exact[None, None, "system", "rouge-1.f"] == 0.83333
    letters = awase.rouge(" ".join(texts[0]), [" ".join(texts[1])], ["rouge-1"])
    assert letters.exact[None, None, "system", "rouge-1.f"] == 0.90909


def test_that_systems_need_a_text_for_each_item():
    with pytest.raises(InputError, match="“x” has 1 item, but there are references for 2"):
        awase.score({"x": ["a b"]}, [["a b"], ["c d"]])


@pytest.fixture(scope="module")
def demo():
    return awase.demo("en")


def test_that_scores_of_a_corpus_are_those_of_the_command_line(demo, tmp_path, capsys):
    from awase.jobs.importing import make_demonstration

    path = make_demonstration("en", tmp_path, who="")
    asked = ["-m", "tsc3", "-m", "be", "--topic", "E10", "--json"]
    cli.main(["score", str(path), *asked], standalone_mode=False)
    printed = json.loads(capsys.readouterr().out)["scores"]
    with awase.open(path) as corpus:
        scores = corpus.score(["tsc3", "be"], topics=["E10"])
    with awase.open(path) as unread:
        pass
    assert unread.topics == corpus.topics
    by_topic = scores.to_frame()
    said = [one for one in printed if one["topic"] is not None]
    assert [one["value"] for one in said] == pytest.approx(by_topic.value.tolist(), nan_ok=True)
    assert [one["signature"] for one in said] == by_topic.signature.tolist()


def test_that_frames_are_tidy_floats_and_exact_values_fractions(demo):
    scores = demo.score(["tsc3"])
    frame = scores.to_frame()
    assert frame.dtypes["value"] == "float64"
    assert not frame.topic.isna().any()
    assert scores.means().topic.isna().all()
    assert {type(value) for value in scores.exact.values()} == {Fraction}
    assert len(repr(scores)) < 200
    assert "<table" in scores._repr_html_()
    assert all("version=" in text for text in scores.signature)


def test_that_annotating_from_code_is_logged_and_can_be_undone(tmp_path):
    from awase.jobs.importing import make_demonstration

    path = make_demonstration("en", tmp_path, who="")
    with awase.open(path, who="ann") as corpus:
        corpus.annotate("E10", "E10-long", 2, [], confirm=True, who="bob")
        corpus.annotate("E10", "E10-short", 1, [[("EL-19980418-1", 8)]], confirm=True)
        links = corpus.alignments()
        assert links[links.annotator == "bob"].values.tolist()[0][1:5] == [
            "E10-long",
            2,
            "bob",
            "no_source",
        ]
        mine = links[links.annotator == "ann"]
        assert mine[["document", "sentence"]].values.tolist() == [["EL-19980418-1", 8]]
        assert corpus.store.history("ann").done[-1].edit.verb == "annotate"
        corpus.store.undo(who="ann")
        log = corpus.log()
        assert log.kind.tolist()[-2:] == ["edit", "undo"]
        done, undone = (log.iloc[at] for at in (-2, -1))
        assert (done.who, done.verb, done.topic, done.n) == ("ann", "annotate", "E10", 1)
        assert json.loads(done.new)["alternatives"] == [["EL-19980418-1:8"]]
        assert undone.target_id == done.id
    with awase.open(path) as corpus:
        assert "ann" not in set(corpus.alignments().annotator)
        with pytest.raises(EnvironmentProblem, match="without an annotator"):
            corpus.annotate("E10", "E10-short", 1, [])
    with (
        awase.create(tmp_path / "made.awase", who="ann", name="mine") as corpus,
        pytest.raises(InputError, match="no topic “t”"),  # ann may write
    ):
        corpus.annotate("t", "a", 1, [])
    assert corpus.name == "mine"  # that of the closed one
    with awase.create(tmp_path / "plain.awase", who="ann") as corpus:
        assert corpus.name == "plain"


def test_that_what_is_in_memory_has_no_log_and_nobody_writes_there(demo):
    with pytest.raises(EnvironmentProblem, match="There is no log here"):
        demo.log()
    with pytest.raises(EnvironmentProblem, match="without an annotator"):
        demo.annotate("E10", "E10-short", 1, [], who="ann")


def test_that_results_show_themselves_in_a_line():
    many = [[[f"s{n}"], [f"t{n}"]] for n in range(50)]
    assert repr(awase.cover([[["a"], ["b"]]])) == "<Cover: h = 1, minimal covers: 2>"
    assert repr(awase.cover([[["a"]], []])) == "<Cover: infeasible>"
    scores = awase.rouge("a b", ["a b"], ["rouge-1", "rouge-2", "rouge-3", "rouge-4"])
    shown = [repr(awase.cover(many)), repr(scores), repr(awase.demo("en"))]
    assert all(len(line) < 120 and "\n" not in line for line in shown)
    assert "and 6 more; systems: 1" in repr(scores)
    assert "1.0000" in scores._repr_html_()


def test_that_a_file_is_read_into_memory(demo, tmp_path):
    from tests.written import as_json

    from awase.core.formats.reading.requests import WriteRequest

    path = tmp_path / "demo.json"
    path.write_text(as_json(WriteRequest(corpus=demo.records())), "utf-8")
    assert awase.read(path).records() == demo.records()
    with pytest.raises(InputError):
        awase.read(path, format="extract-lines")


def test_that_an_oracle_is_proved_and_says_where_its_sentences_are():
    found = awase.oracle([["a b c d", "x y z"], ["the cat sat"]], "the cat sat x y", limit="6w", maximise="rouge-1")  # fmt: skip  # noqa: E501
    assert found.sentences == ("x y z", "the cat sat")
    assert found.places == ((0, 1), (1, 0))
    assert (found.recall, found.is_proved) == (1.0, True)


@in_turn(("options", "recall"), [
    ({}, 1 / 3), ({"stem": True}, 2 / 3), ({"stop": True}, 0), ({"tokens": "chars"}, 0.7),
    ({"limit": "1w"}, 0),
])  # fmt: skip
def test_that_an_oracle_is_found_as_the_options_say(options, recall):
    found = awase.oracle([["the dogs sat"]], "the dog lies", maximise="rouge-1", **options)
    assert found.recall == pytest.approx(recall)


def test_that_correlations_are_those_of_the_command_line(demo, capsys):
    words = "--human readability --length long --level topic -m rouge-1 -m coverage --json"
    cli.main(["correlate", str(DEMOS / "en.json"), *words.split()], standalone_mode=False)
    said = [
        (one["metric"], each["coefficient"], each["value"], one["n_systems"], one["n_topics"],
         len(each["undefined_topics"]), each["reason"], one["signature"], each["signature"])
        for one in json.loads(capsys.readouterr().out)["correlations"]
        for each in one["estimates"]
    ]  # fmt: skip
    options = {"human": "readability", "length": "long", "level": "topic"}
    study = awase.correlate(demo, ["rouge-1"], scores=demo.score(["coverage"]), **options)
    assert [*study.rows] == said
    assert any("are not based on the same scores" in one for one in study.warnings)


def test_that_a_part_of_a_corpus_is_scored_with_what_is_named(demo, monkeypatch):
    found = demo.score("coverage", topics=["E10"], systems=["lead"]).exact
    assert {(topic, system) for topic, _, system, _ in found} == {("E10", "lead"), (None, "lead")}
    with pytest.raises(InputError, match="no topic “E99”"):
        demo.score(topics=["E99"])
    given: list[object] = []
    monkeypatch.setattr(
        corpora, "Supplier", lambda *named: given.append(named[1]) or without_supplies
    )
    named = {"vectors": "v", "model": "m", "oracles": "o", "edus": "e"}
    demo.score("coverage", **named)
    assert given == [Places(**named)]


def test_that_a_pseudo_pyramid_needs_no_corpus():
    found = awase.pseudo_pyramid(["a b c d"], [["a b c e"]], [["a b c", "f g h"]])
    assert found.exact[None, None, "system", "pseudo-pyramid"] is not None
    metric = "pseudo-pyramid:unit=sentence"
    found = awase.pseudo_pyramid(["a b c d"], [["a b c e"]], [["a b c", "f g h"]], metric)
    assert all(",unit=sentence," in one for one in found.signature)


FIND = importlib.util.find_spec


def without(*absent):
    return lambda name: None if name.partition(".")[0] in absent or name in absent else FIND(name)


@pytest.fixture
def no_dictionary(monkeypatch):
    monkeypatch.setattr(packages, "find_spec", without("sudachidict_core"))
    tokenisers.japanese_tokeniser_id.cache_clear()
    yield
    tokenisers.japanese_tokeniser_id.cache_clear()


@pytest.mark.usefixtures("no_dictionary")
def test_that_japanese_words_ask_for_their_extra():
    with pytest.raises(EnvironmentProblem, match=r'pip install "awase-core\[ja\]"'):
        awase.rouge("雪が降る", ["雪が降った"], ["rouge-1:tokens=ja"])


@pytest.mark.usefixtures("no_dictionary")
@pytest.mark.parametrize("name", ["ascii", "unicode", "chars", "blanks", "unicode-2"])
def test_that_other_tokenisers_do_not_ask_for_it(name):
    assert tokeniser_called(name).name == name.partition("-")[0]


@pytest.mark.usefixtures("no_dictionary")
def test_that_japanese_is_scored_by_characters_without_it():
    found = awase.rouge("雪が降る", ["雪が降った"], ["rouge-1:tokens=chars"])
    assert found.exact[None, None, "system", "rouge-1.r"] == pytest.approx(3 / 5)


@pytest.mark.parametrize("absent", ["awase.gui", "PySide6"])
def test_that_a_window_that_is_not_there_is_told_before_anything_is_drawn(monkeypatch, absent):
    monkeypatch.setattr(packages, "find_spec", without(absent))
    with pytest.raises(EnvironmentProblem, match="The window is not installed"):
        window.check_window_is_installed()


def test_that_a_toolkit_that_cannot_be_found_is_one_that_is_not_there(monkeypatch):
    monkeypatch.setitem(sys.modules, "PySide6", None)
    monkeypatch.setattr(packages, "find_spec", lambda name: FIND(f"{name}.QtWidgets"))
    with pytest.raises(EnvironmentProblem, match="pip install awase"):
        window.check_window_is_installed()


def test_that_files_which_the_removal_of_a_clone_took_along_are_told(monkeypatch):
    def torn(_name):
        raise ModuleNotFoundError("No module named 'awase.core'", name="awase.core.records")

    monkeypatch.setattr(awase, "import_module", torn)
    with pytest.raises(ImportError, match="pip install --force-reinstall --no-deps awase-core"):
        _ = awase.rouge
