"""A document a file, a sentence a line; the file's name is the document's id."""

from pathlib import PurePath

from awase.core.errors import InputError
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.registry import Format
from awase.core.records.edits.addition import Addition
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic

FORMAT = Format(
    id="one-per-line",
    title="A sentence a line",
    module="awase_example.one_per_line",
    suffixes=(".sentences",),
    writes=False,
    needs=("topic",),
)


def read(request: ReadRequest) -> ReadResult:
    """Returns the file as a document of a new topic.

    Raises:
        InputError: Nobody said which topic it is of.
    """
    if not request.topic:
        raise InputError.of("The file does not say its topic.", "Give it.")
    lines = [line.strip() for line in request.text.splitlines() if line.strip()]
    document = Document(
        id=PurePath(request.source).stem,
        sentences=tuple(SourceSentence(n=n, text=text) for n, text in enumerate(lines, start=1)),
    )
    topic = Topic(id=request.topic, documents=(document,))
    return ReadResult(addition=Addition(topics=(topic,)))
