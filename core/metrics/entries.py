"""The program's own metrics: their names, options and needs, a table for each family."""

import re
from typing import Any, Final

from awase.core.errors import Problem
from awase.core.metrics.kit.metric import (
    ALPHA,
    ANNOTATOR,
    AVERAGE,
    LABELS,
    LIMIT,
    MODEL,
    PARSER,
    REFS,
    STEM,
    STOP,
    TOKENS,
    VECTORS,
    WORDS,
    Choice,
    Metric,
    Option,
    decimal,
    pick,
    share,
    switch,
    whole,
)
from awase.core.metrics.kit.oracle_choices import ORACLE_OPTIONS

CORPUS_WEIGHTS: Final = "corpus"
_FAMILY = "awase.core.metrics.extracts.family"

FIRST: Final = whole(
    "first",
    r"0*[1-9][0-9]{0,8}",
    Choice(value="h", what="the first h sentences, h the size of the minimal cover"),
    Choice(value="all", what="all of it"),
    what="which part of an extract counts",
    form_what="a number of sentences from 1",
    examples=("3",),
    refusal=Problem(
        what="first={value} is not a part of an extract.",
        hint="Use first=h, first=all or a number from 1 to 999999999.",
    ),
)
STRICT: Final = switch(
    "strict",
    Choice(value="no", what="the share of it that was extracted"),
    Choice(value="yes", what="nothing"),
    what="what a partly extracted alternative earns",
)
WEIGHTS: Final[Option[str]] = Option(
    name="weights",
    what="how much each rank of abstract sentences weighs",
    default=CORPUS_WEIGHTS,
    choices=(Choice(value=CORPUS_WEIGHTS, what="as the corpus says"),),
    form_what="one weight from 0 a rank, in order, with slashes between",
    examples=("1/0.5/0.3333",),
)

EXTRACTS: Final = (
    Metric(
        name="precision",
        what="share of the counted part of an extract that is in some alternative",
        family=_FAMILY,
        options=(FIRST, ANNOTATOR),
        reads_sources=False,
    ),
    Metric(
        name="coverage",
        what="mean over abstract sentences of how far an extract fills the fullest alternative",
        family=_FAMILY,
        options=(FIRST, STRICT, ANNOTATOR),
        reads_sources=False,
    ),
    Metric(
        name="weighted-coverage",
        what="coverage, abstract sentences weighted by their ranks",
        family=_FAMILY,
        options=(FIRST, STRICT, WEIGHTS, ANNOTATOR),
        reads_sources=False,
    ),
)


ANY_GAP: Final = "*"
_LARGEST_WEIGHT = 10

GAP: Final = whole(
    "gap",
    r"[0-9]{1,9}",
    Choice(value=ANY_GAP, what="any number"),
    what="how many words may stand between the words of a pair",
    form_what="a number from 0",
    examples=("4",),
    refusal=Problem(
        what="gap={value} is not a number of words.",
        hint="Use gap=* for any number, or a number from 0 such as gap=4.",
    ),
)
WEIGHT: Final = decimal(
    "w",
    lambda value: 0 < value <= _LARGEST_WEIGHT,
    what="how much more consecutive words weigh",
    form_what="a number over 0 and up to 10",
    examples=("1.2", "2"),
    refusal=Problem(
        what="w={value} is no weight of ROUGE-W.",
        hint="Choose one over 0 and up to 10, such as w=1.2.",
    ),
)
FORM: Final = pick(
    "form",
    Choice(value="program", what="of whole summaries, as ROUGE-1.5.5"),
    Choice(value="paper", what="of two texts as one sentence each, as Lin (2004) defines it"),
    what="whose ROUGE-W it is",
)
LEVEL: Final = pick(
    "level",
    Choice(value="summary", what="each sentence of a reference, as ROUGE-1.5.5"),
    Choice(value="sentence", what="the whole text as one sentence"),
    what="what common subsequences are sought in",
)


def _rouge(name: str, *own: Option[Any], what: str) -> Metric:
    return Metric(
        name=name,
        what=what,
        family="awase.core.metrics.rouge.family",
        options=(STEM, STOP, LIMIT, REFS, ALPHA, *own),
        page="rouge",
    )


