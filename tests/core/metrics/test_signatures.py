"""A signature pins the number: equal signatures of one corpus, equal values in every cell."""

import hashlib
import json
import os
import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import strategies as st
from tests import building
from tests.in_part import in_part, in_turn
from tests.laws import law
from tests.reporters import Heard

from awase.core.errors import Cancelled, CorpusFormatError, InputError, Silent
from awase.core.language.stored_parses import distinct_texts
from awase.core.metrics.kit.outputs import Annotators, joined_values, without_names
from awase.core.metrics.kit.splitters import read_edus
from awase.core.metrics.kit.supplies import Supplies
from awase.core.metrics.registry import METRICS, requests_of, score_corpus
from awase.core.records.abstract import Alignment, GoldEntry
from awase.core.records.corpus import Corpus

WORDS = "storm hit coast town river rose people fled boats sank rain fell roads closed".split()
SYSTEMS = ("lead", "other", "text", "late")
NEEDS_A_MODEL = {"bertscore"}  # asked in packages/test_bertscore_signatures.py
VARIATIONS = (
    "precision:first=2", "precision:annotator=all", "coverage:annotator=all",
    "coverage:annotator=A", "coverage:annotator=gold",
    "rouge-1:average=perl,refs=b-jackknife,alpha=0.3", "rouge-2:refs=a-jackknife", "rouge-1:refs=b",
    "rouge-l:level=sentence,stem=yes", "rouge-w:w=2", "rouge-su:gap=2",
    "be:mode=HM,refs=b,labels=basic", "subtree:refs=max,head=no",
    "pseudo-pyramid:oracle=be,ties=all", "pseudo-pyramid:unit=edu-file",
    "pseudo-pyramid:unit=edu-parse,merge=yes",
    "prouge-1:stop=no,ratio=0.7", "prouge-1:vocabulary=topic,ratio=0.6,stop=no",
    "prouge-2:prune=cls,ratio=0.7", "pbe:ratio=0.7", "pbe:vocabulary=topic,ratio=0.5",
    "bleu:average=corpus,smooth=add-k", "chrf:average=corpus,nw=2",
)  # fmt: skip
REQUESTS = (*sorted({*METRICS} - NEEDS_A_MODEL), *VARIATIONS)


def text(*seed):
    digest = hashlib.sha256(repr(seed).encode()).digest()
    return " ".join(WORDS[byte % len(WORDS)] for byte in digest[: 4 + digest[-1] % 4])


def aligned(topic, length, annotator):
    def entry(n):
        places = [int(one) % 6 + 1 for one in hashlib.sha256(f"{topic}{length}{annotator}{n}"
                  .encode()).digest()[:3]]  # fmt: skip
        members = sorted({*places})
        sets = dict.fromkeys("&".join(map(str, one)) for one in (members[:2], members[-1:]))
        return building.entry(n, "|".join(sets), doc=f"{topic}-d")

    return Alignment(annotator=annotator, sentences=tuple(map(entry, (1, 2))))


def abstract(topic, length, number, annotators):
    texts = [text(topic, length, number, n) for n in (1, 2)]
    return replace(
        building.abstract(f"{topic}-{length}-{number}", texts=texts, ranks="AB", length=length),
        alignments=tuple(aligned(topic, f"{length}{number}", one) for one in annotators),
        gold=tuple(
            GoldEntry(entry=entry)
            for entry in aligned(topic, f"{length}{number}", "gold").sentences[:number]
        ),
    )


def topic(name, annotators):
    def extract(system, *numbers, length=None):
        return building.extract(system, *(f"{name}-d:{n}" for n in numbers), length=length)

    written = (text(name, "text", n) for n in (1, 2))
    return building.topic(
        name,
        docs={f"{name}-d": [text(name, n) for n in range(1, 7)]},
        abstracts=(
            abstract(name, "short", 1, annotators),
            abstract(name, "short", 2, annotators),
            abstract(name, "long", 1, annotators[:1]),
        ),
        outputs=(
            extract("lead", 1, 2),
            extract("other", 5, 3, 6, length="short"),
            building.text("text", *written, length="short"),
            extract("late", 6, 4, length="long"),
        ),
    )


