"""Settings of ROUGE-1.5.5: XML and lists of files."""

import re
import struct
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from xml.etree import ElementTree

from awase.core.errors import CorpusFormatError, Listing

_SEE = re.compile(
    rb'<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>[ \t\n\r\f\v]+'
    rb'<a href="#[0-9]+" id=[0-9]+>([^<]+)'
)
_ISI = re.compile(rb'<S SNTNO="[0-9a-z,]+">([^<]+)</S>')


def _lines(content: bytes) -> Iterator[bytes]:
    """Yields the lines with their ends; only a line feed ends one."""
    return (line for line in re.findall(rb"[^\n]*\n|[^\n]+", content))


def _see(content: bytes) -> list[bytes]:
    # A sentence runs on to the line's end, line feed included, when no tag closes it.
    return [match[1] for line in _lines(content) if (match := _SEE.match(line))]


def _isi(content: bytes) -> list[bytes]:
    return [match[1] for line in _lines(content) if (match := _ISI.match(line))]


def _spl(content: bytes) -> list[bytes]:
    return [line for line in content.split(b"\n") if line]


def _simple(content: bytes) -> list[bytes]:
    lines = content.split(b"\n")
    return lines if lines[-1] else lines[:-1]


_READERS: Mapping[str, Callable[[bytes], list[bytes]]] = MappingProxyType(
    {"SEE": _see, "SPL": _spl, "ISI": _isi, "SIMPLE": _simple}
)
TEXT_FORMATS = ("SEE", "SPL", "ISI")
BE_FORMATS = ("SIMPLE",)


def sentences_of(content: bytes, format_name: str) -> list[bytes]:
    """Returns the sentences of a summary, or the lines of a BE file.

    Lines of other formats are skipped; entities such as `&amp;` are not decoded.
    """
    _check_format(format_name, _READERS)
    return _READERS[format_name.upper()](content)


def _check_format(name: str, known: Collection[str]) -> None:
    if name.upper() not in known:
        raise CorpusFormatError.of(
            "There is no summary format “{name}”.",
            "Use one of {known}.",
            name=name,
            known=Listing(known),
        )


_FORMATS = ("SEE", "ISI", "SPL", "SIMPLE")
_BLANKS = " \t\n\r\f\v"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """One topic: which files of which systems are compared with which references."""

    id: str  # as in the settings; in a list of files the number of the line, counted from 1
    format_name: str
    peers: tuple[tuple[str, str], ...]  # (system, path) in order, the last of equal systems
    models: tuple[str, ...]
    model_ids: tuple[str, ...] = ()  # their ids, as many; in a list of files their numbers from 1
    n_elements: int = 1  # number of settings' elements with this id, summed
    repeated_peers: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class _Draft:
    """An evaluation as its elements are met; elements with the same id add up."""

    id: str
    format_name: str | None = None
    peer_root: str = ""
    model_root: str = ""
    peers: dict[str, str] = field(default_factory=dict)
    model_ids: list[str] = field(default_factory=list)
    models: dict[str, str] = field(default_factory=dict)
    n_elements: int = 0
    repeated_peers: list[str] = field(default_factory=list)

    def finished(self) -> Evaluation:
        for what, is_there in (
            ("INPUT-FORMAT", self.format_name), ("MODELS", self.models),
        ):  # fmt: skip
            if not is_there:
                raise CorpusFormatError.of(
                    "Evaluation “{id}” has no {element}.", "Add it.", id=self.id, element=what
                )
        for kind, files in (("P", self.peers), ("M", self.models)):
            for name, path in files.items():
                if not path:
                    raise CorpusFormatError.of(
                        "{kind} “{name}” of evaluation “{id}” names no file.",
                        "Write the name between the tags.",
                        id=self.id,
                        name=name,
                        kind=kind,
                    )
        return Evaluation(
            id=self.id,
            format_name=self.format_name or "",
            peers=tuple((name, f"{self.peer_root}/{p}") for name, p in self.peers.items()),
            models=tuple(f"{self.model_root}/{self.models[name]}" for name in self.model_ids),
            model_ids=tuple(self.model_ids),
            n_elements=self.n_elements,
            repeated_peers=tuple(dict.fromkeys(self.repeated_peers)),
        )


def evaluations_of_xml(content: bytes) -> tuple[Evaluation, ...]:
    """Parses a settings file; the name of its root does not matter."""
    builder = ElementTree.TreeBuilder(insert_comments=True, insert_pis=True)
    try:
        root = ElementTree.fromstring(content, ElementTree.XMLParser(target=builder))
    except ElementTree.ParseError as error:
        raise CorpusFormatError.of(
            "The settings are not XML: {reason}.",
            "For a list of files give its format with -z.",
            reason=str(error),
            line=error.position[0],
        ) from error
    drafts: dict[str, _Draft] = {}
    _visit(root, drafts)
    if not drafts:
        raise CorpusFormatError.of("The settings have no EVAL element.")
    return tuple(draft.finished() for draft in drafts.values())


