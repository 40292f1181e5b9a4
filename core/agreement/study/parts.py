"""Agreement on a part of the sentences against the rest."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from awase.core.agreement.measures.coding import coded
from awase.core.agreement.measures.distances import FamilyComparer, SetDistance
from awase.core.agreement.measures.levels import Levels
from awase.core.agreement.measures.topic_sums import TopicSums
from awase.core.agreement.study.differences import SumsCompared, compared_sums
from awase.core.agreement.study.request import AgreementRequest
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic, annotators_of

# A topic to (abstract, n) of some of its abstract sentences.
PartOf = Callable[[Topic], frozenset[tuple[str, int]]]

FEWEST_ANNOTATORS = 2


def agreement_in_parts(
    corpus: Corpus, part_of: PartOf, request: AgreementRequest, reporter: Reporter
) -> SumsCompared | None:
    """Returns alpha of the alternatives on sentences outside a part, then inside.

    Topics with sentences of both sorts are resampled. None with fewer than two annotators.
    """
    annotators = annotators_of(corpus.topics)
    if len(annotators) < FEWEST_ANNOTATORS:
        return None
    both = tuple(Levels([annotators], [SetDistance.ALTERNATIVES], ()) for _ in range(2))
    for done, topic in enumerate(corpus.topics):
        still_wanted = partial(reporter.advance, done, len(corpus.topics), topic.id)
        still_wanted()
        part, whole = part_of(topic), coded(topic, annotators, request.length)
        comparer = FamilyComparer(request.most_states, still_wanted)
        for is_inside, levels in enumerate(both):
            items = tuple(
                item
                for item in whole.items
                if ((item.abstract.id, item.n) in part) == bool(is_inside)
            )
            levels.add(replace(whole, items=items), comparer)
    outside, inside = (levels.measured(SetDistance.ALTERNATIVES, annotators) for levels in both)
    if not isinstance(outside, TopicSums) or not isinstance(inside, TopicSums):
        return None
    return compared_sums((outside, inside), request, reporter)
