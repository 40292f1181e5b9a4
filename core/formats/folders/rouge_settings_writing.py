"""Writes a corpus as settings of ROUGE-1.5.5 with summaries a sentence a line (SPL)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote
from xml.sax.saxutils import escape, quoteattr

from awase.core.errors import InputError
from awase.core.formats.folders.parallel_files import safe_name
from awase.core.formats.folders.parallel_writing import chosen_topics, output_for, text_of
from awase.core.formats.reading.requests import WriteRequest
from awase.core.records.output import Output
from awase.core.records.topic import Topic

_NO_LENGTH = "_"
_SETTINGS = "settings.xml"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def folder_pieces(request: WriteRequest) -> Iterator[tuple[str, str]]:
    """Yields pieces of `settings.xml`, its peers and models, with their names.

    Each length class has a folder. A topic is an evaluation. An output with references of its own
    makes another one. Extracts become the text of their sentences; where a system has an extract
    and a text, the text is written. What has no reference is left out, as it has no score.

    Raises:
        InputError: There is no topic, or none with a reference and an output.
    """
    topics = chosen_topics(request)
    lengths = _lengths(topics)
    is_empty = True
    for length in lengths:
        prefix = "" if lengths == [None] else f"{safe_name(length) if length else _NO_LENGTH}/"
        settings = _Settings()
        for topic in topics:
            _add_topic(settings, topic, length)
            for name, text in settings.taken():
                is_empty = False
                yield prefix + name, text
        if settings.ids:
            yield prefix + _SETTINGS, "</ROUGE-EVAL>\n"
    if is_empty:
        raise InputError.of(
            "No topic has both a reference and an output.", "There is nothing to be scored."
        )


def length_of_folder(folder: str) -> str | None:
    """Returns the length class of a folder of settings; None = no class."""
    return None if folder in ("", _NO_LENGTH) else unquote(folder)


def _lengths(topics: Sequence[Topic]) -> list[str | None]:
    of_abstracts: dict[str | None, None] = {}
    own: dict[str | None, None] = {}
    for topic in topics:
        of_abstracts |= {abstract.length: None for abstract in topic.abstracts}
        own |= {output.length: None for output in topic.outputs if output.references}
    return [*(of_abstracts | own)]


def _add_topic(settings: "_Settings", topic: Topic, length: str | None) -> None:
    models = {
        abstract.id: [sentence.text for sentence in abstract.sentences]
        for abstract in topic.abstracts
        if abstract.length == length
    }
    peers: dict[str, Sequence[str]] = {}
    for system in dict.fromkeys(output.system for output in topic.outputs):
        output = output_for(topic, system, length)
        if output is None:
            continue
        if output.references is None:
            peers[system] = text_of(output, topic)
        elif output.length == length:
            _add_own(settings, topic, output)
    if peers and models:
        settings.add(topic.id, peers, models)


def _add_own(settings: "_Settings", topic: Topic, output: Output) -> None:
    models = {str(n): text for n, text in enumerate(output.references or (), start=1)}
    if models:
        peers = {output.system: text_of(output, topic)}
        settings.add(f"{topic.id}.{output.system}", peers, models)


@dataclass(slots=True)
class _Settings:
    """Evaluations and their files, as they are added; what is taken is no longer held."""

    pieces: list[tuple[str, str]] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    paths: set[str] = field(default_factory=set)

    def add(
        self, id_: str, peers: Mapping[str, Sequence[str]], models: Mapping[str, Sequence[str]]
    ) -> None:
        """Adds an evaluation, whose id may get a number so that it is no other's."""
        if not self.ids:
            self.pieces.append((_SETTINGS, '<ROUGE-EVAL version="1.0">\n'))
        id_ = _free(id_, self.ids)
        self.ids.add(id_)
        rows = [
            f"  <EVAL ID={_quoted(id_)}>",
            "    <PEER-ROOT>peers</PEER-ROOT>",
            "    <MODEL-ROOT>models</MODEL-ROOT>",
            '    <INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>',
        ]
        for folder, tag, group in (("peers", "P", peers), ("models", "M", models)):
            rows.append(f"    <{folder.upper()}>")
            for name, sentences in group.items():
                file = self._take(folder, id_, name, sentences)
                rows.append(f"      <{tag} ID={_quoted(name)}>{escape(file)}</{tag}>")
            rows.append(f"    </{folder.upper()}>")
        self.pieces.append((_SETTINGS, "\n".join([*rows, "  </EVAL>\n"])))

    def _take(self, folder: str, id_: str, name: str, sentences: Sequence[str]) -> str:
        """Keeps a summary under a name that Perl and every disk take, and returns it."""
        plain = _UNSAFE.sub("_", f"{id_}.{name}")[:80].lstrip(".-").lower() or "_"
        if plain != safe_name(plain):  # a name that Windows keeps for itself
            plain = f"_{plain}"
        path = _free(f"{folder}/{plain}", self.paths)
        self.paths.add(path)
        lines = [re.sub(r"\s*[\r\n]\s*", " ", sentence).strip() for sentence in sentences]
        text = "".join(f"{line}\n" for line in lines if line)
        self.pieces.append((f"{path}.txt", text))
        return f"{path.removeprefix(f'{folder}/')}.txt"

    def taken(self) -> list[tuple[str, str]]:
        """Returns the pieces that were made since they were last taken."""
        pieces, self.pieces = self.pieces, []
        return pieces


def _quoted(text: str) -> str:
    return quoteattr(text, {"\n": "&#10;", "\t": "&#9;"})


def _free(name: str, taken: set[str]) -> str:
    number, candidate = 1, name
    while candidate in taken:
        number += 1
        candidate = f"{name}.{number}"
    return candidate
