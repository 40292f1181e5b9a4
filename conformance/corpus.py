"""A small corpus to try things on: two topics, two references each, extracts and texts."""

from awase.plugins import (
    Abstract,
    AbstractSentence,
    Alignment,
    AlignmentState,
    Alternative,
    Corpus,
    Document,
    Extract,
    SentenceAlignment,
    SentenceRef,
    SourceSentence,
    TextOutput,
    Topic,
)

SENTENCES = (
    "The storm reached the coast on Monday.",
    "Thousands of people left their homes.",
    "Rivers rose above their banks.",
    "Power was out in three towns.",
    "The roads were open again on Friday.",
)


def corpus() -> Corpus:
    """Returns the corpus."""
    return Corpus(topics=tuple(_topic(name, shift) for shift, name in enumerate(("one", "two"))))


def _topic(name: str, shift: int) -> Topic:
    sentences = SENTENCES[shift:] + SENTENCES[:shift]
    document = Document(
        id=f"{name}-d",
        sentences=tuple(SourceSentence(n=n, text=text) for n, text in enumerate(sentences, 1)),
    )
    refs = [SentenceRef(document.id, n) for n in range(1, len(sentences) + 1)]
    return Topic(
        id=name,
        language="en",
        documents=(document,),
        abstracts=(_abstract("a", refs[0], sentences[0]), _abstract("b", refs[1], sentences[2])),
        outputs=(
            Extract(system="first", sentences=(refs[0], refs[1])),
            Extract(system="other", sentences=(refs[3],)),
            TextOutput(system="text", sentences=("A storm hit the coast.", sentences[2])),
        ),
    )


def _abstract(name: str, ref: SentenceRef, text: str) -> Abstract:
    entry = SentenceAlignment(
        n=1, state=AlignmentState.CONFIRMED, alternatives=(Alternative((ref,)),)
    )
    return Abstract(
        id=name,
        sentences=(AbstractSentence(n=1, text=text, rank="A"),),
        alignments=(Alignment(annotator="ann", sentences=(entry,)),),
    )
