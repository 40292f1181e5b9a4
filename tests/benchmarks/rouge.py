"""ROUGE beside other programs, in one run: pairs (summary x reference) per CPU-second.

50 topics x 4 references x 20 systems, made up, of 100 words. Ours scores all 4,000 pairs at once,
as `awase score` does; slow programs score a share. Goals: 3 x rouge-score-rs, ROUGE-W 100 x and
ROUGE-SU4 60 x Perl, `awase rouge155` with DUC's options 100 x Perl end to end, start-up and all.
"""

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from awase.core.metrics.rouge.comparison import REFERENCES, RougeComparison
from awase.core.metrics.rouge.measures import Measures, tallied
from awase.core.metrics.rouge.tokens import Preparation
from tests.benchmarks import timed
from tests.benchmarks.rouge_corpus import comparisons
from tests.core.metrics.rouge.perl_program import PerlProgram, perl_program
from tests.kernels import without_kernel
from tests.written import rouge_settings

_DUC = ["-n", "4", "-w", "1.2", "-2", "4", "-u", "-m", "-r", "1000", "-a"]
AWASE = Path(sys.executable).with_name("awase")
N_TIMES = 3


def n_pairs(topics: Sequence[RougeComparison]) -> int:
    return sum(len(topic.peers) * len(topic.models) for topic in topics)


def cpu_s(work: Callable[[], object]) -> float:
    """CPU-seconds of the work, which is repeated for at least a third of a second."""
    n_times = 0
    used_ms = 0.0
    while used_ms < 1000 / 3:
        used_ms += timed(work)[0]
        n_times += 1
    return used_ms / 1000 / n_times


def in_turn(*works: Callable[[], float]) -> list[float]:
    """Medians of what the works return, run by turns: a busy machine slows all of them alike."""
    rounds = [[work() for work in works] for _ in range(N_TIMES)]
    return [statistics.median(rates) for rates in zip(*rounds, strict=True)]


def cpu_s_of_child(command: Sequence[str], cwd: Path) -> float:
    ms, _ = timed(partial(subprocess.run, command, cwd=cwd, check=True, capture_output=True))
    return ms / 1000


def ours(topics: Sequence[RougeComparison], measures: Measures, *, stem: bool) -> float:
    """Pairs per CPU-second as `awase score` counts them, scores rounded and all."""

    def work() -> None:
        for some in tallied(topics, measures, Preparation(stem=stem)):
            for tally in some.by_label.values():
                REFERENCES["a"].scores(tally, 0.5)

    return n_pairs(topics) / cpu_s(work)


def by_numpy(topics: Sequence[RougeComparison], measures: Measures) -> float:
    with without_kernel():
        return ours(topics, measures, stem=False)


def batchwise(
    topics: Sequence[RougeComparison], score_batch: Callable[[list[str], list[str]], object]
) -> float:
    """Pairs per CPU-second of a program that takes many pairs of texts at a time."""
    pairs = [
        ("\n".join(model), "\n".join(peer))
        for topic in topics
        for model in topic.models
        for peer in topic.peers
    ]
    models, peers = map(list, zip(*pairs, strict=True))
    return len(pairs) / cpu_s(lambda: score_batch(models, peers))


def write(topics: Sequence[RougeComparison], folder: Path) -> Path:
    """Writes the summaries and their settings; returns the folder."""
    folder.mkdir()
    evaluations = {}
    for number, topic in enumerate(topics):
        evaluations[number] = tuple(
            {index: f"{number}.{kind}.{index}" for index in range(len(texts))}
            for kind, texts in (("P", topic.peers), ("M", topic.models))
        )
        names = [name for files in evaluations[number] for name in files.values()]
        for name, text in zip(names, [*topic.peers, *topic.models], strict=True):
            (folder / name).write_text("".join(f"{sentence}\n" for sentence in text))
    (folder / "settings.xml").write_text(rouge_settings(evaluations))
    return folder


def perl(
    program: PerlProgram, folder: Path, topics: Sequence[RougeComparison], *options: str
) -> float:
    command = ["perl", str(program.script), "-e", str(program.data), *options]
    return n_pairs(topics) / cpu_s_of_child([*command, "-r", "1", "-a", "settings.xml"], folder)


def row(name: str, rate: float, other: str, other_rate: float, goal: float) -> None:
    ratio = rate / other_rate
    verdict = "" if ratio >= goal else "  below the goal"
    print(
        f"| {name:<24} | {rate:>9,.0f} | {other:<14} | {other_rate:>9,.1f} | {ratio:>6.1f} "
        f"| {goal:>4.0f} |{verdict}",
        flush=True,
    )


def compare(program: PerlProgram, folder: Path, topics: Sequence[RougeComparison]) -> None:
    from rouge_score_rs import RougeScorer

    names = ["rouge1", "rouge2", "rougeLsum"]
    for stem in (False, True):
        measures = Measures(longest_ngram=2, lcs=True)
        fast = RougeScorer(names, use_stemmer=stem).score_batch
        rate, rate_of_fast = in_turn(
            partial(ours, topics, measures, stem=stem), partial(batchwise, topics[:10], fast)
        )
        row(f"1, 2, L{', stemmed' if stem else ''}", rate, "rouge-score-rs", rate_of_fast, 3)
    # As many topics as make the program's start-up a small part of its time.
    for name, measures, options, some, goal in (
        ("1, 2, L", Measures(longest_ngram=2, lcs=True), ["-n", "2"], topics[:3], 100.0),
        ("W", Measures(weight=1.2), ["-x", "-w", "1.2"], topics[:10], 100.0),
        ("SU4", Measures(skip=True, gap=4), ["-x", "-2", "4", "-u"], topics, 60.0),
    ):
        rate, rate_of_numpy, rate_of_perl = in_turn(
            partial(ours, topics, measures, stem=False),
            partial(by_numpy, topics, measures),
            partial(perl, program, write(some, folder / name), some, *options),
        )
        row(name, rate, "without kernel", rate_of_numpy, 1)
        row(name, rate, "Perl", rate_of_perl, goal)


def end_to_end(program: PerlProgram, folder: Path, topics: Sequence[RougeComparison]) -> None:
    """`awase rouge155` with DUC's options on 4,000 pairs; Perl on a share."""
    some = topics[:5]
    all_of_them, share = write(topics, folder / "all"), write(some, folder / "share")
    command = [str(AWASE), "rouge155", *_DUC, "settings.xml"]
    perl_command = ["perl", str(program.script), "-e", str(program.data), *_DUC, "settings.xml"]
    rate, perl_rate = in_turn(
        lambda: n_pairs(topics) / cpu_s_of_child(command, all_of_them),
        lambda: n_pairs(some) / cpu_s_of_child(perl_command, share),
    )
    row("rouge155, DUC's options", rate, "Perl", perl_rate, 100)


def main() -> None:
    """Prints the table."""
    head = ("measures".ljust(24), "pairs/s  ", "beside".ljust(14), "pairs/s  ")
    print("| " + " | ".join([*head, "ratio ", "goal"]) + " |")
    print("|---|---|---|---|---|---|")
    topics = comparisons(100)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = perl_program(folder)
        compare(program, folder, topics)
        end_to_end(program, folder, topics)
