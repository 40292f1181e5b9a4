"""What is asked of a whole corpus without reading its topics: who works on it, and how far."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from awase.core.progress import Reporter
from awase.core.project.parts import Part
from awase.core.project.topic_list import AbstractTally, TopicTally
from awase.core.records.alignment import AlignmentState
from awase.storage.databases.querying import (
    Readable,
    named_values,
    only_row_of,
    rows_among,
    rows_of,
)

_SETTLED: Final = ", ".join(f"'{state.value}'" for state in AlignmentState if state.is_settled)
_TOPICS: Final = "SELECT id, key, title FROM topic WHERE key IN {names}"
_ABSTRACTS: Final = """
    SELECT topic_id, abstract.id, abstract.key, (
        SELECT COUNT(*) FROM abstract_sentence WHERE abstract_sentence.abstract_id = abstract.id
    )
    FROM abstract WHERE topic_id IN {names} ORDER BY topic_id, abstract.position
"""
_STATES: Final = f"""
    SELECT abstract.id, annotator,
        COALESCE(SUM(CASE WHEN state IN ({_SETTLED}) THEN 1 ELSE 0 END), 0),
        COALESCE(SUM(CASE WHEN state = '{AlignmentState.FLAGGED.value}' THEN 1 ELSE 0 END), 0)
    FROM abstract JOIN alignment ON alignment.abstract_id = abstract.id
    LEFT JOIN sentence_alignment ON sentence_alignment.alignment_id = alignment.id
    WHERE abstract.topic_id IN {{names}}
    GROUP BY abstract.id, alignment.id, annotator, alignment.position
    ORDER BY abstract.id, alignment.position
"""
_N_ENTRIES: Final = "SELECT COUNT(*) FROM sentence_alignment"
_TITLES: Final = "SELECT key, COALESCE(title, '') FROM topic ORDER BY position"
_AT_ONCE: Final = 200
_MOST: Final = 1 << 20
"""No topic has so many abstracts, and nothing in one so many parts."""
_TOPIC_PLACE: Final = f"CAST(topic.position AS BIGINT) * {_MOST}"
_PLACE: Final = f"({_TOPIC_PLACE} + abstract.position)"
_ANNOTATORS: Final = "SELECT DISTINCT annotator FROM alignment"
_ANNOTATORS_IN_ORDER: Final = f"""
    SELECT annotator FROM alignment
    JOIN abstract ON abstract.id = alignment.abstract_id
    JOIN topic ON topic.id = abstract.topic_id
    WHERE {{among}}
    GROUP BY annotator
    ORDER BY MIN({_PLACE} * {_MOST} + alignment.position)
"""
_SYSTEMS: Final = f"""
    SELECT system FROM output JOIN topic ON topic.id = output.topic_id
    GROUP BY system ORDER BY MIN({_TOPIC_PLACE} + output.position)
"""
_LENGTHS: Final = "SELECT DISTINCT length FROM abstract WHERE length IS NOT NULL"
_LENGTHS_IN_ORDER: Final = f"""
    SELECT length FROM abstract JOIN topic ON topic.id = abstract.topic_id
    WHERE {{among}} AND length IS NOT NULL
    GROUP BY length ORDER BY MIN({_PLACE})
"""
_IN_FIRST_TOPICS: Final = "topic.id IN (SELECT id FROM topic ORDER BY position LIMIT 20)"
_IN_ANY_TOPIC: Final = "TRUE"
_LANGUAGES: Final = "SELECT DISTINCT language FROM topic"
_HAS_ALIGNMENTS: Final = "SELECT EXISTS (SELECT 1 FROM alignment)"
_HAS_ALIGNED: Final = "SELECT EXISTS (SELECT 1 FROM alignment WHERE annotator = :who)"
_UNSETTLED: Final = f"""
    SELECT topic.key FROM topic JOIN abstract ON abstract.topic_id = topic.id
    WHERE topic.key IN {{names}} AND (
        SELECT COUNT(*) FROM abstract_sentence WHERE abstract_sentence.abstract_id = abstract.id
    ) > (
        SELECT COUNT(*) FROM alignment
        JOIN sentence_alignment ON sentence_alignment.alignment_id = alignment.id
        WHERE alignment.abstract_id = abstract.id AND annotator = :who AND state IN ({_SETTLED})
    )
