"""What goes through a corpus that is larger than the memory: a few topics are held at a time."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from signal import SIGKILL
from sys import getrefcount
from typing import Any

import pytest
from tests.building import abstract, corpus, extract, text, topic
from tests.core.parsing.trees import tree
from tests.oracles.corpus_edits import corpus_edit
from tests.storage.older_programs import as_format_1_1, without_digests
from tests.stored import corpus_file

from awase.core.annotation import corpus_edits
from awase.core.annotation.actions import CONFIRM, alignment_edit
from awase.core.errors import Cancelled, CorpusFormatError
from awase.core.extraction.extractors import extractions_of
from awase.core.metrics.be.files import SETTINGS, be_files
from awase.core.metrics.kit.supplies.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.oracles.extractive import Effort
from awase.core.parsing import corpus_texts, texts_on_demand
from awase.core.parsing import engines as parsing_engines
from awase.core.progress import Reporter, Silent
from awase.core.project.assigning import AssignmentRequest, assigned, handed_over
from awase.core.project.next_free import next_for_each
from awase.core.project.second_readings import SecondReadingRequest, read_again
from awase.core.records.alignment import AlignmentState, SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.core.records.edits import joining, versions_on_demand
from awase.core.records.edits.addition import Addition, merge
from awase.core.records.edits.ownership import Versions
from awase.core.records.edits.verbs import ASSIGN, REMOVE_SYSTEMS
from awase.core.records.human_score import HumanScore
from awase.core.records.parse import Parse
from awase.core.records.project import Person
from awase.core.records.score import PackedScores
from awase.core.records.source import Document
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import TopicsOnDemand
from awase.core.reports.html_report import html_pieces
from awase.jobs.changing import change_corpus
from awase.jobs.checking import rescue
from awase.jobs.exporting import ExportPlan, export, pieces_of
from awase.jobs.extracting import ExtractionPlan, make_extracts
from awase.jobs.files.writing import Target, write_folder
from awase.jobs.oracles import find_oracles, oracle_request
from awase.jobs.parsing import conllu_import
from awase.jobs.parsing.conllu_import import import_conllu
from awase.jobs.parsing.running import PendingParses, n_parsed, parse, without_parse
from awase.jobs.reporting import ReportPlan, report
from awase.jobs.supplies.parses import supplies_of
from awase.jobs.team import assisting
from awase.jobs.team.arriving import sorted_out
from awase.jobs.team.assisting import with_assist
from awase.jobs.team.handing_out import hand_out
from awase.jobs.team.merging import preview, take_back
from awase.storage import reading_store
from awase.storage.changing import adding, filling, merging
from awase.storage.changing.applying import write_edit
from awase.storage.databases import sqlite
from awase.storage.log.operations import log_edit
from awase.storage.opening import missing_digests, seeding
from awase.storage.recovery import salvage
from awase.storage.rows import on_demand, parses, versions, writing
from awase.storage.rows.reading import read_corpus
from awase.storage.store import CorpusStore

N_TOPICS, AT_ONCE, MOST_HELD = 90, 4, 16
TEED = 57
"""So many at most does `itertools.tee` hold that it does not need."""
_LINKS = {"1": "s1|s2;s3", "2": "s3;!s1"}
WHOLE = replace(
    corpus(
        *(
            topic(
                f"t{n:02}",
                docs=["What was built", "Who built the ship", "A tomb was found"],
                abstracts=(abstract("a", _LINKS, texts=["What was built", "A tomb"]),),
                outputs=[extract("lead", "s1"), text("writer", "One."), extract("best", "s2")],
            )
            for n in range(1, N_TOPICS)
        ),
        topic("t90", docs=2, abstracts=(abstract("a", texts=["What was built", "A tomb"]),)),
        scores=[HumanScore(topic="t03", system="lead", measure="m", value=1.0)],
        name="many",
    ),
    persons=(Person(id="1", role="lead"), Person(id="2"), Person(id="3")),
)


class Held:
    """How many topics with their texts were held at a time, at most."""

    most = 0

    def __init__(self) -> None:
        self._documents: list[tuple[Document, ...]] = []

    def take(self, topics: Sequence[Topic]) -> None:
        """Counts topics that were read, and those of before that anybody still has."""
        self._documents += [one.documents for one in topics]
        # Three: the list, the name here, and the one that asks. What is made of topics shares them.
        self._documents = [one for one in self._documents if getrefcount(one) > 3]
        self.most = max(self.most, len(self._documents))


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    found, read_topics = Held(), on_demand.read_topics

    def noted(*args: Any, **keywords: Any) -> tuple[Topic, ...]:
        read = read_topics(*args, **keywords)
        found.take(read)
        return read

    def at_once(*args: Any, **keywords: Any) -> Corpus:
        read = read_corpus(*args, **keywords)
        assert len(read.topics) <= AT_ONCE, "all of it is read at once"
        return read

    monkeypatch.setattr(on_demand, "read_topics", noted)
    for module in (on_demand, reading_store, merging):
        monkeypatch.setattr(module, "read_corpus", at_once)
    for module in (filling, writing):
        monkeypatch.setattr(module, "TOPICS_AT_ONCE", AT_ONCE)
    usual = {**(TopicsOnDemand.__init__.__kwdefaults__ or {}), "at_once": AT_ONCE, "kept": 2}
    monkeypatch.setattr(TopicsOnDemand.__init__, "__kwdefaults__", usual)
    return found


@pytest.fixture
def few_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    read_versions = versions.read_versions

    def of_few(connection: Any, only: Sequence[str] | None = None) -> Versions:
        assert only is not None, "all versions are read at once"
        assert len(only) <= AT_ONCE
        return read_versions(connection, only)

    monkeypatch.setattr(versions, "read_versions", of_few)
    for module in (versions, versions_on_demand):
        monkeypatch.setattr(module, "TOPICS_AT_ONCE", AT_ONCE)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return corpus_file(tmp_path / "many.awase", WHOLE)


_AGAIN = SecondReadingRequest(people=("1",), share=50, seed=1)
_CHANGES: dict[str, Callable[[Corpus], Corpus]] = {
    "systems": partial(corpus_edits.without_systems, systems=["lead", "best"]),
    "topics": partial(corpus_edits.without_topics, ids=["t01", "t03"]),
    "alignments": partial(corpus_edits.without_alignments, annotator="2"),
    "documents": partial(corpus_edits.without_documents, topic_id="t05", ids=["d"]),
    "abstracts": partial(corpus_edits.without_abstracts, topic_id="t05", ids=["a"]),
    "scores": partial(corpus_edits.without_human_scores, measures=["m"]),
    "level": partial(with_assist, level=3),
    "work": lambda whole: assigned(whole, AssignmentRequest(people=("2", "3"), overlap=20)),
    "next": partial(next_for_each, people=["3"]),
    "again": lambda whole: read_again(whole, _AGAIN, {}),
    "over": lambda whole: handed_over(
        assigned(whole, AssignmentRequest(people=("3",))), person="3"
    ),
    "weights": lambda whole: replace(
        whole, rank_weights=tuple((rank, 2 * weight) for rank, weight in whole.rank_weights)
    ),
}


@pytest.mark.parametrize("name", _CHANGES)
def test_that_a_change_holds_a_few_topics_and_does_what_it_does_to_those_in_memory(
    path: Path, name: str, held: Held
) -> None:
    change = _CHANGES[name]
    with CorpusStore.open(path, who="1") as store:
        change_corpus(store, change, verb="edit_project", names=(name,), who="1")
        store.undo(who="1")
        assert store.corpus_on_demand() == WHOLE
        store.redo(who="1")
        assert held.most <= MOST_HELD
        assert store.corpus_on_demand() == change(WHOLE)
        assert not store.find_damage()


class Stops:
    """A reporter that stops the work when so many topics were told."""

    def __init__(self, after: int) -> None:
        self._left = after

    def advance(self, done: int, total: int, what: str = "") -> None:
        assert 0 <= done <= total
        if not total:  # a statement that takes long asks whether it shall go on
            return
        assert what
        self._left -= 1
        if self._left < 0:
            raise Cancelled


_EXTRACTS = Addition(
    outputs=tuple((f"t{n:02}", extract("new", "s2")) for n in range(1, N_TOPICS + 1))
)
_ACTS: dict[str, Callable[[CorpusStore, Reporter], Any]] = {
    "change": lambda store, reporter: change_corpus(
        store, _CHANGES["systems"], verb=REMOVE_SYSTEMS, names=("lead", "best"), who="1",
        reporter=reporter,
    ),
    "work": lambda store, reporter: change_corpus(
        store, _CHANGES["work"], verb=ASSIGN, names=("2", "3"), who="1", with_sources=False,
        reporter=reporter,
    ),
    "import": lambda store, reporter: store.add(_EXTRACTS, who="1", reporter=reporter),
    "undo": lambda store, reporter: store.undo(who="1", reporter=reporter),
}  # fmt: skip


@pytest.mark.parametrize("name", _ACTS)
def test_that_what_is_stopped_half_way_leaves_the_corpus_as_it_was(
    path: Path, name: str, held: Held
) -> None:
    with CorpusStore.open(path, who="1") as store:
        if name == "undo":
            _ACTS["change"](store, Silent())
        before, state = store.corpus_on_demand(), store.state()
        for after in (0, 1, N_TOPICS // 2, N_TOPICS - 2):
            with pytest.raises(Cancelled):
                _ACTS[name](store, Stops(after))
            assert (store.corpus_on_demand(), store.state()) == (before, state)
        assert not store.find_damage()
        _ACTS[name](store, Silent())
        assert store.state() != state


@pytest.mark.parametrize("name", _ACTS)
def test_that_what_is_killed_half_way_leaves_the_corpus_as_it_was(path: Path, name: str) -> None:
    with CorpusStore.open(path, who="1") as store:
        if name == "undo":
            _ACTS["change"](store, Silent())
        before = store.corpus()
    child = get_context("spawn").Process(target=_die_half_way, args=(path, name))
    child.start()
    child.join()
    assert child.exitcode == -SIGKILL
    with CorpusStore.open(path, who="1") as store:
        assert store.corpus() == before
        assert not store.find_damage()


def _die_half_way(path: Path, name: str) -> None:
    class Dies(Stops):
        def advance(self, done: int, total: int, what: str = "") -> None:
            try:
                super().advance(done, total, what)
            except Cancelled:
                os.kill(os.getpid(), SIGKILL)

    _ACTS[name](CorpusStore.open(path, who="1"), Dies(N_TOPICS // 2))


def test_that_an_import_that_names_all_topics_holds_a_few_and_tells_what_one_in_memory_tells(
    path: Path, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    clashing = replace(
        _EXTRACTS,
        topics=(topic("t03", docs=1), topic("new", docs=1)),
        outputs=(("nowhere", extract("new")), *_EXTRACTS.outputs, ("t07", extract("lead", "s1"))),
    )
    outcomes = []
    for most in (4, 1_000):
        monkeypatch.setattr(joining, "MOST_HELD", most)
        monkeypatch.setattr(adding, "MOST_HELD", most)
        with CorpusStore.open(path, who="1") as store:
            with pytest.raises(CorpusFormatError) as refused:
                store.add(clashing, who="1")
            assert store.corpus_on_demand() == WHOLE
            changes = store.add(replace(_EXTRACTS, topics=(topic("new", docs=1),)), who="1")
            assert most > 4 or held.most <= MOST_HELD
            after = store.corpus_on_demand()
            assert after == merge(WHOLE, replace(_EXTRACTS, topics=(topic("new", docs=1),)))
            row = store.log_rows()[-1]
            outcomes.append((
                sorted(map(repr, refused.value.problems)), changes,
                [*after.topics], row["old"], row["new"],
            ))  # fmt: skip
            store.undo(who="1")
            assert store.corpus_on_demand() == WHOLE
    assert outcomes[0] == outcomes[1]
    assert len(outcomes[0][0]) == 3


def test_that_handing_out_and_taking_back_hold_few_topics_of_the_main_file(
    path: Path, tmp_path: Path, held: Held
) -> None:
    own = tmp_path / "own.awase"
    with CorpusStore.open(path, who="1") as store:
        made = hand_out(store, "2", own, who="1", reporter=Silent())
        assert (made.n_topics, made.n_sentences) == (N_TOPICS, 2 * N_TOPICS)
        assert held.most <= MOST_HELD
        change_corpus(
            store, lambda whole: assigned(whole, AssignmentRequest(people=("3",), topics=("t07",))),
            verb="assign", names=("3",), who="1",
        )  # fmt: skip
        few = tmp_path / "few.awase"
        assert hand_out(store, "3", few, who="1", reporter=Silent()).n_topics == 1
    with CorpusStore.open(few, who="3") as store:
        part = store.topic("t07").abstracts[0]
        entry = SentenceAlignment(n=1, state=AlignmentState.NO_SOURCE)
        edit = alignment_edit("t07", part, "3", entry, verb=CONFIRM)
        assert edit is not None
        store.apply(edit, who="3")
    with CorpusStore.open(path, who="1") as store:
        before, held.most = store.topic("t07"), 0
        planned = preview(store, [few], names={}, reporter=Silent())
        plan, changes = take_back(store, [few], who="1", names={}, reporter=Silent())
        assert [one.fate for one in planned.entries] == [one.fate for one in plan.entries]
        assert changes.topics == {"t07"}
        assert store.topic("t07").abstracts[0].alignment_by("3") is not None
        store.undo(who="1")
        assert store.topic("t07") == before
        assert held.most <= MOST_HELD
        assert not store.find_damage()


def test_that_files_are_taken_back_with_few_of_their_topics_and_versions_held(
    path: Path, tmp_path: Path, held: Held, few_versions: None
) -> None:
    files, changed = [tmp_path / "1.awase", tmp_path / "2.awase"], ("t03", "t30", "t90")
    with CorpusStore.open(path, who="1") as store:
        for file in files:
            hand_out(store, file.stem, file, who="1", reporter=Silent())
    for file in files:
        with CorpusStore.open(file, who=file.stem) as store:
            for topic_id in changed:
                part = store.topic(topic_id).abstracts[0]
                entry = SentenceAlignment(n=1, state=AlignmentState.NO_SOURCE)
                edit = alignment_edit(topic_id, part, file.stem, entry, verb=CONFIRM)
                assert edit is not None
                store.apply(edit, who=file.stem)
    with CorpusStore.open(path, who="1") as store:
        held.most = 0
        told = preview(store, files, names={"2": "3"}, reporter=Silent())
        plan, changes = take_back(store, files, who="1", names={"2": "3"}, reporter=Silent())
        assert 0 < held.most <= MOST_HELD
        assert plan.entries == told.entries
        assert [one.key.topic for one in plan.entries if one.kept_as == "1"] == [*changed]
        assert changes.topics == {topic.id for topic in WHOLE.topics}  # "2" is "3" in each


def test_that_extractors_and_fitting_hold_a_few_topics(
    path: Path, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = extractions_of(["lead", "tfidf"], {"size": "1"})
    plan = ExtractionPlan(requests=requests, names=("x", "y"))

    def parses(_corpus: Corpus, _needs: object) -> Supplies:
        return NO_SUPPLIES

    monkeypatch.setattr(assisting, "FEWEST_SENTENCES", 10)
    with CorpusStore.open(path, who="1") as store, store.snapshot(many=0) as whole:
        fitted = assisting.fit_assistance(whole)
        assert held.most <= MOST_HELD
        made = make_extracts(whole, plan, Silent(), parses)
        assert held.most <= MOST_HELD + TEED
        assert made.extracted == make_extracts(WHOLE, plan, Silent(), parses).extracted
        assert fitted == assisting.fit_assistance(WHOLE)
        monkeypatch.setattr(assisting, "MOST_FITTED", N_TOPICS // 2)
        assert 0 < assisting.fit_assistance(whole).n_sentences < fitted.n_sentences


def test_that_oracles_and_what_rests_on_them_hold_a_few_topics(path: Path, held: Held) -> None:
    def no_more(*_: object) -> Supplies:
        return NO_SUPPLIES

    request = oracle_request(Effort(), unit="sentence", limit="1s")
    metrics = requests_of([f"pseudo-pyramid:unit=sentence,ties={one}" for one in ("first", "all")])
    with CorpusStore.open(path, who="1") as store, store.snapshot(many=0) as whole:
        found = find_oracles(whole, request, Silent(), no_more)
        assert 0 < held.most <= MOST_HELD + TEED
        held.most = 0
        table = score_corpus(whole, metrics, Silent())
        assert 0 < held.most <= MOST_HELD + TEED
    assert found == find_oracles(WHOLE, request, Silent(), no_more)
    assert isinstance(table.scores, PackedScores)
    assert table.scores == score_corpus(WHOLE, metrics, Silent()).scores


class WholeTexts:
    """Makes one word of each text."""

    model = "whole"

    def parses(self, texts: Sequence[str]) -> Iterator[list[Parse]]:
        assert len(texts) <= AT_ONCE, "all of them are given at once"
        yield [(tree(f"{one.replace(' ', '_')} 0 root"),) for one in texts]


def test_that_parsing_holds_a_few_topics_and_parses(
    path: Path, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsing_engines, "GIVEN_AT_A_TIME", AT_ONCE)
    monkeypatch.setattr(texts_on_demand, "AT_ONCE", AT_ONCE)
    monkeypatch.setattr(parses, "ROWS_AT_A_TIME", AT_ONCE)
    monkeypatch.setattr(CorpusStore, "parses", None)  # it holds what is found
    more = topic("t91", outputs=[text("writer", *(f"Sentence {n}." for n in range(50)), "One.")])
    with CorpusStore.open(path, who="1") as store:
        store.add(Addition(topics=(more,)), who="1")
        whole = merge(WHOLE, Addition(topics=(more,)))
        corpus, held.most = store.corpus_on_demand(), 0
        texts = corpus_texts.texts_on_demand(corpus)
        store.add_parses("whole", {"One.": "1 one", "Elsewhere.": "1 else"}, who="1")
        left = PendingParses(parser=WholeTexts(), texts=without_parse(store, texts, "whole"))
        assert [*left.texts] == [one for one in corpus_texts.distinct_texts(whole) if one != "One."]
        assert parse(store, left, who="1", reporter=Silent()).n_new == len(texts) - 1
        assert n_parsed(store, texts, "whole") == len(texts)
        assert corpus_texts.lacking(corpus, partial(store.parsed, "whole")) == {}
        assert 0 < held.most <= MOST_HELD
        digests = [digest for digest, _ in store.each_parse("whole")]
        assert digests == sorted(map(parses.digest_of, [*texts, "Elsewhere."]))


def test_that_parses_of_a_file_are_taken_with_a_few_topics_and_lines_held(
    path: Path, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parses, "ROWS_AT_A_TIME", AT_ONCE)
    monkeypatch.setattr(conllu_import, "PARSES_AT_ONCE", AT_ONCE)
    texts = corpus_texts.distinct_texts(WHOLE)
    made = [f"# text = {one}\n1\tw\tw\tX\t_\t_\t0\troot\t_\t_\n\n" for one in texts]
    data = "".join(made * 50).encode()

    class Piecewise(BytesIO):
        def read(self, *_: Any) -> bytes:
            raise AssertionError("all of it is read")

        def readlines(self, hint: int | None = None, /) -> list[bytes]:
            return super().readlines(200)

    with CorpusStore.open(path, who="1") as store:
        file = Piecewise(data)
        taken = import_conllu(store, file, source="f", who="1", reporter=Silent(), name="m")
        assert (taken.n_kept, taken.n_texts, [*taken.warnings]) == (len(texts), len(texts), [])
        assert {*store.parsed("m", texts)} == {*texts}
        assert 0 < held.most <= MOST_HELD


def test_that_metrics_on_parses_hold_a_few_topics_and_parses(
    path: Path, tmp_path: Path, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parses, "ROWS_AT_A_TIME", AT_ONCE)
    texts = corpus_texts.distinct_texts(WHOLE)
    line = "{}\t{}\t{}\tNOUN\t_\t_\t{}\t_\t_\n"
    every = {
        one: line.format(1, one, one, "0\troot") + line.format(2, "w", "w", "1\tnsubj")
        for one in texts
    }
    requests, own = requests_of(["be", "pbe:prune=cnt"]), tmp_path / "a"
    read = CorpusStore.parses

    def of_few(store: CorpusStore, model: str, texts: Sequence[str]) -> dict[str, str]:
        assert len(texts) <= 8 * AT_ONCE, "all parses are read at once"
        return {**read(store, model, texts)}

    with CorpusStore.open(path, who="1") as store:
        store.add_parses("m", {**every, "Elsewhere.": ""}, who="1")
        expected = score_corpus(WHOLE, requests, Silent(), supplies_of(store, WHOLE, requests))
        elements = [*be_files(WHOLE, supplies_of(store, WHOLE, requests), Silent())]
        monkeypatch.setattr(CorpusStore, "parses", of_few)
        with store.snapshot(many=0) as whole:
            supplies = supplies_of(store, whole, requests)
            found = score_corpus(whole, requests, Silent(), supplies)
            write_folder(Target(path=own), be_files(whole, supplies, Silent()))
        assert 0 < held.most <= MOST_HELD
    assert tuple(found.scores) == tuple(expected.scores)
    assert any(score.value for score in found.scores)
    of_texts = Counter(name for name, _ in elements if name != SETTINGS)
    assert {*of_texts.values()} == {1}, "equal texts are written again"
    write_folder(Target(path=tmp_path / "b"), elements)
    assert _texts_in(own) == _texts_in(tmp_path / "b")


@pytest.mark.parametrize("format_id", ["awase-json", "extract-lines", "label-studio", "doccano"])
def test_that_an_export_holds_a_few_topics(
    path: Path, tmp_path: Path, held: Held, format_id: str
) -> None:
    plan, silent = ExportPlan(format_id=format_id), Silent()
    with CorpusStore.open(path, who="1") as store, store.snapshot(many=0) as whole:
        export(whole, plan, Target(path=tmp_path / "file"), silent)
        assert 0 < held.most <= MOST_HELD
    assert (tmp_path / "file").read_text("utf-8") == "".join(pieces_of(WHOLE, plan, silent))


def test_that_what_copies_need_is_exported_with_a_few_topics_held(path: Path, held: Held) -> None:
    plan = ExportPlan(format_id="awase-json")
    with CorpusStore.open(path, who="1") as store, store.copy_snapshot(many=0) as copy:
        with_sync = replace(plan, ownership=copy.ownership)
        made = "".join(pieces_of(copy.corpus, with_sync, Silent()))
        assert 0 < held.most <= MOST_HELD
        at_once = replace(plan, ownership=store.ownership())
    assert made == "".join(pieces_of(WHOLE, at_once, Silent()))


@pytest.mark.slow
def test_that_a_report_holds_a_few_topics(path: Path, held: Held) -> None:
    plan, silent = ReportPlan(requests=requests_of(["coverage"]), has_intervals=False), Silent()
    made = datetime(2026, 1, 1, tzinfo=UTC)
    with CorpusStore.open(path, who="1") as store, store.snapshot(many=0) as whole:
        page = "".join(html_pieces(report(whole, plan, silent, made=made)))
        assert 0 < held.most <= MOST_HELD
    assert page == "".join(html_pieces(report(WHOLE, plan, silent, made=made)))


@pytest.mark.parametrize("format_id", ["parallel-text", "rouge-settings"])
def test_that_a_folder_is_exported_with_few_topics_held_and_not_at_all_when_stopped(
    path: Path, tmp_path: Path, held: Held, format_id: str
) -> None:
    plan = ExportPlan(format_id=format_id)
    with CorpusStore.open(path, who="1") as store, store.snapshot(many=0) as whole:
        n_files = export(whole, plan, Target(path=tmp_path / "own"), Silent())
        assert 0 < held.most <= MOST_HELD
        with pytest.raises(Cancelled):
            export(whole, plan, Target(path=tmp_path / "none"), Stops(4))
    assert export(WHOLE, plan, Target(path=tmp_path / "whole"), Silent()) == n_files
    assert _texts_in(tmp_path / "own") == _texts_in(tmp_path / "whole")
    assert not [*tmp_path.glob("*none*")]


def _texts_in(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*.*")}


def test_that_a_copy_of_all_topics_is_handed_out_with_few_versions_at_a_time(
    path: Path, tmp_path: Path, held: Held, monkeypatch: pytest.MonkeyPatch, few_versions: None
) -> None:
    own = tmp_path / "own.awase"
    with CorpusStore.open(path, who="1") as store:
        annotator = store.topic("t07").abstracts[0].alignments[0].annotator
        hand_out(store, annotator, own, who="1", reporter=Silent())
    assert held.most <= MOST_HELD
    monkeypatch.undo()
    with CorpusStore.open(own, who="1") as store:
        assert {key.topic for key in store.ownership().versions} == {
            topic.id for topic in WHOLE.topics[:-1]
        }


def test_that_a_rescue_holds_a_few_topics_and_has_all_of_them(
    path: Path, tmp_path: Path, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, target = salvage.Builder.topics, tmp_path / "rescued.awase"

    def noted(builder: salvage.Builder) -> Iterator[Topic]:
        topics = tuple(made(builder))
        held.take(topics)
        return iter(topics)

    monkeypatch.setattr(salvage.Builder, "topics", noted)
    with CorpusStore.open(path, who="1") as store:
        versions_before = store.ownership().versions
    for after in (0, 60):
        with pytest.raises(Cancelled):
            rescue(path, target, who="1", reporter=Stops(after))
        assert not target.exists()
    rescued = rescue(path, target, who="1", reporter=Silent())
    assert 0 < held.most <= MOST_HELD
    assert (rescued.n_topics, rescued.lost) == (N_TOPICS, ())
    with CorpusStore.open(target, who="1") as store:
        assert store.corpus_on_demand() == WHOLE
        assert store.ownership().versions == versions_before
        assert not store.find_damage()


def test_that_a_file_is_told_to_be_a_copy_without_its_versions(
    path: Path, tmp_path: Path, few_versions: None
) -> None:
    other = tmp_path / "other.awase"
    CorpusStore.create(other, name="", who="1").close()
    with CorpusStore.open(path, who="1", read_only=True) as store:
        uid = store.bare_ownership().corpus
    found = sorted_out([path, other], uid)
    assert (found.copies, found.corpora) == ((path,), (other,))


@pytest.fixture
def few_by_older(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (missing_digests, seeding):
        monkeypatch.setattr(module, "TOPICS_AT_ONCE", AT_ONCE)


def test_that_what_an_older_program_changed_in_all_topics_is_taken_note_of_with_a_few_held(
    path: Path, held: Held, few_by_older: None
) -> None:
    after = _CHANGES["systems"](WHOLE)
    done = corpus_edit(WHOLE, after, verb=REMOVE_SYSTEMS)
    assert done is not None
    engine = sqlite.engine_to_write(path)
    with sqlite.for_writing(engine).begin() as connection, without_digests(connection):
        write_edit(connection, done)
        log_edit(connection, who="1", edit=done)
    engine.dispose()
    held.most = 0
    with CorpusStore.open(path, who="1") as store:
        assert 0 < held.most <= MOST_HELD
        assert store.corpus_on_demand() == after
        assert not store.find_damage()


def test_that_a_file_of_an_older_format_is_converted_with_a_few_topics_held(
    tmp_path: Path, held: Held, few_by_older: None, few_versions: None
) -> None:
    before = replace(WHOLE, persons=())
    old = as_format_1_1(corpus_file(tmp_path / "old.awase", before))
    held.most = 0
    with CorpusStore.open(old, who="1") as store:
        assert 0 < held.most <= MOST_HELD
        assert store.corpus_on_demand() == before
        assert not store.find_damage()
