"""How cost and memory grow from 10 to 100,000 topics: opening, one topic, scores.

Run: `python -m tests.benchmarks scale [N…]` (10, 1,000 and 10,000 without numbers; 100,000 takes
2.6 GB of the disk, seven minutes to make, and half an hour to score on a busy machine). Each row is
a process of its own, so that its peak of memory is its own.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

SIZES = (10, 1_000, 10_000)

# Made in another process, as a peak of memory is handed on to the processes that one starts.
_MADE = """
import sys
from pathlib import Path
from tests.benchmarks.big_corpora import make_big
make_big(Path(sys.argv[1]), int(sys.argv[2]))
"""
_OPENED = """
import json, resource, sys, time
from awase.storage.store import CorpusStore
begin = time.process_time(), time.perf_counter()
with CorpusStore.open(sys.argv[1], who="measured") as store:
    topics = store.corpus().topics
    opened = time.process_time(), time.perf_counter()
    places = range(0, len(topics), max(1, len(topics) // 10))
    for at in places:
        topics[at]
    each = (time.process_time() - opened[0]) / len(places)
    store.wait_until_backed_up()
    ready = time.perf_counter() - begin[1]
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
took = [1e3 * (one - two) for one, two in zip(opened, begin)]
print(json.dumps([*took, 1e3 * each, ready, peak]))
"""
_SCORED = """
import resource, subprocess, sys
command = [sys.executable, "-m", "awase.cli", "score", sys.argv[1], "-m", "tsc3"]
command += ["-m", "rouge-2:tokens=unicode"]
subprocess.run(command, check=True, capture_output=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024])
"""


def main() -> None:
    """Prints a Markdown table."""
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()] or SIZES
    print("| topics | MB | open, CPU ms | by the clock | a topic, ms | backed up after, s | MB "
          "| score, CPU s | MB |\n|---|---|---|---|---|---|---|---|---|")  # fmt: skip
    for n_topics in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "big.awase")
            subprocess.run([sys.executable, "-c", _MADE, path, str(n_topics)], check=True)
            cpu_ms, clock_ms, each_ms, ready_s, peak = _measured(_OPENED, path)
            cpu_s, scored_peak = _measured(_SCORED, path)
            print(f"| {n_topics:,} | {path.stat().st_size / 1e6:.1f} | {cpu_ms:.0f} "
                  f"| {clock_ms:.0f} | {each_ms:.1f} | {ready_s:.1f} | {peak:.0f} | {cpu_s:.1f} "
                  f"| {scored_peak:.0f} |", flush=True)  # fmt: skip


def _measured(program: str, path: Path) -> list[float]:
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], check=True, capture_output=True, text=True
    )
    found: list[float] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    main()
