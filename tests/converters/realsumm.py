"""REALSumm (Bhandari et al. 2020), one JSON object a line, to Awase JSON text.

Every system's output carries the reference as that system tokenised it, and the human LitePyramid
recall recomputed from the raw judgements.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from awase.core.text.sentences import split_sentences

MEASURE = "litepyramid"

_TAGGED = re.compile(r"<t>(.*?)</t>", re.DOTALL)


def realsumm_to_awase_json(path: Path) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    scores = [
        {"topic": row["topic"], "system": system, "measure": MEASURE, "value": value}
        for row in rows
        for system, output in row["systems"].items()
        if (value := output["human_litepyramid"]) is not None
    ]
    corpus = {
        "awase": 1,
        "name": "REALSumm",
        "topics": [_topic(row) for row in rows],
        "human_scores": scores,
    }
    return json.dumps(corpus, ensure_ascii=False)


def source_sentences(source: str) -> list[str]:
    """Returns the sentences of `<t> … </t> <t> … </t>`.

    In the shared data one pair of tags is around the whole article; that one is split by the
    program's rules for tokenised English.
    """
    tagged = [part.strip() for part in _TAGGED.findall(source)] or [source.strip()]
    if len(tagged) == 1:
        return [sentence.text for sentence in split_sentences(tagged[0], "en")]
    return [sentence for sentence in tagged if sentence]


def _topic(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": row["topic"],
        "language": "en",
        "documents": [{"id": f"d{row['topic']}", "sentences": source_sentences(row["source"])}],
        "outputs": [
            {
                "system": system,
                "text": output["summary"],
                "references": [output["reference_as_tokenised_for_this_system"]],
            }
            for system, output in row["systems"].items()
        ],
    }
