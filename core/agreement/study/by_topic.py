"""The agreement within each topic, of which a corpus may have very many: columns of numbers."""

import math
from collections.abc import Sequence

import numpy as np

from awase.core.agreement.measures.topic_sums import TopicSums
from awase.core.agreement.study.results import TopicAgreement
from awase.core.made_sequence import MadeSequence


class ByTopic(MadeSequence[TopicAgreement]):
    """The topics that have an item, each made when it is asked for; 32 bytes are held of one."""

    def __init__(self, found: TopicSums, topics: Sequence[str]) -> None:
        """Reckons the values of all topics.

        Args:
            found: Sums of some annotators on one level.
            topics: Ids of the topics, in the order of the sums; of none where there is no sum.
        """
        self._topics = topics
        self._at = np.flatnonzero(found.n_items)
        self._n_items = found.n_items[self._at].astype(np.int32)
        columns = found.columns[self._at]
        self._observed, self._expected = found.shares(columns)
        self._alphas = found.values(columns)

    def __len__(self) -> int:
        return len(self._at)

    def item(self, at: int) -> TopicAgreement:
        """Returns the agreement within the topic at a place."""
        return TopicAgreement(
            topic=self._topics[self._at[at]],
            n_items=int(self._n_items[at]),
            observed=_defined(self._observed[at]),
            expected=_defined(self._expected[at]),
            alpha=_defined(self._alphas[at]),
        )


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
