"""How much a corpus holds, as people read it."""

from collections.abc import Mapping

_SINGULAR = {
    "topics": "topic",
    "documents": "document",
    "sentences": "sentence",
    "abstracts": "abstract",
    "abstract_sentences": "abstract sentence",
    "alignments": "alignment",
    "extracts": "extract",
    "texts": "text output",
    "human_scores": "human score",
}


def counts_text(numbers: Mapping[str, int]) -> str:
    """Returns the numbers of `CorpusCounts`, by its names, as one phrase.

    >>> counts_text({"topics": 1, "documents": 1200, "texts": 0})
    '1 topic, 1,200 documents'
    """
    parts = [
        f"{number:,} {_SINGULAR[name]}{'' if number == 1 else 's'}"
        for name, number in numbers.items()
        if number
    ]
    return ", ".join(parts) or "nothing"
