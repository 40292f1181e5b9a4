"""What is said of options is what the families accept, no more and no less."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.building import extract
from tests.core.metrics.small_tables import TABLE_1, abstract_of, topic_of
from tests.laws import tries

from awase.core.errors import InputError
from awase.core.metrics.kit.annotators import without_names
from awase.core.metrics.kit.options import COMMON_OPTIONS, Choice, Option
from awase.core.metrics.kit.signature import FACTS, MetricRequest, option_text, program_version
from awase.core.metrics.registry import METRICS, Metric, requests_of, score_corpus, signature_of
from awase.core.progress import Silent
from awase.core.records.corpus import Corpus
from awase.core.records.gold import GoldEntry

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

OPTIONS = [(metric.name, name) for metric in METRICS.values() for name in metric.defaults]
BY_MEANING = {(METRICS[m].family, METRICS[m].option(name)): (m, name) for m, name in OPTIONS}
DIFFERENT = [*BY_MEANING.values()]


def accepts(metric: str, option: str, value: str) -> bool:
    neutral = [(o, "no") for o in ("stem", "stop") if o in METRICS[metric].defaults and o != option]
    request = MetricRequest(name=metric, options=((option, value), *neutral))
    try:
        signature_of(CORPUS, request)
    except InputError:
        return False
    return True


def described(metric: str, name: str) -> Option:
    option = METRICS[metric].option(name)
    assert option is not None
    return option


@pytest.mark.parametrize(("metric", "name"), OPTIONS)
def test_that_every_option_is_described(metric, name):
    option = described(metric, name)
    assert option.what
    assert option.choices or option.form
    assert all(choice.what for choice in option.choices)
    assert bool(option.form) == bool(option.form_what)
    assert option.describes(METRICS[metric].defaults[name])


@pytest.mark.parametrize(("metric", "name"), DIFFERENT)
def test_that_every_value_described_is_accepted(metric, name):
    option = described(metric, name)
    values = [choice.value for choice in option.choices]
    values += [*option.examples, *(NAMES if option.of_corpus else ())]
    assert values
    assert [value for value in values if not accepts(metric, name, value)] == []
    assert all(option.describes(value, NAMES) for value in values)


_STRANGE = [
    "",
    *"""
0 00 1 01 1.5 .5 5. 10 11 -1 1e3 yes no YES h all a b c * ** none 100w 0w 100x ascii unicode
unicode-1 unicode-2 chars chars-1 words plain perl first A1 Nobody corpus 1/1/1 1:2/1/1 1:0/1/1
1/1 1/1/x summary sentence 10.0 10.5 0.0 0000000000 4 1234567890 １ NaN inf
""".split(),
]


@pytest.mark.parametrize(("metric", "name"), DIFFERENT)
@settings(deadline=None, max_examples=tries(15))
@given(data=st.data())
def test_that_no_value_undescribed_is_accepted(metric, name, data):
    option = described(metric, name)
    alphabet = st.text(alphabet="0123456789.:/*wbhalynoes -", max_size=6)
    of_form = [st.from_regex(option.form, fullmatch=True)] if option.form else []
    value = data.draw(st.one_of(st.sampled_from(_STRANGE), alphabet, *of_form))
    is_described = option.describes(value, NAMES)
    if not value:
        return  # no request spells it
    # The number of ranks is the corpus's, the version of the Japanese rules this program's; oracles
    # of EDUs have no limit in sentences, and no form tells which ratios are up to 1.
    if name in ("weights", "tokens", "tau") or (metric, name) == ("pseudo-pyramid", "limit"):
        assert is_described or not accepts(metric, name, value)
    else:
        assert accepts(metric, name, value) == is_described


def test_that_options_of_one_name_share_a_description_unless_the_metric_has_its_own():
    own = Option(what="x", choices=(Choice(value="y", what="z"),))
    metric = Metric(name="m", what="", family="", defaults={"stem": "y"}, options={"stem": own})
    assert metric.option("stem") is own
    assert replace(metric, options={}).option("stem") is COMMON_OPTIONS["stem"]
    assert metric.option("unheard-of") is None


@pytest.mark.parametrize("text", [
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

    monkeypatch.delattr(rouge_family, "signature")
    told = signature_of(CORPUS, MetricRequest.parse("rouge-1:stem=yes"))
    assert told.startswith("rouge-1:stem=yes,stop=no")
    assert told.endswith(f",version={program_version()}")
    with pytest.raises(InputError, match="stem=maybe"):
        signature_of(CORPUS, MetricRequest.parse("rouge-1:stem=maybe"))


def test_that_a_name_in_the_corpus_needs_to_be_there():
    with pytest.raises(InputError, match="Nobody called"):
        signature_of(Corpus(), MetricRequest.parse(f"coverage:annotator={option_text('A1')}"))
