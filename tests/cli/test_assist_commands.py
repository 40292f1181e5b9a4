"""The commands about assistance: settings, comparison, weights."""

from dataclasses import replace
from itertools import chain, product
from pathlib import Path

import pytest
from tests import building
from tests.building import entry
from tests.stored import corpus_file

from awase.core.annotation.actions import TAKE, alignment_edit
from awase.core.annotation.evidence import FamilyWeights, shipped_weights, weights_text
from awase.core.annotation.fitting import AssistExamples, average_precision, confirmed_entries
from awase.core.annotation.suggestion import control_items, decoy_model
from awase.core.errors import InputError
from awase.core.records.abstract import AssistOrigin, AssistSettings, EditEffort, ShownSuggestion
from awase.core.records.corpus import Corpus
from awase.core.records.edits import EDIT_PROJECT
from awase.core.records.topic import Topic
from awase.jobs.importing import demonstration
from awase.jobs.team import asking_models, assisting
from awase.jobs.team.assisting import fit_assistance, study_assistance, with_assist
from awase.storage.store import CorpusStore

TEXTS = ("A storm sank a ferry.", "The mayor spoke.", "A ferry sank in a storm.", "It rained.")


def made_topic(id: str) -> Topic:
    abstracts = [building.abstract("a", texts=["A ferry sank."] * 11)]
    return building.topic(id, docs=TEXTS, abstracts=abstracts)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    topics = (made_topic("t"), made_topic("u"))
    return corpus_file(tmp_path / "c.awase", Corpus(name="c", topics=topics), who="L")


def test_that_the_level_is_told_and_set_and_undone(corpus, run):
    assert run("assist", corpus, "--json").json["level"] == 2
    options = ("--assist-level", "--control", "--decoys", "--seed")
    for values in ((3, 20, 5, 7), (0, 0, 0, 0)):
        given = chain(*zip(options, values, strict=True))
        assert run("assist", corpus, *given, "--who", "L").status == 0
        assert [*run("assist", corpus, "--json").json.values()] == [*values, False]
    for option in options:  # each is a change, so that it may have an author
        assert "There is no file" in run("assist", "none.awase", option, 0, "--who", "L").err
    run("undo", corpus, "--who", "L")
    run("undo", corpus, "--who", "L")
    assert run("assist", corpus, "--json").json["level"] == 2


def test_that_work_is_compared_with_that_without_help(run, corpus, monkeypatch):
    seeds, compared = [], assisting.compared
    monkeypatch.setattr(assisting, "compared", lambda *of: seeds.append(of[-1]) or compared(*of))
    with CorpusStore.open(corpus, who="L") as store:
        chosen = {"level": 4, "control_percent": 50, "seed": 5}
        settings = with_assist(store.corpus(), **chosen).assist
        store.change(lambda c: with_assist(c, **chosen), verb=EDIT_PROJECT,
            names=("x",), who="L",
        )  # fmt: skip
        for topic, who in product(store.corpus().topics, "AB"):
            controls = control_items(settings, topic)
            for n in range(1, 12):
                place = n % 2 + 1
                model = decoy_model("1") if (n, who) == (9, "B") else "1"
                shown = None if ("a", n) in controls else ShownSuggestion(
                    kind="family", family=((f"d:{place}",),), confidence=0.9, source="x",
                    model=model, shown_ms=5,
                )  # fmt: skip
                is_left = model != "1" and topic.id == "u"
                links = f"s{place}" if (shown or who == "A") and not is_left else "s3"
                new = entry(n, links if n < 11 else "? s1")  # the last is begun alone
                topic = store.topic(topic.id)
                edit = alignment_edit(topic.id, topic.abstracts[0], who, new, verb=TAKE)
                effort = EditEffort(active_ms=8000 if shown else 10000, n_keys=4, shown=shown)
                store.apply(edit, who=who, effort=effort)
        study = study_assistance(store)
    found = {row.what: row for row in study.compared}
    items = [n for one in "tu" for _, n in control_items(settings, made_topic(one)) if n < 11]
    assert (study.n_assisted, study.n_control) == (2 * (19 - len(items)), 2 * len(items))
    assert items
    people = run("progress", corpus, "--json").json["people"]
    assert len(study.decoys) == 2
    assert [(one["decoys"], one["decoys_taken"]) for one in people] == [(0, 0), (2, 1)]
    told = run("assist-report", corpus).out
    assert "decoys  seen 2  taken 1\n  B: t a 9\n" in told
    assert "[" not in told  # of two topics no interval
    assert found["active_s"].difference == pytest.approx(-0.2)
    assert (found["n_keys"].assisted, found["n_keys"].difference) == (4, 0)
    assert (found["as_suggested"].assisted, found["as_suggested"].control) == (1, 5 / 16)
    assert {*seeds} == {5}
    assert found["anchored"].assisted is None
    assert found["alpha"].assisted == 1 > found["alpha"].control


def test_that_too_little_work_fits_nothing(corpus, run):
    done = run("assist-fit", corpus, "--who", "L")
    assert "fitting needs 200 in two topics" in " ".join((done.err).split())


