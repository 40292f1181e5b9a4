"""Shared by the tests of formats for span-labelling tools: a corpus and its alignments."""

from dataclasses import replace

from tests import building
from tests.building import alignment, entry
from tests.written import written as file_text

from awase.core.formats.reading.requests import WriteRequest
from awase.core.records.abstract import Alignment
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic

# Offsets:     0-6 "犬が走った。" 7-12 "猫は寝た。" 13-18 "😀が鳴く。" 19-25 "A dog."
TEXT = "犬が走った。\n猫は寝た。\n😀が鳴く。\nA dog."


def corpus_of(*alignments, ranks=(None, None, None)):
    documents = (
        building.document("d", ["犬が走った。", "猫は寝た。"]),
        building.document("e", ["😀が鳴く。", "A dog."], numbers=(1, 4)),
    )
    texts = [f"要約{n}。" for n in range(1, len(ranks) + 1)]
    abstract = replace(building.abstract("a", texts=texts, ranks=ranks), alignments=alignments)
    return Corpus(topics=(Topic(id="t", documents=documents, abstracts=(abstract,)),))


BARE = corpus_of()
CONFIRMED = Alignment(
    annotator="ann",
    sentences=(
        entry(1, "e:1&d:1|d:2"),
        replace(entry(2, "-"), rank="B"),
        entry(3, "!d:1", note="本当に?"),
    ),
)
DRAFT = alignment("ann", "?d:1;")


def without_alignments(corpus):
    def bare(topic):
        abstracts = (replace(one, alignments=()) for one in topic.abstracts)
        return replace(topic, abstracts=tuple(abstracts))

    return replace(corpus, topics=tuple(map(bare, corpus.topics)))


def written(format_id, corpus, **request):
    return file_text(format_id, WriteRequest(corpus=corpus, **request))


def sets_of(part):
    """Returns {number: [sets as texts]} of the sentences with alternatives."""
    return {
        one.n: [" ".join(map(str, alternative.members)) for alternative in one.alternatives]
        for one in part.alignment.sentences
        if one.alternatives
    }


def states_of(part):
    return [one.state.value for one in part.alignment.sentences]


def all_entries(corpus):
    """Returns every entry of every alignment, those to do included, by where it stands."""
    return {
        (topic.id, abstract.id, alignment.annotator, sentence.n): alignment.of_sentence(sentence.n)
        for topic in corpus.topics
        for abstract in topic.abstracts
        for alignment in abstract.alignments
        for sentence in abstract.sentences
    }
