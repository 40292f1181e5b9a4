"""Values of options that several metrics understand alike."""

import re
from collections.abc import Mapping

from awase.core.errors import InputError
from awase.core.text.limits import NO_LIMIT, LengthLimit
from awase.core.text.tokens.tokenisers import Tokeniser

_LIMIT = re.compile(r"([1-9][0-9]{0,8})([wbc])")
_DECIMAL = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,15})?")


def choice_of(chosen: Mapping[str, str], option: str, *choices: str) -> str:
    """Returns the value of an option that has these choices.

    Raises:
        InputError: The value is another.
    """
    value = chosen[option]
    if value not in choices:
        spelled = [f"{option}={choice}" for choice in choices]
        raise InputError.of(
            "{option}={value} is not a choice.",
            "Use {first} or {last}.",
            option=option,
            value=value,
            first=", ".join(spelled[:-1]),
            last=spelled[-1],
        )
    return value


def plain_decimal(option: str, text: str) -> str:
    """Returns a decimal in its shortest spelling.

    Raises:
        InputError: It is none.
    """
    if not _DECIMAL.fullmatch(text):
        raise InputError.of(
            "{option}={value} is not a number.", "Write a decimal such as {option}=1.2.",
            option=option, value=text,
        )  # fmt: skip
    whole, _, decimals = text.partition(".")
    decimals = decimals.rstrip("0")
    return f"{int(whole)}.{decimals}" if decimals else str(int(whole))


def alpha_of(text: str) -> float:
    """Returns the weight of precision in F.

    Raises:
        InputError: It is over 1.
    """
    value = float(text)
    if value > 1:
        raise InputError.of("Alpha is {alpha}.", "Choose 0 to 1.", alpha=text)
    return value


def limit_of(text: str, tokeniser: Tokeniser) -> LengthLimit:
    """Returns the limit that an option spells: `none`, `100w`, `665b`, `400c`.

    Args:
        text: As spelled.
        tokeniser: Where it counts words, `100w` are a hundred of its words.

    Raises:
        InputError: It spells none.
    """
    if text == "none":
        return NO_LIMIT
    match = _LIMIT.fullmatch(text)
    if match is None:
        raise InputError.of(
            "limit={value} is not a length.",
            "Use limit=none, or a number of words, characters or bytes such as limit=100w, "
            "limit=400c or limit=665b.",
            value=text,
        )
    size = int(match[1])
    if match[2] == "w":
        return LengthLimit(tokens=size) if tokeniser.counts_words else LengthLimit(words=size)
    return LengthLimit(bytes=size) if match[2] == "b" else LengthLimit(characters=size)
