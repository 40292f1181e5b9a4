"""What the options of subtree similarity mean."""

from collections.abc import Mapping
from types import MappingProxyType

from awase.core.metrics.kit.options import Choice, Option

SUBTREE_OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        "head": Option(
            what="whether only subtrees are similar whose head words are the same",
            choices=(
                Choice(value="yes", what="others have similarity 0"),
                Choice(value="no", what="any two subtrees of one length are compared"),
            ),
        ),
        "key": Option(
            what="when head words are the same",
            choices=(
                Choice(value="surface", what="when their forms are, capitals aside"),
                Choice(value="lemma", what="when their lemmas are"),
                Choice(value="lemma+upos", what="when lemma and part of speech are"),
            ),
        ),
        "punct": Option(
            what="what becomes of punctuation marks",
            choices=(
                Choice(value="keep", what="they are words of the tree"),
                Choice(value="drop", what="they are taken off it"),
            ),
        ),
        "dedupe": Option(
            what="how often words count that are a subtree in several ways",
            choices=(
                Choice(value="yes", what="once"),
                Choice(value="no", what="once as a word, as a path and as a branch each"),
            ),
        ),
        "vector": Option(
            what="which vectors are compared",
            choices=(
                Choice(value="mean", what="the means of the subtrees' words"),
                Choice(value="head", what="those of the head words"),
            ),
        ),
        "refs": Option(
            what="how several references make one score",
            choices=(
                Choice(value="mean", what="the mean over the references"),
                Choice(value="max", what="the reference with the best F"),
            ),
        ),
    }
)
