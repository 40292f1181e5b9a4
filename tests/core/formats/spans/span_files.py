"""Shared by the tests of formats for span-labelling tools: a corpus and its alignments."""

from dataclasses import replace

from tests import building
from tests.written import written as file_text

from awase.core.formats.reading.requests import WriteRequest
from awase.core.records.abstract import Alignment, AlignmentState, Alternative, SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic

# Offsets:     0-6 "犬が走った。" 7-12 "猫は寝た。" 13-18 "😀が鳴く。" 19-25 "A dog."
TEXT = "犬が走った。\n猫は寝た。\n😀が鳴く。\nA dog."


def alternatives(*sets):
    """Returns alternatives from texts such as `"d:1 e:1"`."""
    return tuple(Alternative(tuple(SentenceRef.parse(ref) for ref in one.split())) for one in sets)


def entry(n, state, *sets, note=None):
    return SentenceAlignment(
        n=n, state=AlignmentState(state), alternatives=alternatives(*sets), note=note
    )


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
        entry(1, "confirmed", "e:1 d:1", "d:2"),
        entry(2, "no_source"),
        entry(3, "flagged", "d:1", note="本当に?"),
    ),
)
DRAFT = Alignment(annotator="ann", sentences=(entry(1, "incomplete", "d:1"), entry(2, "todo")))


def without_alignments(corpus):
    return replace(
        corpus,
        topics=tuple(
            replace(
                topic,
                abstracts=tuple(replace(part, alignments=()) for part in topic.abstracts),
            )
            for topic in corpus.topics
        ),
    )


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