ROUGE: Final = (
    _rouge(
        "rouge-1", TOKENS, AVERAGE, what="words shared with references, as ROUGE-1.5.5 counts"
    ),
    _rouge("rouge-2", TOKENS, AVERAGE, what="pairs of neighbouring words shared with references"),
    *(
        _rouge(
            f"rouge-{n}", TOKENS, AVERAGE, what="runs of so many words shared with references"
        )
        for n in range(3, 10)
    ),
    _rouge(
        "rouge-l", TOKENS, AVERAGE, LEVEL,
        what="words in longest common subsequences with reference sentences",
    ),
    _rouge(
        "rouge-w", WEIGHT, TOKENS, AVERAGE, FORM, what="as rouge-l, consecutive words weighing more"
    ),
    _rouge("rouge-s", GAP, TOKENS, AVERAGE, what="ordered pairs of words shared with references"),
    _rouge("rouge-su", GAP, TOKENS, AVERAGE, what="as rouge-s, and single words"),
)  # fmt: skip


_MODES = (
    Choice(value="h", what="heads of elements without a modifier"),
    Choice(value="hm", what="head and modifier, where there is a modifier"),
    Choice(value="hmr", what="all three parts, where there is a relation"),
    Choice(value="hm1", what="head and modifier of every element"),
    Choice(value="hmr1", what="all three parts, where there is a modifier"),
    Choice(value="hmr2", what="all three parts of every element"),
)


def _mode(text: str) -> str:
    """Returns the mode in lower case; ROUGE-1.5.5 has it in capitals."""
    if text.lower() not in {mode.value for mode in _MODES}:
        raise ValueError(text)
    return text.lower()


MODE: Final[Option[str]] = Option(
    name="mode",
    what="which parts of basic elements are compared",
    default="hmr",
    choices=_MODES,
    read=_mode,
)

BE: Final = (
    Metric(
        name="be",
        what="head-modifier-relation triples of parses shared with references, as ROUGE-1.5.5 -3",
        family="awase.core.metrics.rouge.be",
        options=(MODE, WORDS, LABELS, STEM, REFS, ALPHA, AVERAGE, PARSER),
        needs=("parses",),
    ),
)


HEAD: Final = switch(
    "head",
    Choice(value="yes", what="others have similarity 0"),
    Choice(value="no", what="any two subtrees of one length are compared"),
    what="whether only subtrees are similar whose head words are the same",
)
KEY: Final = pick(
    "key",
    Choice(value="surface", what="when their forms are, capitals aside"),
    Choice(value="lemma", what="when their lemmas are"),
    Choice(value="lemma+upos", what="when lemma and part of speech are"),
    what="when head words are the same",
)
PUNCT: Final = pick(
    "punct",
    Choice(value="keep", what="they are words of the tree"),
    Choice(value="drop", what="they are taken off it"),
    what="what becomes of punctuation marks",
)
DEDUPE: Final = switch(
    "dedupe",
    Choice(value="yes", what="once"),
    Choice(value="no", what="once as a word, as a path and as a branch each"),
    what="how often words count that are a subtree in several ways",
)
VECTOR: Final = pick(
    "vector",
    Choice(value="mean", what="the means of the subtrees' words"),
    Choice(value="head", what="those of the head words"),
    what="which vectors are compared",
)
SUBTREE_REFS: Final = pick(
    "refs",
    Choice(value="mean", what="the mean over the references"),
    Choice(value="max", what="the reference with the best F"),
    what="how several references make one score",
)

SUBTREE: Final = (
    Metric(
        name="subtree",
        what="similarity of subtrees of parses to those of references, by a language model",
        family="awase.core.metrics.subtree",
        options=(HEAD, KEY, PUNCT, DEDUPE, VECTOR, SUBTREE_REFS, PARSER, MODEL),
        needs=("parses", "model"),
    ),
)


ANY_ORACLES: Final = "any"
FOUND_HERE: Final = "found"
_OF_A_FILE = re.compile(r"file@[0-9a-f]{12}")

TIES: Final = pick(
    "ties",
    Choice(value="first", what="the first one"),
    Choice(value="all", what="all of them, sharing one vote"),
    what="which of a reference's equally good oracles count",
)
SIM: Final = pick(
    "sim",
    Choice(value="lcs", what="when their longest common subsequence reaches tau"),
    Choice(value="exact", what="when their tokens are equal"),
    what="when units are alike",
)
TAU: Final = share(
    "tau",
    lambda value: 0 < value <= 1,
    what="how much of a unit must be in the other one",
    form_what="a number over 0 and up to 1",
    examples=("0.6", "1"),
    refusal=Problem(what="tau={value} is not over 0 and up to 1.", hint="The paper has tau=0.6."),
)
MERGE: Final = switch(
    "merge",
    Choice(value="no", what="each stands for itself"),
    Choice(value="yes", what="they are one, with the votes of all"),
    what="whether units of oracles with equal tokens are one",
)


