r"""DUCView's pyramids (`.pyr`): SCUs as sentences of an abstract, aligned to the model summaries.

<pyramid><startDocumentRegEx><![CDATA[-+\n D1\.[A-Z]\n-+\n]]></startDocumentRegEx>
 <text><line>-----</line><line> D1.A</line><line>-----</line><line>The dog ran.</line></text>
 <scu uid="1" label="The dog ran"><contributor label="The dog ran">
  <part label="The dog ran" start="18" end="29"/></contributor></scu></pyramid>
"""

from typing import Final

from awase.core.errors import CorpusFormatError, in_source
from awase.core.formats.duc.names import docset_in, docset_of_file
from awase.core.formats.duc.pyramid_xml import Element, PyramidFile, read_pyramid, root_of
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.topic_parts import language_of
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.addition import Addition
from awase.core.records.alignment import (
    Alignment,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.corpus import RankWeights

# Id, length class and annotator of what a pyramid becomes, unless the user names others.
PYRAMID: Final = "pyramid"


def read(request: ReadRequest) -> ReadResult:
    """Returns the pyramid of a file as documents and an aligned abstract."""
    problems = Findings(request.source)
    with in_source(request.source):
        root = root_of(request.text)
        if root.name != "pyramid":
            raise _not_a_pyramid(root)
        language = language_of(request, request.topic or "")
        pyramid = read_pyramid(root, problems, language)
        problems.refuse_if_any()
        topic_id = topic_of(pyramid, request)
    _warn_of_documents(request, topic_id, problems)
    weights = _rank_weights(pyramid)
    is_first = not request.corpus.topics
    return ReadResult(
        addition=Addition(
            rank_weights=weights if is_first else None,
            ranks=weights,
            documents=tuple((topic_id, summary.document) for summary in pyramid.summaries),
            abstracts=((topic_id, _abstract(pyramid, request)),),
        ),
        warnings=tuple(problems.warnings),
    )


def topic_of(pyramid: PyramidFile, request: ReadRequest) -> str:
    """Returns the topic of a pyramid: requested, in its summaries' headings, or by file."""
    if request.topic:
        return request.topic
    of_headings = {docset_in(summary.document.id.split(" ")[0]) for summary in pyramid.summaries}
    topic = of_headings.pop() if len(of_headings) == 1 else None
    topic = topic or docset_of_file(request.source)
    if topic is None:
        raise CorpusFormatError.of(
            "Neither the headings of the summaries nor the file's name tell the topic.",
            "Name the topic.",
        )
    return topic


def _not_a_pyramid(root: Element) -> CorpusFormatError:
    is_annotation = root.name == "peerAnnotation"
    hint = "It is a peer annotation: import it as ducview-annotation."
    return CorpusFormatError.of(
        "The file begins with <{name}>, not with <pyramid>.",
        hint if is_annotation else "Choose a pyramid of DUCView.",
        name=root.name,
        line=root.line,
    )


def _warn_of_documents(request: ReadRequest, topic_id: str, problems: Findings) -> None:
    topic = request.corpus.topic(topic_id)
    if topic is not None and topic.documents:
        what = "Topic “{topic}” has documents already; the model summaries join them."
        hint = "To keep them apart, import the pyramid under another topic."
        problems.remark(None, what=what, hint=hint, topic=topic_id)


def _rank_weights(pyramid: PyramidFile) -> RankWeights:
    """Returns a rank for each weight up to the number of summaries, named by the weight."""
    return tuple((str(weight), float(weight)) for weight in range(len(pyramid.summaries), 0, -1))


def _abstract(pyramid: PyramidFile, request: ReadRequest) -> Abstract:
    return Abstract(
        id=request.abstract or PYRAMID,
        length=PYRAMID,
        sentences=tuple(
            AbstractSentence(n=scu.n, text=scu.label, rank=str(scu.weight)) for scu in pyramid.scus
        ),
        alignments=(
            Alignment(
                annotator=request.annotator or PYRAMID,
                sentences=tuple(
                    SentenceAlignment(
                        n=scu.n,
                        state=AlignmentState.CONFIRMED,
                        alternatives=tuple(
                            Alternative(refs) for refs in dict.fromkeys(scu.supports)
                        ),
                        note=scu.comment or None,
                    )
                    for scu in pyramid.scus
                ),
            ),
        ),
    )
