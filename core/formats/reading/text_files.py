"""What somebody says, or a name tells, about a plain text: its role, its topic, who wrote it."""

from dataclasses import dataclass
from typing import Final

DOCUMENT: Final = "document"
REFERENCE: Final = "reference"
SYSTEM: Final = "system"
LEFT_OUT: Final = ""
"""The role of a text that is not wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFile:
    """A plain text of a folder.

    Attributes:
        name: From the folder on, parts joined by `/`.
        role: `DOCUMENT`, `REFERENCE` (an abstract), `SYSTEM` or `LEFT_OUT`.
        topic: Id of its topic.
        label: Id of the document or abstract, or the system's name; empty = made from the role.
        length: Length class of an abstract or an output; empty = none.
        author: Who wrote an abstract; empty = unknown.
        date: Of a document, as ISO 8601; empty = unknown.
        is_told: Whether a name tells the role, or a person did; otherwise it is a guess.
    """

    name: str
    role: str
    topic: str
    label: str = ""
    length: str = ""
    author: str = ""
    date: str = ""
    is_told: bool = True
