"""A limit on work that reads no clock, so that the same call always ends in the same place."""

import math


class EffortSpent(Exception):
    """The work was stopped by its limit; never leaves `awase.core.solvers`."""


class Effort:
    """Steps that a solver may still take; one step costs about a microsecond.

    Attributes:
        left: Steps left; infinite when there is no limit.
    """

    __slots__ = ("left",)

    def __init__(self, steps: float | None = None) -> None:
        self.left = math.inf if steps is None else steps

    def spend(self, steps: float) -> None:
        """Takes `steps` off.

        Raises:
            EffortSpent: They were more than what was left.
        """
        self.left -= steps
        if self.left < 0:
            raise EffortSpent
