"""XML to elements with line numbers, without anything that a file could do to its reader.

Entities that a file defines are refused, so that none can grow without end or name another file;
nothing outside of the text is ever opened.
"""

from dataclasses import dataclass, field
from xml.parsers import expat

from awase.core.errors import CorpusFormatError


@dataclass(slots=True)
class Element:
    """An element.

    Attributes:
        name: As written.
        line: Where it begins, from 1.
        attributes: Value by name.
        children: In reading order.
        parts: The characters directly inside.
    """

    name: str
    line: int
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The characters directly inside."""
        return "".join(self.parts)

    def child(self, name: str) -> "Element | None":
        """Returns the first child of this name, None when there is none."""
        return next(iter(self.named(name)), None)

    def named(self, name: str) -> list["Element"]:
        """Returns the children of this name."""
        return [child for child in self.children if child.name == name]


def root_of(text: str) -> Element:
    """Returns the root of an XML text, whatever encoding it declares.

    Raises:
        CorpusFormatError: It is not XML, or it defines entities.
    """
    builder = _Builder()
    try:
        builder.parser.Parse(text.removeprefix("\ufeff"), True)
    except expat.ExpatError as error:
        if error.code == expat.errors.codes[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]:
            raise CorpusFormatError.of(
                "Something follows the end of the XML document.",
                "Some versions of DUCView add each saving to the end of the file: keep the last.",
                line=error.lineno,
            ) from error
        raise CorpusFormatError.of(
            "The file is not well-formed XML: {reason}.",
            "Mend it in the line named, or choose another format.",
            reason=expat.ErrorString(error.code) or "unknown",
            line=error.lineno,
        ) from error
    return builder.root


class _Builder:
    """Receives what the parser finds."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.EntityDeclHandler = self._refuse_entity
        self.root = Element("", 1, {})
        self._open: list[Element] = []

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        element = Element(name, self.parser.CurrentLineNumber, attributes)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def _end(self, _name: str) -> None:
        self._open.pop()

    def _characters(self, characters: str) -> None:
        self._open[-1].parts.append(characters)

    def _refuse_entity(self, name: str, *_declaration: object) -> None:
        raise CorpusFormatError.of(
            "The file defines an entity, “{name}”.",
            "Files of this format need none; remove the definition.",
            name=name,
            line=self.parser.CurrentLineNumber,
        )
