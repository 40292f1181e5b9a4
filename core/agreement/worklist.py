"""What there is to decide in a corpus: where annotators differ, and on how much they agree."""

from dataclasses import dataclass

from awase.core.agreement.adjudication import Case, cases_of
from awase.core.agreement.blinding import seen_by
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class Worklist:
    """What somebody can decide.

    Attributes:
        cases: In which annotators differ, the worst first; equal ones in their order.
        n_agreed: Sentences on which all agree and of which nothing is decided yet.
        n_compared: Sentences that two or more annotators settled.
        n_hidden: Topics whose agreement is hidden from whoever looks.
    """

    cases: tuple[Case, ...]
    n_agreed: int
    n_compared: int
    n_hidden: int


def worklist_of(corpus: Corpus, who: str, reporter: Reporter) -> Worklist:
    """Returns what `who` can decide.

    Args:
        corpus: With the annotators' work.
        who: Who decides.
        reporter: Told of each topic.

    Raises:
        Cancelled: The reporter asked to stop.
    """
    shown = seen_by(corpus, who).topics
    cases: list[Case] = []
    n_agreed = n_compared = 0
    for done, topic in enumerate(shown):
        reporter.advance(done, len(shown), topic.id)
        for case in cases_of(topic):
            n_compared += 1
            n_agreed += case.is_agreed
            if not case.is_unanimous:
                cases.append(case)
    return Worklist(
        cases=tuple(sorted(cases, key=lambda case: -case.distance)),
        n_agreed=n_agreed,
        n_compared=n_compared,
        n_hidden=len(corpus.topics) - len(shown),
    )
