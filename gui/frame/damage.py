"""Background integrity check of the open corpus."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from awase.core.errors import Problem
from awase.core.progress import Reporter
from awase.gui.frame.pages import MODULES
from awase.gui.kit.jobs.running import Jobs
from awase.gui.kit.texts.i18n import mark

if TYPE_CHECKING:  # These bring the slow libraries; the first paint must not wait for them.
    from awase.gui.session.session import CorpusSession
    from awase.jobs.checking import CorpusCheck

CHECKING_JOB: Final = "checking"


def look_for_damage(
    session: "CorpusSession",
    jobs: Jobs,
    window: QWidget,
    failed: Callable[[str, BaseException], None],
) -> None:
    """Compares what is stored with its digests, as `CHECKING_JOB`."""
    store = session.store

    def check(reporter: Reporter) -> object:
        from awase.jobs.checking import check_corpus

        jobs.modules.load(MODULES, reporter)
        return check_corpus(store, reporter)

    job = jobs.start(CHECKING_JOB, check)
    job.finished.connect(lambda found: _show_check(window, found))
    job.failed.connect(lambda error: failed(mark("The corpus is damaged."), error))


def show_remarks(window: QWidget, remarks: Sequence[Problem]) -> None:
    """Shows remarks that are no errors, if any."""
    from awase.gui.kit.problems import ProblemsDialog  # the kit of all forms

    if remarks:
        title = mark("What to know about this corpus")
        ProblemsDialog.show_for(window, title, remarks, are_remarks=True)


def _show_check(window: QWidget, check: "CorpusCheck") -> None:
    """Reports damage, and the backup to restore."""
    from awase.gui.kit.problems import ProblemsDialog

    problems = check.damage
    if problems and check.backup is not None:
        problems = (_backup_to_take(check.backup), *problems)
    if problems:
        title = mark("Parts of the corpus are not as they were written")
        ProblemsDialog.show_for(window, title, problems)
    show_remarks(window, check.remarks)


def _backup_to_take(backup: Path) -> Problem:
    return Problem(
        what="The newest backup without damage is “{path}”.",
        hint="Take it by File > Restore a backup…; what is there now is kept.",
        fields={"path": str(backup)},
    )