CORPUS = Corpus(topics=(topic("s", ("A", "B")), topic("t", ("B", "A")), topic("u", ("A", "C"))))


def parse_of(sentence):
    """A chain: each word hangs on the one before it."""
    rows = [
        f"{n}\t{word}\t{word}\tNOUN\t_\t_\t{n - 1}\t{'dep' if n > 1 else 'root'}\t"
        f"{n - 1}:{'dep' if n > 1 else 'root'}\t_"
        for n, word in enumerate(sentence.split(), 1)
    ]
    return "\n".join([f"# text = {sentence}", *rows]) + "\n\n"


def vector(word):
    numbers = hashlib.sha256(word.encode()).digest()[:6]
    return (np.frombuffer(numbers, np.uint8).astype(np.float32) - 127.5) / 100


class Vectors:
    name, digest = "vectors", "0123456789abcdef" * 4

    def vectors_of(self, words):
        return {word: vector(word) for word in words if word in WORDS}


class Encoder:
    name, digest = "encoder", "0123456789abcdef" * 4

    def encode(self, sentences, step):
        return [
            np.array([vector(one.text[start:stop]) for start, stop in one.spans])
            for one in sentences
        ]


class Backwards:
    """Workers that begin with the last task, each task on its own copy."""

    def map(self, function, tasks, reporter):
        copies = [pickle.loads(pickle.dumps(task)) for task in tasks]
        return iter([function(task, lambda _what: None) for task in reversed(copies)][::-1])


PARSES = {one: parse_of(one) for one in sorted(distinct_texts(CORPUS))}
EDUS = read_edus("\n".join("\t".join(one.split(" ", 2)) for one in sorted(PARSES)), "edus")


def supplies(**others):
    return Supplies(
        parses=PARSES,
        parse_model="chains",
        vectors=Vectors(),
        encoders=dict.fromkeys(("any", "encoder@0123456789ab"), Encoder()),
        edus=EDUS,
        **others,
    )


def part_of(corpus, topics, systems):
    return replace(
        corpus,
        topics=tuple(
            replace(one, outputs=tuple(o for o in one.outputs if o.system in systems))
            for one in corpus.topics
            if one.id in topics
        ),
    )


def cells(corpus, metrics, **others):
    """Each cell with its value, in every digit; the reason where it has none."""
    table = score_corpus(corpus, requests_of(metrics), Silent(), supplies(**others))
    return {
        (one.signature, one.metric, one.topic, one.length, one.system): (
            str(one.reason) if one.value is None else repr(one.value), one.n_topics,
            one.provisional, one.spread,
        )
        for one in table.scores
    }  # fmt: skip


def reordered(draw, corpus):
    """The same corpus as if its parts had been brought in another order."""

    def shuffled(items):
        return tuple(draw(st.permutations(items)))

    def turned(one):
        abstracts = [replace(a, alignments=shuffled(a.alignments)) for a in one.abstracts]
        return replace(one, abstracts=shuffled(abstracts), outputs=shuffled(one.outputs))

    return replace(corpus, topics=shuffled([*map(turned, corpus.topics)]))


WHOLE = {}


def whole():
    if not WHOLE:
        WHOLE.update(cells(CORPUS, REQUESTS))
    return WHOLE


@pytest.mark.slow
@law(12, st.data())
def test_that_equal_signatures_of_a_corpus_have_equal_numbers(data):
    corpus = reordered(data.draw, CORPUS)
    topics = data.draw(st.sets(st.sampled_from(["s", "t", "u"]), min_size=1))
    systems = data.draw(st.sets(st.sampled_from(SYSTEMS), min_size=1))
    metrics = data.draw(st.lists(st.sampled_from(REQUESTS), min_size=4, max_size=12, unique=True))
    workers = {"workers": Backwards()} if data.draw(st.booleans()) else {}
    found = cells(part_of(corpus, topics, systems), metrics, **workers)
    known = whole()
    different = [key for key in found if key in known and found[key] != known[key]]
    assert not different, [(key, found[key], known[key]) for key in different[:3]]


