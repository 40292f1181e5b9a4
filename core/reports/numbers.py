"""Formatting of numbers for people: `0.833`, `1.000`, `+0.167`.

Tables as values, terminals and files keep the hyphen, which programs parse; the window and HTML set
a true minus (`typeset`).
"""

import re
from fractions import Fraction
from typing import Final

from awase.core.reports.grid import UNDEFINED

DECIMALS: Final = 3
_HYPHEN: Final = re.compile(r"(?<![\w.])-(?=\d)")


def decimal_text(value: Fraction | float | None, decimals: int = DECIMALS) -> str:
    """Formats a number with all decimals; a dash when undefined.

    >>> decimal_text(Fraction(5, 6)), decimal_text(1), decimal_text(-0.0001), decimal_text(None)
    ('0.833', '1.000', '0.000', '—')
    """
    return UNDEFINED if value is None else f"{float(value):z.{decimals}f}"


def change_text(value: Fraction | float, decimals: int = DECIMALS) -> str:
    """Formats a difference with its sign, none for zero at these decimals.

    >>> change_text(Fraction(1, 6)), change_text(-0.5, 2), change_text(-0.0001)
    ('+0.167', '-0.50', '0.000')
    """
    text = decimal_text(value, decimals)
    return f"+{text}" if float(text) > 0 else text


def typeset(text: str) -> str:
    """Replaces hyphens of negative numbers by minus signs.

    >>> typeset("-0.5 [-1, 2]"), typeset("rouge-1, 1-2, a.-3")
    ('−0.5 [−1, 2]', 'rouge-1, 1-2, a.-3')
    """
    return _HYPHEN.sub("−", text)