def _visit(root: ElementTree.Element, drafts: dict[str, _Draft]) -> None:
    """Fills drafts from the elements, in reading order at any depth."""
    waiting: list[tuple[ElementTree.Element, _Draft | None]] = [(root, None)]
    while waiting:
        element, draft = waiting.pop()
        # The tag of a comment is a function.
        name = element.tag.upper() if isinstance(element.tag, str) else ""
        if name == "EVAL":
            id_ = _attribute(element, "ID")
            draft = drafts.setdefault(id_, _Draft(id=id_))
            draft.n_elements += 1
        elif name in _FILLERS:
            if draft is None:
                raise CorpusFormatError.of("{name} is outside EVAL.", name=element.tag)
            _FILLERS[name](element, draft)
            continue
        waiting += [(child, draft) for child in element][::-1]


def _set_format(element: ElementTree.Element, draft: _Draft) -> None:
    name = _attribute(element, "TYPE")
    _check_format(name, _FORMATS)
    draft.format_name = name


def _set_peer_root(element: ElementTree.Element, draft: _Draft) -> None:
    draft.peer_root = _last_text(element, draft.peer_root)


def _set_model_root(element: ElementTree.Element, draft: _Draft) -> None:
    draft.model_root = _last_text(element, draft.model_root)


def _add_peers(element: ElementTree.Element, draft: _Draft) -> None:
    for child in _children(element, "P"):
        name = _attribute(child, "ID")
        if name in draft.peers:
            draft.repeated_peers.append(name)
        draft.peers[name] = _last_text(child, draft.peers.get(name, ""))


def _add_models(element: ElementTree.Element, draft: _Draft) -> None:
    for child in _children(element, "M"):
        name = _attribute(child, "ID")
        draft.model_ids.append(name)
        draft.models[name] = _last_text(child, draft.models.get(name, ""))


_FILLERS = {
    "INPUT-FORMAT": _set_format,
    "PEER-ROOT": _set_peer_root,
    "MODEL-ROOT": _set_model_root,
    "PEERS": _add_peers,
    "MODELS": _add_models,
}


def _children(element: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    return (child for child in element if isinstance(child.tag, str) and child.tag.upper() == name)


def _attribute(element: ElementTree.Element, name: str) -> str:
    value = element.get(name)
    if value is None:
        raise CorpusFormatError.of(
            "A {element} element has no attribute {name}.",
            "Attribute names are in capitals.",
            element=element.tag,
            name=name,
        )
    return value


def _last_text(element: ElementTree.Element, default: str) -> str:
    """Returns the last text; the program lets a later one replace an earlier."""
    stretches = [element.text, *(child.tail for child in element)]
    texts = [text for text in stretches if text]
    return texts[-1].strip(_BLANKS) if texts else default


def evaluations_of_list(
    lines: Sequence[str], format_name: str, system: str
) -> tuple[Evaluation, ...]:
    """Returns an evaluation for each line `summary reference [reference …]` (`-z`).

    Blank lines and comments (`#`) are skipped.
    """
    evaluations: list[Evaluation] = []
    for number, line in enumerate(lines, start=1):
        files = line.strip(_BLANKS).split()
        if line.startswith("#") or not files:
            continue
        if len(files) == 1:
            raise CorpusFormatError.of(
                "The line names one file.",
                "Write the summary and at least one reference, separated by blanks.",
                line=number,
            )
        evaluations.append(
            Evaluation(
                id=str(len(evaluations) + 1),
                format_name=format_name,
                peers=((system, files[0]),),
                models=tuple(files[1:]),
                model_ids=tuple(str(n) for n in range(1, len(files))),
            )
        )
    return tuple(evaluations)


_MAGIC = 0x061561
_VERSIONS = range(7, 11)
_META = struct.Struct("12xIII")
_PAGE = struct.Struct("20xH3xB")
_ON_PAGE = 1
_HASH_PAGES = (2, 13)


def entries_of(content: bytes) -> dict[bytes, bytes]:
    """Returns every key with its value."""
    order, page_size = _order_and_page_size(content)
    try:
        return dict(_entries(content, order, page_size))
    except (struct.error, IndexError) as error:
        raise CorpusFormatError.of("The Berkeley DB file is damaged.") from error


def _order_and_page_size(content: bytes) -> tuple[str, int]:
    for order in "<>":
        if len(content) >= _META.size:
            magic, version, page_size = struct.unpack_from(order + _META.format, content)
            if magic == _MAGIC and version in _VERSIONS and page_size >= _META.size:
                return order, page_size
    raise CorpusFormatError.of("This is not a hash file of Berkeley DB 3 to 5.")


def _entries(content: bytes, order: str, page_size: int) -> Iterator[tuple[bytes, bytes]]:
    for start in range(page_size, len(content), page_size):
        page = content[start : start + page_size]
        n_items, kind = struct.unpack_from(order + _PAGE.format, page)
        if kind not in _HASH_PAGES:
            continue
        begins = struct.unpack_from(f"{order}{n_items}H", page, _PAGE.size)
        # Items lie from the end of the page towards its begin: key, value, key, value.
        items = [
            _item(page[begin:end]) for begin, end in zip(begins, (page_size, *begins), strict=False)
        ]
        yield from zip(items[::2], items[1::2], strict=False)


def _item(item: bytes) -> bytes:
    if item[0] != _ON_PAGE:
        raise CorpusFormatError.of("The Berkeley DB file has values that fill pages.")
    return item[1:]
