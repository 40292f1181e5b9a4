"""The BE metric against the Perl program: exported files scored by both, every number compared."""

import random
import re

import pytest
from tests import building
from tests.core.language.trees import tree
from tests.core.metrics.rouge.perl_program import perl_program

from awase.core.errors import Silent
from awase.core.language.conllu import conllu_of
from awase.core.metrics.kit.supplies import Supplies
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.metrics.rouge.be import SETTINGS, be_files
from awase.core.metrics.rouge.units import BeMode
from awase.core.records.corpus import Corpus
from awase.jobs.files.writing import Target, write_folder

pytestmark = pytest.mark.slow

WORDS = "killed police men's Running geese café 犬 NIL nil c|d John studies the ¼ İstanbul".split()
RELATIONS = "nsubj obj obl:tmod case det amod compound punct conj flat nmod:poss".split()
UPOS = "NOUN VERB ADP PROPN DET".split()
N_CORPORA = 6


def random_corpus(rng):
    pool = []
    for _ in range(30):
        n_words = rng.randint(1, 9)
        root = rng.randint(1, n_words)
        words = (
            f"{rng.choice(WORDS)}//{rng.choice(UPOS)} {0 if n == root else root} "
            f"{rng.choice(RELATIONS)}"
            for n in range(1, n_words + 1)
        )
        pool.append(tree(*words))
    texts = {f"s{number}": conllu_of((one,)) for number, one in enumerate(pool)}

    def summary(most):
        return tuple(rng.choice([*texts]) for _ in range(rng.randint(1, most)))

    topics = []
    for number in range(5):
        references = tuple(summary(4) for _ in range(rng.randint(1, 4)))
        outputs = [building.text(f"s{at}", *summary(5), references=references) for at in range(3)]
        topics.append(building.topic(f"D{number}", docs={}, outputs=outputs))
    return Corpus(topics=tuple(topics)), Supplies(parses=texts, parse_model="random")


EVAL = re.compile(r"^(\S+) ROUGE-BE-\S+ Eval (\S+)\.\1 R:(\S+) P:(\S+) F:(\S+)$", re.MULTILINE)
AVERAGE = re.compile(r"^(\S+) ROUGE-BE-\S+ Average_[RPF]: (\S+)", re.MULTILINE)


def test_that_every_number_is_the_perl_programs(tmp_path):
    perl = perl_program(tmp_path)
    n_values = 0
    for number in range(N_CORPORA):
        rng = random.Random(number)
        corpus, supplies = random_corpus(rng)
        folder = tmp_path / str(number)
        write_folder(Target(path=folder), be_files(corpus, supplies, Silent()))
        for mode in BeMode:
            stem, best = rng.random() < 0.5, rng.random() < 0.5
            options = ["-m"] * stem + ["-f", "B" if best else "A", "-p", "0.3"]
            ran = perl.run("-3", mode.value, *options, "-d", "-a", SETTINGS, cwd=folder)
            assert ran.returncode == 0, ran.stderr
            printed = ran.stdout.decode()
            theirs = {
                (topic, system): [*map(float, values)]
                for system, topic, *values in EVAL.findall(printed)
            }
            for system, value in AVERAGE.findall(printed):
                theirs.setdefault((None, system), []).append(float(value))
            metric = (
                f"be:mode={mode.value.lower()},stem={'yes' if stem else 'no'},"
                f"refs={'b' if best else 'a'},alpha=0.3,average=perl"
            )
            table = score_corpus(corpus, requests_of([metric]), Silent(), supplies)
            ours = {}
            for score in table.scores:
                if score.value is not None:
                    ours.setdefault((score.topic, score.system), []).append(score.value)
            # Undefined for us is 0 for the program; means then are over other topics.
            undefined = theirs.keys() - ours.keys()
            assert all(theirs[key] == [0.0] * 3 for key in undefined)
            compared = ours.keys() - {(None, system) for _, system in undefined}
            assert {key: ours[key] for key in compared} == {key: theirs[key] for key in compared}
            n_values += 3 * len(compared)
    print(f"{n_values} values, 0 differences")
    assert n_values > 1500
