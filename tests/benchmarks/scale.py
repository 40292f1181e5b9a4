"""What large corpora take: opened as the window does, scored, covered, exported and imported.

Run: `python -m tests.benchmarks scale [N…]` (1,000, 2,000 and 10,000 topics without numbers). Each
figure is of a process of its own, so that its peak of memory is its own.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

SIZES = (1_000, 2_000, 10_000)

# Made in another process, as a peak of memory is handed on to the processes that one starts.
_MADE = """
import sys
from pathlib import Path
from tests.benchmarks.corpora import make_big
make_big(Path(sys.argv[1]), int(sys.argv[2]))
"""
_OPENED = """
import sys
from PySide6.QtCore import QCoreApplication
from awase.core.errors import Silent
from awase.gui.frame.welcome import open_corpus
from awase.gui.session.session import CorpusSession
app = QCoreApplication([])
opened = open_corpus(sys.argv[1], "measured", Silent())
session = CorpusSession(opened.store, who="measured", corpus=opened.corpus)
opened.store.close()
"""
_RUN = """
import json, resource, subprocess, sys
subprocess.run([sys.executable, *sys.argv[1:]], check=True, capture_output=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""


def main() -> None:
    """Prints a Markdown table."""
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()] or SIZES
    print("| topics | what | CPU s | MB |\n|---|---|---|---|")
    for n_topics in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path, written = Path(folder, "big.awase"), Path(folder, "big.json")
            subprocess.run([sys.executable, "-c", _MADE, path, str(n_topics)], check=True)
            score = ("score", path, "-m", "tsc3", "-m", "rouge-2:tokens=chars", "--json")
            for what, arguments in {
                "opened": ("-c", _OPENED, path),
                "score": ("-m", "awase.cli", *score),
                "cover": ("-m", "awase.cli", "cover", path, "--json"),
                "export": ("-m", "awase.cli", "export", path, written),
                "import": ("-m", "awase.cli", "import", Path(folder, "new.awase"), written),
            }.items():
                cpu_s, peak_mb = _measured(arguments)
                print(f"| {n_topics:,} | {what} | {cpu_s:.1f} | {peak_mb:.0f} |", flush=True)


def _measured(arguments: tuple[object, ...]) -> tuple[float, float]:
    command = [sys.executable, "-c", _RUN, *map(str, arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    cpu_s, peak_mb = json.loads(done.stdout)
    return cpu_s, peak_mb