def _oracles(text: str) -> str:
    if text not in (ANY_ORACLES, FOUND_HERE) and not _OF_A_FILE.fullmatch(text):
        raise ValueError(text)
    return text


ORACLES: Final[Option[str]] = Option(
    name="oracles",
    what="which oracles are asked for",
    default=ANY_ORACLES,
    choices=(
        Choice(value=ANY_ORACLES, what="those of a file where one is given, else found here"),
        Choice(value=FOUND_HERE, what="those that are found here, whatever is given"),
    ),
    form_what="the digest of the file's, as signatures have it",
    read=_oracles,
)

PSEUDO_PYRAMID: Final = (
    Metric(
        name="pseudo-pyramid",
        what="units found of extractive oracles, weighted by how many references agree on them",
        family="awase.core.metrics.pseudo_pyramid",
        options=(*ORACLE_OPTIONS, TIES, SIM, TAU, MERGE, PARSER, ORACLES),
        needs_with={
            ("oracle", "be"): "parses",
            ("unit", "edu-parse"): "parses",
            ("unit", "edu-parse-1"): "parses",
        },
    ),
)


PRUNE: Final = pick(
    "prune",
    Choice(value="none", what="nothing"),
    Choice(value="cnt", what="repetitions: a unit counts once"),
    Choice(value="cls", what="differences of wording: words of one cluster are one"),
    Choice(value="cnt+cls", what="both"),
    what="what is pruned",
    default="cnt+cls",
)
RATIO: Final = decimal(
    "ratio",
    lambda value: value <= 1,
    what="how many clusters there are, as a share of the words",
    form_what="a number from 0 to 1",
    examples=("0.95", "0.9", "1"),
    refusal=Problem(
        what="ratio={value} is more than all words.", hint="Choose 0 to 1, such as ratio=0.95."
    ),
)
DISTANCE: Final = pick(
    "distance",
    Choice(value="cosine", what="by the angle of their vectors"),
    Choice(value="euclidean", what="by the straight line between their vectors"),
    what="how far words are from each other",
)
VOCABULARY: Final = pick(
    "vocabulary",
    Choice(value="pair", what="those of a summary and its references"),
    Choice(value="topic", what="those of all summaries and references of the topic"),
    what="which words are clustered together",
)
LOOKUP: Final = pick(
    "lookup",
    Choice(value="form", what="as they stand in the element"),
    Choice(value="lemma", what="their lemma where that is not there"),
    what="under which spelling words of elements are looked up among the vectors",
)


def _pruned(
    name: str, ratio: str, *own: Option[Any], needs: tuple[str, ...] = (), what: str
) -> Metric:
    """Returns a metric; `own` are the options of its units."""
    return Metric(
        name=name,
        what=what,
        family="awase.core.metrics.pruned",
        options=(PRUNE, RATIO.by_default(ratio), DISTANCE, VOCABULARY, *own, VECTORS),
        page="pruned",
        needs=needs,
    )


PRUNED: Final = (
    _pruned(
        "prouge-1",
        "0.95",
        STOP.by_default("yes"),
        LIMIT,
        TOKENS,
        what="different words shared with references, words of nearly one meaning being one",
    ),
    _pruned(
        "prouge-2",
        "0.95",
        STOP,
        LIMIT,
        TOKENS,
        what="as prouge-1, of pairs of neighbouring words",
    ),
    _pruned(
        "pbe",
        "0.975",
        WORDS,
        LABELS,
        LOOKUP,
        PARSER,
        needs=("parses",),
        what="different head-modifier-relation triples shared with references, likewise",
    ),
)


def _rouge_we(name: str, *, what: str) -> Metric:
    return Metric(
        name=name,
        what=what,
        family="awase.core.metrics.rouge_we",
        options=(STOP, LIMIT, TOKENS, VECTORS),
        page="rouge-we",
        needs=("vectors",),
    )


ROUGE_WE: Final = (
    _rouge_we("rouge-we-1", what="words matched with the nearest in meaning (best-match variant)"),
    _rouge_we("rouge-we-2", what="as rouge-we-1, of pairs of neighbouring words"),
    _rouge_we("rouge-we-su4", what="as rouge-we-1, of pairs with up to 4 words between, and words"),
)

# Every family's; the order is that of lists.
METRICS: Final = (*EXTRACTS, *ROUGE, *BE, *SUBTREE, *PSEUDO_PYRAMID, *PRUNED, *ROUGE_WE)
