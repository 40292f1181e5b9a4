import pytest

from awase.gui.pages.inspect.explaining import InspectedPlace
from awase.jobs.supplies.gathering import Places


@pytest.fixture
def pane_over(services, qtbot):
    """Shows a pane that explains a metric of a corpus."""

    def show(kind, session, metric, **places):
        pane = kind(session, services)
        pane.chooser.choose((metric,), Places(**places))
        return qtbot.shown(pane)

    yield show
    services.jobs.stop_all()


@pytest.fixture
def look(services, qtbot):
    """Shows a pane a place, and waits until it has explained it."""

    def looked(pane, **place):
        pane.show_place(InspectedPlace(**{"topic": "t", **place}))
        qtbot.waitUntil(lambda: not services.jobs.is_busy)

    return looked


def rows_of(pane):
    return [line.split("\t") for line in pane.grid.as_text().splitlines()[1:]]
