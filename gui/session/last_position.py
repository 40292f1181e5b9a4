"""Last position of each annotator in each corpus.

Stored in the machine's settings, as navigation is no edit. If the corpus's log is ahead (edited on
another machine, or the program was killed), its last edit is used instead.
"""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # Settings are read before the first paint, which does without the records.
    from awase.core.records.edit import Edit
    from awase.core.records.topic import Topic

MOST_PLACES: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class LastPosition:
    """A place in a corpus."""

    location: str
    who: str
    topic: str
    abstract: str = ""  # id of the abstract; empty when there was none
    n: int = 0  # number of the abstract sentence; 0 when there was none
    pane: int = 1  # which of the three panes had the keyboard, from 0
    step: int = 0  # row in the operation log of the annotator's last edit then; 0 = none


def with_last_position(
    known: tuple[LastPosition, ...], place: LastPosition
) -> tuple[LastPosition, ...]:
    """Returns the positions with this one as the newest."""
    key = (place.location, place.who)
    others = (other for other in known if (other.location, other.who) != key)
    return (place, *others)[:MOST_PLACES]


def last_position(
    known: tuple[LastPosition, ...],
    location: str,
    who: str,
    *,
    step: int,
    edit: "Edit | None",
    n: int,
) -> LastPosition | None:
    """Returns the last position; None = unknown.

    Args:
        step: Row in the log of the annotator's last edit; 0 = none.
        n: The abstract sentence of that edit; 0 = none.
    """
    kept = next((place for place in known if (place.location, place.who) == (location, who)), None)
    if kept is not None and kept.step >= step:
        return kept
    if edit is None or not edit.topic:
        return kept
    return LastPosition(
        location=location, who=who, topic=edit.topic, abstract=edit.abstract or "", n=n, step=step
    )


def still_there(place: LastPosition, topic: "Topic | None") -> tuple[str, str | None, int] | None:
    """Returns topic, abstract and sentence as far as they still exist; None = nothing."""
    if topic is None:
        return None
    abstract = topic.abstract(place.abstract)
    if abstract is None:
        return (topic.id, None, 0)
    is_sentence = any(sentence.n == place.n for sentence in abstract.sentences)
    return (topic.id, abstract.id, place.n if is_sentence else 0)


def places_of(stored: object) -> tuple[LastPosition, ...]:
    """Parses positions of a settings file, skipping invalid ones."""
    items = stored if isinstance(stored, list) else []
    return tuple(place for item in items if (place := _place_of(item)) is not None)[:MOST_PLACES]


def _place_of(stored: object) -> LastPosition | None:
    example = asdict(LastPosition(location="", who="", topic=""))
    if not isinstance(stored, dict) or stored.keys() != example.keys():
        return None
    if any(type(stored[key]) is not type(value) for key, value in example.items()):
        return None
    return LastPosition(**stored)
