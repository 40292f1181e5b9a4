"""What is said of options is what the families accept, no more and no less."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import strategies as st
from tests.building import extract
from tests.core.metrics.small_tables import TABLE_1, abstract_of, topic_of
from tests.in_part import in_part, in_turn
from tests.laws import CHARACTERS, law

from awase.core.errors import InputError, Silent
from awase.core.metrics.kit.metric import Option
from awase.core.metrics.kit.outputs import without_names
from awase.core.metrics.kit.signature import FACTS, MetricRequest, option_text
from awase.core.metrics.registry import METRICS, requests_of, score_corpus, signature_of
from awase.core.packages import version_of_code
from awase.core.records.abstract import GoldEntry
from awase.core.records.corpus import Corpus

NAMES = ("first", "A1", "B,2")


def _corpus() -> Corpus:
    one, two = (abstract_of(*TABLE_1, annotator=name) for name in NAMES[1:])
    entries = one.alignments[0].sentences
    both = replace(
        one,
        alignments=one.alignments + two.alignments,
        gold=tuple(GoldEntry(entry=entry) for entry in entries),
    )
    return Corpus(topics=(topic_of(both, outputs=[extract("lead", 1, 2, 3)]),))


CORPUS = _corpus()

OPTIONS = [(metric.name, option) for metric in METRICS.values() for option in metric.options]
BY_MEANING = {(METRICS[m].family, option): (m, option) for m, option in OPTIONS}
DIFFERENT = [pytest.param(m, option, id=f"{m}:{option.name}") for m, option in BY_MEANING.values()]
"""Each option of one of the families that have it."""

_DECIMALS = r"(?:\.[0-9]{1,15})?"
_WEIGHT = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+|[0-9]+:0*[1-9][0-9]*)"
_TO_1 = rf"0{{0,8}}0{_DECIMALS}|0{{0,8}}1(?:\.0{{1,15}})?"
_ORDER = r"(?:0{0,8}[1-9]|0{0,7}[1-9][0-9])"
_TOKENS = r"unicode-2|chars-2|blanks-2|ja-2-.+"
_ANYTHING = r"(?s:.+)"
FORMS = {
    "first": r"0*[1-9][0-9]{0,8}",
    "weights": rf" *{_WEIGHT} *(?:/ *{_WEIGHT} *)*",
    "limit": r"[1-9][0-9]{0,8}[wbc]",
    "alpha": _TO_1,
    "gap": r"[0-9]{1,9}",
    "w": rf"(?![0.]+\Z)(?:0{{0,8}}[0-9]{_DECIMALS}|0{{0,7}}10(?:\.0{{1,15}})?)",
    "tokens": _TOKENS,
    "mode": r"(?i:h|hmr?|hmr?1|hmr2)",
    "unit": r"edu-1|edu-parse-1|(?s:edu-file\..*)",
    "tau": _WEIGHT,
    "parser": _ANYTHING,
    "oracles": r"file@[0-9a-f]{12}",
    "ratio": _TO_1,
    "vectors": _ANYTHING,
    "model": _ANYTHING,
    "nc": _ORDER,
    "nw": rf"0{{1,9}}|{_ORDER}",
    "beta": rf"{_ORDER}(?:\.0{{1,15}})?",
    "sacrebleu": _ANYTHING,
    "layers": _ORDER,
    "baseline": r"[a-z]{2,3}(?:-[a-z]{2,4})?",
    "package": _ANYTHING,
}
"""What the values without a name look like, by option: a second statement of what is read."""
OWN_FORMS = {("pseudo-pyramid", "limit"): r"[1-9][0-9]{0,8}[wcs]", ("bleu", "tokens"): r"ja-2-.+"}


def form_of(metric: str, option: Option) -> str:
    by_name = FORMS.get(option.name, "") if option.form_what or option.name == "mode" else ""
    return OWN_FORMS.get((metric, option.name), by_name)


def describes(metric: str, option: Option, value: str) -> bool:
    form = form_of(metric, option)
    return (
        value in [choice.value for choice in option.choices]
        or (bool(form) and re.fullmatch(form, value) is not None)
        or (bool(option.of_corpus) and value in NAMES)
    )


def accepts(metric: str, option: str, value: str) -> bool:
    neutral = [(o, "no") for o in ("stem", "stop") if o in METRICS[metric].defaults and o != option]
    request = MetricRequest(name=metric, options=((option, value), *neutral))
    try:
        signature_of(CORPUS, request)
    except InputError:
        return False
    return True


@in_turn("metric", METRICS)
def test_that_every_option_is_described(metric):
    for option in METRICS[metric].options:
        assert option.what, option.name
        assert option.choices or option.form_what, option.name
        assert all(choice.what for choice in option.choices), option.name
        has_form = bool(form_of(metric, option))
        assert has_form == bool(option.form_what) or option.name == "mode", option.name
        assert describes(metric, option, option.default), option.name


@in_turn(("metric", "option"), DIFFERENT)
def test_that_every_value_described_is_accepted(metric, option):
    values = [choice.value for choice in option.choices]
    values += [*option.examples, *(NAMES if option.of_corpus else ())]
    assert values
    assert [value for value in values if not accepts(metric, option.name, value)] == []
    assert all(describes(metric, option, value) for value in values)


@in_turn("metric", METRICS)
def test_that_what_is_read_is_spelled_so_that_it_is_read_again(metric):
    for option in METRICS[metric].options:
        for text in (option.default, *option.examples, *(one.value for one in option.choices)):
            value = option.value(text)
            assert option.value(option.spell(value)) == value, option.name


_STRANGE = [
    "",
    *"""