def test_that_better_weights_alone_are_kept_and_can_be_taken_back(corpus, run, monkeypatch):
    weights = weights_text(shipped_weights())
    for found in (weights, ""):
        refit = assisting.Refit(n_sentences=200, before=0.25, after=0.5, weights=found)
        monkeypatch.setattr(assisting, "fit_assistance", lambda _, refit=refit: refit)
        told = run("assist-fit", corpus, "--who", "L", "--json").json
        assert [*told.values()] == [200, 0.25, 0.5, bool(found)]
        assert run("assist", corpus, "--json").json["has_own_weights"]
    assert "edit project assistance: undone" in run("undo", corpus, "--who", "L").err
    assert run("undo", corpus, "--who", "L").status == 1


@pytest.mark.slow
def test_that_weights_are_kept_where_the_halves_say_that_they_are_better():
    from tests.benchmarks.candidates import ROOT, corpus_of

    demos = [
        corpus_of((ROOT / "resources" / "demo" / f"{one}.json").read_text("utf-8")).topics
        for one in ("ja", "en")
    ]
    once = [topic for topics in demos for topic in topics]
    twice = [replace(topic, id=f"{topic.id} again") for topic in demos[1]]
    refit = fit_assistance(Corpus(name="demos", topics=(*once, *twice)))
    assert refit.n_sentences >= 200
    assert bool(refit.weights) == (refit.after > refit.before)


def test_that_each_half_is_judged_by_weights_of_the_other_made_from_those_in_use(monkeypatch):
    monkeypatch.setattr(assisting, "FEWEST_SENTENCES", 2)
    topics = demonstration("en").topics
    halves = [AssistExamples(confirmed_entries(topics[at::2])) for at in (0, 1)]
    own = halves[0].fitted("own", shipped_weights())
    labels = [label for half in halves for label in half.another.labels]

    def precision(*of_halves: FamilyWeights) -> float | None:
        both = zip(of_halves, halves, strict=True)
        found = [used.another.probability(row) for used, half in both for row in half.another.rows]
        return average_precision(found, labels)

    assist = AssistSettings(weights=weights_text(own))
    refit = fit_assistance(Corpus(name="demo", topics=topics, assist=assist))
    assert refit.before == precision(own, own)
    assert refit.after == precision(*(half.fitted("demo", own) for half in halves[::-1]))
    print(
        "REFIT",
        refit.before,
        refit.after,
        precision(*(half.fitted("demo", own) for half in halves)),
    )
    assert not refit.weights
    with pytest.raises(InputError, match="in two topics"):
        fit_assistance(Corpus(topics=topics[:1]))


def test_that_no_texts_are_sent_elsewhere_and_a_server_that_is_not_there_is_told(corpus, run):
    elsewhere = run("assist-ask", corpus, "--ask", "small", "--at", "http://192.0.2.7/v1")
    assert "192.0.2.7 is another computer" in elsewhere.err
    nobody = run("assist-ask", corpus, "--ask", "small", "--at", "http://127.0.0.1:1/v1")
    assert "cannot be queried" in nobody.err


def test_that_a_model_is_asked_as_the_options_say(corpus, run, monkeypatch):
    asked = []

    def ask(part, server, reporter):
        asked.append((len(part.topics), server))
        return asking_models.ModelAnswer(n_sentences=0, n_kept=0, n_answered=0, refused=())

    monkeypatch.setattr(asking_models, "ask_model", ask)
    words = ("--at", "http://h/v1", "--answer-within", 2, "--seed", 3, "--send-texts")
    assert run("assist-ask", corpus, "--ask", "m", "--topic", "u", *words).status == 0
    assert run("assist-ask", corpus, "--ask", "m", "--topic", "x").status == 1
    server = asking_models.ModelServer(
        url="http://h/v1", model="m", is_elsewhere_allowed=True, seed=3, timeout_s=2
    )
    assert asked == [(1, server)]


def test_that_copies_to_be_joined_again_leave_nothing_out(corpus, run):
    done = run("export", corpus, "-", "--with-sync", "--unassisted")
    assert "exclude each other" in done.err
    assert not done.out
    assert "0 entries" in run("export", corpus, "-", "--unassisted").err


def test_that_ones_own_work_can_be_had_without_what_was_taken(corpus, run):
    with CorpusStore.open(corpus, who="A") as store:
        (abstract,) = store.topic("t").abstracts
        for n, assist in ((1, AssistOrigin.TAKEN), (2, None)):
            new = replace(entry(n, "s1"), assist=assist)
            store.apply(alignment_edit("t", abstract, "A", new, verb=TAKE), who="A")
    for options, numbers in (((), [1, 2]), (("--unassisted",), [2])):
        (topic, _) = run("export", corpus, "-", "--annotator", "A", *options).json["topics"]
        (alignment,) = topic["abstracts"][0]["alignments"]
        assert [one["n"] for one in alignment["sentences"]] == numbers
    for id_, n_left_out in (("t", "1 entry."), ("u", "0 entries.")):
        assert n_left_out in run("export", corpus, "-", "--topic", id_, "--unassisted").err
