"""A lead and annotators go the whole way from naming people to the gold: by real keys, under X."""

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.building import abstract, corpus, extract, topic
from tests.cli.conftest import Run, run  # noqa: F401  (a fixture)
from tests.e2e.under_x import Screen, program, pytestmark, server, until
from tests.stored import corpus_file

from awase.core.records.abstract import AlignmentState
from awase.core.records.corpus import Corpus, Person
from awase.gui.kit.i18n import set_language, tr
from awase.storage.store import CorpusStore

__all__ = ["pytestmark"]
_STATE = """
from PySide6.QtWidgets import QDialog
place, who = arguments
def state():
    for one in windows():
        if one.workspace is not None:
            if who:
                one.shown.session.set_who(who)
            return told_of(one)
    return {}
def told_of(one):
    from awase.gui.kit.forms.dialog import FormDialog
    told = {"who": one.shown.session.who, "dialog": {}, "alpha": "", "open": -1}
    told["is_at_rest"] = one.isActiveWindow() and not any(
        dialog.isVisible() for dialog in one.findChildren(QDialog)
    )
    told["n_settled"] = sum(
        entry.state.value == "confirmed"
        for topic in one.shown.session.topics() for abstract in topic.abstracts
        for alignment in abstract.alignments for entry in alignment.sentences
    )
    for dialog in one.findChildren(FormDialog):
        if dialog.isVisible() and dialog.accept_button is not None:
            button = dialog.accept_button
            is_ready = button.isEnabled() and dialog.focusWidget() is button
            text = dialog.fields["about"].text() if "about" in dialog.fields.names() else ""
            told["dialog"] = {"text": text, "is_ready": is_ready}
    if one.workspace.page_id == "review":
        review = one.workspace.page("review")
        told["alpha"] = review.agreement.results.headline.value.text()
        told["open"] = sum(case.is_open for case in review.adjudication.queue.cases)
    return told
QTimer.singleShot(1500, lambda: windows()[0].open_location(place))
"""


def stored(place: Path) -> Corpus:
    with CorpusStore.open(place, who="x", read_only=True) as store:
        return store.corpus()


@contextmanager
def working(display: str, home: Path, place: Path, who: str, language: str) -> Iterator[Screen]:
    home.mkdir()
    with program(display, home, language, _STATE, place, who) as screen:
        screen.wait_for(f"{place.stem}.*Awase")
        until(lambda: screen.now().get("is_at_rest", False))
        yield screen


def titles(language: str, *messages: str) -> list[str]:
    set_language(language)
    found = [tr(message) for message in messages]
    set_language("en")
    return found


@pytest.mark.parametrize("language", ["en", "ja"])
def test_that_an_annotator_takes_one_topic_after_another_by_keys(tmp_path, language):
    made = corpus(*(topic(f"t{at}", abstracts=(abstract("a", texts=["one"]),)) for at in range(3)))
    persons = (Person(id="L", role="lead"), Person(id="a1"))
    place = corpus_file(tmp_path / "shared.awase", replace(made, name="shared", persons=persons))
    with server() as display, working(display, tmp_path / "a1", place, "a1", language) as screen:
        screen.key("ctrl+shift+t")
        until(lambda: [one.topic for one in stored(place).assignments] == ["t0"])
        screen.key("ctrl+shift+t")
        screen.key("1")
        screen.key("Return")
        until(lambda: bool(stored(place).topics[0].abstracts[0].alignments))
        until(lambda: [one.person for one in stored(place).assignments] == ["a1"])
        screen.key("ctrl+shift+t")
        until(lambda: [one.topic for one in stored(place).assignments] == ["t0", "t1"])


