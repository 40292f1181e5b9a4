"""Whether an alternative is whole, by words alone: what it lacks, and what adds nothing to it.

Words decide nothing: a sentence may say in other words what the abstract says. What is here points
at places to look at.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from awase.core.annotation.candidates.terms import Term, keys_of, terms_of
from awase.core.records.identifiers import SentenceRef


@dataclass(frozen=True, slots=True, kw_only=True)
class UncoveredWord:
    """A stretch of an abstract sentence that no member of the alternative has.

    Attributes:
        start: Offset of its first character.
        end: Offset behind its last.
        is_elsewhere: Whether another source sentence of the topic has it, so that it can be had.
    """

    start: int
    end: int
    is_elsewhere: bool


class RemarkKind(Enum):
    """In which way a member seems needless."""

    ADDS_NOTHING = "adds nothing"
    ALONE_MAY_DO = "alone may do"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberRemark:
    """What the words say of one member of an alternative.

    Attributes:
        kind: What is odd.
        ref: The member.
    """

    kind: RemarkKind
    ref: SentenceRef


def uncovered_words(
    text: str, members: Iterable[str], known: frozenset[str]
) -> tuple[UncoveredWord, ...]:
    """Returns the content words of an abstract sentence that no member has, in their order.

    A stretch that several terms share (pairs of Japanese characters overlap) is covered when one
    of them is. Stop words and lone kanji are no content words.

    Args:
        text: The abstract sentence.
        members: Texts of the alternative's members; without any, everything is uncovered.
        known: Keys of the other source sentences; those of the members may be among them, as what
            a member has is not uncovered.
    """
    held = keys_of_all(members)
    terms = [term for term in terms_of(text) if len(term.key) > 1 or term.key.isascii()]
    covered = bytearray(len(text))
    for term in terms:
        if term.key in held:
            covered[term.start : term.end] = b"\1" * (term.end - term.start)
    lacking = [term for term in terms if not any(covered[term.start : term.end])]
    return _joined(lacking, known)


def _joined(terms: Sequence[Term], known: frozenset[str]) -> tuple[UncoveredWord, ...]:
    """Returns terms as stretches that do not overlap."""
    found: list[UncoveredWord] = []
    for term in terms:
        word = UncoveredWord(start=term.start, end=term.end, is_elsewhere=term.key in known)
        if found and term.start < found[-1].end:
            last = found.pop()
            word = UncoveredWord(
                start=last.start,
                end=max(last.end, word.end),
                is_elsewhere=last.is_elsewhere or word.is_elsewhere,
            )
        found.append(word)
    return tuple(found)


def member_remarks(
    text: str, members: Sequence[SentenceRef], text_by_ref: Mapping[SentenceRef, str]
) -> tuple[MemberRemark, ...]:
    """Returns what seems needless in an alternative of two members or more; else nothing.

    A member that has all words of the abstract sentence that the alternative has may do alone, and
    nothing is said of the others. Otherwise a member adds nothing when the others have all its
    words of it; equal ones are not all called needless: the first stays.
    """
    asked = frozenset(keys_of(text))
    shares = {ref: asked.intersection(keys_of(text_by_ref.get(ref, ""))) for ref in members}
    together = frozenset[str]().union(*shares.values())
    if len(members) < 2 or not together:
        return ()
    whole = next((ref for ref in members if shares[ref] == together), None)
    if whole is not None:
        return (MemberRemark(kind=RemarkKind.ALONE_MAY_DO, ref=whole),)
    needless: list[SentenceRef] = []
    for ref in reversed(members):
        others = (share for one, share in shares.items() if one != ref and one not in needless)
        if shares[ref] <= frozenset[str]().union(*others):
            needless.append(ref)
    return tuple(
        MemberRemark(kind=RemarkKind.ADDS_NOTHING, ref=ref) for ref in members if ref in needless
    )


def keys_of_all(texts: Iterable[str]) -> frozenset[str]:
    """Returns the keys of the terms of all texts."""
    return frozenset(key for text in texts for key in keys_of(text))
