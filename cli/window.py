"""The window from the command line, or screenshots without a display."""

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli.output.messages import EXIT_DATA, say
from awase.core.errors import EnvironmentProblem, Silent
from awase.core.packages import is_installed

if TYPE_CHECKING:  # The window brings neither metrics nor records before its first paint.
    from awase.core.records.corpus import Corpus

QT_LIBRARIES = (
    "sudo apt install libegl1 libgl1 libx11-6 libxkbcommon0 libdbus-1-3 libfontconfig1 "
    "libfreetype6 libglib2.0-0 fonts-ipaexfont-gothic"
)
MAIN, ALL = "main", "all"
# The program that draws all; only a checkout has it.
ALL_SCREENS = Path(__file__).resolve().parents[1] / "tools" / "screens" / "__main__.py"
_TIMEOUT_S = {MAIN: 300, ALL: 1800}


def has_display() -> bool:
    """Returns whether a window can be expected to appear."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def show_window(ctx: click.Context, location: str | None, *, demo: bool = False) -> None:
    """Opens the window on a corpus (None = the welcome page), or takes screenshots, and exits."""
    check_window_is_installed()
    if has_display():
        try:
            from awase.gui.app import run
        except ImportError as error:
            print_missing_libraries(error)
        else:
            ctx.exit(run(location, demo=demo))
    if location is not None:  # scores of another corpus are no answer
        raise EnvironmentProblem(
            "No window can be shown here, so “{location}” is not opened.",
            "Everything else works without one: see awase --help.",
            location=location,
        )
    asked = ctx.find_root().params
    ctx.exit(show_without_window(asked["pictures"], asked["screens"]))


def check_window_is_installed() -> None:
    """Returns if the window and its toolkit are there, whether or not they can be loaded."""
    if not is_installed("awase.gui", "PySide6"):
        raise EnvironmentProblem(
            "The window is not installed: this is awase-core.",
            "Install it with: pip install awase. Everything else works: see awase --help.",
        )


def show_without_window(folder: Path, what: str = MAIN) -> int:
    """Prints the demonstration's scores, then takes screenshots; returns the exit status.

    They are of `MAIN`, or `ALL` of them, which only a checkout can take.
    """
    from awase.core.records.addition import merge
    from awase.core.records.corpus import Corpus
    from awase.jobs.importing import demonstration

    say("No window can be shown here. These are the demonstration corpus's scores:\n")
    print_scores(merge(Corpus(), demonstration("en")))
    if what == ALL and not ALL_SCREENS.is_file():
        say("error: Only a checkout of Awase draws all screens. Leave --screens out.", err=True)
        return EXIT_DATA
    screens = "every screen" if what == ALL else "the main screens"
    say(f"\nWriting pictures of {screens} to {folder}{os.sep} …")
    sys.stdout.flush()
    paths = _write_screens(folder, what)
    for path in paths:
        say(str(path))
    say("\nEverything else works here, too: see awase --help.")
    return 0 if paths else EXIT_DATA


def print_scores(corpus: "Corpus") -> None:
    """Prints the table of the TSC-3 metrics."""
    from awase.cli.output.report import print_shown
    from awase.cli.output.score_output import score_table
    from awase.core.metrics.registry import requests_of
    from awase.core.metrics.significance import ScoreArrays
    from awase.jobs.scoring import DEFAULT_METRICS, score

    table = score(corpus, requests_of(DEFAULT_METRICS), Silent())
    print_shown(score_table(ScoreArrays(table=table), by_topic=False))


def _write_screens(folder: Path, what: str) -> list[Path]:
    program = [str(ALL_SCREENS)] if what == ALL else ["-m", "awase.gui.main_screens"]
    folder.mkdir(parents=True, exist_ok=True)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.png")}
    done = subprocess.run(
        [sys.executable, *program, str(folder)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=_TIMEOUT_S[what],
        check=False,
    )
    if done.returncode != 0:
        _report_failure(done.stderr)
    return [
        path
        for path in sorted(folder.rglob("*.png"))
        if before.get(path) != path.stat().st_mtime_ns
    ]


def _report_failure(stderr: str) -> None:
    lines = stderr.strip().splitlines()
    reason = lines[-1] if lines else "no message"
    say(f"error: The screens could not be written ({reason}).", err=True)
    if "cannot open shared object file" in stderr:
        _report_line()


def print_missing_libraries(error: ImportError) -> None:
    """Reports that Qt cannot be loaded, and the command that fixes it."""
    say(f"error: The window needs libraries that are not installed ({error}).", err=True)
    _report_line()


def _report_line() -> None:
    say(f"On Debian and Ubuntu this installs them:\n  {QT_LIBRARIES}", err=True)
