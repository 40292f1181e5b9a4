"""Measurements side by side with a named peer; run by `make bench`, never by pytest."""

import resource
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Returns CPU milliseconds of this process and of those it waited for, and the result."""
    start = _cpu_s()
    result = work()
    return 1000 * (_cpu_s() - start), result


def in_turns(works: Mapping[str, Callable[[], object]], n_times: int) -> dict[str, list[float]]:
    """Returns CPU milliseconds of each work, by turns; the first time, which imports, is not."""
    spent: dict[str, list[float]] = {name: [] for name in works}
    for at in range(n_times + 1):
        for name, work in works.items():
            ms, _ = timed(work)
            if at:
                spent[name].append(ms)
    return spent


def print_table(head: str, rows: Iterable[Sequence[object]]) -> None:
    """Prints rows in Markdown as they come, below titles that bars part."""
    n_columns = head.count("|") + 1
    print(f"| {head} |\n|{'---|' * n_columns}")
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |", flush=True)


def _cpu_s() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
