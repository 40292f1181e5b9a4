"""Topics and corpora of any size that are shaped like TSC-3's, made from a seed."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from awase.core.records.addition import addition_of
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from awase.core.solvers.cover import CoverProblem
from awase.storage.store import CorpusStore
from tests import building
from tests.benchmarks.cover_instances import realistic

_SYLLABLES = "東京大阪新聞政府発表調査研究会社市長警察事故地震船船体発見湖底記者"
_WORDS = [first + second for first in "ka ki ku sa shi ta chi na ni ma".split()
          for second in "ran mer to den wi sul pe gar vo lin".split()]  # fmt: skip


def english(rng: random.Random) -> str:
    return " ".join(rng.choices(_WORDS, k=rng.randint(12, 28))).capitalize() + "."


def japanese(rng: random.Random) -> str:
    return "".join(rng.choices(_SYLLABLES, k=rng.randint(25, 65))) + "。"


def made_topic(
    rng: random.Random,
    id: str,
    needs: CoverProblem | Sequence[Sequence[frozenset[int]]],
    *,
    sentence: Callable[[random.Random], str] = japanese,
    n_per_document: int = 12,
    n_systems: int = 0,
    language: str | None = None,
) -> Topic:
    """Returns a topic of ten documents whose abstract has these alternatives, by annotator 1."""
    docs = {f"98{id}{at:03}": [sentence(rng) for _ in range(n_per_document)] for at in range(10)}
    refs = [f"{name}:{n}" for name in docs for n in range(1, n_per_document + 1)]
    rows = [
        f"{rng.choice('ABC')}: " + "|".join("&".join(refs[at] for at in sorted(a)) for a in need)
        for need in (needs.needs if isinstance(needs, CoverProblem) else needs)
    ]
    abstract = building.abstract(f"{id}-a", rows, texts=[sentence(rng) for _ in rows])
    outputs = [
        building.extract(f"system{at:02}", *rng.sample(refs, min(40, len(refs) // 6)))
        for at in range(n_systems)
    ]
    return building.topic(id, docs=docs, abstracts=[abstract], outputs=outputs, language=language)


def made_corpus(*, n_topics: int, n_sentences: int, n_systems: int) -> Corpus:
    """Returns a corpus with one abstract a topic and one extract a system and topic."""
    rng = random.Random(7)
    size = {"n_per_document": n_sentences // 10, "n_systems": n_systems, "language": "ja"}
    topics = (made_topic(rng, f"{at:04}", realistic(rng), **size) for at in range(n_topics))
    return Corpus(name=f"made-{n_topics}", topics=tuple(topics))


def make_big(path: Path, n_topics: int) -> None:
    """Makes a corpus file of topics in two languages with two extracts and a text each."""
    rng = random.Random(11)
    topics = []
    for at in range(n_topics):
        sentence = japanese if at % 2 else english
        language = "ja" if at % 2 else "en"
        one = made_topic(
            rng, f"{at:06}", realistic(rng), sentence=sentence, n_systems=2, language=language
        )
        written = building.text("writer", *(sentence(rng) for _ in range(5)))
        topics.append(replace(one, outputs=(*one.outputs, written)))
    addition = addition_of(Corpus(name="big", topics=tuple(topics)))
    CorpusStore.create(path, name="big", who="made", addition=addition).close()
