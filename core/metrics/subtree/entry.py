"""Subtree similarity: what can be asked of it."""

from typing import Final

from awase.core.metrics.kit.metric import Metric
from awase.core.metrics.kit.options.option import Choice, pick, switch
from awase.core.metrics.kit.options.shared import MODEL, PARSER

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
REFS: Final = pick(
    "refs",
    Choice(value="mean", what="the mean over the references"),
    Choice(value="max", what="the reference with the best F"),
    what="how several references make one score",
)

METRICS: Final = (
    Metric(
        name="subtree",
        what="similarity of subtrees of parses to those of references, by a language model",
        family="awase.core.metrics.subtree.family",
        options=(HEAD, KEY, PUNCT, DEDUPE, VECTOR, REFS, PARSER, MODEL),
        needs=("parses", "model"),
    ),
)