@pytest.mark.slow
@pytest.mark.parametrize("topic", in_part(["s", "t", "u"]))
def test_that_signatures_of_a_topic_are_requests_for_its_numbers(topic):
    part = part_of(CORPUS, [topic], SYSTEMS)
    made = {key: value for key, value in cells(part, REQUESTS).items() if key[2]}
    assert made.items() <= cells(part, sorted({key[0] for key in made})).items()


PAIRS = "0/6 s, 1/6 s, 2/6 s, 3/6 t, 4/6 t, 5/6 t, 6/6"
PROGRESS = {
    "be": "0/1 be, 0/4 s, 1/4 s, 2/4 t, 3/4 t", "bleu": "1/2, 2/2", "chrf": "1/2, 2/2",
    "rouge": "0/4, 1/1", "subtree": "0/2 s, 1/2 t, 2/2", "pseudo": "0/2 s, 1/2, 1/2 t, 2/2",
    **dict.fromkeys(("coverage", "precision", "weighted"), "0/2 s, 1/2, 1/2 t, 2/2"),
    "rouge-we": PAIRS,
}  # fmt: skip
"""What is told of two topics, by how a metric begins, else `PAIRS`; what is told twice, once."""


@in_turn("metric", sorted({*METRICS} - NEEDS_A_MODEL))
def test_that_scoring_tells_how_far_it_is_and_can_be_stopped_wherever_it_tells(metric):
    part, heard = part_of(CORPUS, ["s", "t"], ["lead", "text"]), Heard()
    table = score_corpus(part, requests_of([metric]), heard, supplies())
    assert all((one.value is None) == (one.reason is not None) for one in table.scores)
    told = dict.fromkeys(f"{done}/{total} {what}".strip() for done, total, what in heard.calls)
    expected = [PROGRESS[one] for one in PROGRESS if f"{metric}-".startswith(f"{one}-")]
    assert ", ".join(told) == [PAIRS, *expected][-1]
    for n_calls in {0, len(heard.steps) - 1}:
        with pytest.raises(Cancelled):
            score_corpus(part, requests_of([metric]), Heard(calls=n_calls), supplies())


@pytest.mark.slow
def test_that_signatures_of_the_whole_corpus_are_met_again():
    """So that the test above compares what it says it compares."""
    again = cells(part_of(CORPUS, ["t"], ["lead", "text"]), REQUESTS)
    by_topic = {key for key in again if key[2] and "systems=" not in key[0]}
    assert by_topic
    assert by_topic <= {*whole()}
    of_means = {key[0] for key in again if not key[2]}
    assert all("topics=1@" in signature for signature in of_means)
    assert not of_means & {key[0] for key in whole()}


HASHED = """
import json, sys
from tests.core.metrics.test_signatures import CORPUS, REQUESTS, cells
found = cells(CORPUS, REQUESTS)
print(json.dumps(sorted([list(map(str, key)), str(value)] for key, value in found.items())))
"""


@pytest.mark.slow
def test_that_numbers_and_signatures_do_not_depend_on_the_hash_seed():
    outputs = set()
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", HASHED], capture_output=True, check=True, text=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip
        outputs.add(run.stdout)
    assert len(outputs) == 1
    assert len(json.loads(outputs.pop())) == len(whole())


# --- what a score rests on beside the corpus ------------------------------------------------------


def signatures(metric, given, corpus=CORPUS):
    table = score_corpus(corpus, requests_of([metric]), Silent(), given)
    return {one.signature for one in table.scores if one.topic}


@in_turn("metric", ["be", "subtree", "pbe", "pseudo-pyramid:oracle=be"])
def test_that_other_parses_by_the_same_model_have_another_signature(metric):
    given = supplies()
    sentence = next(iter(PARSES))
    changed = {**PARSES, sentence: PARSES[sentence].replace("dep", "obj")}
    assert signatures(metric, given) != signatures(metric, replace(given, parses=changed))


