"""Which outputs answer which abstracts, the same for every metric.

An output with a length class answers the abstracts of that class. An output without one answers
every abstract of its topic for which its system has no output of the abstract's own class.
"""

from collections.abc import Iterator

from awase.core.records.abstract import Abstract
from awase.core.records.output import Extract
from awase.core.records.topic import Topic


def abstracts_by_length(topic: Topic) -> dict[str | None, list[Abstract]]:
    """Returns the topic's abstracts by length class, in the order in which they first stand."""
    groups: dict[str | None, list[Abstract]] = {}
    for abstract in topic.abstracts:
        groups.setdefault(abstract.length, []).append(abstract)
    return groups


def extracts_for(topic: Topic, length: str | None) -> dict[str, Extract]:
    """Returns the extract of each system that answers abstracts of this length class."""
    chosen: dict[str, Extract] = {}
    for output in topic.outputs:
        if isinstance(output, Extract) and output.length in (length, None):
            known = chosen.get(output.system)
            if known is None or known.length is None:
                chosen[output.system] = output
    return chosen


def unanswering_extracts(topic: Topic) -> Iterator[Extract]:
    """Yields the extracts that answer no abstract of the topic."""
    answering = {
        (extract.system, extract.length)
        for length in abstracts_by_length(topic)
        for extract in extracts_for(topic, length).values()
    }
    for output in topic.outputs:
        if isinstance(output, Extract) and (output.system, output.length) not in answering:
            yield output
