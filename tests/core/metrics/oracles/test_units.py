"""Units: their ids, and where the splitters cut."""

from dataclasses import fields, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import building
from tests.core.language.trees import tree
from tests.in_part import in_turn

from awase.core.errors import CorpusFormatError
from awase.core.language.basic_elements import basic_elements
from awase.core.language.conllu import conllu_of, parse_of, with_spans
from awase.core.metrics.kit.extractive import (
    OracleEffort,
    Splitter,
    Unit,
    parse_unit_id,
    source_units,
    unit_elements,
)
from awase.core.metrics.kit.oracle_choices import chosen_with
from awase.core.metrics.kit.splitters import BUILT_IN, EdusOfParses, edus_of_parse, read_edus
from awase.core.metrics.kit.supplies import Supplies
from awase.core.metrics.oracles import OracleFinder, Reference, oracle_options
from awase.core.records.source import SentenceRef


def parts(text: str, language: str = "en", splitter: Splitter = BUILT_IN["edu"]) -> list[str]:
    return [text[start:end] for start, end in splitter.spans(text, language)]


@in_turn(
    "parted",
    [
        "The boat was lifted on 2 May,|which pleased the town.",
        "They stopped|because the peat was too wet.",
        "When the bucket caught,|she stopped the digger.",
        "The ministry said|that all cutting would stop.",
        "It was a river craft,|but the axes came by sea.",
        "The boat is long,|and it is made of oak.",
        "“It is old,”|Ms Rowley said.",
        "The hall is closed;|it opens in June.",
        "He sold oak, yew and wax.",
        "Because.",
        "No, she said in the end.",
    ],
)
def test_that_english_is_cut_at_clauses(parted):
    assert parts(parted.replace("|", " ")) == parted.split("|")


@in_turn(
    "parted",
    [
        "船は湖底で見つかり、|秋に引き揚げられた。",
        "船体は泥に覆われて、|酸素が届かなかった。",
        "水温が低いので、|木は腐らなかった。",
        "費用は高いが、|町が負担する。",
        "漁協が反対したため、|町は時期を延ばした。",
        "町は調査を続け、|船を公開する。",
        "東京に、大阪に、京都に行った。",
        "町長は「船が見つかり、うれしい」と話した。",
        "しかし、船は沈んだ。",
        "町及び、県が負担する。",
        "犬、猫、鳥がいる。",
    ],
)
def test_that_japanese_is_cut_behind_predicates_only(parted):
    assert parts(parted.replace("|", ""), "ja") == parted.split("|")


PIECES = ["a", "b ", "。", "、", "て", "り", ", ", "which ", "said ", "that ", "「", "」", "\t"]
SENTENCES = st.lists(st.sampled_from(PIECES)).map("".join)


