"""Tags by which data sets of the field part the sentences of a text on one line."""

import re
from typing import Final

_SEPARATOR: Final = re.compile(r"</?t>|<q>|<n>|</s>|<S_SEP>|\[SEP\]", re.IGNORECASE)
_OPENING: Final = re.compile(r"<s>", re.IGNORECASE)


class Separators:
    """Whether tags part sentences, and which did.

    Attributes:
        is_on: Whether they do.
        found: Those that did, in the order in which they were met; not `<t> … </t>`, which are
            this program's own.
    """

    def __init__(self, *, is_on: bool = True) -> None:
        """Has met none."""
        self.is_on = is_on
        self.found: dict[str, None] = {}

    def parts(self, text: str) -> tuple[str, ...] | None:
        """Returns the sentences of a text that tags part; None = none does.

        >>> Separators().parts("a b <q> c"), Separators().parts("<q>a</q>")
        (('a b', 'c'), None)
        """
        if not self.is_on or ("<" not in text and "[" not in text):
            return None
        met = dict.fromkeys(_SEPARATOR.findall(text))
        if "</q>" in text:
            met.pop("<q>", None)  # HTML's quotations
        if not met:
            return None
        self.found |= {tag: None for tag in met if tag not in ("<t>", "</t>")}
        if "</s>" in met:
            text = _OPENING.sub(" ", text)
        pieces = re.split("|".join(map(re.escape, met)), text)
        return tuple(filter(None, map(str.strip, pieces)))
