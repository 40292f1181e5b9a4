"""The sink of defects: a log file; `problems.DefectDialog` shows them."""
# Anything else is handled where it is caught: `problems_of`.

import logging
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal, Slot

from awase.core.errors import Cancelled, EnvironmentProblem, InputError, Problem
from awase.gui.kit.i18n import joined_sentences, problem_text

_LOG_BYTES = 1_000_000
_logger = logging.getLogger("awase")


def start_log(folder: Path) -> Path | None:
    """Starts to log to a file in `folder`; None when it cannot be written."""
    from logging.handlers import RotatingFileHandler  # 10 ms that the first paint does without

    path = folder / "awase.log"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=_LOG_BYTES, backupCount=3, encoding="utf-8")
    except OSError:
        return None
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    for known in _logger.handlers[:]:
        _logger.removeHandler(known)
        known.close()
    _logger.addHandler(handler)
    _logger.setLevel(logging.INFO)
    return path


def problems_of(error: BaseException) -> tuple[Problem, ...]:
    """Returns the problems that the user can act on, none of cancellation; re-raises a defect."""
    match error:
        case InputError() | EnvironmentProblem():
            return (*error.problems, *error.warnings)
        case Cancelled():
            return ()
    raise error


def error_text(error: BaseException) -> str:
    """Returns the problems of an error in sentences; re-raises a defect."""
    return joined_sentences(*map(problem_text, problems_of(error)))


class Defects(QObject):
    """Receives all uncaught errors; requests a dialog on the GUI thread."""

    found = Signal(str)  # the report, with the traceback; once for each different traceback

    # The log file; None before the first defect, or when it cannot be written.
    log: Path | None = None

    _reported = Signal(str)

    def __init__(self, log_folder: Path) -> None:
        super().__init__()
        self._log_folder = log_folder
        self._is_logging = False
        self._seen: set[str] = set()
        # Errors may come from any thread; a queued signal reaches the GUI thread.
        self._reported.connect(self._on_reported, Qt.ConnectionType.QueuedConnection)

    def install(self) -> Callable[[], None]:
        """Replaces `sys.excepthook`; returns a function that restores it."""
        before = sys.excepthook
        sys.excepthook = self._hook

        def restore() -> None:
            sys.excepthook = before

        return restore

    def report(self, error: BaseException) -> None:
        text = "".join(traceback.format_exception(error))
        if not self._is_logging:
            self._is_logging = True
            self.log = start_log(self._log_folder)
        _logger.error("defect\n%s", text)
        print(text, file=sys.stderr)
        self._reported.emit(text)

    def _hook(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if isinstance(error, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        self.report(error.with_traceback(trace))

    @Slot(str)
    def _on_reported(self, text: str) -> None:
        if text not in self._seen:
            self._seen.add(text)
            self.found.emit(text)
