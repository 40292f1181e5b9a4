"""The last sentences of the source: how well does one do with the worst place to look?"""

from collections.abc import Mapping, Sequence

from awase.plugins import Extractor, Source, Topic


def choose(
    topic: Topic, sources: Sequence[Source], n: int, options: Mapping[str, str]
) -> Sequence[int]:
    """Returns the places of the last n sentences, the last one first."""
    return list(range(len(sources)))[::-1][:n]


EXTRACTOR = Extractor(name="last", what="the last sentences of the last documents", choose=choose)
