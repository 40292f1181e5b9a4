"""Basic elements of parts of sentences, and oracles for BE."""

from dataclasses import replace

from tests import building

from awase.core.language.basic_elements import basic_elements
from awase.core.language.conllu import conllu_of
from awase.core.metrics.kit.extractive import OracleEffort
from awase.core.metrics.kit.oracle_choices import chosen_with
from awase.core.metrics.kit.supplies import Supplies
from awase.core.metrics.kit.units import unit_elements
from awase.core.metrics.oracles import OracleFinder, Reference, oracle_options
from awase.core.records.parse import ParsedSentence, ParsedWord


def parsed(text: str, *words: tuple[int, str, str]) -> ParsedSentence:
    """Words by (head, relation, part of speech), with their offsets."""
    made, at = [], 0
    for form, (head, deprel, upos) in zip(text.split(), words, strict=True):
        at = text.index(form, at)
        span = at, at + len(form)
        made.append(ParsedWord(form=form, head=head, deprel=deprel, upos=upos, span=span))
        at += len(form)
    return ParsedSentence(words=tuple(made), text=text)


LEAK = parsed(
    "The boat sank because rain filled it",
    (2, "det", "DET"),
    (3, "nsubj", "NOUN"),
    (0, "root", "VERB"),
    (6, "mark", "SCONJ"),
    (6, "nsubj", "NOUN"),
    (3, "advcl", "VERB"),
    (6, "obj", "PRON"),
)
SANK = parsed("A boat sank", (2, "det", "DET"), (3, "nsubj", "NOUN"), (0, "root", "VERB"))
FILLED = parsed("rain filled it", (2, "nsubj", "NOUN"), (0, "root", "VERB"), (2, "obj", "PRON"))


def test_that_the_elements_of_a_whole_sentence_are_those_of_the_metric():
    whole = unit_elements((LEAK,), 0, len(LEAK.text))
    assert sorted(whole.elements()) == sorted(basic_elements(LEAK))


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
