"""A corpus whose h nobody proves: the window shows bounds as bounds, and goes on working."""

import random
import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests import building
from tests.benchmarks.cover_instances import crossing, steiner
from tests.gui.seeing import says, texts
from tests.stored import corpus_file

from awase.core.records.corpus import Corpus
from awase.core.solvers.cover import CoverProblem

H_OF_STEINER_243 = 198
PROBLEMS = {
    "Steiner 243": (steiner(243), H_OF_STEINER_243),
    "40 x 200 x 10": (crossing(random.Random(1), 40, 200, 10), None),
}


def topic_of(problem: CoverProblem):
    n_sources = 1 + max(item for need in problem.needs for one in need for item in one)
    rows = [
        "|".join("&".join(f"s{item + 1}" for item in sorted(one)) for one in need)
        for need in problem.needs
    ]
    return building.topic(
        "t",
        docs=tuple(f"sentence {n}." for n in range(n_sources)),
        abstracts=(building.abstract("t-short", rows, length="short"),),
        outputs=(building.extract("lead", 1, 2, length="short"),),
    )


def bounds(strip) -> tuple[int, int] | None:
    found = re.search(r"h = \[(\d+), (\d+)\]", " ".join(texts(strip)))
    return (int(found[1]), int(found[2])) if found else None


@pytest.mark.slow
@pytest.mark.parametrize("name", PROBLEMS)
def test_that_links_are_made_by_keys_while_h_is_sought_in_vain(window, qtbot, tmp_path, name):
    problem, h = PROBLEMS[name]
    content = Corpus(name="hard", topics=(topic_of(problem),))
    window.open_location(str(corpus_file(tmp_path / "hard.awase", content)))
    qtbot.waitUntil(lambda: window.workspace is not None)
    page, store = window.workspace.annotate, window.workspace.session.store
    strip = page.strip

    def stored() -> int:
        alignment = store.topic("t").abstracts[0].alignment_by("1")
        return sum(map(len, (one.members for one in alignment.of_sentence(1).alternatives)))

    def press(key: Qt.Key | str) -> None:
        QTest.keyClick(QApplication.focusWidget() or page.centre.view, key)

    page.setFocus()
    before = stored()
    qtbot.waitUntil(lambda: bounds(strip) is not None and says(strip, "computing …"))
    for key, n_more in (("9", 1), ("9", 0), ("8", 1), ("8", 0)):
        press(key)
        assert stored() == before + n_more  # on the disk before anything is found out about h
        assert bounds(strip) is not None
        assert not says(strip, "minimal cover")
    lower, upper = bounds(strip)
    assert lower < upper
    assert h is None or lower <= h <= upper
    # The other process is at work on it, and each page answers.
    qtbot.waitUntil(lambda: says(strip, "computing …"))
    window.menus.choose("menu:page:scores")
    window.menus.choose("menu:page:annotate")
    press(Qt.Key.Key_Right)
    assert page.annotation.n == 2
    assert bounds(strip) is not None