@given(SENTENCES, st.sampled_from(["en", "ja"]), st.sampled_from(["edu", "sentence"]))
def test_that_units_are_in_order_and_lose_blanks_only(text, language, name):
    spans = BUILT_IN[name].spans(text, language)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    assert all(a < b for a, b in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert all(text[a:b] == text[a:b].strip() for a, b in spans)


def test_that_a_unit_keeps_its_id_under_another_splitter():
    texts = ["It rained.", " They stopped because it rained."]
    topic = building.topic("t", docs={"d:x": texts})
    text_by_ref = {ref: sentence.text for ref, sentence in topic.sentences()}
    whole = {unit.id for unit in source_units(text_by_ref, BUILT_IN["sentence"], "en")}
    edus = [unit.id for unit in source_units(text_by_ref, BUILT_IN["edu"], "en")]
    assert edus == ["d:x:1@0-10", "d:x:2@1-13", "d:x:2@14-32"]
    assert whole & {*edus} == {"d:x:1@0-10"}
    assert parse_unit_id("d:x:2@14-32") == (("d:x", 2), (14, 32))
    with pytest.raises(CorpusFormatError):
        parse_unit_id("d:x:2")


def test_that_a_unit_is_spelled_as_a_record_is_on_which_labels_of_oracles_rest():
    unit = Unit(ref=SentenceRef("d:x", 2), start=1, end=4, text="a'b")
    parts = [f"{one.name}={getattr(unit, one.name)!r}" for one in fields(unit)]
    assert repr(unit) == f"Unit({', '.join(parts)})"


def test_that_a_file_of_edus_is_found_again_whatever_the_blanks():
    edus = read_edus("They stopped\tbecause it  rained.\n\nIt rained.\n", "my.edus")
    found = parts("They stopped because it rained.", splitter=edus)
    assert found == ["They stopped", "because it rained."]
    assert parts("It rained .", splitter=edus) == ["It rained ."]
    assert edus.unknown == set()
    assert parts("Somebody else's.", splitter=edus) == ["Somebody else's."]
    assert edus.unknown == {"Somebody else's."}
    assert edus.id.startswith("edu-file.")


def test_that_a_sentence_cut_in_two_ways_is_refused_at_its_line():
    with pytest.raises(CorpusFormatError, match="f:2"):
        read_edus("a\tb c\na b\tc\n", "f")


# They knew that the boat, which leaked, sank .
PARSE = """\
1\tThey\t_\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tknew\t_\tVERB\t_\t_\t0\troot\t_\t_
3\tthat\t_\tSCONJ\t_\t_\t9\tmark\t_\t_
4\tthe\t_\tDET\t_\t_\t5\tdet\t_\t_
5\tboat\t_\tNOUN\t_\t_\t9\tnsubj\t_\tSpaceAfter=No
6\t,\t_\tPUNCT\t_\t_\t8\tpunct\t_\t_
7\twhich\t_\tPRON\t_\t_\t8\tnsubj\t_\t_
8\tleaked\t_\tVERB\t_\t_\t5\tacl:relcl\t_\tSpaceAfter=No
9\tsank\t_\tVERB\t_\t_\t2\tccomp\t_\t_
"""


def test_that_clauses_of_a_parse_are_units():
    text = "They knew that the boat, which leaked sank at once"
    (sentence,) = parse_of(f"# text = x\n{PARSE}\n")
    found = edus_of_parse(text, (with_spans(replace(sentence, text=text)),))
    # “sank” alone is too short for a unit and joins the clause before it.
    made = [text[a:b] for a, b in found]
    assert made == ["They knew", "that the boat,", "which leaked sank at once"]


def test_that_a_sentence_without_a_parse_is_one_unit():
    found = parts("They stopped because.", splitter=EdusOfParses(parses={}))
    assert found == ["They stopped because."]


LEAK = with_spans(
    tree(
        "The//DET 2 det",
        "boat//NOUN 3 nsubj",
        "sank//VERB 0 root",
        "because//SCONJ 6 mark",
        "rain//NOUN 6 nsubj",
        "filled//VERB 3 advcl",
        "it//PRON 6 obj",
    )
)
SANK = with_spans(tree("A//DET 2 det", "boat//NOUN 3 nsubj", "sank//VERB 0 root"))
FILLED = with_spans(tree("rain//NOUN 2 nsubj", "filled//VERB 0 root", "it//PRON 2 obj"))


def test_that_the_elements_of_a_whole_sentence_are_those_of_the_metric():
    whole = unit_elements((LEAK,), 0, len(LEAK.text))
    assert sorted(whole.elements()) == sorted(basic_elements(LEAK))
    bare = tree("A//DET 2 det", "boat//NOUN 3 nsubj", "sank//VERB 0 root")  # nobody knows where
    assert unit_elements((bare,), 0, 3) == unit_elements((SANK,), 0, len(SANK.text))


def test_that_an_element_across_the_border_belongs_to_neither_part():
    first, second = unit_elements((LEAK,), 0, 13), unit_elements((LEAK,), 14, len(LEAK.text))
    assert {*first} == {("boat", "the", "det"), ("sank", "boat", "nsubj")}
    assert ("filled", "rain", "nsubj") in second
    assert not any("sank" in element[:2] for element in second)


def test_that_an_oracle_for_be_shares_triples_and_not_words():
    texts = (SANK.text, FILLED.text)
    abstracts = [building.abstract("a", texts=[LEAK.text])]
    topic = building.topic("t", docs=texts, language="en", abstracts=abstracts)
    options = oracle_options(chosen_with({"oracle": "be", "unit": "sentence", "limit": "3w"}))
    parses = {one.text: conllu_of((one,)) for one in (LEAK, SANK, FILLED)}
    supplies = Supplies(parses=parses, parse_model="hand")
    oracle = (
        OracleFinder(options, supplies, OracleEffort())
        .source_of(topic)
        .oracle_for(Reference.of(topic.abstracts[0]))
    )
    # “rain filled it” shares nsubj and obj, “A boat sank” nsubj alone: its article is another.
    assert [unit.text for unit in oracle.units] == ["rain filled it"]
    assert oracle.value == 2


def test_that_parts_of_parses_are_units_of_oracles():
    topic = building.topic("t", docs=[LEAK.text], language="en")
    options = replace(oracle_options(chosen_with({"unit": "edu-parse"})), limit=None)
    supplies = Supplies(parses={LEAK.text: conllu_of((LEAK,))}, parse_model="hand")
    source = OracleFinder(options, supplies, OracleEffort()).source_of(topic)
    assert [unit.text for unit in source.units] == ["The boat sank", "because rain filled it"]
