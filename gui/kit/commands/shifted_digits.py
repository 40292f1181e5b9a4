"""The keys of a digit with Shift, on every keyboard."""

from typing import Final

# A remote desktop may tell the symbol alone; beyond five it depends on the keyboard.
_SYMBOLS: Final = ("!", '@,"', "#", "$", "%")


def shifted_digit(number: int) -> tuple[str, ...]:
    """Returns the symbol of Shift and the digit, 1 to 9."""
    symbols = _SYMBOLS[number - 1].split(",") if number <= len(_SYMBOLS) else []
    return (f"Shift+{number}", *symbols)
