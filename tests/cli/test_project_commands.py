"""People, assignments and progress at the command line."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests import building
from tests.stored import corpus_file

from awase.core.errors import InputError
from awase.core.records.corpus import Person
from awase.core.team import assigning, handing_out
from awase.core.team.assigning import AssignmentRequest
from awase.jobs.team import copies, project_reports
from awase.storage.store import CorpusStore


@pytest.fixture
def team_file(tmp_path: Path) -> Path:
    made = building.corpus(*(
        building.topic(f"t{at}", abstracts=(building.abstract("a", texts=["one"]),))
        for at in range(3)
    ))  # fmt: skip
    return corpus_file(tmp_path / "team.awase", made)


def test_that_work_is_shared_out_and_taken_back_by_one_undo(run, corpus):
    run("people", corpus, "--add", "花子", "--add", "太郎", "--who", "me")
    before = run("export", corpus, "-").out
    done = run("assign", corpus, "--due", "9999-12-18", "--who", "me")
    assert done.out.splitlines() == ["花子: 1 abstract", "太郎: 1 abstract"]
    _, line = run("progress", corpus, "--json").json["people"]
    assert (line["abstracts"], line["sentences_settled"], line["due"]) == (1, 0, "9999-12-18")
    assert "Nothing is left to assign" in run("assign", corpus).err
    taken = run("assign", corpus, "--take-over", "太郎", "--who", "me")
    assert taken.out.splitlines() == ["花子: 2 abstracts"]
    run("undo", corpus, "--who", "me")
    run("undo", corpus, "--who", "me")
    assert run("export", corpus, "-").out == before
    for words, is_blind in (("--blind", True), ("--add=A3", True), ("--open", False)):
        assert run("people", corpus, words, "--json").json["blind"] is is_blind


DUE = "9999-12-01"
WAYS = {
    "--to A,B --topic 0310 --length short --overlap 50 --readers 3 --most 4 --seed 7": {
        "request": AssignmentRequest(
            people=("A", "B"), topics=("0310",), length="short", overlap=50, readers=3, most=4,
            seed=7,
        )
    },
    f"--calibrate 2 --due {DUE}": {
        "request": AssignmentRequest(people=("A1",), calibration=2, due=DUE)
    },
    "--take-over A1 --seed 7": {"person": "A1", "seed": 7},
    f"--next --to A,,B --most 3 --due {DUE}": {"people": ("A", "B"), "most": 3, "due": DUE},
    f"--second 20 --to A --after 3 --due {DUE} --seed 7": {
        "people": ("A",), "share": 20, "days": 3, "due": DUE, "seed": 7,
    },
    "--next --most 2": {"who": "me", "most": 2},
}  # fmt: skip
"""Ways to give work, and what is handed on of each."""


def test_that_work_is_given_and_taken_back_as_the_options_say(run, corpus, monkeypatch):
    run("people", corpus, "--add", "L=lead", "--add", "A1", "--who", "me")
    given: list[object] = []

    def note(first: object, *more: object, **options: object) -> None:
        options.pop("reporter", None)
        given.append(options | ({"people": first} if isinstance(first, tuple) else {}))
        raise InputError.of("It is noted, and nothing is done.")

    for module, *names in (
        (assigning, "assigned", "handed_over"), (handing_out, "next_for_each"),
        (project_reports, "second_readings"), (CorpusStore, "take_next"),
        (copies, "preview", "take_back"),
    ):  # fmt: skip
        for name in names:
            monkeypatch.setattr(module, name, note)
    for words in WAYS:
        run("assign", corpus, *words.split(), "--who", "me")
    assert given == [*WAYS.values()]
    merge = ("merge", corpus, "a.awase", "--as", "Anna=A1", "--as", "B=A2")
    run(*merge, "--who", "me")
    run(*merge, "--preview")
    called = {"names": {"Anna": "A1", "B": "A2"}}
    assert given[-2:] == [called | {"who": "me"}, called]


def test_that_the_same_work_is_in_the_file_that_is_handed_out(run, corpus, tmp_path):
    run("assign", corpus, "--to", "花子,太郎")
    topics = run("export", corpus, "-").json["assignments"]
    (mine,) = [one["topic"] for one in topics if one["person"] == "太郎"]
    run("hand-out", corpus, tmp_path / "t.awase", "--to", "太郎", "--who", "me")
    with CorpusStore.open(tmp_path / "t.awase", who="", read_only=True) as store:
        assert {row["who"] for row in store.log_rows()} == {"me"}
    assert [one["id"] for one in run("export", tmp_path / "t.awase", "-").json["topics"]] == [mine]


def test_that_progress_tells_what_everybody_aligns_first(run, corpus):
    before = run("progress", corpus)
    assert (before.status, "for everybody" in before.out) == (0, False)
    run("assign", corpus, "--to", "花子,太郎", "--calibrate", "1", "--seed", "3")
    told = run("progress", corpus)
    assert "first, for everybody: 1 abstract; sentences left: 花子 0, 太郎" in told.out
    assert "Agreement needs at least two annotators" in told.out
    assert "1 abstract is not assigned" in told.out
    gate = run("progress", corpus, "--json").json["calibration"]
    assert len(gate["abstracts"]) == 1
    assert gate["sentences_left"]["花子"] == 0


def test_that_people_take_the_next_free_topic_one_by_one(run, team_file, monkeypatch):
    run("people", team_file, "--add", "A1", "--add", "A2", "--who", "me")
    told = [run("assign", team_file, "--next", "--who", who) for who in ("A1", "A2", "A1")]
    assert [one.out for one in told] == [
        "t0: 1 abstract is yours now.\n",
        "t1: 1 abstract is yours now.\n",
        "t0 is yours already, and you have not begun it.\n",
    ]
    assert run("assign", team_file, "--next", "--who", "A2", "--json").json == {
        "topic": "t1", "taken": [],
    }  # fmt: skip
    run("undo", team_file, "--who", "A1")
    assert run("assign", team_file, "--next", "--who", "A1", "--json").json["taken"] == ["a"]
    monkeypatch.setattr(CorpusStore, "person", lambda _: "A2")  # as a server's role
    told = run("assign", team_file, "--next", "--who", "A1").out
    assert told.startswith("t1 is yours already")


def test_that_a_second_reading_is_drawn_handed_out_and_no_work_of_the_first(
    run, awase_file, corpus, tmp_path
):
    done = run("assign", corpus, "--second", "50", "--to", "花子", "--after", "0", "--who", "me")
    assert (done.status, "花子#2: 1 abstract" in done.out) == (0, True), done.err
    (again,) = run("export", corpus, "-").json["assignments"]
    assert (again["person"], again["round"]) == ("花子", 2)
    made = run("hand-out", corpus, tmp_path / "again.awase", "--to", "花子#2")
    assert made.out.startswith(f"{tmp_path / 'again.awase'}: 1 topic")
    run("undo", corpus, "--who", "me")
    assert "assignments" not in run("export", corpus, "-").json


def test_that_a_server_is_set_up_for_those_whom_the_options_name(run, tmp_path, monkeypatch):
    pytest.importorskip("psycopg")
    from awase.storage.postgresql import setup

    url, file, done = "postgresql://admin@h:7/team", tmp_path / "words", []
    plan = setup.Setup(tables=("t;",), access=("a;",), new_people=("A1", "J"))
    monkeypatch.setattr(setup, "plan_setup", lambda *a, **more: done.append((a, more)) or plan)
    monkeypatch.setattr(setup, "apply_setup", lambda *a: done.append(a))
    asked = ("server-setup", url, "--annotator", "A1", "--adjudicator", "J", "--lead", "L",
             "--who", "me")  # fmt: skip
    assert "--passwords needs --apply." in run(*asked, "--passwords", file).err
    assert run(*asked).out == plan.script()
    told = run(*asked, "--name", "N", "--apply", "--passwords", file).out.splitlines()
    people = [Person(id="A1"), Person(id="J", role="adjudicator"), Person(id="L", role="lead")]
    planned = ((url, people), {"name": "corpus", "who": "me"})
    words = done[-1][-1]
    assert done == [planned, (planned[0], {"name": "N", "who": "me"}), (url, plan, words)]
    assert [*words] == ["A1", "J"]
    assert file.read_text("utf-8") == setup.pgpass_lines(words, "h", 7, "team")
    assert told[0] == "a new corpus is ready; new roles: A1, J."
    assert told[1].startswith(f"{file}: a password for each")
    assert "cannot be written" in run(*asked, "--apply", "--passwords", file).err
    file.unlink()
    plan = replace(plan, tables=())
    assert run(*asked, "--apply").out == "the corpus is ready; new roles: A1, J.\n"
    plan = replace(plan, tables=("t;",), new_people=())
    assert run(*asked, "--apply").out == "a new corpus is ready; new roles: none.\n"
    monkeypatch.setattr(setup, "apply_setup", lambda *_: [].pop())
    assert run(*asked, "--apply", "--passwords", file).status == 70
    assert not file.exists()
