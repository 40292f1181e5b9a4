"""What the user can act on is theirs to see; every other error reaches one place, from any page."""

import pytest

from awase.core.errors import Cancelled, CorpusFormatError, EnvironmentProblem, Problem
from awase.gui.kit.defects import problems_of
from awase.gui.pages.correlations import page as correlations
from awase.gui.pages.correlations.page import CorrelationsPage
from awase.gui.pages.scores import page as scores
from awase.gui.pages.scores.page import ScoresPage
from awase.gui.session.session import CorpusSession
from awase.storage.store import CorpusStore


def test_that_only_what_the_user_can_act_on_is_a_problem():
    assert problems_of(CorpusFormatError.of("Too long.")) == (Problem(what="Too long."),)
    assert problems_of(EnvironmentProblem("The disk is full.")) == (
        Problem(what="The disk is full."),
    )
    assert problems_of(Cancelled()) == ()
    defect = ZeroDivisionError("here")
    with pytest.raises(ZeroDivisionError) as raised:
        problems_of(defect)
    assert raised.value is defect


@pytest.mark.parametrize(
    ("module", "work", "kind"),
    [(correlations, "correlate", CorrelationsPage), (scores, "score", ScoresPage)],
)
def test_that_a_defect_of_a_pages_work_is_reported_with_its_traceback(
    make_corpus, services, qtbot, monkeypatch, module, work, kind
):
    def broken(*_given: object, **_named: object) -> None:
        raise ZeroDivisionError("in the depths")

    monkeypatch.setattr(module, work, broken)
    found: list[str] = []
    services.defects.found.connect(found.append)
    restore = services.defects.install()
    try:
        with CorpusStore.open(make_corpus(), who="1") as store:
            page = kind(CorpusSession(store, who="1"), services)
            qtbot.addWidget(page)
            page.show()
            qtbot.waitUntil(lambda: bool(found) and not services.jobs.is_busy)
            page.hide()
            services.jobs.stop_all()
    finally:
        restore()
    (report,) = found
    assert "in the depths" in report
    assert "in broken" in report
