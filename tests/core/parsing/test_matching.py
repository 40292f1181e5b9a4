from dataclasses import replace

from tests.core.parsing.trees import tree

from awase.core.parsing.conllu import FoundSentence, parse_of
from awase.core.parsing.matching import match, model_named_in


def found(*texts):
    return [
        FoundSentence(replace(tree("w 0 root"), text=text), line)
        for line, text in enumerate(texts, start=1)
    ]


def test_that_sentences_are_matched_whatever_their_white_space():
    matches = match(found("a  b", "c"), ["a b", " ab ", "d"])
    assert {*matches.parses} == {"a b", " ab "}
    assert [one.sentence.text for one in matches.unmatched] == ["c"]


def test_that_consecutive_sentences_are_one_parse_of_a_text_that_they_make_together():
    matches = match(found("He ran.", "She won.", "He fell."), ["He ran. She won.", "He fell."])
    assert [s.text for s in parse_of(matches.parses["He ran. She won."])] == ["He ran.", "She won."]
    assert len(parse_of(matches.parses["He fell."])) == 1
    assert not matches.unmatched


def test_that_half_a_text_is_no_match():
    matches = match(found("He ran.", "He fell."), ["He ran. She won."])
    assert not matches.parses
    assert len(matches.unmatched) == 2


def test_that_of_two_parses_of_a_text_the_last_is_kept():
    one, two = found("a", "a")
    later = FoundSentence(replace(two.sentence, words=tree("z 0 root").words), 2)
    assert "z" in match([one, later], ["a"]).parses["a"]


def test_that_unmatched_sentences_are_named_and_many_are_counted():
    warnings = match(found(*(f"s{n}" for n in range(25))), []).warnings("f", limit=20)
    assert [warning.line for warning in warnings] == [*range(1, 21), None]
    assert str(warnings[0]).startswith("f:1: The corpus has no sentence “s0”.")
    assert "5 more" in str(warnings[-1])


def test_that_the_first_lines_name_the_model():
    assert model_named_in("# x\n# model = stanza-en\n\n1\t") == "stanza-en"
    assert model_named_in("# text = a\n1\t") == ""
