"""What the options of extractors mean, for lists and dialogs."""

from collections.abc import Mapping
from types import MappingProxyType

from awase.core.metrics.kit.options import COMMON_OPTIONS, ORACLE_OPTIONS, Choice, Option

EXTRACTOR_OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        "size": Option(
            what="how many sentences are extracted",
            choices=(Choice(value="h", what="as many as a minimal cover has"),),
            form=r"0*[1-9][0-9]{0,5}",
            form_what="a whole number from 1",
            examples=("5", "10"),
        ),
        "annotator": COMMON_OPTIONS["annotator"],
        "tokens": ORACLE_OPTIONS["tokens"],
        "background": Option(
            what="where document frequencies are from",
            choices=(Choice(value="corpus", what="the corpus itself"),),
        ),
        "pool": Option(
            what="from how many times the size is chosen",
            form=r"0*[1-9][0-9]{0,5}",
            form_what="a whole number from 1",
            examples=("3",),
        ),
        "lambda": Option(
            what="what MMR favours: towards 1 importance, towards 0 novelty",
            form=r"[0-9.:]+",
            form_what="a number from 0 to 1",
            examples=("0.5", "0.7"),
        ),
        "reference": Option(
            what="which abstract of a length class the oracle is of",
            form=r"0*[1-9][0-9]{0,5}",
            form_what="a whole number from 1",
            examples=("1",),
        ),
        "seed": Option(
            what="what random sentences are drawn with",
            form=r"[0-9]{1,18}",
            form_what="a whole number from 0",
            examples=("0",),
        ),
        **{name: COMMON_OPTIONS[name] for name in ("oracle", "stem", "stop", "parser")},
        "limit": Option(
            what="how long an oracle may be",
            choices=(
                *ORACLE_OPTIONS["limit"].choices,
                Choice(value="h", what="as many sentences as a minimal cover has"),
            ),
            form=ORACLE_OPTIONS["limit"].form,
            form_what=ORACLE_OPTIONS["limit"].form_what,
            examples=ORACLE_OPTIONS["limit"].examples,
        ),
    }
)
"""By name; those of one name mean the same in every extractor that has them."""
