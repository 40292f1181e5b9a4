"""Second readings: which of what people finished long enough ago they are to align again."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

from awase.core.project.second_readings import SecondReadingRequest, Work, read_again
from awase.core.records.corpus import Corpus


def second_readings(
    people: Sequence[str],
    worked_at: Mapping[Work, str],
    *,
    share: float,
    days: int,
    due: str | None = None,
    seed: int = 1,
) -> Callable[[Corpus], Corpus]:
    """Returns what assigns second readings to a corpus, for `change_corpus`.

    Args:
        people: Ids of those who read again.
        worked_at: When everybody worked on what, as the corpus's store tells.
        share: Percentage of what each has finished, above 0, to 100.
        days: How long ago they have to have finished it.
        due: When it is to be done, ISO 8601; None = no date.
        seed: Of the drawing.
    """
    before = datetime.now(UTC) - timedelta(days=days)
    request = SecondReadingRequest(
        people=tuple(people),
        share=share,
        before=before.isoformat(timespec="milliseconds") if days else None,
        due=due,
        seed=seed,
    )
    return partial(read_again, request=request, worked_at=worked_at)