@pytest.mark.parametrize("language", ["en", "ja"])
def test_that_a_team_goes_all_the_way_by_keys(run: Run, tmp_path: Path, language: str) -> None:  # noqa: F811
    people = ("a1", "a2", "a3")
    place = _corpus_of_nobody(tmp_path / "main.awase")
    files = [tmp_path / f"main-{who}.awase" for who in people]
    with server() as display:
        lead = tmp_path / "lead"
        with working(display, lead, place, "L", language) as screen:
            _name_people(screen, place, people, language)
            _assign(screen, place, people, language)
            _hand_out(screen, files, language)
        for who, file in zip(people, files, strict=True):
            with working(display, tmp_path / who, file, "", language) as screen:
                _annotate(screen, file, people.index(who))
            assert screen.now()["who"] == who
        with working(display, tmp_path / "lead again", place, "L", language) as screen:
            _take_back(screen, place, files, language)
            told = run("agreement", place, "--json").json
            everybody = next(r for r in told["rows"] if len(r["annotators"]) == 3)
            _adjudicate(screen, place, everybody["alpha"], language)
            _export(screen, tmp_path, language)
    exported = json.loads((tmp_path / "main.json").read_text("utf-8"))
    gold = [g for t in exported["topics"] for a in t["abstracts"] for g in a["gold"]["sentences"]]
    assert sorted(one["origin"] for one in gold) == ["taken", "taken", "unanimous", "unanimous"]
    with (tmp_path / "decisions.csv").open(encoding="utf-8", newline="") as file:
        assert [row["origin"] for row in csv.DictReader(file)] == ["taken", "taken"]
    scores = run("score", place, "-m", "coverage:annotator=gold", "--json")
    assert scores.status == 0
    assert "provisional" not in json.dumps(scores.json).replace('"provisional": false', "")


def _corpus_of_nobody(place: Path) -> Path:
    """Writes two topics of two sentences each, without people or work of theirs."""
    topics = [
        topic(f"t{at}", docs=5, abstracts=(abstract("a", texts=["one", "two"]),),
              outputs=(extract("lead", "s1 s2"),))
        for at in range(2)
    ]  # fmt: skip
    return corpus_file(place, replace(corpus(*topics), name="main"))


def _name_people(screen: Screen, place: Path, people: tuple[str, ...], language: str) -> None:
    """Names one after another; who names the first becomes the lead."""
    (title,) = titles(language, "Person")
    screen.key("ctrl+7")
    for at, who in enumerate(people):
        screen.key("a")
        screen.wait_for(f"^{title}$")
        screen.write(who)
        screen.key("Return")
        screen.wait_for_end_of(f"^{title}$")
        named = [("L", "lead"), *((one, "annotator") for one in people[: at + 1])]
        until(lambda named=named: [(one.id, one.role) for one in stored(place).persons] == named)
        screen.wait_for("main.*Awase")


def _assign(screen: Screen, place: Path, people: tuple[str, ...], language: str) -> None:
    """Gives both topics to everybody first, as is proposed; undone, and done again."""
    (title,) = titles(language, "Assign work")
    screen.key("w")
    screen.wait_for(f"^{title}$")
    screen.key("Return")
    screen.wait_for_end_of(f"^{title}$")
    shared = {(f"t{at}", who) for at in range(2) for who in people}
    until(lambda: {(one.topic, one.person) for one in stored(place).assignments} == shared)
    screen.wait_for("main.*Awase")
    screen.key("ctrl+z")
    until(lambda: not stored(place).assignments)
    screen.key("ctrl+shift+z")
    until(lambda: len(stored(place).assignments) == len(shared))


def _hand_out(screen: Screen, files: list[Path], language: str) -> None:
    """Menu, person, Enter: the file is proposed."""
    (title,) = titles(language, "Hand out")
    for at, file in enumerate(files):
        screen.key("alt+f")
        screen.key("h")
        screen.wait_for(f"^{title}$")
        for _ in range(at):
            screen.key("Down")
        screen.key("Return")
        screen.wait_for_end_of(f"^{title}$")
        until(file.exists)
        screen.wait_for("main.*Awase")


