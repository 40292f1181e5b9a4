"""From files to the table of means, beside a script on rouge-score-rs that reads the same files.

25 systems' texts of 2,298 items with a reference each, in JSON lines: 57,450 pairs of 60 words, in
sentences. Every program is a process of its own, imports and all; CPU seconds of it and its
children, by turns. `python -m tests.benchmarks.end_to_end [N]`: N percent of the items.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.benchmarks.rouge_corpus import comparisons

N_ITEMS, N_SYSTEMS, N_WORDS = 2298, 25, 60
N_RUNS = 3
GOAL = 1.0
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


def write(folder: Path, n_items: int) -> None:
    """Writes the items twice: in one file, and a file a system for `awase rouge`."""
    made = comparisons(N_WORDS, n_topics=n_items, n_references=1, n_systems=N_SYSTEMS)
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


def spent(*command: object, cwd: Path) -> tuple[float, float, str]:
    """Returns CPU seconds and seconds by the clock of a process, and what it printed."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, check=True, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env=_ENVIRONMENT,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.perf_counter() - begin, done.stdout


def main(n_items: int = N_ITEMS) -> None:
    """Prints a Markdown table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, n_items)
        works = _works(folder)
        for run in works.values():  # compiles modules that are not yet
            run()
        rounds = [{work: run() for work, run in works.items()} for _ in range(N_RUNS)]
        _print(works, rounds, n_items * N_SYSTEMS)


def _works(folder: Path) -> dict[str, Callable[[], tuple[float, float, str]]]:
    (folder / "script.py").write_text(SCRIPT, encoding="utf-8")
    others = [f"--system=s{number:02}=s{number:02}.jsonl" for number in range(1, N_SYSTEMS)]

    def imported(*and_score: str) -> tuple[float, float, str]:
        for path in folder.glob("c.awase*"):
            path.unlink()
        return spent(
            AWASE, "import", "c.awase", "items.jsonl", "--format", "text-table", *and_score,
            cwd=folder,
        )  # fmt: skip

    score = (AWASE, "score", "c.awase", *METRICS)
    return {
        "script on rouge-score-rs": lambda: spent(
            sys.executable, "script.py", "items.jsonl", cwd=folder
        ),
        "awase rouge": lambda: spent(
            AWASE,
            "rouge",
            "s00.jsonl",
            "reference.jsonl",
            *others,
            *METRICS,
            "--column",
            "text",
            "--reference-column",
            "text",
            cwd=folder,
        ),
        "awase import --score": lambda: imported(*AND_SCORE),
        "awase import": imported,
        "awase score": lambda: spent(*score, cwd=folder),
        "awase score --processes 1": lambda: spent(*score, "--processes", 1, cwd=folder),
        "awase score --json": lambda: spent(*score, "--json", cwd=folder),
    }


def _print(
    works: dict[str, Callable[[], tuple[float, float, str]]],
    rounds: Sequence[dict[str, tuple[float, float, str]]],
    n_pairs: int,
) -> None:
    cpu = {work: statistics.median(one[work][0] for one in rounds) for work in works}
    clock = {work: statistics.median(one[work][1] for one in rounds) for work in works}
    cpu["import and score"] = cpu["awase import"] + cpu["awase score"]
    clock["import and score"] = clock["awase import"] + clock["awase score"]
    base = cpu["script on rouge-score-rs"]
    print(f"{n_pairs:,} pairs, files to table\n")
    print("| work | CPU s | by the clock, s | script's CPU / it | goal |\n|---|---|---|---|---|")
    for work, seconds in cpu.items():
        verdict = "" if base / seconds >= GOAL else ", missed"
        print(
            f"| {work} | {seconds:.2f} | {clock[work]:.2f} | {base / seconds:.2f} "
            f"| {GOAL:.0f}{verdict} |"
        )


if __name__ == "__main__":
    main(N_ITEMS * int(sys.argv[1]) // 100 if len(sys.argv) > 1 else N_ITEMS)
