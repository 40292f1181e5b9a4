"""Roles, topics, lengths, authors and dates by names of files and folders.

A folder is a topic, unless the names beside each other are those of topics:

    quake/asahi-2024-01-02.txt  quake/mainichi.txt  quake/abstract-short.txt

    a folder a role, a file a topic:
    documents/t1.txt  references/t1.txt  systems/lead/t1.txt

    the number is the topic (pyrouge):
    system/news.001.txt  model/news.A.001.txt  model/news.B.001.txt

    every name has topic and role:
    t1.doc.txt  t1.ref.txt  t1.sys.lead.txt
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Self

from awase.core.formats.reading.requests import (
    DOCUMENT,
    LEFT_OUT,
    REFERENCE,
    SYSTEM,
    TextFile,
)
from awase.core.formats.reading.roles import JAPANESE_ROLES

_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("document", "documents", "doc", "docs", "source", "sources", "src",
                         "article", "articles", "input", "inputs", "text", "texts"), DOCUMENT),
        **dict.fromkeys(("reference", "references", "ref", "refs", "abstract", "abstracts", "gold",
                         "model", "models", "target", "targets", "human", "highlights"), REFERENCE),
        **dict.fromkeys(("system", "systems", "sys", "peer", "peers", "output", "outputs", "out",
                         "prediction", "predictions", "pred", "generated", "decoded", "candidate",
                         "candidates", "hyp", "summary", "summaries"), SYSTEM),
        **JAPANESE_ROLES,
    }
)  # fmt: skip
_LENGTHS: Final = {"short": "short", "long": "long", "medium": "medium", "middle": "medium",
                   "短": "short", "長": "long", "中": "medium"}  # fmt: skip
_NO_TEXTS: Final = ("readme", "license", "licence", "copying", "changelog", "notes")
_BETWEEN = re.compile(r"[._\-\s]+")
_WORD_OF_JAPANESE = re.compile("(" + "|".join(JAPANESE_ROLES) + ")")
_LENGTH = re.compile(r"\d+(w|words?|chars?|字)", re.I)
_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)([-_.]?)(\d\d)\2(\d\d)(?!\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Name:
    name: str
    parent: tuple[str, ...]
    role: str  # of a folder or the file's name; empty without
    is_by_folder: bool
    inner: tuple[str, ...]
    stem: str  # the file's name without its ending
    before: str  # words of the stem before the role's, joined; all without a role
    after: str  # those behind it, its number first

    @classmethod
    def of(cls, name: str) -> Self:
        *folders, base = name.split("/")
        stem = re.sub(r"\.(txt|text)$", "", base, flags=re.I)
        for at, folder in enumerate(folders):
            role = _WORDS.get(folder.lower())
            if role is not None:
                return cls(name=name, parent=(*folders[:at],), role=role, is_by_folder=True,
                           inner=(*folders[at + 1 :],), stem=stem, before=stem,
                           after="")  # fmt: skip
        role, before, after = _words_of(stem, is_last=bool(folders))
        return cls(name=name, parent=(*folders,), role=role, is_by_folder=False, inner=(),
                   stem=stem, before=before, after=after)  # fmt: skip


def is_text(name: str) -> bool:
    """Returns whether a file's name is that of a plain text.

    >>> is_text("t1/abstract.txt"), is_text("t1/abstract.M.100"), is_text("t1/photo.png")
    (True, False, False)
    """
    base = name.rpartition("/")[2]
    return "." not in base or bool(re.search(r"\.(txt|text|[A-Za-z])$", base, re.I))


def files_of(names: Iterable[str], place: str) -> tuple[TextFile, ...]:
    """Parses relative names of a folder's texts, in order, skipping other files.

    A text without a role in its name is a document, flagged as a guess.
    """
    told = [_Name.of(name) for name in names if is_text(name)]
    by_file = _parents_with_a_topic_a_file(told)
    are_topics_named = _are_topics_named(told)
    n_parents = len({one.parent for one in told if one.parent in by_file})
    by_number = _by_number([one for one in told if one.parent not in by_file])
    found = [
        _by_file(one, is_alone=n_parents == 1)
        if one.is_by_folder and one.parent in by_file
        else by_number.get(one.name) or _by_folder(one, place, are_topics_named=are_topics_named)
        for one in told
    ]
    return _with_lengths([_with_facts(file) for file in found])


def _words_of(stem: str, *, is_last: bool) -> tuple[str, str, str]:
    """Returns role, the words before it, and those behind it.

    In a topic's folder the role is last (`lead.system`), else behind the topic's name.
    """
    words = [word for word in _BETWEEN.split(_WORD_OF_JAPANESE.sub(r"_\1_", stem)) if word]
    places = [*enumerate(words)]
    for at, word in reversed(places) if is_last else places:
        bare = word.rstrip("0123456789")
        role = _WORDS.get(word.lower()) or _WORDS.get(bare.lower())
        if role is not None:
            behind = [word[len(bare) :], *words[at + 1 :]]
            return role, "_".join(words[:at]), "_".join(filter(None, behind))
    if any(word.lower() in _LENGTHS for word in words) and len(words) <= 2:
        return REFERENCE, "", "_".join(words)
    return "", stem, ""


def _parents_with_a_topic_a_file(told: Sequence[_Name]) -> set[tuple[str, ...]]:
    """Returns the parents of role folders with a file a topic."""
    roles_of: dict[tuple[str, ...], dict[str, set[str]]] = {}
    for one in told:
        if one.is_by_folder:
            roles_of.setdefault(one.parent, {}).setdefault(one.stem, set()).add(one.role)
    beside = {one.parent for one in told if not one.is_by_folder}
    return {
        parent
        for parent, of_stems in roles_of.items()
        if _are_stems_topics(of_stems.values(), is_alone=not parent and parent not in beside)
    }


def _are_stems_topics(roles_of_stems: Collection[set[str]], *, is_alone: bool) -> bool:
    """Returns whether documents are named as their summaries, or there is one role."""
    roles = set.union(*roles_of_stems)
    if len(roles) == 1:
        return is_alone
    return any(
        len(one) > 1 and (DOCUMENT in one or DOCUMENT not in roles) for one in roles_of_stems
    )


def topics_by_number(names: Iterable[str]) -> dict[str, str]:
    """Returns the topic of each file in role folders with numbered names.

    >>> topics_by_number(["system/0_decoded.txt", "reference/0_reference.txt"])
    {'system/0_decoded.txt': '0', 'reference/0_reference.txt': '0'}
    """
    found = _by_number([_Name.of(name) for name in names])
    return {name: file.topic for name, file in found.items()}


def _by_number(told: Sequence[_Name]) -> dict[str, TextFile]:
    """Returns numbered outputs and references in role folders, by name.

    The part of a name beside its number that is not common to all is a system or a reference.
    """
    found: dict[str, TextFile] = {}
    groups: dict[tuple[str, ...], list[_Name]] = {}
    for one in told:
        if one.is_by_folder:
            groups.setdefault(one.parent, []).append(one)
    for group in groups.values():
        words = {one.name: _words_beside_role(one.stem) for one in group}
        shared = set.intersection(*map(set, words.values()))
        number_of = {name: _number_in(each, shared) for name, each in words.items()}
        if not all(number_of.values()) or not _are_numbered_alike(group, number_of):
            continue
        for one in group:
            rest = [w for w in words[one.name] if w not in shared and not w.isdigit()]
            label = "_".join((*one.inner, *rest))
            found[one.name] = TextFile(
                name=one.name, role=one.role, topic=number_of[one.name], label=label
            )
    return found


def _words_beside_role(stem: str) -> list[str]:
    return [word for word in _BETWEEN.split(stem) if word and word.lower() not in _WORDS]


def _number_in(words: Sequence[str], shared: Collection[str]) -> str:
    """Returns the number among words, of several the varying one."""
    numbers = [word for word in words if word.isdigit()]
    return ".".join([number for number in numbers if number not in shared] or numbers)


def _are_numbered_alike(group: Sequence[_Name], number_of: Mapping[str, str]) -> bool:
    """Returns whether most outputs have a reference of their number."""
    of_role: dict[str, set[str]] = {}
    for one in group:
        of_role.setdefault(one.role, set()).add(number_of[one.name])
    if not {REFERENCE, SYSTEM} <= of_role.keys():
        return False
    n_common = len(of_role[REFERENCE] & of_role[SYSTEM])
    return 2 * n_common > max(len(of_role[REFERENCE]), len(of_role[SYSTEM]))


def _are_topics_named(told: Sequence[_Name]) -> bool:
    """Returns whether all names of a folder end in a role after the topic."""
    flat = [one for one in told if not one.parent and not one.is_by_folder]
    return bool(flat) and all(one.role and one.before for one in flat)


def _by_file(one: _Name, *, is_alone: bool) -> TextFile:
    labels = one.inner if is_alone else (*one.parent, *one.inner)
    return TextFile(name=one.name, role=one.role, topic=one.stem, label="/".join(labels))


def _by_folder(one: _Name, place: str, *, are_topics_named: bool) -> TextFile:
    topic = "/".join(one.parent) or place
    if one.is_by_folder:
        words = [word for word in _BETWEEN.split(one.stem) if _is_length(word)]
        is_system = one.role == SYSTEM and one.inner
        label = "_".join((one.inner[0], *words) if is_system else (*one.inner, one.stem))
        return TextFile(name=one.name, role=one.role, topic=topic, label=label)
    if not one.role:
        is_none = one.stem.lower() in _NO_TEXTS
        role = LEFT_OUT if is_none else DOCUMENT
        return TextFile(name=one.name, role=role, topic=topic, label=one.stem, is_told=False)
    if not one.parent and are_topics_named:
        return TextFile(name=one.name, role=one.role, topic=one.before, label=one.after)
    number = re.match(r"\d*", one.after)
    first = number[0] if number else ""
    rest = one.after[len(first) :].strip("_")
    label = "_".join(filter(None, (first, one.before, rest)))
    return TextFile(name=one.name, role=one.role, topic=topic, label=label)


def _with_facts(file: TextFile) -> TextFile:
    """Returns the file with length, author and date from its label."""
    if file.role == DOCUMENT:
        return replace(file, date=_date_of(file.label))
    words = [word for word in _BETWEEN.split(file.label) if word]
    lengths = [word for word in words if _is_length(word)]
    length = _LENGTHS.get(lengths[0].lower(), lengths[0].lower()) if lengths else ""
    rest = [word for word in words if word not in lengths]
    if file.role == SYSTEM:
        label = "_".join(rest) if lengths else file.label
        return replace(file, length=length, label=label)
    author = "_".join(word for word in rest if not word.isdigit())
    return replace(file, length=length, author=author)


def _with_lengths(files: Sequence[TextFile]) -> tuple[TextFile, ...]:
    """Sets the outputs' missing length to that of the topic's abstracts, if unique."""
    of_topic: dict[str, set[str]] = {}
    for file in files:
        if file.role == REFERENCE:
            of_topic.setdefault(file.topic, set()).add(file.length)
    return tuple(
        replace(file, length=next(iter(of_topic[file.topic])))
        if file.role == SYSTEM and not file.length and len(of_topic.get(file.topic, ())) == 1
        else file
        for file in files
    )


def _is_length(word: str) -> bool:
    return word.lower() in _LENGTHS or _LENGTH.fullmatch(word) is not None


def _date_of(label: str) -> str:
    match = _DATE.search(label)
    if match is None or not (1 <= int(match[3]) <= 12 and 1 <= int(match[4]) <= 31):
        return ""
    return f"{match[1]}-{match[3]}-{match[4]}"
