"""Files that are handed out, worked on and taken back."""

import itertools
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from tests.in_part import in_part
from tests.reporters import Heard
from tests.storage.sample import LINKED, NUMBERS, REFS, addition, edit, entry, rank_edit
from tests.stored import sql
from tests.written import as_json

from awase.core.annotation.actions import alignment_edit
from awase.core.errors import Cancelled, EnvironmentProblem, Silent
from awase.core.formats.reading.requests import WriteRequest
from awase.core.records.abstract import AlignmentState
from awase.core.records.addition import Addition
from awase.core.records.corpus import Person
from awase.core.team.handing_out import only_work_of
from awase.core.team.merging import MergeOutcome
from awase.jobs.team.copies import hand_out, preview, sorted_out, take_back
from awase.storage.files.locks_and_backups import backups_of
from awase.storage.store import CorpusStore

PEOPLE = ("A1", "A2", "A3")
GOLDEN = Path(__file__).parents[1] / "storage" / "golden"


def _export(path: Path) -> str:
    with CorpusStore.open(path, who="x", read_only=True) as store:
        return as_json(WriteRequest(corpus=store.corpus()))


@pytest.fixture(scope="session")
def handed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a main file and what was handed out of it and worked on by three people."""
    folder = tmp_path_factory.mktemp("handed")
    people = tuple(Person(id=name) for name in PEOPLE)
    content = Addition(topics=addition("t1", "t2").topics, persons=people)
    with CorpusStore.create(
        folder / "main.awase", name="team", who="lead", addition=content
    ) as store:
        store.apply(edit(LINKED, annotator="A1"), who="A1")
        for name in PEOPLE:
            made = hand_out(store, name, folder / f"{name}.awase", who="lead", reporter=Silent())
            assert (made.n_topics, made.n_sentences) == (2, 12)
    for number, name in enumerate(PEOPLE):
        _work(folder / f"{name}.awase", name, number)
    return folder


def _work(path: Path, who: str, number: int, state: AlignmentState = AlignmentState.CONFIRMED):
    with CorpusStore.open(path, who=who) as store:
        for topic in ("t1", "t2"):
            for abstract in store.topic(topic).abstracts:
                for n in NUMBERS[: number + 1]:
                    new = entry(n, (REFS[number],), state=state, note=f"{who} {n}")
                    made = alignment_edit(topic, abstract, who, new, verb="confirm")
                    store.apply(made, who=who, active_ms=1000)


@pytest.fixture
def copied(handed: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "copied"
    shutil.copytree(handed, folder)
    return folder


def _take(main: Path, *names: str, folder: Path | None = None, who: str = "lead"):
    paths = [(folder or main.parent) / f"{name}.awase" for name in names]
    with CorpusStore.open(main, who=who) as store:
        plan, _ = take_back(store, paths, who=who, names={}, reporter=Silent())
        assert store.find_damage() == ()
        return plan


@pytest.mark.slow
def test_that_a_file_that_was_handed_out_names_nobody_else(handed):
    content = (handed / "A2.awase").read_bytes()
    assert b"A2" in content
    assert b"A1" not in content
    assert b"A3" not in content
    assert len(content) < 5_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "orders", in_part([[PEOPLE[::-1]], [*itertools.permutations(PEOPLE)]]), ids=["one", "all"]
)
def test_that_files_taken_back_in_any_order_and_twice_give_equal_bytes(handed, tmp_path, orders):
    exports = set()
    for number, order in enumerate(orders):
        main = tmp_path / f"{number}.awase"
        shutil.copy(handed / "main.awase", main)
        for name in order:
            _take(main, name, folder=handed)
        assert not _take(main, *order, folder=handed).entries
        exports.add(_export(main))
    main = tmp_path / "all.awase"
    shutil.copy(handed / "main.awase", main)
    plan = _take(main, *PEOPLE, folder=handed)
    assert (plan.count(MergeOutcome.CHANGED), plan.count(MergeOutcome.NEW)) == (1, 23)
    assert exports == {_export(main)}


def test_that_taking_back_is_one_act_with_a_backup_that_is_undone_and_may_come_again(copied):
    main = copied / "main.awase"
    before = _export(main)
    _take(main, *PEOPLE)
    after = _export(main)
    assert after != before
    backup = backups_of(main)[-1]
    assert _export(backup) == before
    with CorpusStore.open(main, who="lead") as store:
        (operation,) = store.history("lead").done
        assert operation.edit.subject == "A1.awase, A2.awase, A3.awase"
        store.undo(who="lead")
        assert store.find_damage() == ()
        assert _export(main) == before
        store.redo(who="lead")
        assert store.find_damage() == ()
        assert _export(main) == after
        own = only_work_of(store.corpus(), "A1").topics
        store.undo(who="lead")
        store.change(lambda one: replace(one, topics=own), verb="import", names=(), who="lead")
        assert store.find_damage() == ()  # the same entries, of which versions do not count now
        store.undo(who="lead")
    _take(main, *PEOPLE)
    assert _export(main) == after


def test_that_taking_back_backs_up_what_was_done_since_the_corpus_was_opened(copied):
    main = copied / "main.awase"
    with CorpusStore.open(main, who="lead") as store:
        store.apply(rank_edit("C"), who="lead")
        before = store.corpus()
        take_back(store, [copied / "A1.awase"], who="lead", names={}, reporter=Silent())
    with CorpusStore.open(backups_of(main)[-1], who="lead", read_only=True) as backup:
        assert backup.corpus() == before


def test_that_a_preview_changes_nothing_and_tells_the_same(copied):
    main = copied / "main.awase"
    before = main.read_bytes()
    paths = [copied / f"{name}.awase" for name in PEOPLE]
    states = [path.read_bytes() for path in paths]
    with CorpusStore.open(main, who="lead", read_only=True) as store:
        told = preview(store, paths, names={}, reporter=(heard := Heard()))
        topics = [topic.id for topic in store.corpus().topics]
    planned = [what for *_, what in heard.calls if what in topics][-len(topics * len(PEOPLE)) :]
    assert planned == topics * len(PEOPLE)
    assert main.read_bytes() == before
    assert _take(main, *PEOPLE).entries == told.entries
    assert [path.read_bytes() for path in paths] == states


def test_that_times_and_who_did_what_come_along_once_and_undo_stays_the_leads(copied):
    main = copied / "main.awase"
    with CorpusStore.open(main, who="A2") as store:
        before = store.logged_times()
    second = shutil.copy(main, copied / "second.awase")
    _take(second, "A1", "A2")
    for name in ("A2", "A2", "second"):  # in the last the rows of A2 are others' already
        _take(main, name)
    with CorpusStore.open(main, who="A2") as store:
        more = [item for item in store.logged_times() if item not in before]
        times = [("A2", 1000)] * 8 + [("A1", 1000)] * 4
        assert [(item.annotator, item.active_ms) for item in more] == times
        worked_at = store.worked_at()
    with CorpusStore.open(copied / "A2.awase", who="A2", read_only=True) as copy:
        assert copy.worked_at().items() <= worked_at.items()  # and not when it was taken back
    with CorpusStore.open(main, who="A2") as store:
        assert store.history("A2").done == ()


@pytest.mark.slow
def test_that_work_goes_on_after_taking_back_and_is_taken_back_the_next_friday(copied):
    main = copied / "main.awase"
    _take(main, "A2")
    _work(copied / "A2.awase", "A2", 1, AlignmentState.FLAGGED)
    assert _take(main, "A2").count(MergeOutcome.CHANGED) == 8
    with CorpusStore.open(main, who="lead") as store:
        hand_out(store, "A2", copied / "again.awase", who="lead", reporter=Silent())
    _work(copied / "again.awase", "A2", 2, AlignmentState.INCOMPLETE)
    assert _take(main, "again").count(MergeOutcome.CONFLICT) == 0
    assert _take(main, "A2").entries == ()


def test_that_one_person_on_two_machines_keeps_both(copied):
    main, second = copied / "main.awase", copied / "second.awase"
    shutil.copy(copied / "A2.awase", second)
    _work(copied / "A2.awase", "A2", 1, AlignmentState.FLAGGED)
    _work(second, "A2", 1, AlignmentState.INCOMPLETE)
    plan = _take(main, "A2", "second")
    assert plan.count(MergeOutcome.CONFLICT) == 8
    with CorpusStore.open(main, who="lead") as store:
        abstract = store.topic("t1").abstracts[0]
        states = {one.annotator: one.of_sentence(5).state.value for one in abstract.alignments}
    assert (states["A2"], states["A2~2"]) == ("flagged", "incomplete")


@pytest.mark.parametrize("every", in_part([9, 1]))
def test_that_whoever_stops_it_anywhere_finds_the_corpus_as_it_was_and_no_copies_left(
    copied, monkeypatch, every
):
    main, temporary = copied / "main.awase", copied / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    file = copied / "A3.json"
    with CorpusStore.open(copied / "A3.awase", who="A3") as store:
        request = WriteRequest(corpus=store.corpus(), ownership=store.ownership())
    file.write_text(as_json(request), "utf-8")
    paths = [copied / "A1.awase", file]
    assert sorted_out([file], request.ownership.corpus).copies == (file,)
    assert sorted_out([file], "another").texts == (file,)
    gone = copied / "gone.json"
    found = sorted_out([main, file, gone], request.ownership.corpus)
    assert (found.copies, found.texts) == ((main, file), (gone,))
    assert sorted_out([main], "another").corpora == (main,)
    n_stops = 0
    with CorpusStore.open(main, who="lead") as store:
        before = store.copy()
        while True:
            try:
                plan, _ = take_back(
                    store, paths, who="lead", names={}, reporter=Heard(calls=n_stops)
                )  # fmt: skip
                break
            except Cancelled:
                n_stops += every
                assert store.copy() == before
                assert not [*temporary.iterdir()]
        assert {one.key.annotator for one in plan.entries} == {"A1", "A3"}
        assert n_stops > 12  # each of two topics of two files is looked at, joined, written
        assert store.find_damage() == ()
    assert not [*temporary.iterdir()]


def test_that_of_two_files_the_good_one_is_not_taken_alone(copied):
    main = copied / "main.awase"
    before = _export(main)
    (copied / "A2.awase").write_bytes((copied / "A2.awase").read_bytes()[:20_000])
    assert sorted_out([copied / "A2.awase"], "any").copies  # so that its damage is told
    sql(copied / "A3.awase", "UPDATE sentence_alignment SET note = 'x'")
    for name, words in (("A2", "damaged"), ("A3", "is damaged; nothing was taken back")):
        with pytest.raises(EnvironmentProblem, match=words) as told:
            _take(main, "A1", name)
        assert told.value.problem.fields["path"] == str(copied / f"{name}.awase")
    assert _export(main) == before
    assert not backups_of(main)[1:]


def test_that_ranks_given_in_a_file_are_listed_as_left_out_before_and_after(copied):
    with CorpusStore.open(copied / "A1.awase", who="A1") as store:
        store.apply(rank_edit("C"), who="A1")
        store.apply(rank_edit("B", old="A", n=2), who="A1")
        store.undo(who="A1")
    with CorpusStore.open(copied / "main.awase", who="lead") as store:
        before = preview(store, [copied / "A1.awase"], names={}, reporter=Silent()).remarks
    after = _take(copied / "main.awase", "A1").remarks
    assert before == after
    (told,) = after
    assert "Ranks that were given in “A1.awase” are left out" in str(told)
    assert "t1:long:5 C" in str(told)
    assert "t1:long:2" not in str(told)


@pytest.mark.parametrize("is_blind", in_part([True, False]))
def test_that_a_file_of_a_blind_project_shows_nothing_of_others(tmp_path, is_blind):
    people = (Person(id="A1"), Person(id="A2"), Person(id="lead", role="lead"))
    content = Addition(topics=addition("t1").topics, persons=people, is_blind=is_blind)
    with CorpusStore.create(tmp_path / "m.awase", name="m", who="lead", addition=content) as store:
        for who, change in (
            ("A2", rank_edit("C")),
            ("A1", rank_edit("B", n=2)),
            ("A2", rank_edit("C", old="B", n=2)),
            ("lead", rank_edit("B", n=9)),
        ):
            store.apply(change, who=who)
        hand_out(store, "A1", tmp_path / "A1.awase", who="lead", reporter=Silent())
    with CorpusStore.open(tmp_path / "A1.awase", who="A1") as store:
        topic = store.topic("t1")
        ranks = {one.n: one.rank for one in topic.abstracts[0].sentences}
    assert ranks == ({5: "A", 2: "B", 9: "B"} if is_blind else {5: "C", 2: "C", 9: "B"})
    assert bool(topic.outputs) is not is_blind
    with CorpusStore.open(tmp_path / "m.awase", who="lead") as store:
        before = store.corpus()
    assert _take(tmp_path / "m.awase", "A1").remarks == ()
    with CorpusStore.open(tmp_path / "m.awase", who="lead") as store:
        assert store.corpus() == before
