"""FAR (Mao et al. 2020), in the TSC-3-like JSON of the shared data, to Awase JSON text.

The product knows nothing of this format. Sentence indices count from 0 there, from 1 here. A few
extracts name sentences behind the end of the rebuilt texts; these have no text to stand for and are
left out, and `left_out` tells which.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def far_to_awase_json(path: Path) -> str:
    data = json.loads(path.read_text(encoding="utf-8"))
    first = 1 if data.get("zero_based", True) else 0
    topics = [_topic(topic, first) for topic in data["topics"]]
    return json.dumps({"awase": 1, "name": data["name"], "topics": topics}, ensure_ascii=False)


def left_out(path: Path) -> list[tuple[str, str, int]]:
    """Returns (topic, system, place in the extract from 1) of each sentence without a text."""
    data = json.loads(path.read_text(encoding="utf-8"))
    first = 1 if data.get("zero_based", True) else 0
    return [
        (topic["topic"], system, place)
        for topic in data["topics"]
        for system, indices in topic["extracts"].items()
        for place, index in enumerate(indices, start=1)
        if index + first > len(topic["sentences"])
    ]


def _topic(topic: Mapping[str, Any], first: int) -> dict[str, Any]:
    n_sentences = len(topic["sentences"])
    document_id = topic.get("docid") or f"d{topic['topic']}"

    def refs(indices: list[int]) -> list[str]:
        return [f"{document_id}:{index + first}" for index in indices]

    entries = [
        {
            "n": sentence["id"],
            "state": "confirmed" if sentence["alternatives"] else "no_source",
            "alternatives": [refs(alternative) for alternative in sentence["alternatives"]],
        }
        for sentence in topic["abstract"]
    ]
    return {
        "id": topic["topic"],
        "language": "en",
        "documents": [{"id": document_id, "sentences": topic["sentences"]}],
        "abstracts": [
            {
                "id": f"{topic['topic']}-abstract",
                "sentences": [
                    {"n": sentence["id"], "text": sentence["text"]}
                    for sentence in topic["abstract"]
                ],
                "alignments": [{"annotator": "1", "sentences": entries}],
            }
        ],
        "outputs": [
            {"system": system, "extract": refs([i for i in indices if i + first <= n_sentences])}
            for system, indices in topic["extracts"].items()
        ],
    }