0 00 1 01 1.5 .5 5. 10 11 -1 1e3 yes no YES h all a b c * ** none 100w 0w 100x ascii unicode
unicode-2 unicode-1 chars chars-2 words plain perl first A1 Nobody corpus 1/1/1 1:2/1/1 1:0/1/1
1/1 1/1/x summary sentence 10.0 10.5 0.0 0000000000 4 1234567890 １ NaN inf
""".split(),
]


_PARTLY = ("weights", "tokens", "tau")
"""The number of ranks is the corpus's, the version of the Japanese rules this program's, and no
form tells which ratios are up to 1."""


def agrees(metric: str, option: Option, value: str) -> bool:
    """Whether a value is accepted when it is described, and else refused."""
    is_described, is_accepted = (
        describes(metric, option, value),
        accepts(metric, option.name, value),
    )
    # Oracles of EDUs have no limit in sentences.
    if option.name in _PARTLY or (metric, option.name) == ("pseudo-pyramid", "limit"):
        return is_described or not is_accepted
    return is_described == is_accepted


@pytest.mark.slow
@in_turn(("metric", "option"), DIFFERENT)
def test_that_no_strange_value_is_accepted(metric, option):
    assert [value for value in filter(None, _STRANGE) if not agrees(metric, option, value)] == []


@pytest.mark.parametrize(("metric", "option"), in_part(DIFFERENT, first=2))
@law(15, data=st.data())
def test_that_no_value_undescribed_is_accepted(metric, option, data):
    # A like-named option's values, too, which this one may not know.
    form = form_of(metric, option) or FORMS.get(option.name, "")
    alphabet = st.text(alphabet="0123456789.:/*wbhalynoes -", max_size=6)
    of_form = [st.from_regex(form, fullmatch=True, alphabet=CHARACTERS)] if form else []
    value = data.draw(st.one_of(alphabet, *of_form))
    assert not value or agrees(metric, option, value)  # no request spells an empty one


def test_that_options_of_one_name_mean_the_same_whatever_their_default():
    stop = {m: one for m, one in OPTIONS if one.name == "stop"}
    assert (stop["prouge-1"].default, stop["rouge-1"].default) == ("yes", "no")
    assert stop["prouge-1"] == stop["rouge-1"]
    refs = {m: one for m, one in OPTIONS if one.name == "refs"}
    assert refs["be"] == refs["rouge-1"] != refs["subtree"]


@in_turn("text", [
    "precision", "coverage:first=03,annotator=B%2C2", "weighted-coverage:weights=1/.5/0", "rouge-1",
    "rouge-su:gap=04,alpha=0.50,tokens=unicode",
])  # fmt: skip
def test_that_the_signature_told_beforehand_is_that_of_the_values(text):
    (request,) = requests_of([text])
    told = signature_of(CORPUS, request)
    for made in {score.signature for score in score_corpus(CORPUS, [request], Silent()).scores}:
        options = [
            (name, without_names(value) if name == "annotator" else value)
            for name, value in MetricRequest.parse(made).options
            if name not in FACTS
        ]
        assert list(MetricRequest.parse(told).options) == options


def test_that_a_family_without_a_signature_of_its_own_is_asked_by_scoring_nothing(monkeypatch):
    from awase.core.metrics.rouge import family as rouge_family

    bare = SimpleNamespace(score=rouge_family.score)
    monkeypatch.setattr("awase.core.metrics.registry.import_module", lambda _name: bare)
    told = signature_of(CORPUS, MetricRequest.parse("rouge-1:stem=yes"))
    assert told.startswith("rouge-1:stem=yes,stop=no")
    assert told.endswith(f",version={version_of_code()}")
    with pytest.raises(InputError, match="stem=maybe"):
        signature_of(CORPUS, MetricRequest.parse("rouge-1:stem=maybe"))


def test_that_a_name_in_the_corpus_needs_to_be_there():
    with pytest.raises(InputError, match="Nobody called"):
        signature_of(Corpus(), MetricRequest.parse(f"coverage:annotator={option_text('A1')}"))
