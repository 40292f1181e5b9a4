"""BE from stored parses beside our own ROUGE-2 on the same texts, in one run: pairs per CPU-second.

25 topics x 4 references x 20 systems, made up, of 100 words;
the parses are random trees over their words. Goal: with elements that were looked at before, no
slower than ROUGE-2. Reading the parses comes once, and is told apart.
"""

import random
from collections.abc import Callable

from awase.core.errors import Silent
from awase.core.language.conllu import conllu_of
from awase.core.metrics.kit.supplies import Supplies
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.records.corpus import Corpus
from awase.core.records.parse import ParsedSentence, ParsedWord
from awase.core.records.topic import TextOutput, Topic
from tests.benchmarks import timed
from tests.benchmarks.rouge_corpus import comparisons

_RELATIONS = "nsubj obj obl nmod amod case det compound advmod conj punct".split()


def tree(text: str, rng: random.Random) -> ParsedSentence:
    """A random tree, each word but the first below one of those before it."""
    forms = text.removesuffix(".").split()
    words = [ParsedWord(form=forms[0], upos="VERB", head=0, deprel="root")]
    for number, form in enumerate(forms[1:], start=2):
        head = rng.randint(max(1, number - 5), number - 1)
        relation = rng.choice(_RELATIONS)
        words.append(ParsedWord(form=form, lemma=form, upos="NOUN", head=head, deprel=relation))
    return ParsedSentence(words=tuple(words), text=text)


def main() -> None:
    """Prints the table."""
    rng = random.Random(2006)
    topics = []
    parses: dict[str, str] = {}
    for number, topic in enumerate(comparisons(100, n_topics=25)):
        references = tuple(tuple(map(str, model)) for model in topic.models)
        peers = [tuple(map(str, peer)) for peer in topic.peers]
        outputs = tuple(
            TextOutput(system=f"s{at}", sentences=peer, references=references)
            for at, peer in enumerate(peers)
        )
        topics.append(Topic(id=str(number), outputs=outputs))
        for text in (*references, *peers):
            parses.update((sentence, conllu_of((tree(sentence, rng),))) for sentence in text)
    corpus = Corpus(topics=tuple(topics))
    supplies = Supplies(parses=parses, parse_model="random")
    n_pairs = sum(len(o.references or ()) for topic in topics for o in topic.outputs)

    def scored(metric: str) -> Callable[[], object]:
        requests = requests_of([metric])
        return lambda: score_corpus(corpus, requests, Silent(), supplies)

    scored("rouge-2")()  # imports
    first_ms, _ = timed(scored("be"))
    rouge_ms = min(timed(scored("rouge-2"))[0] for _ in range(5))
    be_ms = min(timed(scored("be"))[0] for _ in range(5))
    print("| measure | pairs/CPU-s | beside ROUGE-2 |")
    print("|---|---|---|")
    for name, ms in (
        ("rouge-2", rouge_ms), ("be, parses read before", be_ms), ("be, first time", first_ms),
    ):  # fmt: skip
        print(f"| {name} | {1000 * n_pairs / ms:,.0f} | {rouge_ms / ms:.2f} |")
    each_ms = (first_ms - be_ms) / len(parses)
    print(f"\nReading one of {len(parses):,} parses takes {each_ms:.2f} ms.")
