"""What of others' work an annotator may see: none where their own is not finished."""

from dataclasses import replace

from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic


def seen_by(corpus: Corpus, who: str) -> Corpus:
    """Returns the corpus with the topics whose agreement `who` may see.

    Leads, adjudicators and people whom the corpus does not list see all. An annotator sees nothing
    while the corpus is blind, and then the topics in which they settled every sentence.
    """
    role = next((person.role for person in corpus.persons if person.id == who), None)
    if role != "annotator":
        return corpus
    shown = () if corpus.is_blind else (one for one in corpus.topics if _is_finished(one, who))
    return replace(corpus, topics=tuple(shown), human_scores=(), assignments=())


def _is_finished(topic: Topic, who: str) -> bool:
    for abstract in topic.abstracts:
        own = abstract.alignment_by(who)
        if own is None:
            return False
        if not all(own.of_sentence(one.n).state.is_settled for one in abstract.sentences):
            return False
    return True
