"""Memory and processor time of each command that goes through all topics of a corpus.

Run: `python -m tests.benchmarks commands FILE.awase… [FIRST WORD OF A COMMAND…]`, with files that
`big_corpora` made; without any, of 1,000 topics. Each command is a process of its own, so that its
peak of memory is its own.
"""

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from tests.benchmarks.big_corpora import make_big

COMMANDS: Final = {
    "info": "info {corpus}",
    "validate": "validate {corpus}",
    "check": "check {corpus}",
    "diff with itself": "diff {corpus} {corpus}",
    "cover, as JSON lines": "cover {corpus} --output-format jsonl -o {folder}/cover.jsonl",
    "cover, as a table": "cover {corpus}",
    "extract to Awase JSON": "extract {corpus} --with lead --size 5 --to {folder}/extracts.json",
    "extract, scored": "extract {corpus} --with lead --size 5 --table",
    "export to Awase JSON": "export {corpus} {folder}/corpus.json",
    "export as extract lines": "export {corpus} {folder}/lines.txt --format extract-lines",
    "score, as JSON lines": "score {corpus} -m tsc3 --output-format jsonl -o {folder}/score.jsonl",
    "score, as CSV": "score {corpus} -m tsc3 --output-format csv -o {folder}/score.csv",
    "agreement": "agreement {corpus} --annotators A1,robot --resamples 99",
    "progress": "progress {corpus}",
    "time": "time {corpus}",
    "extract into the corpus": "extract {copy} --with random --size 5",
    "export as parallel text": "export {corpus} {folder}/texts --format parallel-text",
    "hand-out of everything": "hand-out {copy} --to A1 {folder}/own.awase",
    "oracle": "oracle {corpus} --unit sentence --limit 2s --output-format jsonl "
    "-o {folder}/oracles.jsonl",
    "report": "report {corpus} {folder}/page.html",
    "rescue": "rescue {corpus} {folder}/rescued.awase",
    "explain": "explain {corpus} -m pseudo-pyramid:unit=sentence --output-format jsonl "
    "-o {folder}/explained.jsonl",
    "time by sentence": "time {corpus} --by sentence",
    "assign of everything": "assign {copy} --to A1,A2,A3",
    "people, changed": "people {copy} --add A4",
    "assist, changed": "assist {copy} --assist-level 3",
    "assist-report": "assist-report {corpus}",
    "score, kept": "score {copy} -m tsc3 --keep run",
    "scores, shown": "score {copy} -m tsc3 --keep run && scores {copy} --show 1",
    "merge of everything": "hand-out {copy} --to A1 {folder}/own.awase && "
    "merge {copy} {folder}/own.awase",
}
"""What changes the corpus is given a copy; of several commands the last is measured."""


def main() -> None:
    """Prints a Markdown table, a row a command and file."""
    words = sys.argv[2:]
    paths = [Path(word) for word in words if word.endswith(".awase")]
    wanted = [word for word in words if not word.endswith(".awase")]
    with tempfile.TemporaryDirectory() as folder:
        if not paths:
            paths = [Path(folder, "big.awase")]
            make_big(paths[0], 1_000)
        show(paths, wanted)


def show(paths: Sequence[Path], wanted: Sequence[str]) -> None:
    """Prints the rows of these commands; none is named = all."""
    print("| command | corpus | CPU s | clock s | peak MB |\n|---|---|---|---|---|")
    for name, template in COMMANDS.items():
        if wanted and name.split(",")[0].split()[0] not in wanted:
            continue
        for path in paths:
            cpu_s, clock_s, peak_mb, note = measured(template, path)
            row = f"| {name} | {path.stem} | {cpu_s:.1f} | {clock_s:.0f} | {peak_mb:.0f} |"
            print(row + note, flush=True)


def measured(template: str, path: Path) -> tuple[float, float, float, str]:
    """Returns seconds of the processor and by the clock, megabytes, and what went wrong."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        copy = Path(folder, "copy.awase")
        if "{copy}" in template:
            shutil.copyfile(path, copy)
        given = template.format(corpus=path, folder=folder, copy=copy)
        *before, words = (command.split() for command in given.split(" && "))
        for others in before:
            subprocess.run(_command(others), stdout=subprocess.DEVNULL, check=True)
        pipe, end = get_context("spawn").Pipe()
        process = get_context("spawn").Process(target=_run, args=(words, end))
        process.start()
        answer = pipe.recv()
        process.join()
        return answer


def _command(words: list[str]) -> list[str]:
    return [sys.executable, "-m", "awase.cli", *words]


def _run(words: list[str], end) -> None:
    begin = time.perf_counter()
    done = subprocess.run(_command(words), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    note = "" if done.returncode == 0 else f" status {done.returncode}: {done.stderr[-300:]!r}"
    clock_s = time.perf_counter() - begin
    end.send((used.ru_utime + used.ru_stime, clock_s, used.ru_maxrss / 1024, note))


if __name__ == "__main__":
    main()
