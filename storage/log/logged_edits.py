"""Edits as the columns of the operation log, and back.

Which kind of edit a row holds follows from the columns that it fills: an entry has an annotator; a
rank and the text of an abstract sentence have a number without one; what has neither is about the
topic itself, as parts or as the text of one source sentence; what has no topic is the guidelines.
"""

import json
from collections.abc import Mapping
from typing import Final

from awase.core.records.edit import (
    AbstractTextEdit,
    AlignmentEdit,
    Edit,
    GuidelinesEdit,
    RankEdit,
    SourceTextEdit,
    TopicEdit,
)
from awase.core.records.identifiers import SentenceRef
from awase.storage.log.part_values import parts_of, parts_text
from awase.storage.rows.json_values import dumps, entry_of, entry_text

_Row = Mapping[str, object]
_TEXT: Final = "text"


def logged(edit: Edit) -> dict[str, object]:
    """Returns the columns that are special to the kind of `edit`."""
    if isinstance(edit, AlignmentEdit):
        old, new = entry_text(edit.old), entry_text(edit.new)
        return {"annotator": edit.annotator, "n": edit.new.n, "old": old, "new": new}
    if isinstance(edit, RankEdit):
        return {"n": edit.n, "old": edit.old, "new": edit.new}
    if isinstance(edit, AbstractTextEdit):
        return {"n": edit.n, "old": _text_value(edit.old), "new": _text_value(edit.new)}
    if isinstance(edit, SourceTextEdit | GuidelinesEdit):
        return {"old": _text_value(edit.old), "new": _text_value(edit.new)}
    return {"old": parts_text(edit.old), "new": parts_text(edit.new)}


def unlogged(row: _Row) -> Edit:
    """Returns the edit that a row of the log holds."""
    if row["annotator"] is not None:
        return _alignment_edit(row)
    if row["n"] is not None:
        return _edit_of_abstract_sentence(row)
    verb, topic, subject = str(row["verb"]), str(row["topic"]), str(row["subject"])
    old, new = str(row["old"]), str(row["new"])
    if row["topic"] is None:
        return GuidelinesEdit(verb=verb, old=_text(old), new=_text(new))
    if _is_text(old):
        ref = SentenceRef.parse(subject)
        return SourceTextEdit(verb=verb, topic=topic, ref=ref, old=_text(old), new=_text(new))
    return TopicEdit(
        verb=verb,
        topic=topic,
        old=parts_of(old),
        new=parts_of(new),
        abstract=_optional(row["abstract"]),
        subject=subject,
    )


def _alignment_edit(row: _Row) -> AlignmentEdit:
    return AlignmentEdit(
        verb=str(row["verb"]),
        topic=str(row["topic"]),
        abstract=str(row["abstract"]),
        annotator=str(row["annotator"]),
        old=entry_of(str(row["old"])),
        new=entry_of(str(row["new"])),
        subject=str(row["subject"]),
    )


def _edit_of_abstract_sentence(row: _Row) -> RankEdit | AbstractTextEdit:
    verb, topic, abstract = str(row["verb"]), str(row["topic"]), str(row["abstract"])
    n, old, new = whole(row["n"]), _optional(row["old"]), _optional(row["new"])
    if old is not None and new is not None and _is_text(old) and _is_text(new):
        return AbstractTextEdit(
            verb=verb, topic=topic, abstract=abstract, n=n, old=_text(old), new=_text(new)
        )
    return RankEdit(verb=verb, topic=topic, abstract=abstract, n=n, old=old, new=new)


def _text_value(text: str) -> str:
    return dumps({_TEXT: text})


def _is_text(value: str) -> bool:
    return value.startswith(f'{{"{_TEXT}":')


def _text(value: str) -> str:
    return str(json.loads(value)[_TEXT])


def _optional(value: object) -> str | None:
    return None if value is None else str(value)


def whole(value: object) -> int:
    """Returns a column that holds a whole number.

    Raises:
        TypeError: It holds something else.
    """
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is not a whole number")
    return value
