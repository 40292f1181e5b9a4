"""Edits as the columns of the operation log, and back.

Which kind of edit a row holds follows from the columns that it fills: an entry has an annotator; a
decision, a rank and the text of an abstract sentence have a number without one; what has neither is
about the topic itself, as parts or as the text of one source sentence; what has no topic is the
guidelines or parts of the corpus.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, Final

from awase.core.records.differences import CorpusParts
from awase.core.records.edits.edit import (
    AbstractTextEdit,
    AlignmentEdit,
    CorpusEdit,
    Edit,
    GoldEdit,
    GuidelinesEdit,
    RankEdit,
    SourceTextEdit,
    TopicEdit,
)
from awase.core.records.encoding.json_values import (
    corpus_parts_of,
    corpus_parts_pieces,
    dumps,
    entry_of,
    entry_value,
    gold_entry_of,
    gold_entry_value,
    topic_parts_of,
    topic_parts_value,
)
from awase.core.records.gold import GoldEntry
from awase.core.records.identifiers import SentenceRef

_Row = Mapping[str, object]
_TEXT: Final = "text"
_GOLD: Final = "gold"
_PACKED: Final = "zlib:"
LONG: Final = 10_000
"""Characters from which a value is packed: an import is as long as what it brings."""


def logged(edit: Edit) -> dict[str, object]:
    """Returns the columns that are special to the kind of `edit`."""
    if isinstance(edit, AlignmentEdit):
        old, new = dumps(entry_value(edit.old)), dumps(entry_value(edit.new))
        return {"annotator": edit.annotator, "n": edit.new.n, "old": old, "new": new}
    if isinstance(edit, GoldEdit):
        return {"n": edit.n, "old": _decision_text(edit.old), "new": _decision_text(edit.new)}
    if isinstance(edit, RankEdit):
        return {"n": edit.n, "old": edit.old, "new": edit.new}
    if isinstance(edit, AbstractTextEdit):
        return {"n": edit.n, "old": _text_value(edit.old), "new": _text_value(edit.new)}
    if isinstance(edit, SourceTextEdit | GuidelinesEdit):
        return {"old": _text_value(edit.old), "new": _text_value(edit.new)}
    if isinstance(edit, CorpusEdit):
        return {
            "old": _packed(corpus_parts_pieces(edit.old)),
            "new": _packed(corpus_parts_pieces(edit.new)),
        }
    return {"old": dumps(topic_parts_value(edit.old)), "new": dumps(topic_parts_value(edit.new))}


def unlogged(row: _Row) -> Edit:
    """Returns the edit that a row of the log holds."""
    if row["annotator"] is not None:
        return _alignment_edit(row)
    if row["n"] is not None:
        return _edit_of_abstract_sentence(row)
    if row["topic"] is None:
        return _edit_of_corpus(row)
    verb, topic, subject = str(row["verb"]), str(row["topic"]), str(row["subject"])
    old, new = str(row["old"]), str(row["new"])
    if _has_key(old, _TEXT):
        ref = SentenceRef.parse(subject)
        return SourceTextEdit(verb=verb, topic=topic, ref=ref, old=_text(old), new=_text(new))
    return TopicEdit(
        verb=verb,
        topic=topic,
        old=topic_parts_of(json.loads(old)),
        new=topic_parts_of(json.loads(new)),
        abstract=_optional(row["abstract"]),
        subject=subject,
    )


def _alignment_edit(row: _Row) -> AlignmentEdit:
    return AlignmentEdit(
        verb=str(row["verb"]),
        topic=str(row["topic"]),
        abstract=str(row["abstract"]),
        annotator=str(row["annotator"]),
        old=entry_of(json.loads(str(row["old"]))),
        new=entry_of(json.loads(str(row["new"]))),
        subject=str(row["subject"]),
    )


def _edit_of_abstract_sentence(row: _Row) -> RankEdit | AbstractTextEdit | GoldEdit:
    n, old, new = whole(row["n"]), _optional(row["old"]), _optional(row["new"])
    place: dict[str, Any] = {  # Any: the three kinds take these alike
        "verb": str(row["verb"]),
        "topic": str(row["topic"]),
        "abstract": str(row["abstract"]),
        "n": n,
    }
    if old is not None and new is not None:
        if _has_key(old, _TEXT) and _has_key(new, _TEXT):
            return AbstractTextEdit(**place, old=_text(old), new=_text(new))
        if _has_key(old, _GOLD) and _has_key(new, _GOLD):
            subject = str(row["subject"])
            return GoldEdit(**place, old=_decision(old), new=_decision(new), subject=subject)
    return RankEdit(**place, old=old, new=new)


def _edit_of_corpus(row: _Row) -> GuidelinesEdit | CorpusEdit:
    verb = str(row["verb"])
    if row["old"] is None:  # its values were not asked for
        return CorpusEdit(
            verb=verb, old=CorpusParts(), new=CorpusParts(), subject=str(row["subject"])
        )
    old, new = str(row["old"]), str(row["new"])
    if _has_key(old, _TEXT):
        return GuidelinesEdit(verb=verb, old=_text(old), new=_text(new))
    return CorpusEdit(verb=verb, old=_parts(old), new=_parts(new), subject=str(row["subject"]))


def _parts(text: str) -> CorpusParts:
    return corpus_parts_of(json.loads(_unpacked(text) if text.startswith(_PACKED) else text))


def _decision_text(decided: GoldEntry | None) -> str:
    return dumps({_GOLD: None if decided is None else gold_entry_value(decided)})


def _decision(value: str) -> GoldEntry | None:
    decided = json.loads(value)[_GOLD]
    return None if decided is None else gold_entry_of(decided)


def _packed(pieces: Iterable[str]) -> str:
    first = ""
    for piece in (rest := iter(pieces)):
        first += piece
        if len(first) >= LONG:
            break
    else:
        return first
    packer, packed = zlib.compressobj(6), bytearray()
    for piece in chain((first,), rest):
        packed += packer.compress(piece.encode("utf-8"))
    packed += packer.flush()
    return _PACKED + base64.b64encode(packed).decode("ascii")


def _unpacked(text: str) -> str:
    """Returns a packed value; raises ValueError where it is damaged."""
    try:
        return zlib.decompress(base64.b64decode(text[len(_PACKED) :])).decode("utf-8")
    except zlib.error as error:
        raise ValueError("the packed value is damaged") from error


def _text_value(text: str) -> str:
    return dumps({_TEXT: text})


def _has_key(value: str, key: str) -> bool:
    return value.startswith(f'{{"{key}":')


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
