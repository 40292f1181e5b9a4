"""Settings of assistance, and records of suggestions and their outcome."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from awase.core.errors import Problem, raise_if_any

HIGHEST_LEVEL: Final = 4
DEFAULT_LEVEL: Final = 2
MOST_DECOYS: Final = 10
# Follows the version of a suggester whose suggestion was exchanged for a wrong one.
DECOY_MARK: Final = "decoy"


class AssistOrigin(Enum):
    """How an entry relates to a suggestion that its annotator saw."""

    TAKEN = "suggested-taken"
    CHANGED = "suggested-changed"
    REFUSED = "suggested-refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistSettings:
    """The project lead's settings of assistance."""

    # 0 document order, 1 ranked, 2 marks, 3 suggestions beside links, 4 suggestions first.
    level: int = DEFAULT_LEVEL
    # 0..90, the share of sentences that are shown at level 1 whatever the level is, so that the
    # rest can be compared with them; 0 = no comparison.
    control_percent: int = 0
    seed: int = 0
    # 0..10, the share of the other sentences whose suggestions are wrong on purpose, to see whether
    # what is taken was read; 0 = none.
    decoy_percent: int = 0
    weights: str = ""  # of the suggestions, fitted on this corpus, as JSON; empty = the program's

    def __post_init__(self) -> None:
        raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        for name, value, highest in (
            ("level", self.level, HIGHEST_LEVEL),
            ("control_percent", self.control_percent, 90),
            ("decoy_percent", self.decoy_percent, MOST_DECOYS),
        ):
            if not 0 <= value <= highest:
                yield Problem(
                    what="{name} is {value}.",
                    hint="It goes from 0 to {highest}.",
                    fields={"name": name, "value": value, "highest": highest},
                    path=f"assist.{name}",
                )


USUAL_ASSISTANCE: Final = AssistSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSuggestion:
    """A suggestion as the annotator saw it when deciding."""

    kind: str
    family: tuple[tuple[str, ...], ...]
    confidence: float  # 0..1, as it was shown
    source: str
    model: str
    shown_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedSuggestion:
    """An edit of an entry, with the suggestion behind it, as the log has them."""

    topic: str
    abstract: str
    annotator: str
    n: int
    active_ms: int
    n_keys: int | None  # keys pressed; None = not counted
    family: str | None  # JSON of the suggestion that was taken or refused; None = none was
    model: str | None  # version of who made it; None = none was

    @property
    def is_decoy(self) -> bool:
        """Whether the suggestion was wrong on purpose."""
        return self.model is not None and self.model.endswith(DECOY_MARK)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditEffort:
    """Keys and suggestion behind an edit; its time is logged apart."""

    active_ms: int = 0
    n_keys: int | None = None  # keys pressed since the act before; None = they are not counted
    # The suggestion that was taken or refused; None = none was.
    shown: ShownSuggestion | None = None
