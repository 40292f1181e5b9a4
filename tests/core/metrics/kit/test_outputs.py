"""Which outputs metrics of text score, against what."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.building import abstract, corpus, extract, refs, text, topic

from awase.core.errors import InputError, Problem, Silent
from awase.core.metrics.kit import outputs as outputs_module
from awase.core.metrics.kit.metric import LIMIT, TOKENS
from awase.core.metrics.kit.outputs import answers_in, extracts_for, sentences_of, unscored_outputs
from awase.core.metrics.kit.runner import PlainRequest, score_each_text
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Extract, TextOutput

SHORT, LONG = (
    abstract("s", texts=("a b", "c"), length="short"),
    abstract("l", texts=("d",), length="long"),
)


def answers(of_topic):
    return [(a.output, a.length, a.references) for a in answers_in(of_topic)]


def test_that_an_output_answers_all_abstracts_of_its_length_or_what_its_system_has_no_other_for():
    special, general = text("x", "a", length="short"), text("x", "b")
    second = abstract("s2", texts=("e",), length="short")
    found = answers(topic(outputs=[general, special], abstracts=[SHORT, LONG, second]))
    assert found == [(special, "short", (("a b", "c"), ("e",))), (general, "long", (("d",),))]


def test_that_own_references_take_the_place_of_abstracts_once():
    output = text("x", "a", references=(("r",),))
    found = answers(topic(outputs=[output, text("y", "b")], abstracts=[SHORT, LONG]))
    assert [answer[:2] for answer in found[:2]] == [(found[0][0], "short"), (found[0][0], "long")]
    assert found[2:] == [(output, None, (("r",),))]
    empty = text("x", "a", length="short", references=())
    assert answers(topic(outputs=[empty], abstracts=[SHORT])) == [(empty, "short", ())]


def test_that_a_text_goes_before_an_extract_of_its_system_but_not_before_the_length():
    both = topic(
        outputs=[extract("x", "1", length="short"), text("x", "a", length="short")],
        abstracts=[SHORT],
    )
    assert [type(answer.output) for answer in answers_in(both)] == [TextOutput]
    assert [*unscored_outputs(both, [*answers_in(both)])] == [both.outputs[0]]
    general = topic(outputs=[extract("x", "1", length="short"), text("x", "a")], abstracts=[SHORT])
    assert [type(answer.output) for answer in answers_in(general)] == [Extract]
    assert extracts_for(both, "short") == {"x": both.outputs[0]}


def test_that_an_output_of_another_length_answers_nothing():
    of_topic = topic(outputs=[text("x", "a", length="middle"), text("y", "a")], abstracts=[])
    assert answers(of_topic) == []
    assert [*unscored_outputs(of_topic, [])] == [*of_topic.outputs]


def test_that_the_text_of_an_extract_is_its_sentences_in_its_order_each_once():
    text_by_ref = {SentenceRef("d", n): f"{n}." for n in range(1, 5)}
    assert sentences_of(Extract(system="x", sentences=refs("3 1 3")), text_by_ref) == ("3.", "1.")
    assert sentences_of(text("x", "a", "a"), text_by_ref) == ("a", "a")


def made(kind, system, length):
    return extract(system, 1, length=length) if kind else text(system, "a", length=length)


@given(
    st.lists(
        st.builds(made, st.booleans(), st.sampled_from("xyz"), st.sampled_from([None, "short"])),
        unique_by=lambda one: (type(one), one.system, one.length),
    ),
    st.sampled_from([(), (SHORT,), (LONG,), (SHORT, LONG)]),
)
def test_that_outputs_that_all_answer_the_same_are_those_that_would_be_chosen(outputs, abstracts):
    of_topic = topic(outputs=outputs, abstracts=abstracts)
    with patch.object(outputs_module, "answered_by_all", lambda _: None):
        chosen = answers(of_topic)
    assert answers(of_topic) == chosen


OPTIONS = (LIMIT, TOKENS)


def asked(spelled):
    return PlainRequest.of(MetricRequest.parse(spelled), OPTIONS)


def test_that_signatures_name_the_version_of_the_tokens_and_limits_have_their_unit():
    assert "tokens=unicode-2" in asked("plain:tokens=unicode").signature
    assert asked("plain:tokens=unicode-2").tokens == "unicode"
    with pytest.raises(InputError, match="tokens=klingon"):
        asked("plain:tokens=klingon")
    assert asked("plain:limit=3w").limit.words == 3
    assert asked("plain:limit=9c").limit.characters == 9


def test_that_text_whose_letters_would_be_lost_is_refused():
    japanese = abstract(texts=["嵐が来た。"])
    of_one = corpus(topic(docs=["嵐が来た。"], abstracts=[japanese], outputs=[text("s", "嵐。")]))
    with pytest.raises(InputError, match="tokens="):
        score_each_text(of_one, [asked("plain")], Silent(), lambda _case, _request: 1.0)
    made = score_each_text(
        of_one, [asked("plain:tokens=chars")], Silent(), lambda _case, _request: 0.25
    )
    assert {score.value for score in made.scores} == {0.25}
    why = Problem(what="nothing is counted here.")
    undefined = score_each_text(
        of_one, [asked("plain:tokens=chars")], Silent(), lambda _case, _request: None,
        reason_of=lambda _request: why,
    )  # fmt: skip
    assert all(score.reason == why for score in undefined.scores)
