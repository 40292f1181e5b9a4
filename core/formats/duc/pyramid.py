r"""DUCView's pyramids (`.pyr`): SCUs as sentences of an abstract, aligned to the model summaries.

<pyramid><startDocumentRegEx><![CDATA[-+\n D1\.[A-Z]\n-+\n]]></startDocumentRegEx>
 <text><line>-----</line><line> D1.A</line><line>-----</line><line>The dog ran.</line></text>
 <scu uid="1" label="The dog ran"><contributor label="The dog ran">
  <part label="The dog ran" start="18" end="29"/></contributor></scu></pyramid>

And peer annotations (`.pan`): a system's text, and its pyramid scores as human scores.

<peerAnnotation><pyramid>…</pyramid><annotation>
 <text><line>A dog ran away.</line></text>
 <peerscu uid="1" label="(1) dog ran"><contributor label="dog ran">
  <part label="dog ran" start="2" end="9"/></contributor></peerscu>
 <peerscu uid="0" label="All non-matching SCUs go here"></peerscu></annotation></peerAnnotation>
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from awase.core.errors import CorpusFormatError, Findings, in_source
from awase.core.formats.duc.pyramid_xml import Element, PyramidFile, read_pyramid, root_of, text_of
from awase.core.formats.reading.records import (
    base_name,
    docset_in,
    docset_of_file,
    summary_name,
    system_called,
)
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.topic_parts import known_ids, language_of
from awase.core.records.abstract import (
    Abstract,
    AbstractSentence,
    Alignment,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.addition import Addition
from awase.core.records.source import join_splits
from awase.core.records.topic import HumanScore, TextOutput, Topic
from awase.core.text.sentences import split_text, splitter_of

# Id, length class and annotator of what a pyramid becomes, unless the user names others.
PYRAMID: Final = "pyramid"


def read_pyramid_file(request: ReadRequest) -> ReadResult:
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
    heaviest = len(pyramid.summaries)  # a rank for each weight, named by it
    weights = tuple((str(weight), float(weight)) for weight in range(heaviest, 0, -1))
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
            "Neither the headings of the summaries nor the file's name gives the topic.",
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


ORIGINAL: Final = "pyramid"
MODIFIED: Final = "modified-pyramid"

_NON_MATCHING: Final = "0"
_OWN_SCORES: Final = {ORIGINAL: "qualityScore", MODIFIED: "coverageScore"}
_ROUNDING: Final = 0.00006  # DUCView writes four decimals


def read_annotation(request: ReadRequest) -> ReadResult:
    """Returns the text of a peer, and its pyramid scores."""
    problems = Findings(request.source)
    with in_source(request.source):
        root = root_of(request.text)
        pyramid_element, annotation = _parts_of(root)
        language = language_of(request, request.topic or "")
        pyramid = _pyramid(pyramid_element, problems, language)
        text = text_of(annotation, problems)
        problems.refuse_if_any()
        topic_id = topic_of(pyramid, request)
    name = base_name(request.source)
    said = summary_name(name)
    split = split_text(text, splitter_of(text, language))
    output = TextOutput(
        system=system_called(said["summarizer"]) if said else name,
        sentences=split.sentences,
        split=join_splits((split.way, *(one.document.split for one in pyramid.summaries))),
        length=said["length"] if said else None,
        references=tuple(
            tuple(sentence.text for sentence in summary.document.sentences)
            for summary in pyramid.summaries
        ),
    )
    scores = _scores(pyramid, annotation, problems)
    _compare(root, scores, problems)
    topic = request.corpus.topic(topic_id)
    is_known = topic is not None and output in topic.outputs
    return ReadResult(
        addition=Addition(
            topics=(Topic(id=topic_id),) if topic is None else (),
            outputs=() if is_known else ((topic_id, output),),
            human_scores=tuple(
                HumanScore(
                    topic=topic_id,
                    system=output.system,
                    measure=measure,
                    value=value,
                    annotator=request.annotator,
                )
                for measure, value in scores.items()
            ),
        ),
        warnings=tuple(problems.warnings),
    )


def _parts_of(root: Element) -> tuple[Element, Element]:
    pyramid, annotation = root.child("pyramid"), root.child("annotation")
    if root.name != "peerAnnotation" or pyramid is None or annotation is None:
        is_pyramid = root.name == "pyramid"
        hint = "It is a pyramid: import it as ducview-pyramid."
        raise CorpusFormatError.of(
            "The file is not a <peerAnnotation> with a <pyramid> and an <annotation>.",
            hint if is_pyramid else "Choose a peer annotation of DUCView.",
            line=root.line,
        )
    return pyramid, annotation


def _pyramid(element: Element, problems: Findings, language: str | None) -> PyramidFile:
    """Returns the pyramid; equal in each peer's file, so its oddities are only counted."""
    own = Findings(problems.source)
    pyramid = read_pyramid(element, own, language)
    problems.found += own.found
    if own.warnings and not own.found:
        what = "The pyramid in the file has problems ({n}); the first: {first}"
        hint, first = "Import its .pyr file to see all.", str(own.warnings[0])
        problems.remark(element.line, what=what, hint=hint, n=len(own.warnings), first=first)
    return pyramid


