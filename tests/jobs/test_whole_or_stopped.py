"""Jobs that are stopped give what they have by then; parses come from workers that agree."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.building import abstract, corpus, entry, extract, text, topic
from tests.core.language.trees import tree
from tests.reporters import Heard
from tests.stored import corpus_file

from awase.core.errors import Cancelled, EnvironmentProblem, InputError, Silent
from awase.core.language import models
from awase.core.language.engines import ParserRequest
from awase.core.metrics.kit.extractive import OracleEffort
from awase.core.metrics.kit.supplies import ALONE
from awase.core.metrics.registry import requests_of
from awase.core.records.abstract import Alignment
from awase.core.records.corpus import Corpus
from awase.core.records.topic import HumanScore
from awase.core.solvers.cover import CoverProblem
from awase.core.solvers.cover_solving import minimal_cover
from awase.jobs import covers
from awase.jobs.comparing import differences
from awase.jobs.covers import CoverRequest, find_covers
from awase.jobs.exporting import ExportPlan
from awase.jobs.oracles import find_oracles, oracle_request
from awase.jobs.scoring import StatisticsPlan, score
from awase.jobs.supplies import parsing
from awase.jobs.supplies.gathering import SupplyCaches, without_supplies
from awase.storage.store import CorpusStore

TEXTS = ("A tomb was found.", "A ship was built.", "Who built it?")
LINKS = {"1": "s1|s2&s3;s3", "2": "s1;s2&s3"}
WHOLE = corpus(
    *(
        topic(
            name,
            docs=TEXTS,
            abstracts=[abstract(f"{name}-long", LINKS, texts=["A tomb was found.", "A ship."])],
            outputs=[
                text("writer", "A ship was built.", references=[["A ship was built."]]),
                text("other", "It was found.", references=[["A ship was built."]]),
                extract("lead", "s1"),
            ],
        )
        for name in "tu"
    ),
    topic("bare", docs=TEXTS),
)


def test_that_oracles_of_a_stopped_search_are_the_first_of_the_whole():
    request = oracle_request(OracleEffort(), unit="sentence", limit="2s")
    listener = Heard()
    whole = find_oracles(WHOLE, request, listener, without_supplies)
    assert [(one.topic, one.reference) for one in whole.oracles] == [
        (name, reference) for name in "tu" for reference in (f"{name}-long", "reference 1")
    ]
    assert not whole.is_stopped
    n_had = []
    for n_calls in range(len(listener.calls)):
        stopped = find_oracles(WHOLE, request, Heard(calls=n_calls, once=True), without_supplies)
        n_had.append(len(stopped.oracles))
        assert stopped.oracles == whole.oracles[: n_had[-1]]
        assert (stopped.is_stopped, stopped.signature) == (True, whole.signature)
    assert n_had == sorted(n_had)
    assert {*n_had} == {0, 1, 2, 3, 4}
    with pytest.raises(InputError, match="no reference"):
        find_oracles(corpus(topic("bare", docs=TEXTS)), request, Silent(), without_supplies)


def test_that_covers_of_a_stopped_search_are_the_first_and_the_rest_is_named(monkeypatch):
    request, listener = CoverRequest(annotators=("all",)), Heard()
    whole = find_covers(WHOLE, request, listener)
    places = [(name, f"{name}-long", who) for name in "tu" for who in "12"]
    assert [(one.topic, one.abstract, one.annotator) for one in whole.covers] == places
    assert (whole.left, whole.is_stopped) == ((), False)
    for n_calls in range(len(listener.calls)):
        stopped = find_covers(WHOLE, request, Heard(calls=n_calls, once=n_calls % 2 == 0))
        n_had = len(stopped.covers)
        assert [one.annotator for one in stopped.covers] == [who for *_, who in places[:n_had]]
        assert (stopped.is_stopped, stopped.left) == (True, tuple(places[n_had:]))

    def known(problem: CoverProblem, take_answer: Callable[..., None], **_: object) -> None:
        take_answer(minimal_cover(problem))
        raise Cancelled

    monkeypatch.setattr(covers, "wait_for_cover", known)
    stopped = find_covers(WHOLE, request, Silent())
    assert [(one.annotator, one.is_stopped) for one in stopped.covers] == [("1", True)]
    assert (stopped.covers[0].report, stopped.left) == (whole.covers[0].report, tuple(places[1:]))
    of_one = abstract("a", {"1": "s1|s2&s3", "2": "-"})  # the second has nothing to cover
    assert {who: one.h for who, one in covers.sizes_of_covers(of_one, Silent()).items()} == {"1": 1}
    monkeypatch.setattr(covers, "known_size_of_cover", lambda _gold, tell, _limit: tell(None))
    with pytest.raises(Cancelled):
        covers.sizes_of_covers(WHOLE.topics[0].abstracts[0], Heard(calls=0))


class OneWord:
    """A parser that says of each text that it is one word."""

    def __init__(self, model: str) -> None:
        self.model = model

    def load(self, _request: ParserRequest) -> "OneWord":
        return self

    def parses(self, texts: Sequence[str]) -> Iterator[list[object]]:
        return ([(tree("word//NOUN 0 root"),)] for _ in texts)


@pytest.fixture
def store(tmp_path) -> Iterator[CorpusStore]:
    path = corpus_file(tmp_path / "c.awase", corpus(topic("t", docs=TEXTS)))
    with CorpusStore.open(path, who="ann") as store:
        store.add_parses("m", {TEXTS[1]: "1\tword\n"}, who="ann")
        yield store


def test_that_workers_elsewhere_parse_what_has_no_parse(store, monkeypatch):
    monkeypatch.setattr(parsing, "engine_by_id", OneWord)
    request = ParserRequest(language="en")
    for engine, n_new in (("m", 2), ("m", 0), ("other", 3)):
        done = parsing.parse_elsewhere(
            store, TEXTS, engine, request, ALONE, who="ann", reporter=Silent()
        )
        assert (done.model, done.n_new) == (engine, n_new)
        assert store.parsed(engine, TEXTS) == {*TEXTS}
    assert store.parses("m", TEXTS)[TEXTS[1]] == "1\tword\n"


def test_that_workers_with_different_models_are_refused(store):
    models = iter("mn")
    workers = SimpleNamespace(
        map=lambda _parse, tasks, _: ((next(models), dict.fromkeys(task, "")) for task in tasks)
    )
    with pytest.raises(EnvironmentProblem, match="different models: m and n"):
        parsing.parse_elsewhere(
            store, TEXTS, "e", ParserRequest(language="en"), workers, who="ann", reporter=Silent()
        )
    assert store.parse_models() == {"m": 1}


def test_that_vectors_of_the_last_place_and_models_of_each_are_opened_once(tmp_path, monkeypatch):
    opened = []

    def open_vectors(location: str, *, reporter: object, cache: Path) -> object:
        opened.append((location, cache))
        return object()

    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(models, "open_vectors", open_vectors)
    monkeypatch.setattr(models, "open_encoder", lambda place: opened.append(place) or object())
    caches = SupplyCaches(tmp_path)
    one, again, other = (caches.vectors(place, Silent()) for place in "aab")
    assert one is again is not other
    assert caches.vectors("a", Silent()) is not one
    assert [caches.model(place) for place in ("~/m", "./m")] == [
        caches.model(place) for place in ("~/m", "./m")
    ]
    assert opened == [(place, tmp_path) for place in "aba"] + [str(tmp_path / "m"), "./m"]
    caches.models["here"] = one
    assert caches.model("here") is one


def test_that_a_baseline_without_scores_is_left_out():
    table = score(WHOLE, requests_of(["rouge-1"]), Silent())
    plan = StatisticsPlan(has_intervals=True, baseline="writer")
    assert plan.fitting(table) == plan
    assert replace(plan, baseline="gone").fitting(table) == StatisticsPlan(has_intervals=True)


def small(title: str, links: str, score: HumanScore, chosen: str) -> Corpus:
    part = abstract("a", links.split(";"), texts=["One.", "Two."])
    outputs = [extract("lead", chosen)]
    made = topic("t", docs=TEXTS, title=title, language="en", abstracts=[part], outputs=outputs)
    return corpus(made, scores=[score])


def test_that_corpora_differ_in_what_they_say_and_not_in_the_order_of_alternatives():
    score = HumanScore(topic="t", system="x", measure="m", value=1.0)
    old = small("Old", "A: s1|s2&s3;B: s1", score, "s1")
    same = small("Old", "A: s3&s2|s1;B: s1", score, "s1")
    assert differences(old, same, Silent()) == ()
    new = small("New", "A: s1;C: !s1", replace(score, annotator="ann"), "s2")
    found = differences(old, new, Silent())
    assert [(one.change.value, one.part, one.id, one.n, one.old, one.new) for one in found] == [
        ("changed", "topic", "t", None, "Old en", "New en"),
        ("changed", "abstract", "a", 2, "Two. [B]", "Two. [C]"),
        ("changed", "alignment", "a 1", 1, "confirmed d:1 | d:2 & d:3", "confirmed d:1"),
        ("changed", "alignment", "a 1", 2, "confirmed d:1", "flagged d:1"),
        ("changed", "output", "lead", 1, "d:1", "d:2"),
        ("removed", "human score", "x m", None, "1.0", ""),
        ("added", "human score", "x m ann", None, "", "1.0"),
    ]
    assert {one.topic for one in found} == {"t"}
    bare, (own,), (lead,) = replace(old, human_scores=()), old.topics, old.topics[0].outputs
    noted = (entry(1, "s1|s2&s3", note="why"), entry(2, "s1"))
    part = replace(own.abstracts[0], alignments=(Alignment(annotator="1", sentences=noted),))
    longer = topic("t", docs=(*TEXTS, "The end.")).documents
    for other, told in (
        (replace(own, id="u"), [("removed", "topic", "t", None), ("added", "topic", "u", None)]),
        (replace(own, language="ja"), [("changed", "topic", "t", None)]),
        (replace(own, documents=longer), [("added", "document", "d", 4)]),
        (replace(own, abstracts=(part,)), [("changed", "alignment", "a 1", 1)]),
        (replace(own, outputs=(replace(lead, length="short"),)),
         [("removed", "output", "lead", None), ("added", "output", "lead short", None)]),
        (replace(own, outputs=(replace(lead, references=(("It.",),)),)),
         [("changed", "output", "lead", 0)]),
        (replace(own, outputs=(text("lead", "d:1"),)), [("changed", "output", "lead", 0)]),
        (replace(own, outputs=(lead, text("lead", "It."))),
         [("added", "output", "lead text", None)]),
    ):  # fmt: skip
        found = differences(bare, replace(bare, topics=(other,)), Silent())
        assert [(one.change.value, one.part, one.id, one.n) for one in found] == told
    both = replace(own, outputs=(lead, text("lead", "It.")))
    other = replace(own, outputs=(extract("lead", "s2"), text("lead", "It.")))
    (found,) = differences(replace(bare, topics=(both,)), replace(bare, topics=(other,)), Silent())
    assert (found.id, found.n, found.old, found.new) == ("lead extract", 1, "d:1", "d:2")
    (named,) = differences(old, replace(old, name="new"), Silent())
    assert (named.part, named.old, named.new) == ("name", "", "new")


def test_that_an_export_brings_the_versions_of_those_whose_work_it_has(tmp_path):
    with CorpusStore.open(corpus_file(tmp_path / "w.awase", WHOLE), who="1") as store:
        own = store.ownership()
    everybody = ExportPlan(format_id="awase-json", ownership=own)
    assert everybody.request(WHOLE).ownership == own
    assert {key.annotator for key in own.versions} == {"1", "2"}
    request = replace(everybody, annotator="2").request(WHOLE)
    assert {key.annotator for key in request.ownership.versions} == {"2"}
    assert [one.annotator for one in request.corpus.topics[0].abstracts[0].alignments] == ["2"]
