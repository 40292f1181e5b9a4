"""A small corpus with what jobs ask for: links, extracts, texts, human scores."""

from tests import building

from awase.core.records.corpus import Corpus
from awase.core.records.topic import HumanScore, Topic

VECTORS = {"dog": 1.0, "cat": 0.98, "runs": 0.3, "sleeps": 0.31, "walks": 0.32, "naps": 0.33,
           "a": -1.0, "b": -0.9}  # fmt: skip
TEXTS = {
    "one": "Cat walks.",
    "two": "Dog cat naps runs a b.",
    "three": "Dog sleeps.",
    "four": "A b naps.",
}
SOURCES = ("Dog runs.", "Cat naps.", "A b sleeps.")


def topic(name: str, **others: str) -> Topic:
    second = "-" if name == "u" else "!s2"  # what has no source is told by signatures
    links = {"1": ("A: s1", f"B: {second}"), **others}
    extracts = (
        building.extract("lead", 1, 2, length="short"),
        building.extract("last", 3, 2, length="short"),
    )
    texts = (building.text(system, said, length="short") for system, said in TEXTS.items())
    return building.topic(
        name,
        language="en",
        docs=SOURCES,
        abstracts=[
            building.abstract(
                f"{name}-short", links, texts=("Dog runs.", "Dog sleeps."), length="short"
            )
        ],
        outputs=(*extracts, *texts),
    )


def small_corpus(**others: str) -> Corpus:
    topics = tuple(topic(name, **others) for name in ("t", "u", "v"))
    judged = (*TEXTS, "lead", "last")
    human = tuple(
        HumanScore(topic=one.id, system=system, measure="quality", value=float(at + len(one.id)))
        for one in topics
        for at, system in enumerate(judged)
    )
    return Corpus(name="faces", topics=topics, human_scores=human)


def of_two_annotators() -> Corpus:
    """Returns the small corpus, in which a second annotator needs one sentence less."""
    return small_corpus(**{"2": "s1; s1"})
