"""Folders of plain texts, pyrouge's too: documents, references (abstracts) and outputs.

Roles are by name or set by the user. Texts are split by the rules of their language, unless each
line is a sentence already. A file alone is one document.

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

from awase.core.errors import CorpusFormatError, Findings, in_source
from awase.core.formats.reading.requests import (
    DOCUMENT,
    LEFT_OUT,
    REFERENCE,
    SYSTEM,
    ReadRequest,
    ReadResult,
    TextFile,
    broken_character,
    stem,
)
from awase.core.formats.reading.roles import JAPANESE_ROLES, TakenAs, used_roles
from awase.core.formats.reading.topic_parts import (
    TopicParts,
    language_of,
    naming,
    numbered_abstract,
    numbered_document,
)
from awase.core.records.addition import Addition
from awase.core.records.source import GIVEN
from awase.core.records.topic import TextOutput
from awase.core.text.script import Separators, has_japanese_letters
from awase.core.text.sentences import LINES, OTHER_STOPS, split_sentences, split_text, splitter_of

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
        words = {
            one.name: [w for w in _BETWEEN.split(one.stem) if w and w.lower() not in _WORDS]
            for one in group
        }
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


_CLOSERS = "」』｣）)”’\"'"
_STOPS = f"。．｡.…{OTHER_STOPS}"
_MARKS = "！？!?"


def read_document(request: ReadRequest) -> ReadResult:
    """Returns the document of a text file, split into sentences.

    A first line before a blank line that does not end like a sentence is the title.
    """
    with in_source(request.source):
        topic_id = needed_topic(request)
        title, body, first_line = titled(request.text.removeprefix("\ufeff"))
        language = language_of(request, topic_id)
        sentences = split_sentences(body, language)
        if not sentences:
            raise CorpusFormatError.of(
                "The file has no text." if title is None else "The file has only a title.",
                "Choose a file that has sentences.",
            )
        document = numbered_document(
            stem(request.source),
            [sentence.text for sentence in sentences],
            splitter_of(body, language),
            paragraphs=[sentence.paragraph for sentence in sentences],
            title=title,
        )
    problems = Findings(request.source)
    line, counted = first_line, 0
    for sentence in sentences:
        line += body.count("\n", counted, sentence.start)
        counted = sentence.start
        problems.warn(line, broken_character(sentence.text, ""))
    return ReadResult(
        addition=Addition(documents=((topic_id, document),)), warnings=tuple(problems.warnings)
    )


def needed_topic(request: ReadRequest) -> str:
    """Returns the topic that the request names."""
    if not request.topic:
        raise CorpusFormatError.of(
            "The file does not say which topic its documents belong to.", "Name the topic."
        )
    return request.topic


def titled(text: str) -> tuple[str | None, str, int]:
    """Returns title, rest of the text and the line where the rest begins."""
    lines = text.split("\n")
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    title = lines[first].strip()
    has_blank_line = first + 1 < len(lines) and not lines[first + 1].strip()
    if has_blank_line and title and not _is_sentence(title):
        return title, "\n".join(lines[first + 1 :]), first + 2
    return None, text, 1


def _is_sentence(line: str) -> bool:
    # Japanese headlines end in marks and quotations (首相「辞めない」, 年金、どうなる？), too.
    bare = line.rstrip(_CLOSERS)
    if has_japanese_letters(line):
        return "。" in bare or bare.endswith(tuple(_STOPS))
    return bare.endswith(tuple(_STOPS + _MARKS)) or bare != line


_BY_ROLE: Final = {DOCUMENT: "src", REFERENCE: "ref", SYSTEM: "system"}
_ENDS: Final = (".", "!", "?", "。", "！", "？", "''", '"', "”", "」", "’", ")")


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitText:
    """A text in sentences."""

    title: str | None = None  # its headline; None when it has none
    # In order, with paragraphs if known.
    sentences: tuple[tuple[str, int | None], ...] = ()
    split: str = GIVEN  # how the text became them (`split=` in signatures)

    @property
    def texts(self) -> tuple[str, ...]:
        """The sentences alone."""
        return tuple(text for text, _ in self.sentences)


def read(request: ReadRequest) -> ReadResult:
    """Returns topics of the files; roles set by the user (`request.texts`) are not reported."""
    files = request.texts or _guessed(request)
    wanted = _labelled([file for file in files if file.role != LEFT_OUT])
    findings = Findings(request.source)
    parts = TopicParts(request)
    texts: dict[str, SplitText] = {}
    for file in wanted:
        text = texts[file.name] = split_file(
            request.files.text(file.name) or "",
            language_of(request, file.topic),
            file.role,
            way=request.sentences,
            separators=request.separators,
        )
        if not text.sentences:
            findings.add(None, what="“{name}” has no text.", hint="Leave it out.", name=file.name)
        parts.add_topic(file.topic)
        _add(parts, file, text)
    findings.refuse_if_any()
    taken_as: tuple[TakenAs, ...] = ()
    if not request.texts:
        others = [name for name in request.files.names() if not is_text(name)]
        names = {role: tuple(one.name for one in files if one.role == role) for role in _BY_ROLE}
        every = (*(file.name for file in files), *others)
        taken_as = (used_roles(request.source, names, every),)
        guessed = naming(
            [file.name for file in files if file.role == DOCUMENT and not file.is_told],
            what="{n} {n:file whose name gives no role was read as a document|files whose names "
            "give no role were read as documents}: {names}.",
        )
        findings.warn(None, guessed)
        for doubt in doubts(wanted, {name: text.texts for name, text in texts.items()}):
            findings.remark(
                None,
                what="“{document}” was read as a document and has {n} of the {of} "
                "{of:sentence|sentences} of “{abstract}”, which is an abstract.",
                hint="If it is an abstract, too, say so in its name.",
                document=doubt.document,
                abstract=doubt.abstract,
                n=doubt.n_shared,
                of=doubt.n_sentences,
            )
    return replace(parts.result(findings.warnings), taken_as=taken_as)


def split_file(
    text: str,
    language: str | None,
    role: str = DOCUMENT,
    *,
    way: str | None = None,
    separators: Separators | None = None,
) -> SplitText:
    """Returns the sentences of a text.

    Lines of a document are sentences where each of several ends as one does; else they may be
    wrapped. Those of an abstract or an output are sentences, and none is a title; these are split
    by `way`.
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if role != DOCUMENT:
        split = split_text(text, way, language, separators=separators)
        return SplitText(sentences=tuple((one, None) for one in split.sentences), split=split.way)
    separators = separators or Separators()
    given = separators.parts(text)
    if given is not None:
        return SplitText(sentences=tuple((one, None) for one in given))
    title, body, _ = (None, text, 1) if len(lines) == 1 else titled(text)
    if title is None and len(lines) > 1 and all(line.endswith(_ENDS) for line in lines):
        separators.note_lines()
        return SplitText(sentences=tuple((line, None) for line in lines), split=LINES)
    sentences = split_sentences(body, language)
    separators.joins_lines |= any("\n" in body[one.start : one.end] for one in sentences)
    found = tuple((one.text, one.paragraph) for one in sentences)
    return SplitText(title=title, sentences=found, split=splitter_of(body, language))


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A document that repeats an abstract of its topic."""

    document: str
    abstract: str
    n_shared: int
    n_sentences: int


def doubts(files: Sequence[TextFile], sentences: Mapping[str, Sequence[str]]) -> tuple[Doubt, ...]:
    """Returns each document with a sentence of an abstract, and the abstract with most in common.

    `sentences` are by the file's name.
    """
    abstracts: dict[str, list[TextFile]] = {}
    for file in files:
        if file.role == REFERENCE:
            abstracts.setdefault(file.topic, []).append(file)
    found: list[Doubt] = []
    for file in files:
        if file.role != DOCUMENT or file.topic not in abstracts:
            continue
        own = {"".join(text.split()) for text in sentences.get(file.name, ())}
        each = [
            Doubt(
                document=file.name,
                abstract=abstract.name,
                n_shared=sum("".join(text.split()) in own for text in texts),
                n_sentences=len(texts),
            )
            for abstract in abstracts[file.topic]
            for texts in [sentences.get(abstract.name, ())]
        ]
        closest = max(each, key=lambda doubt: doubt.n_shared)
        if closest.n_shared:
            found.append(closest)
    return tuple(found)


def _guessed(request: ReadRequest) -> tuple[TextFile, ...]:
    files = files_of(request.files.names(), stem(request.source) or "1")
    if not any(file.is_told for file in files):
        raise CorpusFormatError.of(
            "No file name says whether it is a document, a reference or a system's output.",
            "Put them into the folders documents, references and systems/NAME.",
        )
    return files


def _labelled(files: Sequence[TextFile]) -> list[TextFile]:
    """Labels unlabelled files by role, numbered if several."""
    groups: dict[tuple[str, str], list[str]] = {}
    for file in files:
        groups.setdefault((file.topic, file.role), []).append(file.name)
    labelled: list[TextFile] = []
    for file in files:
        names, word = groups[file.topic, file.role], _BY_ROLE[file.role]
        own = word if len(names) == 1 else f"{word}{names.index(file.name) + 1}"
        labelled.append(replace(file, label=file.label or own))
    return labelled


def _add(parts: TopicParts, file: TextFile, text: SplitText) -> None:
    length = file.length or None
    if file.role == DOCUMENT:
        document = numbered_document(
            file.label,
            text.texts,
            text.split,
            paragraphs=[paragraph for _, paragraph in text.sentences],
            title=text.title,
            date=file.date or None,
        )
        parts.add_document(file.topic, document)
    elif file.role == REFERENCE:
        abstract = numbered_abstract(
            file.label, text.texts, text.split, length=length, author=file.author or None
        )
        parts.add_abstract(file.topic, abstract)
    else:
        output = TextOutput(
            system=file.label, length=length, sentences=text.texts, split=text.split
        )
        parts.add_outputs(file.topic, output)