def test_that_vectors_models_and_edus_stand_in_signatures_with_a_digest():
    assert all("vectors=vectors@0123456789ab" in one for one in signatures("prouge-1", supplies()))
    assert all("model=encoder@0123456789ab" in one for one in signatures("subtree", supplies()))
    (of_file,) = signatures("pseudo-pyramid:unit=edu-file", supplies())
    assert f"unit={EDUS.id}," in of_file
    others = read_edus("\n".join(sorted(PARSES)), "others")
    assert signatures("pseudo-pyramid:unit=edu-file", replace(supplies(), edus=others)) != {of_file}


# --- annotators -----------------------------------------------------------------------------------


def test_that_a_signature_says_whose_alignments_were_the_first():
    table = score_corpus(CORPUS, requests_of(["coverage"]), Silent())
    by_topic = {one.topic: one.signature for one in table.scores if one.topic}
    assert "annotator=first(A),no_source=0,version" in by_topic["s"]
    assert "annotator=first(B),no_source=0,version" in by_topic["t"]
    (mean,) = {one.signature for one in table.scores if not one.topic and one.length == "short"}
    assert "annotator=first(A+B),no_source=0,whose=" in mean


def of_lead(metric, topic, corpus=CORPUS):
    """The score of `lead` at the length short, in a topic or, without one, on average."""
    table = score_corpus(corpus, requests_of([metric]), Silent())
    (found,) = [s for s in table.scores
                if (s.topic, s.length, s.system) == (topic, "short", "lead")]  # fmt: skip
    return found


def test_that_the_score_of_all_annotators_is_the_mean_of_each_ones_with_its_range():
    one, other, both = (of_lead(f"coverage:annotator={name}", "s") for name in ("A", "B", "all"))
    assert one.value != other.value
    assert both.value == (one.value + other.value) / 2
    assert both.spread == (min(one.value, other.value), max(one.value, other.value))
    assert one.spread is None
    assert "annotator=all(A,B)," in both.signature


def test_that_signatures_do_not_depend_on_the_order_of_annotators_and_systems():
    turned = []
    for one in CORPUS.topics:
        abstracts = [replace(a, alignments=a.alignments[::-1]) for a in one.abstracts]
        turned.append(replace(one, abstracts=tuple(abstracts), outputs=one.outputs[::-1]))
    for metric in ("coverage:annotator=all", "rouge-1"):
        both = [score_corpus(Corpus(topics=tuple(topics)), requests_of([metric]), Silent()).scores
                for topics in (CORPUS.topics, turned)]  # fmt: skip
        assert {*map(str, both[0])} == {*map(str, both[1])}


def test_that_the_range_of_a_mean_is_that_of_annotators_who_aligned_every_topic():
    assert of_lead("precision:annotator=all", None).spread is None  # only A aligned all three
    two = replace(CORPUS, topics=CORPUS.topics[:2])
    each = [of_lead(f"precision:annotator={name}", None, two).value for name in "AB"]
    assert of_lead("precision:annotator=all", None, two).spread == (min(each), max(each))


def test_that_somebody_who_aligned_one_of_two_abstracts_is_left_out_and_named():
    first, second, *others = CORPUS.topics[0].abstracts
    alone = replace(
        CORPUS.topics[0],
        abstracts=(first, replace(second, alignments=second.alignments[:1]), *others),
    )
    table = score_corpus(Corpus(topics=(alone,)), requests_of(["coverage:annotator=all"]), Silent())
    assert {s.signature.partition("annotator=")[2][:6] for s in table.scores} == {"all(A)"}
    assert any("The alignments of B are left out" in str(one) for one in table.warnings)


def test_that_names_in_a_signature_are_asked_for():
    (signature,) = {
        s.signature for s in score_corpus(CORPUS, requests_of(["coverage"]), Silent()).scores
        if s.topic == "t"
    }  # fmt: skip
    assert signature in signatures(signature, supplies())
    others = replace(CORPUS, topics=(CORPUS.topics[0], CORPUS.topics[2]))
    with pytest.raises(
        InputError,
        match=r"The alignments of B were requested; here annotator=first means those of A\.",
    ):
        score_corpus(others, requests_of([signature]), Silent())


