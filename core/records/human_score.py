"""Values that people gave to systems."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from awase.core.errors import Problem, raise_if_any
from awase.core.records.identifiers import id_problems


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanScore:
    """One judgement.

    Attributes:
        system: The system judged.
        measure: What was judged (`coverage`, `readability`, …).
        value: Finite; its range and direction are the measure's own.
        topic: Topic judged; None for a judgement of the system as a whole.
        annotator: Who judged; None when unknown.
    """

    system: str
    measure: str
    value: float
    topic: str | None = None
    annotator: str | None = None

    def __post_init__(self) -> None:
        raise_if_any(self._problems())

    @property
    def key(self) -> tuple[str | None, str, str, str | None]:
        """What may stand only once in a corpus: topic, system, measure, annotator."""
        return (self.topic, self.system, self.measure, self.annotator)

    def _problems(self) -> Iterator[Problem]:
        yield from id_problems(self.system, "system")
        yield from id_problems(self.measure, "measure")
        for name, value in (("topic", self.topic), ("annotator", self.annotator)):
            if value is not None:
                yield from id_problems(value, name)
        if not math.isfinite(self.value):
            yield Problem(
                what="The score is not a finite number.",
                hint="Leave the entry out when there is no score.",
                path="value",
            )
