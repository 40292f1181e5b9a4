"""The agreement within each topic."""

import math
from collections.abc import Sequence

import numpy as np

from awase.core.agreement.measures.topic_sums import TopicSums
from awase.core.agreement.study.results import TopicAgreement


def by_topic(found: TopicSums, topics: Sequence[str]) -> tuple[TopicAgreement, ...]:
    """Returns the agreement within the topics that have an item; `topics` are ids of the sums."""
    places = np.flatnonzero(found.n_items)
    columns = found.columns[places]
    observed, expected = found.shares(columns)
    rows = zip(
        places.tolist(),
        found.n_items[places].astype(int).tolist(),
        observed.tolist(),
        expected.tolist(),
        found.values(columns).tolist(),
        strict=True,
    )
    return tuple(
        [
            TopicAgreement(
                topic=topics[place],
                n_items=n_items,
                observed=_defined(one),
                expected=_defined(other),
                alpha=_defined(alpha),
            )
            for place, n_items, one, other, alpha in rows
        ]
    )


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
