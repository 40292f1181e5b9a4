"""Texts scored against references, and oracles of documents, without a corpus of one's own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from awase.api.corpora import Corpus
from awase.api.scores import Scores
from awase.core.errors import InputError
from awase.core.metrics.kit.supplies.supplies import NO_SUPPLIES
from awase.core.metrics.oracles.finding import OracleFinder, Reference
from awase.core.metrics.oracles.options import chosen_with
from awase.core.metrics.oracles.requests import oracle_options
from awase.core.oracles.extractive import Effort
from awase.core.progress import Reporter
from awase.core.records import corpus as records
from awase.core.records.output import References, TextOutput
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic

Text = str | Sequence[str]
"""A text: one string is one sentence, a sequence has a sentence each."""

ROUGE: Final = ("rouge-1", "rouge-2", "rouge-l")


def rouge(
    system: Text,
    references: Sequence[Text],
    metrics: Sequence[str] = ROUGE,
    *,
    reporter: Reporter | None = None,
) -> Scores:
    """Returns ROUGE of one text against its references.

    Args:
        system: The text: a string is one sentence, a list has a sentence each.
        references: One or more texts, likewise.
        metrics: As the command line spells them, such as `rouge-2:stem=yes`.
        reporter: Told how far it is.

    Raises:
        InputError: A metric does not exist, or `references` is a string.

    >>> rouge("the cat sat", ["the cat"]).exact[None, None, "system", "rouge-1.f"]
    0.8
    """
    return score({"system": [system]}, [references], metrics, reporter=reporter)


def score(
    systems: Mapping[str, Sequence[Text]],
    references: Sequence[Sequence[Text]],
    metrics: Sequence[str] = ROUGE,
    *,
    ids: Sequence[str] = (),
    reporter: Reporter | None = None,
) -> Scores:
    """Returns scores of many texts of several systems.

    Args:
        systems: Name to its texts, an item each.
        references: For each item its references.
        metrics: As the command line spells them; none that needs documents or an alignment.
        ids: Of the items; none = 1, 2, 3 ….
        reporter: Told how far it is; its `advance` can raise `Cancelled`.

    Raises:
        InputError: Numbers of texts differ, a string stands where a list should, or a metric does
            not exist.
    """
    n_items = len(references)
    names = tuple(ids) or tuple(map(str, range(1, n_items + 1)))
    for name, texts in (*systems.items(), ("ids", names)):
        if len(texts) != n_items:
            raise InputError.of(
                "“{name}” has {n} items, but there are references for {n_items}.",
                "Give a text for each item; an empty one where there is none.",
                name=name,
                n=len(texts),
                n_items=n_items,
            )
    topics = []
    for at, item in enumerate(references):
        own: References = tuple(_sentences(text) for text in _list_of_texts(item))
        outputs = tuple(
            TextOutput(system=name, sentences=_sentences(made[at]), references=own)
            for name, made in systems.items()
        )
        topics.append(Topic(id=names[at], outputs=outputs))
    corpus = Corpus(records.Corpus(topics=tuple(topics)))
    return corpus.score(metrics, reporter=reporter)


def pseudo_pyramid(
    system: Text,
    references: Sequence[Text],
    documents: Sequence[Text],
    metric: str = "pseudo-pyramid",
) -> Scores:
    """Returns pseudo-pyramid of one text: its units against those of the references' oracles.

    Args:
        system: The text.
        references: One or more texts.
        documents: What the oracles are made of, a text each, sentence by sentence.
        metric: With its options, such as `pseudo-pyramid:unit=sentence`.

    Raises:
        InputError: The metric does not exist, or something is needed.
    """
    texts = tuple(_sentences(text) for text in _list_of_texts(references))
    output = TextOutput(system="system", sentences=_sentences(system), references=texts)
    topic = Topic(id="1", documents=_documents(documents), outputs=(output,))
    return Corpus(records.Corpus(topics=(topic,))).score([metric])


@dataclass(frozen=True, slots=True, kw_only=True)
class Oracle:
    """Sentences of documents that within a limit share most with a reference.

    Attributes:
        sentences: Their texts, in the order of the documents.
        places: Their documents (from 0) and places in them (from 0).
        recall: What they share, of all that the reference has; None when it has nothing.
        upper: No sentences within the limit have a higher recall; None when it has nothing.
        is_proved: Whether `recall` is that.
        length: In the unit of the limit.
    """

    sentences: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    recall: float | None
    upper: float | None
    is_proved: bool
    length: int


def oracle(
    documents: Sequence[Text],
    reference: Text,
    *,
    limit: str = "reference",
    maximise: str = "rouge-2",
    stem: bool = False,
    stop: bool = False,
    tokens: str = "auto",
) -> Oracle:
    """Returns the extractive oracle of documents for one reference.

    Args:
        documents: A text each, sentence by sentence.
        reference: What it comes as near to as it can.
        limit: `100w`, `400c`, `5s`; `reference` = the reference's own length.
        maximise: `rouge-1` or `rouge-2` (recall).
        stem: Whether tokens are stemmed.
        stop: Whether stop words are dropped.
        tokens: The tokeniser; `auto` follows the language.

    Raises:
        InputError: An option does not exist.

    Source: Hirao, Nishino, Suzuki, Nagata 2017 (oracle summaries by enumeration).
    """
    chosen = {
        "oracle": maximise,
        "unit": "sentence",
        "limit": limit,
        "stem": "yes" if stem else "no",
        "stop": "yes" if stop else "no",
        "tokens": tokens,
    }
    finder = OracleFinder(oracle_options(chosen_with(chosen)), NO_SUPPLIES, Effort())
    source = finder.source_of(Topic(id="1", documents=_documents(documents)))
    found = source.oracle_for(Reference(sentences=_sentences(reference)))
    places = tuple((int(unit.ref.document_id), unit.ref.n - 1) for unit in found.units)
    return Oracle(
        sentences=tuple(unit.text for unit in found.units),
        places=places,
        recall=found.value / found.total if found.total else None,
        upper=found.upper / found.total if found.total else None,
        is_proved=found.is_proved,
        length=found.length,
    )


def _documents(documents: Sequence[Text]) -> tuple[Document, ...]:
    return tuple(
        Document(
            id=str(at),
            sentences=tuple(
                SourceSentence(n=n, text=text) for n, text in enumerate(_sentences(one), start=1)
            ),
        )
        for at, one in enumerate(_list_of_texts(documents))
    )


def _sentences(text: Text) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else (*text,)


def _list_of_texts(texts: Sequence[Text]) -> Sequence[Text]:
    if isinstance(texts, str):
        raise InputError.of(
            "A string stands where a list of texts should: “{text}”.",
            "Put it into a list: [“…”].",
            text=texts[:60],
        )
    return texts
