"""Plug-ins load, and behave as the program's own on a small corpus."""

from dataclasses import replace

import pytest

from awase.plugins import (
    VERSION,
    Abstract,
    AbstractSentence,
    Alignment,
    AlignmentState,
    Alternative,
    Corpus,
    Document,
    Extract,
    InputError,
    MetricRequest,
    Plugins,
    ReadRequest,
    SentenceAlignment,
    SentenceRef,
    Silent,
    SourceSentence,
    TextOutput,
    Topic,
    extract,
    extractions_of,
    extractors,
    formats,
    merge,
    metrics,
    named,
    own_view,
    requests_of,
    score_corpus,
    signature_of,
    suggesters,
    without_facts,
)

TABLES = (metrics.ADDED, extractors.ADDED, formats.ADDED, suggesters.ADDED)
SUGGESTERS = [plugin.name for plugin in suggesters.ADDED.all()]
METRICS = [plugin.name for plugin in metrics.ADDED.all() if not plugin.added.needs]
EXTRACTORS = [plugin.name for plugin in extractors.ADDED.all()]
FORMATS = [plugin.name for plugin in formats.ADDED.all() if plugin.added.reads]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.group)
def test_that_everything_that_is_added_can_be_loaded(table: Plugins[object]) -> None:
    assert table.problems() == ()


@pytest.mark.parametrize("name", METRICS)
def test_that_every_option_of_a_metric_is_described_with_its_default(name: str) -> None:
    metric = metrics.METRICS[name]
    assert metric.what
    for option in metric.options:
        assert option.what
        assert option.spell(option.value(option.default)) == option.default, option.name
        for choice in option.choices:
            assert choice.what
            option.value(choice.value)


@pytest.mark.parametrize("name", METRICS)
def test_that_a_metric_scores_with_signatures_that_can_be_asked_for_again(name: str) -> None:
    table = score_corpus(corpus(), requests_of([name]), Silent())
    assert table.scores, [str(problem) for problem in table.warnings]
    label = metrics.METRICS[name].by
    for score in table.scores:
        options = dict(MetricRequest.parse(score.signature).options)
        assert options["by"] == label
        assert options["version"].partition("+")[0] == VERSION.partition("+")[0]
        assert (score.value is None) == (score.reason is not None)
        again = score_corpus(corpus(), requests_of([score.signature]), Silent())
        assert score in again.scores
    told = signature_of(corpus(), requests_of([name])[0])
    assert {without_facts(score.signature) for score in table.scores} == {told}


@pytest.mark.parametrize("name", METRICS)
def test_that_a_value_does_not_depend_on_what_is_scored_beside_it(name: str) -> None:
    def cells(part: Corpus) -> dict[object, object]:
        table = score_corpus(part, requests_of([name]), Silent())
        return {
            (one.signature, one.metric, one.topic, one.length, one.system): one.value
            for one in table.scores
        }

    whole = cells(corpus())
    alone = tuple(replace(topic, outputs=topic.outputs[-1:]) for topic in reversed(corpus().topics))
    for part in (Corpus(topics=alone), Corpus(topics=alone[:1])):
        found = cells(part)
        assert any(key in whole for key in found)
        assert all(whole[key] == value for key, value in found.items() if key in whole)


@pytest.mark.parametrize("name", METRICS)
def test_that_an_option_that_does_not_exist_is_refused(name: str) -> None:

    with pytest.raises(InputError):
        requests_of([f"{name}:no-such-option=1"])


@pytest.mark.parametrize("name", EXTRACTORS)
def test_that_an_extractor_chooses_as_many_different_sentences_as_it_is_asked_for(
    name: str,
) -> None:
    for size in (1, 3):
        (request,) = extractions_of([f"{name}:size={size}"])
        assert f"by={extractors.EXTRACTORS[name].by}," in request.signature
        systems = named(corpus(), [request])
        made = extract(corpus(), systems, Silent())
        again = extract(corpus(), systems, Silent())
        assert made == again
        found = [one for of_topic in made.extracts.values() for one in of_topic]
        assert len(found) == len(corpus().topics)
        for one in found:
            assert len({*one.sentences}) == len(one.sentences) == size


@pytest.mark.parametrize("name", FORMATS)
def test_that_a_format_refuses_nonsense_in_words_or_reads_it_as_text(name: str) -> None:

    entry = formats.FORMATS[name]
    for text in ("", "\x00\x01", "{]", "<a", "a line\nanother\n"):
        try:
            result = entry.reader()(
                ReadRequest(text=text, source="file", topic="x", abstract="x", annotator="x")
            )
            merge(Corpus(), result.addition)
        except InputError:
            continue


@pytest.mark.parametrize("name", SUGGESTERS)
def test_that_a_suggester_suggests_sets_of_the_topics_sentences(name: str) -> None:
    made = suggesters.build_suggesters([name])[name]
    for topic in corpus().topics:
        view, refs = own_view(topic, "1"), set(topic.refs())
        for abstract in view.abstracts:
            alignment = abstract.alignment_by("1") or Alignment(annotator="1")
            for sentence in abstract.sentences:
                entry = alignment.of_sentence(sentence.n)
                for suggestion in made.suggest(view, sentence, entry):
                    assert suggestion.why
                    assert all(refs.issuperset(one.members) for one in suggestion.family)


SENTENCES = (
    "The storm reached the coast on Monday.",
    "Thousands of people left their homes.",
    "Rivers rose above their banks.",
    "Power was out in three towns.",
    "The roads were open again on Friday.",
)


def corpus() -> Corpus:
    """Returns the corpus."""
    return Corpus(topics=tuple(_topic(name, shift) for shift, name in enumerate(("one", "two"))))


def _topic(name: str, shift: int) -> Topic:
    sentences = SENTENCES[shift:] + SENTENCES[:shift]
    document = Document(
        id=f"{name}-d",
        sentences=tuple(SourceSentence(n=n, text=text) for n, text in enumerate(sentences, 1)),
    )
    refs = [SentenceRef(document.id, n) for n in range(1, len(sentences) + 1)]
    return Topic(
        id=name,
        language="en",
        documents=(document,),
        abstracts=(_abstract("a", refs[0], sentences[0]), _abstract("b", refs[1], sentences[2])),
        outputs=(
            Extract(system="first", sentences=(refs[0], refs[1])),
            Extract(system="other", sentences=(refs[3],)),
            TextOutput(system="text", sentences=("A storm hit the coast.", sentences[2])),
        ),
    )


def _abstract(name: str, ref: SentenceRef, text: str) -> Abstract:
    entry = SentenceAlignment(
        n=1, state=AlignmentState.CONFIRMED, alternatives=(Alternative((ref,)),)
    )
    return Abstract(
        id=name,
        sentences=(AbstractSentence(n=1, text=text, rank="A"),),
        alignments=(Alignment(annotator="ann", sentences=(entry,)),),
    )