def _annotate(screen: Screen, file: Path, at: int) -> None:
    """Aligns the first sentence of each topic as everybody does, the second in another way."""
    for n_topics in (1, 2):
        for key in ("1", str(1 + at)):
            n = _n_settled(file)
            screen.key(key)
            screen.key("Return")
            until(lambda n=n: _n_settled(file) == n + 1)
        assert _n_settled(file) == 2 * n_topics


def _n_settled(place: Path) -> int:
    made = stored(place)
    entries = [
        e for t in made.topics for a in t.abstracts for al in a.alignments for e in al.sentences
    ]
    return sum(entry.state is AlignmentState.CONFIRMED for entry in entries)


def _take_back(screen: Screen, place: Path, files: list[Path], language: str) -> None:
    """Three files at once: looked at, taken back, undone and taken back again."""
    title, add = titles(language, "Take back", "Add files")
    expected = titles(
        language,
        "Sentences: {new} new, {changed} changed, {conflict} in conflict with own work, {left} "
        "left out.",
    )[0]
    screen.key("alt+f")
    screen.key("b")
    screen.wait_for(f"^{title}$")
    screen.key("space")
    screen.wait_for(f"^{add}$")
    screen.write(" ".join(f'"{file}"' for file in files))
    screen.key("Return")
    screen.wait_for_end_of(f"^{add}$")
    screen.wait_for(f"^{title}$")
    until(lambda: screen.now()["dialog"].get("is_ready", False))
    told = expected.format(new=12, changed=0, conflict=0, left=0)
    assert screen.now()["dialog"]["text"].startswith(told)
    assert _n_settled(place) == 0
    screen.key("Return")
    screen.wait_for_end_of(f"^{title}$")
    until(lambda: _n_settled(place) == 12)
    screen.wait_for("main.*Awase")
    for key, n_settled in (("ctrl+z", 0), ("ctrl+shift+z", 12)):
        screen.key(key)
        _wait_for_rest(screen, n_settled)
        assert _n_settled(place) == n_settled


def _wait_for_rest(screen: Screen, n_settled: int) -> None:
    """Waits until the window shows as much: what takes long shows a dialog, which has the keys."""

    def is_there() -> bool:
        screen.wait_for("main.*Awase")  # without a window manager nobody gives the keys back
        told = screen.now()
        return bool(told["is_at_rest"]) and told["n_settled"] == n_settled

    until(is_there)


def _adjudicate(screen: Screen, place: Path, alpha: float, language: str) -> None:
    """Reads the agreement, takes what is unanimous, and decides the rest with two keys each."""
    screen.key("ctrl+6")
    until(lambda: f"{alpha:.3f}".removeprefix("0") in screen.now()["alpha"])
    screen.key("shift+Return")
    until(lambda: screen.now()["open"] == 2)
    screen.key("t")
    until(lambda: _n_gold(place) == 2)
    for left in (1, 0):
        screen.key("shift+2")
        screen.key("Return")
        until(lambda left=left: screen.now()["open"] == left)
    until(lambda: _n_gold(place) == 4)
    (title,) = titles(language, "Export decisions")
    screen.key("e")
    screen.wait_for(f"^{title}$")
    screen.write(str(place.with_name("decisions.csv")))
    screen.key("Return")
    screen.wait_for_end_of(f"^{title}$")
    until(place.with_name("decisions.csv").exists)
    screen.wait_for("main.*Awase")


def _n_gold(place: Path) -> int:
    golds = [one for t in stored(place).topics for a in t.abstracts for one in a.gold]
    return sum(one.decided_by is not None for one in golds)


def _export(screen: Screen, folder: Path, language: str) -> None:
    (title,) = titles(language, "Export")
    screen.key("ctrl+e")
    screen.wait_for(f"^{title}$")
    screen.key("Return")
    screen.wait_for_end_of(f"^{title}$")
    until((folder / "main.json").exists)