@in_turn("name", ["first", "gold", "all", "name", "first(A)", "A+B", "A,B", "a)b%"])
def test_that_every_person_can_be_addressed_and_named(name):
    asked = Annotators.parse(Annotators.parse("name(x)").spelled)
    assert (asked.choice, asked.name) == ("name", "x")
    spelled = replace(asked, name=name).spelled
    assert Annotators.parse(spelled).name == name
    for choice in ("first", "all"):
        signed = Annotators.parse(choice).signed([name, "Z"])
        assert Annotators.parse(signed).expected == tuple(sorted([name, "Z"]))
        assert without_names(signed) == choice
        assert joined_values([signed, f"{choice}(Y)"]) == Annotators.parse(choice).signed(
            [name, "Y", "Z"]
        )


def test_that_gold_is_scored_and_provisional_where_nothing_was_decided():
    def of(annotator, corpus):
        asked = requests_of([f"coverage:annotator={annotator}"])
        return [s for s in score_corpus(corpus, asked, Silent()).scores if s.topic == "s"]

    gold = of("gold", CORPUS)
    assert all("annotator=gold,no_source=0,version" in one.signature for one in gold)
    # Of the first abstracts one sentence in two was decided, of the second ones both.
    assert {one.provisional for one in gold} == {True}
    decided = [replace(a, alignments=(aligned("s", f"{a.length}{a.id[-1]}", "gold"),))
               for a in CORPUS.topics[0].abstracts]  # fmt: skip
    as_person = [
        replace(a, gold=tuple(map(lambda e: GoldEntry(entry=e), a.alignments[0].sentences)))
        for a in decided
    ]
    whole_gold = Corpus(topics=(replace(CORPUS.topics[0], abstracts=tuple(as_person)),))
    by_gold, by_person = of("gold", whole_gold), of("name(gold)", whole_gold)
    assert [one.value for one in by_gold] == [one.value for one in by_person]
    assert not any(one.provisional for one in by_gold)
    assert "annotator=name(gold)," in by_person[0].signature


def test_that_gold_is_refused_where_nothing_was_decided_at_all():
    bare = [replace(a, gold=()) for a in CORPUS.topics[0].abstracts]
    corpus = Corpus(topics=(replace(CORPUS.topics[0], abstracts=tuple(bare)),))
    with pytest.raises(InputError, match=r"Nothing is decided in the gold.*Adjudicate it"):
        score_corpus(corpus, requests_of(["coverage:annotator=gold"]), Silent())
    person = replace(bare[0].alignments[0], annotator="gold")
    bare[0] = replace(bare[0], alignments=(person,))
    corpus = Corpus(topics=(replace(CORPUS.topics[0], abstracts=tuple(bare)),))
    with pytest.raises(InputError, match=r"annotator=name\(gold\)"):
        score_corpus(corpus, requests_of(["coverage:annotator=gold"]), Silent())


def test_that_an_oracle_from_a_file_is_counted_again_and_stands_in_the_signature():
    from awase.core.metrics.kit.extractive import OracleEffort
    from awase.core.metrics.kit.oracle_choices import chosen_with
    from awase.core.metrics.oracles import OracleFinder, Reference, oracle_options

    finder = OracleFinder(oracle_options(chosen_with({})), Supplies(), OracleEffort())
    source = finder.source_of(CORPUS.topics[0])
    for one in CORPUS.topics[0].abstracts:
        source.oracle_for(Reference.of(one))
    found = dict(finder.found)
    key, oracle = next((key, one) for key, one in found.items() if one.value)
    (here,) = signatures("pseudo-pyramid", supplies())
    (from_file,) = signatures("pseudo-pyramid", supplies(oracles=found))
    assert "oracles=found," in here
    assert from_file == here.replace(
        "oracles=found", f"oracles={supplies(oracles=found).oracles_label}"
    )
    assert signatures(here, supplies(oracles=found)) == {here}
    for lie in ({"value": oracle.value + 1, "upper": oracle.upper + 1}, {"length": 1},
                {"units": oracle.units[:-1]}, {"total": oracle.total + 1}):  # fmt: skip
        changed = {**found, key: replace(oracle, **lie)}
        with pytest.raises(CorpusFormatError, match="it was changed"):
            signatures("pseudo-pyramid", supplies(oracles=changed))
        assert signatures(here, supplies(oracles=changed)) == {here}  # they are found here
