"""The program's own metrics: their names, options and needs, a table for each family."""

import re
from dataclasses import replace
from typing import Any, Final

from awase.core.errors import Problem
from awase.core.metrics.kit.metric import (
    ALPHA,
    ANNOTATOR,
    ANY_PACKAGE,
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
    form_what="one weight per rank, from 0, in order, separated by slashes",
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
    what="how many words may lie between the words of a pair",
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
        what="w={value} is not a weight of ROUGE-W.",
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
    Choice(value="surface", what="when their forms are, ignoring case"),
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
    Choice(value="no", what="each counts separately"),
    Choice(value="yes", what="they are one, with the votes of all"),
    what="whether units of oracles with equal tokens are one",
)


def _oracles(text: str) -> str:
    if text not in (ANY_ORACLES, FOUND_HERE) and not _OF_A_FILE.fullmatch(text):
        raise ValueError(text)
    return text


ORACLES: Final[Option[str]] = Option(
    name="oracles",
    what="which oracles are used",
    default=ANY_ORACLES,
    choices=(
        Choice(value=ANY_ORACLES, what="those of a file where one is given, else found here"),
        Choice(value=FOUND_HERE, what="those that are found here, whatever is given"),
    ),
    form_what="the digest of the file's, as in signatures",
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
    Choice(value="form", what="as in the element"),
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


# Of the packages sacrebleu and bert-score; options are named as in their signatures.
MOST_ORDER: Final = 99
AUTO: Final = "auto"
NO_BASELINE: Final = "none"
_ORDER = r"(?:0{0,8}[1-9]|0{0,7}[1-9][0-9])"
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,4})?")


def _bad_order(least: int) -> Problem:
    return Problem(
        what="{option}={value} is not a length of n-grams.",
        hint="Use a whole number from {least} to {most}.",
        fields={"least": least, "most": MOST_ORDER},
    )


CASE: Final = pick(
    "case",
    Choice(value="mixed", what="they differ"),
    Choice(value="lc", what="they are the same"),
    what="whether upper and lower case differ",
)
BLEU_TOKENS: Final[Option[str]] = Option(
    name="tokens",
    what="what text is cut into",
    default="13a",
    choices=(
        Choice(value="13a", what="words and marks, as WMT's mteval-v13a"),
        Choice(value="intl", what="words and marks of any script, as mteval-v14"),
        Choice(value="zh", what="Chinese characters; other text as 13a"),
        Choice(value="ja", what="words of Japanese"),
        Choice(value="char", what="single characters, marks included"),
        Choice(value="none", what="at its blanks only"),
    ),
    form_what="the version of its rules named, as in signatures",
)
SMOOTH: Final = pick(
    "smooth",
    Choice(value="exp", what="1/2, 1/4, … of a match, as NIST's mteval"),
    Choice(value="floor", what="0.1 of a match"),
    Choice(value="add-k", what="1 is added to the counts of longer runs"),
    Choice(value="none", what="nothing: the score is 0"),
    what="what replaces a precision of 0",
)
NC: Final = whole(
    "nc",
    _ORDER,
    what="maximum length of a run in characters",
    form_what="a whole number from 1 to 99",
    examples=("6",),
    refusal=_bad_order(1),
)
NW: Final = whole(
    "nw",
    rf"0{{1,9}}|{_ORDER}",
    what="maximum length of a run in words; 2 makes chrF++",
    form_what="a whole number from 0 to 99",
    examples=("0", "2"),
    refusal=_bad_order(0),
)
BETA: Final = decimal(
    "beta",
    lambda value: value == value.to_integral_value() and 1 <= value <= MOST_ORDER,
    what="how much more recall weighs than precision",
    form_what="a whole number from 1 to 99",
    examples=("2", "1", "3"),
    refusal=Problem(
        what="beta={value} is not a weight of recall.",
        hint="Use a whole number from 1 to {most}.",
        fields={"most": MOST_ORDER},
    ),
)
SPACE: Final = switch(
    "space",
    Choice(value="no", what="they are left out"),
    Choice(value="yes", what="they count"),
    what="whether blanks count as characters",
)
CORPUS_AVERAGE: Final = pick(
    "average",
    Choice(value="plain", what="the mean of the topics' scores"),
    Choice(value="corpus", what="no mean: counts are summed over all topics first"),
    what="how topics make a system's score",
)
SACREBLEU: Final[Option[str]] = Option(
    name="sacrebleu",
    what="which version and settings of sacrebleu are required",
    default=ANY_PACKAGE,
    choices=(Choice(value=ANY_PACKAGE, what="those that follow from the other options"),),
    form_what="its own signature, as in ours",
)

BERT_MODEL: Final[Option[str]] = Option(
    name="model",
    what="which language model makes the vectors",
    default="roberta-large",
    form_what="the folder of a model, or the name of one that was downloaded",
    examples=("roberta-large", "bert-base-multilingual-cased"),
)
LAYERS: Final = whole(
    "layers",
    _ORDER,
    Choice(value=AUTO, what="the one that the package chose for the model"),
    what="which layer of the model is looked at",
    form_what="a number from 1",
    examples=("9",),
    refusal=Problem(
        what="layers={value} is not a layer of a model.",
        hint="Use layers=auto, or a number from 1.",
    ),
)


def _baseline(text: str) -> str | None:
    if text == NO_BASELINE:
        return None
    if not _LANGUAGE.fullmatch(text):
        raise ValueError(text)
    return text


BASELINE: Final[Option[str | None]] = Option(
    name="baseline",
    what="whether scores are stretched by the package's baseline for a language",
    default=NO_BASELINE,
    choices=(Choice(value=NO_BASELINE, what="they are not"),),
    form_what="a language such as en",
    examples=("en",),
    read=_baseline,
    spell=lambda language: language or NO_BASELINE,
    refusal=Problem(
        what="baseline={value} is not a language.",
        hint="Use baseline=none, or a language such as en.",
    ),
)
PACKAGE: Final = replace(
    SACREBLEU, name="package", what="which version and settings of bert-score are required"
)


def _sacrebleu(name: str, *own: Option[Any], what: str) -> Metric:
    return Metric(
        name=name,
        what=what,
        family="awase.core.metrics.sacrebleu",
        options=(CASE, *own, CORPUS_AVERAGE, SACREBLEU),
        greatest=100.0,
    )


PACKAGES: Final = (
    _sacrebleu(
        "bleu",
        BLEU_TOKENS,
        SMOOTH,
        what="precision of runs of 1 to 4 words, 0 to 100, by the package sacrebleu",
    ),
    _sacrebleu(
        "chrf",
        NC,
        NW,
        BETA,
        SPACE,
        what="F of runs of 1 to 6 characters, 0 to 100, by the package sacrebleu",
    ),
    Metric(
        name="bertscore",
        what="words matched by a language model's vectors in context, by the package bert-score",
        family="awase.core.metrics.bertscore",
        options=(BERT_MODEL, LAYERS, BASELINE, PACKAGE),
    ),
)

# Every family's; the order is that of lists.
ENTRIES: Final = (*EXTRACTS, *ROUGE, *BE, *SUBTREE, *PSEUDO_PYRAMID, *PRUNED, *ROUGE_WE, *PACKAGES)
