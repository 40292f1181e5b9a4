"""The pseudo-pyramid metric: what can be asked of it."""

import re
from typing import Final

from awase.core.errors import Problem
from awase.core.metrics.kit.metric import Metric
from awase.core.metrics.kit.options.option import Choice, Option, pick, share, switch
from awase.core.metrics.kit.options.shared import PARSER
from awase.core.metrics.oracles.options import ORACLE_OPTIONS

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

METRICS: Final = (
    Metric(
        name="pseudo-pyramid",
        what="units found of extractive oracles, weighted by how many references agree on them",
        family="awase.core.metrics.pseudo_pyramid.family",
        options=(*ORACLE_OPTIONS, TIES, SIM, TAU, MERGE, PARSER, ORACLES),
        needs_with={
            ("oracle", "be"): "parses",
            ("unit", "edu-parse"): "parses",
            ("unit", "edu-parse-1"): "parses",
        },
    ),
)