"""
NEAR, FARTHER = 20, 500
_HAS: Final[Mapping[Part, str]] = {
    Part.TEXTS: "SELECT EXISTS (SELECT 1 FROM document)",
    Part.ABSTRACTS: "SELECT EXISTS (SELECT 1 FROM abstract)",
    Part.LINKS: "SELECT EXISTS (SELECT 1 FROM sentence_alignment WHERE alternatives <> '[]')",
    Part.GOLD: "SELECT EXISTS (SELECT 1 FROM gold_entry)",
    Part.OUTPUTS: "SELECT EXISTS (SELECT 1 FROM output)",
    Part.HUMAN_SCORES: "SELECT EXISTS (SELECT 1 FROM human_score)",
    Part.ANNOTATORS: "SELECT COUNT(*) > 1 FROM (SELECT DISTINCT annotator FROM alignment) AS who",
}


def has_part(connection: Readable, part: Part) -> bool:
    """Returns whether the corpus has any of these, as `core.project.parts.has` tells."""
    return bool(only_row_of(connection, _HAS[part])[0])


def read_annotators(connection: Readable) -> tuple[str, ...]:
    """Returns everybody who aligned anything, those first who stand in the first topics."""
    return _in_order(connection, _ANNOTATORS, _ANNOTATORS_IN_ORDER)


def read_systems(connection: Readable) -> tuple[str, ...]:
    """Returns everybody whose outputs are there, those first who stand in the first topics."""
    return tuple(name for (name,) in rows_of(connection, _SYSTEMS))


def next_unsettled_topic(
    connection: Readable, who: str, ids: Sequence[str], reporter: Reporter
) -> str | None:
    """Returns the first of the topics with a sentence that `who` has not settled; None = none has.

    Args:
        connection: Within a transaction.
        who: The annotator.
        ids: Of topics, in the order in which they are looked at.
        reporter: Told how many were.

    Raises:
        Cancelled: The reporter asked to stop.
    """
    begin, n = 0, NEAR  # mostly it is the next one
    while begin < len(ids):
        reporter.advance(begin, len(ids), ids[begin])
        some = ids[begin : begin + n]
        among, named = named_values(some)
        rows = rows_of(connection, _UNSETTLED.format(names=among), who=who, **named)
        found = {key for (key,) in rows}
        for topic_id in some:
            if topic_id in found:
                return topic_id
        begin, n = begin + n, FARTHER
    return None


def read_lengths(connection: Readable) -> tuple[str, ...]:
    """Returns the length classes of abstracts, those first that stand in the first topics."""
    return _in_order(connection, _LENGTHS, _LENGTHS_IN_ORDER)


def _in_order(connection: Readable, query: str, ordered: str) -> tuple[str, ...]:
    """Returns different names in their order, which takes ten times as long to ask of all topics.

    Mostly there is one, or all stand in the first topics.
    """
    names = [name for (name,) in rows_of(connection, query)]
    for among in (_IN_FIRST_TOPICS, _IN_ANY_TOPIC) if len(names) > 1 else ():
        in_order = [name for (name,) in rows_of(connection, ordered.format(among=among))]
        if len(in_order) == len(names):
            return tuple(in_order)
    return tuple(names)


def read_languages(connection: Readable) -> tuple[str | None, ...]:
    """Returns the topics' languages, None of those that tell none."""
    return tuple(language for (language,) in rows_of(connection, _LANGUAGES))


def has_alignments(connection: Readable, who: str | None = None) -> bool:
    """Returns whether anybody began to align, or this person."""
    if who is None:
        return bool(only_row_of(connection, _HAS_ALIGNMENTS)[0])
    return bool(only_row_of(connection, _HAS_ALIGNED, who=who)[0])


def read_titles(connection: Readable) -> tuple[tuple[str, str], ...]:
    """Returns id and title of each topic, empty where it has none, in their order."""
    return tuple((key, title) for key, title in rows_of(connection, _TITLES))


def n_entries(connection: Readable) -> int:
    """Returns how many entries annotators have, those with nothing in them included."""
    return int(only_row_of(connection, _N_ENTRIES)[0])


def read_tallies(connection: Readable, ids: Sequence[str]) -> Iterator[TopicTally]:
    """Yields how far the topics with these ids are, in this order; what is gone is left out."""
    for begin in range(0, len(ids), _AT_ONCE):
        keys = ids[begin : begin + _AT_ONCE]
        found = {
            key: (row_id, title) for row_id, key, title in rows_among(connection, _TOPICS, keys)
        }
        abstracts = _abstract_tallies(connection, [row_id for row_id, _ in found.values()])
        for key in keys:
            if key in found:
                row_id, title = found[key]
                yield TopicTally(id=key, title=title or "", abstracts=tuple(abstracts[row_id]))


def _abstract_tallies(
    connection: Readable, topics: Sequence[int]
) -> dict[int, list[AbstractTally]]:
    by_abstract: dict[int, list[tuple[str, int, int]]] = defaultdict(list)
    for row_id, who, settled, flagged in rows_among(connection, _STATES, topics):
        by_abstract[row_id].append((who, int(settled), int(flagged)))
    abstracts: dict[int, list[AbstractTally]] = defaultdict(list)
    for topic_id, row_id, key, n in rows_among(connection, _ABSTRACTS, topics):
        abstracts[topic_id].append(
            AbstractTally(id=key, n_sentences=n, by_annotator=tuple(by_abstract[row_id]))
        )
    return abstracts
