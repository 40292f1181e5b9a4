"""Texts scored against references, and oracles of documents, without a corpus of one's own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from awase.api.corpora import Corpus, Scores
from awase.core.errors import InputError, Reporter
from awase.core.metrics.kit.extractive import OracleEffort
from awase.core.metrics.kit.oracle_choices import chosen_with
from awase.core.metrics.kit.supplies import NO_SUPPLIES
from awase.core.metrics.oracles import OracleFinder, Reference, oracle_options
from awase.core.records import corpus as records
from awase.core.records.source import Document, SourceSentence, join_splits
from awase.core.records.topic import TextOutput, Topic
from awase.core.text.sentences import Split, split_text

Text = str | Sequence[str]
"""A text: a string, which becomes sentences as everywhere (by lines, or by the rules of its
language); or its sentences."""

ROUGE: Final = ("rouge-1", "rouge-2", "rouge-l")


def rouge(
    system: Text,
    references: Text | Sequence[Text],
    metrics: Sequence[str] = ROUGE,
    *,
    sentences: bool | str = False,
    reporter: Reporter | None = None,
) -> Scores:
    """Returns ROUGE of a text against its references, or of a list of texts, an item each.

    Args:
        system: A text; or a list of texts, one an item.
        references: Of a text: one or several. Of a list: a text an item, or a list of texts an
            item.
        metrics: As the command line spells them, such as `rouge-2:stem=yes`.
        sentences: True = lists are the sentences of one text; several references are a list of
            such lists. A name (`lines`, `one`, `en-2` …) = strings become sentences in that way,
            as by `--sentences`.
        reporter: Receives progress.

    Raises:
        InputError: A metric or a way to split does not exist; or there are not as many references
            as texts, so that the lists can be read in two ways.

    >>> rouge("the cat sat", ["the cat"]).exact[None, None, "system", "rouge-1.f"]
    0.8
    >>> rouge(["a b", "c d"], ["a b", "x y"]).exact[None, None, "system", "rouge-1.f"]
    0.5
    """
    way = sentences if isinstance(sentences, str) else ""
    if sentences is True:
        texts, items = [system], [_as_references(references)]
    elif isinstance(system, str):
        texts, items = [system], [[references] if isinstance(references, str) else references]
    else:
        texts, items = [*system], [*_items(system, references)]
    return score({"system": texts}, items, metrics, sentences=way, reporter=reporter)


def _as_references(references: Text | Sequence[Text]) -> Sequence[Text]:
    """Returns references as a list: a single one is a string or a list of sentences."""
    is_one = isinstance(references, str) or all(isinstance(one, str) for one in references)
    return cast("Sequence[Text]", [references] if is_one else references)


def _items(system: Sequence[str], references: Text | Sequence[Text]) -> Iterator[Sequence[Text]]:
    """Yields the references of each item; InputError unless as many as the texts."""
    if isinstance(references, str) or len(references) != len(system):
        raise InputError.of(
            "Beside {others} {others:reference|references}, a list of {n} {n:text|texts} may also "
            "be one text of {n} {n:sentence|sentences}.",
            "Give a reference (or a list of them) for each text; or sentences=True, for one text.",
            n=len(system),
            others=1 if isinstance(references, str) else len(references),
        )
    for one in references:
        yield [one] if isinstance(one, str) else one


def score(
    systems: Mapping[str, Sequence[Text]],
    references: Sequence[Sequence[Text]],
    metrics: Sequence[str] = ROUGE,
    *,
    ids: Sequence[str] = (),
    sentences: str = "",
    reporter: Reporter | None = None,
) -> Scores:
    """Returns scores of many texts of several systems.

    Args:
        systems: Name to its texts, an item each.
        references: For each item its references.
        metrics: As the command line spells them; none that needs documents or an alignment.
        ids: Of the items; none = 1, 2, 3 ….
        sentences: How strings become sentences (`lines`, `one`, `en-2` …), as by `--sentences`;
            empty = by lines where there are any, otherwise by the rules of their language.
        reporter: Receives progress; its `advance` can raise `Cancelled`.

    Raises:
        InputError: Numbers of texts differ, a string stands where a list should, or a metric or a
            way to split does not exist.
    """
    n_items = len(references)
    names = tuple(ids) or tuple(map(str, range(1, n_items + 1)))
    for name, texts in (*systems.items(), ("ids", names)):
        if len(texts) != n_items:
            raise InputError.of(
                "“{name}” has {n} {n:item|items}, but there are references for {n_items}.",
                "Give a text for each item; an empty one where there is none.",
                name=name,
                n=len(texts),
                n_items=n_items,
            )
    topics = []
    for at, item in enumerate(references):
        own = [split_text(text, sentences or None) for text in _list_of_texts(item)]
        outputs = tuple(
            _output(name, split_text(made[at], sentences or None), own)
            for name, made in systems.items()
        )
        topics.append(Topic(id=names[at], outputs=outputs))
    corpus = Corpus(records.Corpus(topics=tuple(topics)))
    return corpus.score(metrics, reporter=reporter)


def _output(system: str, text: Split, references: Sequence[Split]) -> TextOutput:
    return TextOutput(
        system=system,
        sentences=text.sentences,
        references=tuple(one.sentences for one in references),
        split=join_splits(one.way for one in (text, *references) if one.sentences),
    )


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
    output = _output("system", split_text(system), [*map(split_text, _list_of_texts(references))])
    topic = Topic(id="1", documents=_documents(documents), outputs=(output,))
    return Corpus(records.Corpus(topics=(topic,))).score([metric])


@dataclass(frozen=True, slots=True, kw_only=True)
class Oracle:
    """Sentences of documents within a limit with most overlap with a reference.

    Attributes:
        sentences: Their texts, in the order of the documents.
        places: Their documents (from 0) and positions in them (from 0).
        recall: Share of the reference that they cover; None when it has nothing.
        upper: Upper bound of `recall` within the limit; None when the reference has nothing.
        is_proved: Whether `recall` is optimal.
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
    finder = OracleFinder(oracle_options(chosen_with(chosen)), NO_SUPPLIES, OracleEffort())
    source = finder.source_of(Topic(id="1", documents=_documents(documents)))
    found = source.oracle_for(Reference(sentences=split_text(reference).sentences))
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
    each = [split_text(one, by_lines=False) for one in _list_of_texts(documents)]
    return tuple(
        Document(
            id=str(at),
            sentences=tuple(
                SourceSentence(n=n, text=text) for n, text in enumerate(one.sentences, start=1)
            ),
            split=one.way,
        )
        for at, one in enumerate(each)
    )


def _list_of_texts(texts: Sequence[Text]) -> Sequence[Text]:
    if isinstance(texts, str):
        raise InputError.of(
            "Expected a list of texts, found a string: “{text}”.",
            "Put it into a list: [“…”].",
            text=texts[:60],
        )
    return texts
