"""What the default run tries of a matrix: representatives; the slow run tries the rest.

And how tiny cases are tried: a test costs 5 ms before it does anything, in three processes.
"""

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
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


def in_turn(
    names: str | Sequence[str], cases: Iterable[Case]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Tries cases one after the other in one test; a failure names its case.

    For what takes microseconds and leaves nothing behind: fixtures are made once for all.

    Args:
        names: Of the test's arguments that make up a case, as `pytest.mark.parametrize` has them.
        cases: A value each, or as many as there are names.
    """
    known = names.replace(" ", "").split(",") if isinstance(names, str) else [*names]
    chosen = [_values(case, len(known)) for case in cases]
    assert chosen, "nothing is tried"

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def each(**fixtures: Any) -> None:
            for values in chosen:
                try:
                    test(**fixtures, **dict(zip(known, values, strict=True)))
                except Exception as error:
                    error.add_note(f"in the case {values!r}")
                    raise

        has = inspect.signature(test).parameters
        left = [parameter for name, parameter in has.items() if name not in known]
        each.__signature__ = inspect.Signature(left)  # type: ignore[attr-defined]
        return each

    return decorated


def _values(case: Case, n_names: int) -> tuple[Any, ...]:
    if hasattr(case, "marks"):
        return tuple(case.values)
    return tuple(case) if n_names > 1 else (case,)
