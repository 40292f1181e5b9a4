"""ROUGE beside other programs, in one run: pairs (summary x reference) per CPU-second.

Run: `python -m tests.benchmarks.rouge`. 50 topics x 4 references x 20 systems, made up, of 100 and
250 words. Ours scores all 4,000 pairs at once, as `awase score` does; slow programs score a share.
Goals: 3 x rouge-score-rs, a single pair 10 x rouge-score, ROUGE-W 100 x and ROUGE-SU4 60 x Perl,
`awase rouge155` with DUC's options 100 x Perl end to end, start-up and all.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from awase.core.metrics.rouge.comparison import REFERENCES, RougeComparison
from awase.core.metrics.rouge.measures import Measures, tallied
from awase.core.metrics.rouge.tokens import Preparation
from tests.benchmarks.rouge_corpus import comparisons
from tests.core.metrics.rouge.perl_program import PerlProgram, perl_program

_PERL_TOPICS = 3
_DUC = ["-n", "4", "-w", "1.2", "-2", "4", "-u", "-m", "-r", "1000", "-a"]
AWASE = Path(sys.executable).with_name("awase")
N_TIMES = 5


def n_pairs(topics: Sequence[RougeComparison]) -> int:
    return sum(len(topic.peers) * len(topic.models) for topic in topics)


def cpu_s(work: Callable[[], object]) -> float:
    """CPU-seconds of the work, which is repeated for at least a third of a second."""
    n_times = 0
    begin = time.process_time()
    while (used := time.process_time() - begin) < 1 / 3:
        work()
        n_times += 1
    return used / n_times


def in_turn(*works: Callable[[], float], n_times: int = N_TIMES) -> list[float]:
    """Medians of what the works return, run by turns: a busy machine slows all of them alike."""
    rounds = [[work() for work in works] for _ in range(n_times)]
    return [statistics.median(rates) for rates in zip(*rounds, strict=True)]


def cpu_s_of_child(command: Sequence[str], cwd: Path) -> float:
    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    begin = used()
    subprocess.run(
        command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True
    )
    return used() - begin


def ours(topics: Sequence[RougeComparison], measures: Measures, *, stem: bool) -> float:
    """Pairs per CPU-second as `awase score` counts them, scores rounded and all."""

    def work() -> None:
        for some in tallied(topics, measures, Preparation(stem=stem)):
            for tally in some.by_label.values():
                REFERENCES["a"].scores(tally, 0.5)

    return n_pairs(topics) / cpu_s(work)


def pairwise(topics: Sequence[RougeComparison], score: Callable[[str, str], object]) -> float:
    """Pairs per CPU-second of a program that takes one pair of texts at a time."""
    pairs = [
        ("\n".join(model), "\n".join(peer))
        for topic in topics
        for model in topic.models
        for peer in topic.peers
    ]
    return len(pairs) / cpu_s(lambda: [score(*pair) for pair in pairs])


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
    parts = ["<ROUGE-EVAL>"]
    for number, topic in enumerate(topics):
        parts.append(f'<EVAL ID="{number}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>')
        parts.append('<INPUT-FORMAT TYPE="SPL"/>')
        for outer, inner, texts in (("PEERS", "P", topic.peers), ("MODELS", "M", topic.models)):
            parts.append(f"<{outer}>")
            for index, text in enumerate(texts):
                name = f"{number}.{inner}.{index}"
                (folder / name).write_text("".join(f"{sentence}\n" for sentence in text))
                parts.append(f'<{inner} ID="{index}">{name}</{inner}>')
            parts.append(f"</{outer}>")
        parts.append("</EVAL>")
    (folder / "settings.xml").write_text("\n".join([*parts, "</ROUGE-EVAL>"]))
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
        f"| {name:<34} | {rate:>9,.0f} | {other:<14} | {other_rate:>9,.1f} | {ratio:>6.1f} "
        f"| {goal:>4.0f} |{verdict}",
        flush=True,
    )


def compare(program: PerlProgram, folder: Path, n_words: int) -> None:
    from rouge_score.rouge_scorer import RougeScorer
    from rouge_score_rs import RougeScorer as FastScorer

    topics = comparisons(n_words)
    few = topics[:_PERL_TOPICS]
    fewer = [RougeComparison(peers=topic.peers[:5], models=topic.models) for topic in few]
    written = write(few, folder / f"few{n_words}")
    names = ["rouge1", "rouge2", "rougeLsum"]
    for stem in (False, True):
        kind = f"{n_words} words{', stemmed' if stem else ''}"
        options = ["-n", "2", *(["-m"] if stem else [])]
        fast = FastScorer(names, use_stemmer=stem).score_batch
        slow = RougeScorer(names, use_stemmer=stem).score
        rate, rate_of_fast, rate_of_slow, rate_of_perl = in_turn(
            partial(ours, topics, Measures(longest_ngram=2, lcs=True), stem=stem),
            partial(batchwise, topics[:10], fast),
            partial(pairwise, fewer, slow),
            partial(perl, program, written, few, *options),
        )
        row(f"1, 2, L: {kind}", rate, "rouge-score-rs", rate_of_fast, 3)
        row(f"1, 2, L: {kind}", rate, "Perl", rate_of_perl, 100)
        row(f"1, 2, L: {kind}", rate, "rouge-score", rate_of_slow, 10)
    # As many topics as make the program's start-up a small part of its time.
    for name, measures, options, n_topics, goal in (
        ("W", Measures(weight=1.2), ["-x", "-w", "1.2"], 10, 100.0),
        ("SU4", Measures(skip=True, gap=4), ["-x", "-2", "4", "-u"], len(topics), 60.0),
    ):
        some = topics[:n_topics]
        rate, rate_of_perl = in_turn(
            partial(ours, topics, measures, stem=False),
            partial(perl, program, write(some, folder / f"{name}{n_words}"), some, *options),
            n_times=3,
        )
        row(f"{name}: {n_words} words", rate, "Perl", rate_of_perl, goal)


def end_to_end(program: PerlProgram, folder: Path, n_words: int, n_perl_topics: int) -> None:
    """`awase rouge155` with DUC's options on 4,000 pairs; Perl on a share, unless asked for all."""
    topics = comparisons(n_words)
    some = topics[:n_perl_topics]
    all_of_them = write(topics, folder / f"all{n_words}")
    share = write(some, folder / f"share{n_words}")
    command = [str(AWASE), "rouge155", *_DUC, "settings.xml"]
    perl_command = ["perl", str(program.script), "-e", str(program.data), *_DUC, "settings.xml"]
    rate, perl_rate = in_turn(
        lambda: n_pairs(topics) / cpu_s_of_child(command, all_of_them),
        lambda: n_pairs(some) / cpu_s_of_child(perl_command, share),
        n_times=3,
    )
    row(f"rouge155, DUC's options: {n_words} words", rate, "Perl", perl_rate, 100)


def main() -> None:
    """Prints the table; with ALL_PERL=1 the Perl program scores all 4,000 pairs end to end."""
    n_perl_topics = 50 if os.environ.get("ALL_PERL") else 5
    head = ("measures, summaries".ljust(34), "pairs/s  ", "beside".ljust(14), "pairs/s  ")
    print("| " + " | ".join([*head, "ratio ", "goal"]) + " |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = perl_program(folder)
        for n_words in (100, 250):
            compare(program, folder, n_words)
            end_to_end(program, folder, n_words, n_perl_topics)


if __name__ == "__main__":
    main()
