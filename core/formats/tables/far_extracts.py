"""Systems' extracts as FAR publishes them: `data/idx2labels_SYSTEM.pkl`, to be joined to its texts.

{"0": [0, 1, 4], "1": [2, 0]}     the sample's number, and places in its article, from 0

Source: Mao et al. (2020), "Facet-Aware Evaluation for Extractive Summarization".
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from awase.core.errors import CorpusFormatError
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.sentence_names import known_ids
from awase.core.records.edits.addition import Addition
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract, Output

_SYSTEM: Final = re.compile(r"(?:.*[/\\])?(?:idx2labels_)?(?P<system>[^/\\]+?)(?:\.[A-Za-z0-9]+)*")


def read_extracts(data: Mapping[str, Sequence[int]], request: ReadRequest) -> ReadResult:
    """Returns an extract for every sample that the corpus has.

    Raises:
        CorpusFormatError: The corpus has none of them.
    """
    match = _SYSTEM.fullmatch(request.source)
    system = match["system"] if match else request.source
    findings = Findings(request.source)
    topics = {topic.id: topic for topic in request.corpus.topics if topic.id in data}
    if not topics:
        raise CorpusFormatError.of(
            "The corpus has none of the samples of these extracts.",
            "Import FAR's texts first, or with them: output/low_abstraction.txt.",
            source=request.source,
        )
    outputs: list[tuple[str, Output]] = []
    outside: list[str] = []
    for id_, topic in topics.items():
        document = topic.documents[0]
        numbers = {sentence.n for sentence in document.sentences}
        outside += [f"{id_} {place}" for place in data[id_] if place + 1 not in numbers]
        members = [SentenceRef(document.id, at + 1) for at in data[id_] if at + 1 in numbers]
        outputs.append((id_, Extract(system=system, sentences=tuple(members))))
    absent = [id_ for id_ in data if id_ not in topics]
    if absent:
        findings.remark(
            None,
            what="{n} samples are not in the corpus, and their extracts are left out: {names}.",
            n=len(absent),
            names=known_ids(absent),
        )
    if outside:
        findings.remark(
            None,
            what="{n} members of extracts are no sentence of their article and are left out: "
            "{names}.",
            n=len(outside),
            names=known_ids(outside),
        )
    return ReadResult(addition=Addition(outputs=tuple(outputs)), warnings=tuple(findings.warnings))
