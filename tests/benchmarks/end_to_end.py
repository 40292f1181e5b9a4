"""From files to the table of means, beside a script on rouge-score-rs that reads the same files.

25 systems' texts of 2,298 items with a reference each, in JSON lines: 57,450 pairs of 60 words, in
sentences. Every program is a process of its own, imports and all; CPU seconds of it and its
children, by turns.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks import in_turns, print_table
from tests.benchmarks.rouge_corpus import comparisons

N_ITEMS, N_SYSTEMS, N_WORDS = 2298, 25, 60
N_RUNS = 3
AWASE = Path(sys.executable).with_name("awase")
NAMES = ("rouge-1", "rouge-2", "rouge-l")
METRICS = tuple(word for name in NAMES for word in ("-m", name))
AND_SCORE = tuple(word for name in NAMES for word in ("--score", name))
_ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}
"""Modules of an installation are compiled, ours as well as the others'."""
SCRIPT = """
import json, sys
from rouge_score_rs import RougeScorer
names = ["rouge1", "rouge2", "rougeLsum"]
scorer = RougeScorer(names)
items = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
references = ["\\n".join(item["reference"]) for item in items]
for system in [name for name in items[0] if name.startswith("prediction")]:
    found = scorer.score_batch(references, ["\\n".join(item[system]) for item in items])
    means = [sum(getattr(one[name], part) for one in found) / len(found)
             for name in names for part in ("recall", "precision", "fmeasure")]
    print(system, *(f"{mean:.4f}" for mean in means))
"""


def write(folder: Path) -> None:
    """Writes the items twice: in one file, and a file a system for `awase rouge`."""
    made = comparisons(N_WORDS, n_topics=N_ITEMS, n_references=1, n_systems=N_SYSTEMS)
    names = [f"s{number:02}" for number in range(N_SYSTEMS)]
    with (folder / "items.jsonl").open("w", encoding="utf-8") as file:
        for number, item in enumerate(made):
            row = {"id": f"t{number:05}", "reference": item.models[0]}
            row |= {
                f"prediction_{name}": text for name, text in zip(names, item.peers, strict=True)
            }
            file.write(json.dumps(row) + "\n")
    for at, name in enumerate(["reference", *names]):
        with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as file:
            for number, item in enumerate(made):
                text = [*item.models, *item.peers][at]
                file.write(json.dumps({"id": f"t{number:05}", "text": text}) + "\n")


def run(*command: object, cwd: Path) -> None:
    words = [*map(str, command)]
    subprocess.run(words, cwd=cwd, check=True, capture_output=True, env=_ENVIRONMENT)


def main() -> None:
    """Prints a Markdown table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder)
        works = _works(folder)
        cpu = {work: statistics.median(ms) / 1000 for work, ms in in_turns(works, N_RUNS).items()}
    cpu["import and score"] = cpu["awase import"] + cpu["awase score"]
    base = cpu["script on rouge-score-rs"]
    print(f"{N_ITEMS * N_SYSTEMS:,} pairs, files to table\n")
    print_table(
        "work | CPU s | script's CPU / it",
        ((work, f"{seconds:.2f}", f"{base / seconds:.2f}") for work, seconds in cpu.items()),
    )


def _works(folder: Path) -> dict[str, Callable[[], None]]:
    (folder / "script.py").write_text(SCRIPT, encoding="utf-8")
    others = [f"--system=s{number:02}=s{number:02}.jsonl" for number in range(1, N_SYSTEMS)]
    columns = ("--column", "text", "--reference-column", "text")
    rouge = (AWASE, "rouge", "s00.jsonl", "reference.jsonl", *others, *METRICS, *columns)

    def imported(*and_score: str) -> None:
        for path in folder.glob("c.awase*"):
            path.unlink()
        words = ("import", "c.awase", "items.jsonl", "--format", "text-table", *and_score)
        run(AWASE, *words, cwd=folder)

    return {
        "script on rouge-score-rs": lambda: run(
            sys.executable, "script.py", "items.jsonl", cwd=folder
        ),
        "awase rouge": lambda: run(*rouge, cwd=folder),
        "awase import --score": lambda: imported(*AND_SCORE),
        "awase import": imported,
        "awase score": lambda: run(AWASE, "score", "c.awase", *METRICS, cwd=folder),
    }
