"""Which column of a table of texts is what, by the names that data sets of the field give them."""

from collections.abc import Collection, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

ID: Final = ("id", "instance_id", "doc_id", "docid", "document_id", "topic", "guid", "uid", "idx")
DOCUMENT: Final = (
    "document", "documents", "article", "source", "src", "input", "dialogue", "text", "content",
    "body", "full_text", "report",
)  # fmt: skip
REFERENCE: Final = (
    "reference", "references", "highlights", "ref", "refs", "reference_summary",
    "reference_summaries", "target", "tgt", "gold", "abstract", "abstracts", "summary", "summaries",
    "label", "labels",
)  # fmt: skip
SYSTEM: Final = (
    "prediction", "predictions", "predicted", "generated", "generated_summary", "decoded",
    "hypothesis", "hyp", "output", "model_output", "system_output", "candidate", "pred",
    "system_summary",
)  # fmt: skip
SYSTEM_NAME: Final = ("system", "system_id", "model", "model_id", "summarizer_id")

ROLES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "id": ID, "document": DOCUMENT, "reference": REFERENCE, "system": SYSTEM,
        "system name": SYSTEM_NAME,
    }
)  # fmt: skip
"""Role to the names that it goes by, the surest first."""


def column_for(role: str, columns: Collection[str]) -> str | None:
    """Returns the column that has a role, None when no name tells.

    >>> column_for("reference", ["id", "article", "Highlights"])
    'Highlights'
    """
    by_name = {column.strip().lower().replace("-", "_").replace(" ", "_"): column
               for column in columns}  # fmt: skip
    return next((by_name[name] for name in ROLES[role] if name in by_name), None)


def texts_in(value: object, *, is_plural: bool) -> tuple[tuple[str, ...], ...] | None:
    """Returns the texts of a field, sentence by sentence; None when it holds something else.

    Args:
        value: A text; a list of sentences, or of texts; or a list of lists of sentences.
        is_plural: Whether a list holds texts rather than the sentences of one.
    """
    if value is None:
        return ()
    if isinstance(value, str):
        return ((value,),)
    if not isinstance(value, list | tuple):
        return None
    if {*map(type, value)} == {str} or all(isinstance(one, str) for one in value):
        return tuple((one,) for one in value) if is_plural else (tuple(value),)
    if all(isinstance(one, list | tuple) and all(isinstance(s, str) for s in one) for one in value):
        return tuple(tuple(one) for one in value)
    return None


@cache
def is_plural(column: str) -> bool:
    """Returns whether a column's name says that it holds several texts.

    >>> is_plural("references"), is_plural("highlights")
    (True, False)
    """
    name = column.strip().lower()
    return name in ("refs", "documents", "references", "abstracts") or name.endswith("summaries")
