"""A document a file, a sentence a line; the file's name is the document's id."""

from pathlib import PurePath

from awase.plugins import (
    Addition,
    Document,
    Format,
    InputError,
    ReadRequest,
    ReadResult,
    SourceSentence,
    Topic,
)

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
