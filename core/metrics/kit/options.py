"""What the options of metrics mean and which values they take: for lists, dialogs and docs."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

ANNOTATORS, PARSERS = "annotators", "parsers"
"""Whose names an option takes: those who aligned something, models that parsed sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A value of an option, and in one line of English what it means."""

    value: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """What an option decides and every value that it takes.

    Attributes:
        what: One line, in English.
        choices: Values with a name.
        form: Regular expression of the other values; empty = there are none.
        form_what: What such a value is, in one line of English.
        examples: Values of that form.
        of_corpus: `ANNOTATORS` or `PARSERS` when other values are names in the corpus; else empty.
        ignores_case: Whether the choices may be written in capitals, too.
    """

    what: str
    choices: tuple[Choice, ...] = ()
    form: str = ""
    form_what: str = ""
    examples: tuple[str, ...] = ()
    of_corpus: str = ""
    ignores_case: bool = False

    def describes(self, value: str, names: Iterable[str] = ()) -> bool:
        """Returns whether `value` is one of those described.

        Args:
            value: As a request spells it, percent signs resolved.
            names: Those in the corpus, for an option that takes them.
        """
        return (
            any(
                (value.lower() if self.ignores_case else value) == choice.value
                for choice in self.choices
            )
            or (bool(self.form) and re.fullmatch(self.form, value) is not None)
            or (bool(self.of_corpus) and value in names)
        )


_DECIMALS = r"(?:\.[0-9]{1,15})?"
_WEIGHT = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+|[0-9]+:0*[1-9][0-9]*)"

COMMON_OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        "first": Option(
            what="which part of an extract counts",
            choices=(
                Choice(value="h", what="the first h sentences, h the size of the minimal cover"),
                Choice(value="all", what="all of it"),
            ),
            form=r"0*[1-9][0-9]{0,8}",
            form_what="a number of sentences from 1",
            examples=("3",),
        ),
        "annotator": Option(
            what="whose alignment is the gold standard",
            choices=(
                Choice(value="first", what="the first one of each abstract"),
                Choice(value="gold", what="what was decided where annotators differ"),
                Choice(value="all", what="everybody's: the mean over all who aligned the abstract"),
            ),
            of_corpus=ANNOTATORS,
        ),
        "strict": Option(
            what="what a partly extracted alternative earns",
            choices=(
                Choice(value="no", what="the share of it that was extracted"),
                Choice(value="yes", what="nothing"),
            ),
        ),
        "weights": Option(
            what="how much each rank of abstract sentences weighs",
            choices=(Choice(value="corpus", what="as the corpus says"),),
            form=rf" *{_WEIGHT} *(?:/ *{_WEIGHT} *)*",
            form_what="one weight from 0 a rank, in order, with slashes between",
            examples=("1/0.5/0.3333",),
        ),
        "stem": Option(
            what="whether English words are cut to their stems",
            choices=(
                Choice(value="no", what="words as they are"),
                Choice(value="yes", what="stems, as Porter and WordNet have them"),
            ),
        ),
        "stop": Option(
            what="whether stop words count",
            choices=(
                Choice(value="no", what="every word counts"),
                Choice(value="yes", what="the stop words of ROUGE-1.5.5 are left out"),
            ),
        ),
        "limit": Option(
            what="how much of each text counts",
            choices=(Choice(value="none", what="all of it"),),
            form=r"[1-9][0-9]{0,8}[wbc]",
            form_what="a number of words (w), characters without white space (c) or bytes (b)",
            examples=("100w", "400c", "665b"),
        ),
        "refs": Option(
            what="how several references make one score",
            choices=(
                Choice(value="a", what="counts summed over all references"),
                Choice(value="b", what="the reference that fits best"),
                Choice(value="a-jackknife", what="a, the mean over leaving each out in turn"),
                Choice(value="b-jackknife", what="b, the mean over leaving each out in turn"),
            ),
        ),
        "alpha": Option(
            what="what F favours: towards 1 precision, towards 0 recall",
            form=rf"0{{0,8}}0{_DECIMALS}|0{{0,8}}1(?:\.0{{1,15}})?",
            form_what="a number from 0 to 1",
            examples=("0.5", "0", "1"),
        ),
        "gap": Option(
            what="how many words may stand between the words of a pair",
            choices=(Choice(value="*", what="any number"),),
            form=r"[0-9]{1,9}",
            form_what="a number from 0",
            examples=("4",),
        ),
        "w": Option(
            what="how much more consecutive words weigh",
            form=rf"(?![0.]+\Z)(?:0{{0,8}}[0-9]{_DECIMALS}|0{{0,7}}10(?:\.0{{1,15}})?)",
            form_what="a number over 0 and up to 10",
            examples=("1.2", "2"),
        ),
        "tokens": Option(
            what="what text is cut into",
            choices=(
                Choice(value="ascii", what="runs of ASCII letters and digits, as ROUGE-1.5.5"),
                Choice(value="unicode", what="words of any script written with spaces"),
                Choice(value="ja", what="words of Japanese"),
                Choice(value="chars", what="characters, for Japanese and Chinese"),
                Choice(value="blanks", what="what blanks part, for text tokenised before"),
            ),
            form=r"unicode-1|chars-1|blanks-1|ja-1-.+",
            form_what="the version of its rules named, as in signatures",
            examples=("unicode-1", "chars-1"),
        ),
        "average": Option(
            what="how the mean over topics is made",
            choices=(
                Choice(value="plain", what="the mean"),
                Choice(value="perl", what="the mean of bootstrap samples, as ROUGE-1.5.5 prints"),
            ),
        ),
        "level": Option(
            what="what common subsequences are sought in",
            choices=(
                Choice(value="summary", what="each sentence of a reference, as ROUGE-1.5.5"),
                Choice(value="sentence", what="the whole text as one sentence"),
            ),
        ),
        "mode": Option(
            what="which parts of basic elements are compared",
            choices=(
                Choice(value="h", what="heads of elements without a modifier"),
                Choice(value="hm", what="head and modifier, where there is a modifier"),
                Choice(value="hmr", what="all three parts, where there is a relation"),
                Choice(value="hm1", what="head and modifier of every element"),
                Choice(value="hmr1", what="all three parts, where there is a modifier"),
                Choice(value="hmr2", what="all three parts of every element"),
            ),
            ignores_case=True,
        ),
        "words": Option(
            what="how the words of basic elements are written",
            choices=(
                Choice(value="form", what="as they stand in the text"),
                Choice(value="lemma", what="as lemmas"),
            ),
        ),
        "oracle": Option(
            what="what oracles share as much of with their reference as they can",
            choices=(
                Choice(value="rouge-1", what="words"),
                Choice(value="rouge-2", what="pairs of neighbouring words"),
                Choice(value="be", what="basic elements"),
            ),
        ),
        "unit": Option(
            what="what oracles are made of",
            choices=(
                Choice(value="sentence", what="sentences"),
                Choice(value="edu", what="elementary discourse units, by rules"),
                Choice(value="edu-parse", what="elementary discourse units, of parses"),
                Choice(value="edu-file", what="elementary discourse units, of a file"),
            ),
            form=r"edu-1|edu-parse-1|(?s:edu-file\..*)",
            form_what="the version of the rules or the file named, as in signatures",
        ),
        "ties": Option(
            what="which of a reference's equally good oracles count",
            choices=(
                Choice(value="first", what="the first one"),
                Choice(value="all", what="all of them, sharing one vote"),
            ),
        ),
        "sim": Option(
            what="when units are alike",
            choices=(
                Choice(value="lcs", what="when their longest common subsequence reaches tau"),
                Choice(value="exact", what="when their tokens are equal"),
            ),
        ),
        "tau": Option(
            what="how much of a unit must be in the other one",
            form=_WEIGHT,
            form_what="a number over 0 and up to 1",
            examples=("0.6", "1"),
        ),
        "merge": Option(
            what="whether units of oracles with equal tokens are one",
            choices=(
                Choice(value="no", what="each stands for itself"),
                Choice(value="yes", what="they are one, with the votes of all"),
            ),
        ),
        "labels": Option(
            what="which relations basic elements have",
            choices=(
                Choice(value="auto", what="enhanced ones; basic ones in Japanese sentences"),
                Choice(value="enhanced", what="of the enhanced graph, such as obl:to"),
                Choice(value="basic", what="of the tree"),
                Choice(value="particle", what="of the tree, with Japanese case particles"),
            ),
        ),
        "lookup": Option(
            what="under which spelling words of elements are looked up among the vectors",
            choices=(
                Choice(value="form", what="as they stand in the element"),
                Choice(value="lemma", what="their lemma where that is not there"),
            ),
        ),
        "parser": Option(
            what="whose parses count",
            choices=(Choice(value="any", what="those of the model that parsed most"),),
            form=r"(?s:.+)",
            form_what="the name of a model, as signatures have it",
            of_corpus=PARSERS,
        ),
        "oracles": Option(
            what="which oracles are asked for",
            choices=(
                Choice(value="any", what="those of a file where one is given, else found here"),
                Choice(value="found", what="those that are found here, whatever is given"),
            ),
            form=r"file@[0-9a-f]{12}",
            form_what="the digest of the file's, as signatures have it",
        ),
        "prune": Option(
            what="what is pruned",
            choices=(
                Choice(value="none", what="nothing"),
                Choice(value="cnt", what="repetitions: a unit counts once"),
                Choice(value="cls", what="differences of wording: words of one cluster are one"),
                Choice(value="cnt+cls", what="both"),
            ),
        ),
        "ratio": Option(
            what="how many clusters there are, as a share of the words",
            form=rf"0{{0,8}}0{_DECIMALS}|0{{0,8}}1(?:\.0{{1,15}})?",
            form_what="a number from 0 to 1",
            examples=("0.95", "0.9", "1"),
        ),
        "distance": Option(
            what="how far words are from each other",
            choices=(
                Choice(value="cosine", what="by the angle of their vectors"),
                Choice(value="euclidean", what="by the straight line between their vectors"),
            ),
        ),
        "vocabulary": Option(
            what="which words are clustered together",
            choices=(
                Choice(value="pair", what="those of a summary and its references"),
                Choice(value="topic", what="those of all summaries and references of the topic"),
            ),
        ),
        "vectors": Option(
            what="which word vectors are asked for",
            choices=(Choice(value="any", what="those that are given"),),
            form=r"(?s:.+)",
            form_what="their name and digest, as signatures have it",
        ),
        "model": Option(
            what="which language model gives words their vectors",
            choices=(Choice(value="any", what="the one that is given"),),
            form=r"(?s:.+)",
            form_what="its folder, or the name of one that was downloaded",
        ),
    }
)
"""Options by name; those of one name mean the same in every metric that has them.

A metric whose option takes other values describes it in `Metric.options`.
"""

ORACLE_OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        "limit": Option(
            what="how long an oracle may be",
            choices=(Choice(value="reference", what="as long as its reference may be"),),
            form=r"[1-9][0-9]{0,8}[wcs]",
            form_what="a number of words (w), characters (c) or sentences (s)",
            examples=("100w", "200c"),
        ),
        "tokens": Option(
            what="what text is cut into",
            choices=(
                Choice(value="auto", what="words of the topic's language"),
                Choice(value="unicode", what="words of any script written with spaces"),
                Choice(value="ja", what="words of Japanese"),
                Choice(value="chars", what="characters, for Japanese and Chinese"),
                Choice(value="blanks", what="what blanks part, for text tokenised before"),
            ),
            form=r"unicode-1|chars-1|blanks-1|ja-1-.+",
            form_what="the version of its rules named, as in signatures",
            examples=("unicode-1", "chars-1"),
        ),
    }
)
"""What options mean that oracles understand in their own way."""
