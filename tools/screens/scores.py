"""The Scores page: tests, plots, views, and the dialogs that it opens."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QWidget

from awase.gui.main_screens import wait
from screens.stage import come_to_rest

if TYPE_CHECKING:
    from awase.gui.frame.workspace import Workspace
    from awase.gui.pages.scores.page import ScoresPage
    from awase.gui.session.settings import Services


def scores(workspace: "Workspace", services: "Services") -> Iterator[tuple[str, QWidget]]:
    from awase.core.reports.score_report import View, ViewKind
    from awase.gui.kit.picture_view import SavePictureDialog
    from awase.gui.pages.scores.page import ScoresPage
    from awase.gui.pages.scores.plots import PlotKind
    from awase.jobs.subset import Subset

    page = workspace.page("scores")
    assert isinstance(page, ScoresPage)
    usual, window = page.metrics(), workspace.window()

    page.controls.intervals.setChecked(True)
    page.controls.baseline.setCurrentIndex(1)
    page.controls.baseline.activated.emit(1)
    come_to_rest(services)
    yield "scores-tests", window
    page.controls.plot.setChecked(True)
    for kind in PlotKind:
        page.plot.choose(kind)
        yield f"scores-plot-{kind.value}", window
    page.plot.save.click()
    saving = next(one for one in page.plot.findChildren(SavePictureDialog) if one.isVisible())
    yield "save-picture", saving
    saving.reject()
    page.controls.plot.setChecked(False)
    page.controls.intervals.setChecked(False)
    page.controls.baseline.setCurrentIndex(0)
    page.controls.baseline.activated.emit(0)
    come_to_rest(services)
    page.show_view(View(kind=ViewKind.SYSTEM, subject=page.table.arrangement.rows[0].name))
    yield "scores-system", window
    page.show_view(View())
    column = page.table.arrangement.columns[1]
    page.show_view(View(kind=ViewKind.METRIC, length=column.length, metric=column.metric))
    yield "scores-metric", window
    page.choose_metrics(("coverage", "coverage:strict=yes", "rouge-1:tokens=chars"))
    come_to_rest(services)
    yield "scores-columns", window
    yield from _scores_dialogs(page, services)
    for run in workspace.session.store.score_runs():
        page.kept.remove(run.id)
    page.choose_subset(Subset(topics=()))
    come_to_rest(services)
    yield "scores-empty", window
    page.choose_subset(Subset())
    page.choose_metrics(usual)
    come_to_rest(services)


def _scores_dialogs(page: "ScoresPage", services: "Services") -> Iterator[tuple[str, QWidget]]:
    metrics = page.controls.metrics.ask()
    yield "metrics", metrics
    first = metrics.options.panel["first"]
    assert isinstance(first, QComboBox)
    usual = first.currentText()
    first.setEditText("0")
    yield "metrics-wrong", metrics
    first.setEditText(usual)  # otherwise the dialog asks whether to lose what was typed, and stays
    metrics.reject()
    subset = page.ask_subset()
    yield "subset", subset
    subset.reject()
    for title in ("ROUGE", "Coverage 2"):
        page.keep_scores(title)
        wait(lambda: not services.jobs.is_busy)
    kept = page.kept.open_dialog()
    assert kept is not None
    yield "kept-scores", kept
    kept.fields.button("compare").click()
    wait(lambda: not services.jobs.is_busy)
    yield "scores-compared", page.window()
    page.kept.forget()
