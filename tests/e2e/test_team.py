"""Three people, three files, one corpus: the whole way from sharing out to scores by the gold."""

import json
import shutil
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from tests.building import abstract, corpus, extract, topic
from tests.cli.conftest import Run, run  # noqa: F401  (a fixture)

from awase.core.agreement.adjudication import GOLD_UNANIMOUS, with_unanimous, worklist_of
from awase.core.annotation import actions
from awase.core.errors import Silent
from awase.core.records.abstract import AlignmentState, Alternative, SentenceAlignment
from awase.core.records.addition import addition_of
from awase.core.records.source import SentenceRef
from awase.core.team.assigning import jobs_of
from awase.storage.store import CorpusStore

PEOPLE = ("A1", "A2", "A3")


@pytest.fixture
def main_file(tmp_path: Path) -> Path:
    topics = (
        topic(
            f"t{at:02}",
            docs=3 + at % 3,
            abstracts=(abstract("a", texts=["one", "two"]),),
            outputs=(extract("lead", "s1 s2"),),
        )
        for at in range(25)
    )
    path = tmp_path / "main.awase"
    made = addition_of(corpus(*topics, name="team"))
    CorpusStore.create(path, name="team", who="L", addition=made).close()
    return path


def annotate(path: Path, who: str) -> int:
    """Confirms every sentence of the person's jobs; A2 and A3 differ from A1 on the second."""
    with CorpusStore.open(path, who=who) as store:
        jobs = jobs_of(store.corpus(), who)
        for job in jobs:
            for n in (1, 2):
                source = n if n == 1 else 1 + PEOPLE.index(who)
                entry = SentenceAlignment(
                    n=n,
                    state=AlignmentState.CONFIRMED,
                    alternatives=(Alternative((SentenceRef("d", source),)),),
                    note=f"secret of {who}",
                )
                found = store.topic(job.topic).abstract(job.abstract)
                assert found is not None
                edit = actions.alignment_edit(job.topic, found, who, entry, verb=actions.CONFIRM)
                assert edit is not None
                store.apply(edit, who=who, active_ms=1000)
    return len(jobs)


@pytest.mark.slow
def test_that_a_team_goes_all_the_way(run: Run, main_file: Path, tmp_path: Path) -> None:  # noqa: F811
    run("people", main_file, "--add", "L=lead", "--who", "L")
    run("assign", main_file, "--to", ",".join(PEOPLE), "--overlap", "20", "--who", "L")
    files = {who: tmp_path / f"{who}.awase" for who in PEOPLE}
    for who, path in files.items():
        assert run("hand-out", main_file, path, "--to", who).status == 0
        assert annotate(path, who) == 10
    stolen = files["A2"].read_bytes()
    assert b"secret of A2" in stolen
    assert b"secret of A1" not in stolen
    assert b"secret of A3" not in stolen

    other = tmp_path / "other.awase"
    shutil.copy(main_file, other)
    run("merge", main_file, *files.values(), "--who", "L")
    run("merge", main_file, *files.values(), "--who", "L")
    for who in reversed(PEOPLE):
        run("merge", other, files[who], "--who", "L")
    for who in PEOPLE:
        run("merge", other, files[who], "--who", "L")
    exported = run("export", main_file, "-").out
    assert exported == run("export", other, "-").out
    settled = Counter(
        one["annotator"]
        for t in json.loads(exported)["topics"]
        for a in t["abstracts"]
        for one in a["alignments"]
    )
    assert settled == dict.fromkeys(PEOPLE, 10)

    told = run("agreement", main_file, "--json", "--distance", "equal").json
    kinds = Counter(one["kind"] for one in told["sentences"])
    assert kinds == {"identical": 5, "disjoint": 5}
    lines = {one["person"]: one for one in run("progress", main_file, "--json").json["people"]}
    assert [lines[who]["sentences_settled"] for who in PEOPLE] == [20, 20, 20]
    assert lines["A1"]["sentences_an_hour"] == 3600

    with CorpusStore.open(main_file, who="L") as store:
        assert worklist_of(store.corpus(), "L", Silent()).n_agreed == 5
        change = partial(with_unanimous, who="L", at="2026-11-22T00:00:00+00:00")
        store.change(change, verb=GOLD_UNANIMOUS, names=["5"], who="L")
    scores = run("score", main_file, "-m", "coverage:annotator=gold", "--json")
    assert scores.status == 0
    assert "annotator=gold" in scores.out
