"""What others wrote, against what is known: only what differs is made anew."""

from collections.abc import Collection
from dataclasses import replace

from awase.core.records.topic import Topic
from awase.storage.rows.changes import Changes


def kept_if_equal(known: Topic | None, read: Topic) -> Topic:
    """Returns what is known where it is what was read, so that nothing is made anew for it."""
    if known is None or known == read:
        return known or read
    return replace(read, documents=known.documents) if known.documents == read.documents else read


def narrowed(changes: Changes, differing: Collection[str], *, is_frame_new: bool) -> Changes:
    """Returns what really changed of what may have."""
    named = changes.touched_topics()
    return Changes(
        alignments=frozenset(key for key in changes.alignments if key[0] in differing),
        ranks=frozenset(key for key in changes.ranks if key[0] in differing),
        gold=frozenset(key for key in changes.gold if key[0] in differing),
        topics=frozenset(one for one in differing if one in changes.topics or one not in named),
        corpus=is_frame_new,
        parses=changes.parses,
        by=changes.by or ("",),
    )
