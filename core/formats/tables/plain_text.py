"""A plain text file as one document; its id is the file's name without the ending."""

from awase.core.errors import CorpusFormatError, in_source
from awase.core.formats.reading.findings import Findings, broken_character, stem
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.topic_parts import language_of, numbered_document
from awase.core.records.addition import Addition
from awase.core.text.script import has_japanese_letters
from awase.core.text.sentences import OTHER_STOPS, split_sentences, splitter_of

_CLOSERS = "」』｣）)”’\"'"
_STOPS = f"。．｡.…{OTHER_STOPS}"
_MARKS = "！？!?"


def read(request: ReadRequest) -> ReadResult:
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