def _scores(pyramid: PyramidFile, annotation: Element, problems: Findings) -> dict[str, float]:
    """Returns the defined values by measure; reports why others are undefined."""
    n_by_uid: Counter[str] = Counter()  # content units, whether of the pyramid's SCUs or not
    for scu in annotation.named("peerscu"):
        n_by_uid[scu.attributes.get("uid", "").strip()] += len(scu.named("contributor"))
    weight_of = {scu.uid: scu.weight for scu in reversed(pyramid.scus)}
    weights = [scu.weight for scu in pyramid.scus]
    marked = [uid for uid, n in n_by_uid.items() if n and uid != _NON_MATCHING]
    expressed = [uid for uid in marked if uid in weight_of]
    unknown = [uid for uid in marked if uid not in weight_of]
    expressed_weights = [weight_of[uid] for uid in expressed]
    n_units = n_by_uid.total()
    n_average = average_units(weights, len(pyramid.summaries))
    values = {
        ORIGINAL: pyramid_score(expressed_weights, weights, n_units),
        MODIFIED: pyramid_score(expressed_weights, weights, n_average),
    }
    line = annotation.line
    if unknown:
        what = "The annotation has SCUs that are not in the pyramid ({names})."
        hint = "They count as content outside of it; the scores are too low if they belong to it."
        problems.remark(line, what=what, hint=hint, names=known_ids(unknown))
    if values[ORIGINAL] is None:
        what = "No content unit of the peer is marked, so that its pyramid score is undefined."
        problems.remark(line, what=what)
    elif n_units == sum(n_by_uid[uid] for uid in expressed):
        what = "No content outside of the pyramid is marked."
        hint = "If annotators did not mark it, as in DUC 2006, use modified-pyramid, not pyramid."
        problems.remark(line, what=what, hint=hint)
    if values[MODIFIED] is None:
        what = (
            "The model summaries have less than one SCU on average, so that the modified pyramid "
            "score is undefined."
        )
        problems.remark(line, what=what)
    return {measure: value for measure, value in values.items() if value is not None}


def _compare(root: Element, scores: dict[str, float], problems: Findings) -> None:
    """Reports where DUCView 1.5, which caps values at 1, differs."""
    own = root.child("score")
    for measure, value in scores.items() if own is not None else ():
        element = own.child(_OWN_SCORES[measure]) if own is not None else None
        try:
            said = float(element.text.replace(",", ".")) if element is not None else None
        except ValueError:
            said = None
        if element is not None and said is not None and abs(said - min(value, 1.0)) > _ROUNDING:
            what = "DUCView's own {measure} of this file is {said:.4f}; it is {value:.4f} here."
            hint = "It counts contributors where weights here are numbers of summaries."
            problems.remark(
                element.line, what=what, hint=hint, measure=measure, said=said, value=value
            )


def average_units(weights: Sequence[int], n_summaries: int) -> int:
    """Returns the average number of SCUs in the model summaries, rounded down as in DUCView.

    A summary expresses each SCU to whose weight it contributes.
    """
    return sum(weights) // n_summaries


def pyramid_score(expressed: Collection[int], weights: Sequence[int], n_units: int) -> float | None:
    """Returns the weight of the expressed SCUs, each once, over that of as many of the heaviest.

    `n_units` are the content units of the summary (original; at most 1), or of an average model
    (modified). From 0, higher is better; None = undefined, as `n_units` is 0.
    """
    ideal = sum(sorted(weights, reverse=True)[:n_units])  # at most the whole pyramid
    return sum(expressed) / ideal if ideal else None
