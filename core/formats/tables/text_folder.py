"""A folder of plain texts whose roles their names tell: documents, references, systems' outputs.

documents/t1.txt  references/t1.txt  systems/lead/t1.txt        a folder a role, a file a topic
t1/document.txt   t1/reference.txt   t1/lead.system.txt          a folder a topic
t1.doc.txt        t1.ref.txt         t1.sys.lead.txt             everything in one folder

A text is split into sentences by the rules of its language, unless each line is one already.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from awase.core.errors import CorpusFormatError
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.sentence_names import known_ids
from awase.core.formats.scores.score_rows import Rows
from awase.core.formats.tables.text_records import SOURCE_ID, OutputText, TextRecord, TextTopics

DOCUMENT, REFERENCE, SYSTEM = "document", "reference", "system"
_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("document", "documents", "doc", "docs", "source", "sources", "src",
                         "article", "articles", "input", "inputs", "text", "texts"), DOCUMENT),
        **dict.fromkeys(("reference", "references", "ref", "refs", "abstract", "abstracts", "gold",
                         "model", "models", "target", "targets", "human", "highlights"), REFERENCE),
        **dict.fromkeys(("system", "systems", "sys", "peer", "peers", "output", "outputs", "out",
                         "prediction", "predictions", "pred", "generated", "decoded", "candidate",
                         "candidates", "hyp", "summary", "summaries"), SYSTEM),
    }
)  # fmt: skip
_BETWEEN = re.compile(r"[._\-\s]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """A text, and what its name tells.

    Attributes:
        name: From the folder on.
        role: `DOCUMENT`, `REFERENCE` or `SYSTEM`.
        topic: Id of its topic.
        label: Of the document, the reference or the system; empty = its name tells none.
    """

    name: str
    role: str
    topic: str
    label: str


def read(request: ReadRequest) -> ReadResult:
    """Returns topics of the files, with a warning that counts the roles and names what is left.

    Raises:
        CorpusFormatError: No name tells a role.
    """
    names = [name for name in request.files.names() if _is_text(name)]
    found = [(name, file_of(name)) for name in names]
    files = [file for _, file in found if file is not None]
    if not files:
        raise CorpusFormatError.of(
            "No file's name tells whether it is a document, a reference or a system's output.",
            "Put them into the folders documents, references and systems/NAME.",
        )
    rows = Rows(Findings(request.source))
    topics = TextTopics(request, rows)
    for topic in dict.fromkeys(file.topic for file in files):
        topics.take(_record(topic, [file for file in files if file.topic == topic], request))
    left = [name for name, file in found if file is None]
    counts = {
        role: sum(file.role == role for file in files) for role in (DOCUMENT, REFERENCE, SYSTEM)
    }
    rows.problems.remark(
        None,
        what="Files were taken as {documents} documents, {references} references and {systems} "
        "outputs of systems. Left out: {left}.",
        documents=counts[DOCUMENT],
        references=counts[REFERENCE],
        systems=counts[SYSTEM],
        left=known_ids(left) if left else "none",
    )
    return topics.result()


def file_of(name: str) -> _File | None:
    """Returns what a file's name tells; None when it tells no role."""
    *folders, base = name.split("/")
    stem = re.sub(r"\.(txt|text)$", "", base, flags=re.I)
    for at, folder in enumerate(folders):
        role = _WORDS.get(folder.lower())
        if role is not None:
            labels = [*folders[:at], *folders[at + 1 :]]
            return _File(name=name, role=role, topic=stem, label="/".join(labels))
    words = [word for word in _BETWEEN.split(stem) if word]
    # In a folder of a topic the role stands last (`lead.system`), else behind the topic's name.
    places = [*enumerate(words)]
    for at, word in reversed(places) if folders else places:
        role = _WORDS.get(word.lower()) or _WORDS.get(word.rstrip("0123456789").lower())
        if role is not None:
            before, after = "_".join(words[:at]), "_".join(words[at + 1 :])
            number = word[len(word.rstrip("0123456789")) :]
            if folders:
                label = "_".join(filter(None, (before, number, after)))
                return _File(name=name, role=role, topic=folders[-1], label=label)
            label = "_".join(filter(None, (number, after)))
            return _File(name=name, role=role, topic=before or "1", label=label)
    return None


def _record(topic: str, files: Sequence[_File], request: ReadRequest) -> TextRecord:
    texts = {file.name: _sentences(request.files.text(file.name) or "") for file in files}
    by_role = {role: [file for file in files if file.role == role]
               for role in (DOCUMENT, REFERENCE, SYSTEM)}  # fmt: skip
    return TextRecord(
        line=None,
        topic=topic,
        documents=dict(_labelled(by_role[DOCUMENT], texts, SOURCE_ID)),
        references=dict(_labelled(by_role[REFERENCE], texts, "ref")),
        outputs=tuple(
            OutputText(system=system, text=text)
            for system, text in _labelled(by_role[SYSTEM], texts, "system")
        ),
    )


def _labelled(
    files: Sequence[_File], texts: Mapping[str, str | Sequence[str]], name: str
) -> Iterator[tuple[str, str | Sequence[str]]]:
    for number, file in enumerate(files, start=1):
        label = file.label or (name if len(files) == 1 else f"{name}{number}")
        yield label, texts[file.name]


def _sentences(text: str) -> str | Sequence[str]:
    """Returns the lines where there are several and each ends as a sentence does; else the text."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    ends = (".", "!", "?", "。", "！", "？", "''", '"', "”", "」", "’", ")")
    return lines if len(lines) > 1 and all(line.endswith(ends) for line in lines) else text


def _is_text(name: str) -> bool:
    base = name.rpartition("/")[2]
    return "." not in base or bool(re.search(r"\.(txt|text|[A-Za-z])$", base, re.I))
