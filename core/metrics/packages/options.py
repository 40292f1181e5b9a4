"""What the options of metrics mean that other packages compute."""

from collections.abc import Mapping
from types import MappingProxyType

from awase.core.metrics.kit.options import Choice, Option

_ORDER = r"(?:0{0,8}[1-9]|0{0,7}[1-9][0-9])"

SACREBLEU_OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        "case": Option(
            what="whether capitals differ from small letters",
            choices=(
                Choice(value="mixed", what="they differ"),
                Choice(value="lc", what="they are the same"),
            ),
        ),
        "tokens": Option(
            what="what text is cut into",
            choices=(
                Choice(value="13a", what="words and marks, as WMT's mteval-v13a"),
                Choice(value="intl", what="words and marks of any script, as mteval-v14"),
                Choice(value="zh", what="Chinese characters; other text as 13a"),
                Choice(value="ja", what="words of Japanese"),
                Choice(value="char", what="single characters, marks included"),
                Choice(value="none", what="at its blanks only"),
            ),
            form=r"ja-1-.+",
            form_what="the version of its rules named, as in signatures",
        ),
        "smooth": Option(
            what="what stands for a precision of 0",
            choices=(
                Choice(value="exp", what="1/2, 1/4, … of a match, as NIST's mteval"),
                Choice(value="floor", what="0.1 of a match"),
                Choice(value="add-k", what="1 is added to the counts of longer runs"),
                Choice(value="none", what="nothing: the score is 0"),
            ),
        ),
        "nc": Option(
            what="up to how many characters a run has",
            form=_ORDER,
            form_what="a whole number from 1 to 99",
            examples=("6",),
        ),
        "nw": Option(
            what="up to how many words a run has; 2 makes chrF++",
            form=rf"0{{1,9}}|{_ORDER}",
            form_what="a whole number from 0 to 99",
            examples=("0", "2"),
        ),
        "beta": Option(
            what="how much more recall weighs than precision",
            form=rf"{_ORDER}(?:\.0{{1,15}})?",
            form_what="a whole number from 1 to 99",
            examples=("2", "1", "3"),
        ),
        "space": Option(
            what="whether blanks count as characters",
            choices=(
                Choice(value="no", what="they are left out"),
                Choice(value="yes", what="they count"),
            ),
        ),
        "average": Option(
            what="how topics make a system's score",
            choices=(
                Choice(value="plain", what="the mean of the topics' scores"),
                Choice(value="corpus", what="no mean: counts are summed over all topics first"),
            ),
        ),
        "sacrebleu": Option(
            what="which version and settings of sacrebleu are asked for",
            choices=(Choice(value="any", what="those that follow from the other options"),),
            form=r"(?s:.+)",
            form_what="its own signature, as ours have it",
        ),
    }
)
"""Options of BLEU and chrF; where sacrebleu's signatures have a name, it is theirs."""

BERTSCORE_OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        "model": Option(
            what="which language model makes the vectors",
            form=r"(?s:.+)",
            form_what="the folder of a model, or its name when this machine keeps it",
            examples=("roberta-large", "bert-base-multilingual-cased"),
        ),
        "layers": Option(
            what="which layer of the model is looked at",
            choices=(Choice(value="auto", what="the one that the package chose for the model"),),
            form=_ORDER,
            form_what="a number from 1",
            examples=("9",),
        ),
        "baseline": Option(
            what="whether scores are stretched by the package's baseline for a language",
            choices=(Choice(value="none", what="they are not"),),
            form=r"[a-z]{2,3}(?:-[a-z]{2,4})?",
            form_what="a language such as en",
            examples=("en",),
        ),
        "package": Option(
            what="which version and settings of bert-score are asked for",
            choices=(Choice(value="any", what="those that follow from the other options"),),
            form=r"(?s:.+)",
            form_what="its own signature, as ours have it",
        ),
    }
)
"""Options of BERTScore."""
