"""What a solver can say about its own answer."""

from enum import Enum


class Status(Enum):
    """How far an answer is known to be the best one.

    The values are stored in databases and exports, and never change.
    """

    OPTIMAL = "optimal"
    """The answer is proved best, and everything asked about it is known."""

    FEASIBLE = "feasible"
    """The answer satisfies every constraint; bounds say how far from the best it can be."""

    INFEASIBLE = "infeasible"
    """Nothing satisfies the constraints; the result names those in conflict."""

    TIMED_OUT = "timed out"
    """Time ran out first; like FEASIBLE, but nobody is working on it any more."""
