"""In what two states of a corpus differ, in memory: what storage finds topic by topic and packs."""

from awase.core.records.corpus import Corpus
from awase.core.records.edits.edit import CorpusEdit
from awase.core.records.parts.corpus_parts import CorpusParts, with_frames
from awase.core.records.parts.topic_parts import difference


def corpus_difference(old: Corpus, new: Corpus) -> tuple[CorpusParts, CorpusParts]:
    """Returns the parts of `old` that `new` has not, and those of `new` in their places.

    The topics that both have must stand in the same order in both.
    """
    olds = {topic.id: topic for topic in old.topics}
    news = {topic.id: topic for topic in new.topics}
    changed = [
        (name, difference(topic, news[name]))
        for name, topic in olds.items()
        if news.get(name, topic) != topic
    ]
    gone = [(at, topic) for at, topic in enumerate(old.topics) if topic.id not in news]
    come = [(at, topic) for at, topic in enumerate(new.topics) if topic.id not in olds]
    before, after = (
        CorpusParts(topics=tuple(only), changed=tuple((name, of[side]) for name, of in changed))
        for side, only in enumerate((gone, come))
    )
    return with_frames(old, new, before, after)


def corpus_edit(old: Corpus, new: Corpus, *, verb: str, subject: str = "") -> CorpusEdit | None:
    """Returns the edit that makes `new` of `old`; None = no difference."""
    before, after = corpus_difference(old, new)
    return (
        None if before == after else CorpusEdit(verb=verb, old=before, new=after, subject=subject)
    )
