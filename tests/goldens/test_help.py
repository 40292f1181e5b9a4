"""What annotators are helped with, to the last number, is what was recorded."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from tests.benchmarks.candidates import corpus_of
from tests.goldens.conftest import HERE

from awase.core.annotation import suggestion
from awase.core.annotation.candidates import TopicIndex
from awase.core.annotation.evidence import (
    FamilyWeights,
    keys_of_all,
    member_remarks,
    uncovered_words,
    weights_text,
)
from awase.core.annotation.fitting import AssistExamples, confirmed_entries
from awase.core.annotation.suggesters import SUGGESTERS, CachedAnswer, build_suggesters
from awase.core.records.abstract import Alignment, AssistSettings
from awase.core.records.topic import Topic

SETTINGS = AssistSettings(level=4, control_percent=30, decoy_percent=10, seed=5)


def answer(digest: str) -> CachedAnswer:
    text = '{"alternatives": [[2, 1], [5]], "no_source": false}'
    return CachedAnswer(model=digest[:4], at="2026-11-02T12:00", text=text)


def help_with(topic: Topic, who: str, weights: FamilyWeights | None) -> Iterator[object]:
    index, view = TopicIndex(topic), suggestion.own_view(topic, who)
    suggesters = build_suggesters(SUGGESTERS, weights, answer)
    texts = {ref: one.text for ref, one in topic.sentences()}
    yield sorted(suggestion.control_items(SETTINGS, topic))
    yield sorted(suggestion.decoy_items(SETTINGS, topic))
    yield {str(ref): [*map(str, index.near_duplicates(ref))] for ref in texts}
    for abstract in view.abstracts:
        own = abstract.alignment_by(who) or Alignment(annotator=who)
        for sentence, at in product(abstract.sentences, (0, 1)):
            entry, text = own.of_sentence(sentence.n), sentence.text
            ranked = index.ranked_for(text, entry, at)
            members = entry.alternatives[at].members if at < len(entry.alternatives) else ()
            yield f"{who} {abstract.id} {sentence.n}: {' '.join(map(str, ranked))}"
            yield [f"{share:.6f}" for share in index.overlaps(text).values()]
            yield index.matches(ranked[0], text), member_remarks(text, members, texts)
            yield uncovered_words(text, map(texts.get, members), keys_of_all(texts.values()))
            for each in suggesters.values():
                for one in each.suggest(view, sentence, entry):
                    decoy = suggestion.decoy_of(one, ranked, entry)
                    told = replace(one, confidence=round(one.confidence, 6))
                    yield told, decoy and decoy.family


def test_that_candidates_suggestions_and_fitted_weights_are_those_recorded(golden):
    names = ("uneven.json", "small.json")
    read = [corpus_of((HERE / "inputs" / name).read_text("utf-8")).topics for name in names]
    weights = AssistExamples(confirmed_entries(read[0])).fitted("uneven")
    outputs = {"fitted weights": weights_text(weights)}
    for who, used, topics in (
        ("A1", None, (*read[0][:3], read[0][-1])), ("A3", weights, read[0][-3:]),
        ("花子", None, read[1]), ("太郎", weights, read[1][:1]),
    ):  # fmt: skip
        for topic in topics:
            told = help_with(topic, who, used)
            outputs[f"{topic.id} {who}"] = "".join(f"{one}\n" for one in told)
    golden("sessions/help", outputs)
