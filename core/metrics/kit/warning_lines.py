"""Warnings said once for all systems that they strike in the same topics."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from awase.core.errors import Listing, Problem

_SHOWN = 5


class PartialMeans:
    """Collects the means over fewer topics than there are."""

    def __init__(self) -> None:
        self._means: defaultdict[tuple[str | None, int, int, str], dict[str, None]]
        self._means = defaultdict(dict)

    def note(
        self, system: str, length: str | None, metric: str, n_defined: int, n_topics: int
    ) -> None:
        """Takes note of a mean over fewer topics than there are."""
        if 0 < n_defined < n_topics:
            self._means[length, n_defined, n_topics, system][metric] = None

    def problems(self) -> Iterator[Problem]:
        """Yields the warnings."""
        alike: defaultdict[tuple[str | None, int, int, tuple[str, ...]], dict[str, None]]
        alike = defaultdict(dict)
        for (length, n_defined, n_topics, system), metrics in self._means.items():
            alike[length, n_defined, n_topics, tuple(metrics)][system] = None
        for (length, n_defined, n_topics, names), systems in alike.items():
            yield Problem(
                what="The mean {metrics} of {systems} ({length}) is over {defined} of {topics} "
                "topics; compare it with care.",
                fields={
                    "metrics": listed(names),
                    "systems": listed([*systems]),
                    "length": length or "any length",
                    "defined": n_defined,
                    "topics": n_topics,
                },
            )


def of_systems(
    topics_by_system: Mapping[str, Iterable[str]], warning: Problem, **fields: str
) -> Iterator[Problem]:
    """Yields the warning once for all systems that it strikes in the same topics."""
    alike: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for system, topics in topics_by_system.items():
        alike[tuple(topics)].append(system)
    for topics, systems in alike.items():
        yield replace(
            warning,
            fields={"systems": listed(systems), "topics": listed(topics), **fields},
        )


def listed(names: Sequence[str]) -> str:
    """Returns the first names, and how many there are when some are left out."""
    return Listing(names, most=_SHOWN, is_counted=True)
