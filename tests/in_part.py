"""What the default run tries of a matrix: representatives; the slow run tries the rest."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

Case = Any
"""A value, a tuple of values, or a `pytest.param`."""


def in_part(
    cases: Iterable[Case], *, first: int = 1, by_default: Callable[[Case], bool] | None = None
) -> list[Any]:
    """Returns the cases as parameters, all but the representatives marked `slow`.

    Args:
        cases: In the order in which they are tried.
        first: How many of the first ones the default run tries.
        by_default: Chooses the representatives instead.
    """
    chosen = [*cases]
    is_quick = [by_default(case) if by_default else at < first for at, case in enumerate(chosen)]
    assert any(is_quick), "the default run tries none"
    return [case if quick else _slow(case) for case, quick in zip(chosen, is_quick, strict=True)]


def _slow(case: Case) -> Any:
    if hasattr(case, "marks"):
        return case._replace(marks=(*case.marks, pytest.mark.slow))
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.slow)
