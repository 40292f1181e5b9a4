"""BLEU and chrF by the package `sacrebleu`, streaming scores or counts only.

The package's own signature is part of ours, so that it can be cited; its number of references is a
fact about the data.
"""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, groupby
from operator import add, attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from awase.core.errors import InputError, Problem, Reporter
from awase.core.metrics.entries import BLEU_TOKENS, CORPUS_AVERAGE, PACKAGES, SACREBLEU
from awase.core.metrics.kit.metric import ANY_PACKAGE, Chosen, ParsedRequest
from awase.core.metrics.kit.outputs import EMPTY, TextLog, listed
from awase.core.metrics.kit.runner import NO_UNIT, Case, cases_of, score_column, scores_of_row
from awase.core.metrics.kit.signature import MetricRequest, facts_of_means
from awase.core.metrics.kit.supplies import UNDECIDED, StillWanted, Supplies, Workers
from awase.core.packages import check_installed, missing_package
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable
from awase.core.records.source import join_splits
from awase.core.records.topic import References, Topic
from awase.core.text.tokenisers import (
    JAPANESE,
    Tokeniser,
    has_kana,
    has_unspaced_script,
    tokeniser_called,
)

if TYPE_CHECKING:  # slow to import, and an extra
    from sacrebleu.metrics.base import Metric as Scorer


PACKAGE = "sacrebleu"
_OWN_TOKENISERS = ("13a", "intl", "char", "zh", "none")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SacrebleuRequest(ParsedRequest):
    """A metric of this family with parsed options."""

    is_of_corpus: bool  # whether a system has one value over all its texts, none by topic
    # Our tokeniser before the package's; None = the package's own.
    tokeniser: Tokeniser | None = None

    def scorer(self) -> "Scorer":
        """Returns the scorer of prepared texts."""
        return _scorer(self.metric, self.spelled, is_of_corpus=self.is_of_corpus)

    def prepared(self, sentences: tuple[str, ...]) -> str:
        """Returns a text as the package is to see it."""
        text = " ".join(sentences)
        return text if self.tokeniser is None else " ".join(self.tokeniser.words(text))


def parse_request(request: MetricRequest, supplies: Supplies | None = None) -> SacrebleuRequest:
    """Parses the options; the package has to be there, but for a signature."""
    chosen = Chosen.of_family(request, PACKAGES)
    spelled = {**chosen.spelled}
    is_of_corpus = chosen[CORPUS_AVERAGE] == "corpus"
    tokeniser = None
    if BLEU_TOKENS in chosen:
        tokeniser = _tokeniser(chosen[BLEU_TOKENS])
        if tokeniser is not None:
            spelled[BLEU_TOKENS.name] = tokeniser.id
    own = own_signature(request.name, spelled, is_of_corpus=is_of_corpus)
    if supplies is not UNDECIDED:
        _check_package(request.name, chosen[SACREBLEU], own)
    if own and chosen[SACREBLEU] == ANY_PACKAGE:
        spelled[SACREBLEU.name] = own
    return SacrebleuRequest(
        metric=request.name,
        spelled=spelled,
        tokens=_tokens(spelled, tokeniser),
        is_of_corpus=is_of_corpus,
        tokeniser=tokeniser,
    )


def _tokens(spelled: Mapping[str, str], tokeniser: Tokeniser | None) -> str:
    """Returns the tokeniser's name; empty for metrics without words."""
    if "nw" in spelled:
        return "" if spelled["nw"] == "0" else "none"
    return spelled["tokens"] if tokeniser is None else tokeniser.name


def own_signature(metric: str, chosen: Mapping[str, str], *, is_of_corpus: bool) -> str:
    """Returns the package's signature without the number of references; empty = not installed."""
    # Formatted here, as importing the package takes longer than the rest of a dialog.
    try:
        own_version = version(PACKAGE)
    except PackageNotFoundError:
        return ""
    if metric == "bleu":
        smooth = {"floor": "floor[0.10]", "add-k": "add-k[1.00]"}.get(
            chosen["smooth"], chosen["smooth"]
        )
        tokens = chosen["tokens"] if chosen["tokens"] in _OWN_TOKENISERS else "none"
        effective = "no" if is_of_corpus else "yes"
        middle = f"eff:{effective}|tok:{tokens}|smooth:{smooth}"
    else:
        middle = f"eff:yes|nc:{chosen['nc']}|nw:{chosen['nw']}|space:{chosen['space']}"
    return f"case:{chosen['case']}|{middle}|version:{own_version}"


def _check_package(metric: str, asked: str, own: str) -> None:
    if not own:
        raise missing_package(PACKAGE, extra="bleu", needed_for=metric)
    if asked not in (ANY_PACKAGE, own):
        raise InputError.of(
            "{metric} requires what sacrebleu calls {asked}; here it would be {own}.",
            "Leave sacrebleu out to score with this version; the number may differ.",
            metric=metric,
            asked=asked,
            own=own,
        )


def _tokeniser(name: str) -> Tokeniser | None:
    if name in _OWN_TOKENISERS:
        return None
    if name == JAPANESE or name.startswith(f"{JAPANESE}-"):
        return tokeniser_called(name)
    raise InputError.of(
        "tokens={value} is not a tokeniser for BLEU.",
        "Use tokens=13a or tokens=intl for words between blanks, tokens=zh for Chinese, tokens=ja "
        "for Japanese, tokens=char for characters, or tokens=none for text that is already "
        "tokenised.",
        value=name,
    )


def _scorer(metric: str, chosen: Mapping[str, str], *, is_of_corpus: bool) -> "Scorer":
    check_installed(PACKAGE, extra="bleu", needed_for=metric)
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    is_lower = chosen["case"] == "lc"
    makers: dict[str, Callable[[], Scorer]] = {
        "bleu": lambda: BLEU(
            lowercase=is_lower,
            force=True,  # our own warning replaces its log
            tokenize=chosen["tokens"] if chosen["tokens"] in _OWN_TOKENISERS else "none",
            smooth_method=chosen["smooth"],
            effective_order=not is_of_corpus,
        ),
        "chrf": lambda: CHRF(
            char_order=int(chosen["nc"]),
            word_order=int(chosen["nw"]),
            beta=int(chosen["beta"]),
            lowercase=is_lower,
            whitespace=chosen["space"] == "yes",
        ),
    }
    return makers[metric]()


class Counted(NamedTuple):
    """A request's counts in one text."""

    n_references: int  # with how many it was compared; references without a token are left out
    # The package's own, of n-grams and lengths; empty = there is no reference.
    counts: Sequence[int]


def counted(
    requests: Sequence[SacrebleuRequest], cases: Sequence[Case], _still_wanted: StillWanted
) -> list[list[Counted]]:
    """Returns the requests' counts in each of a topic's cases, in order."""
    return [[*of_case] for of_case in zip(*(_of(one, cases) for one in requests), strict=True)]


def score_of(scorer: "Scorer", counts: Sequence[int]) -> float:
    """Returns the score of counts, of one text or summed."""
    return float(scorer._compute_score_from_stats([*counts]).score)


def _of(request: SacrebleuRequest, cases: Sequence[Case]) -> list[Counted]:
    scorer, found = request.scorer(), []

    @cache  # systems have the same references as a rule
    def compared_with(texts: References) -> tuple[int, dict[str, Any]]:
        references = [one for one in map(request.prepared, texts) if one.strip()]
        infos = scorer._cache_references([[one] for one in references])
        return len(references), infos[0] if infos else {}

    for case in cases:
        n_references, info = compared_with(case.references)
        text = scorer._preprocess_segment(request.prepared(case.text))
        counts = scorer._compute_segment_statistics(text, info) if n_references else ()
        found.append(Counted(n_references, counts))
    _forget_texts(scorer)
    return found


def _forget_texts(scorer: "Scorer") -> None:
    """Clears the package's tokeniser caches of up to 65,536 texts each."""
    tokeniser = getattr(scorer, "tokenizer", None)
    for one in (tokeniser, getattr(tokeniser, "_post_tokenizer", None)):
        clear = getattr(type(one).__call__, "cache_clear", None)
        if clear is not None:
            clear()


_OF_WRITTEN_TEXT = ("13a", "intl")
_BY_BLANKS = (*_OF_WRITTEN_TEXT, "none")
_CHINESE = "zh"


def check_words(cases: Sequence[Case], request: SacrebleuRequest) -> None:
    """Refuses tokens that would be whole sentences."""
    if request.tokens == _CHINESE:
        is_lost = has_kana
    elif request.tokens in _BY_BLANKS:
        is_lost = has_unspaced_script
    else:
        return
    has_blanks_set = request.metric == "bleu" and request.tokens == "none"
    for case in cases:
        for text in (case.text, *case.references):
            if has_blanks_set and any(" " in sentence.strip() for sentence in text):
                continue
            if is_lost(" ".join(text)):
                raise _refusal(request, case)


def _refusal(request: SacrebleuRequest, case: Case) -> InputError:
    if request.metric == "chrf":
        return InputError.of(
            "chrf with nw={n} counts words between blanks, and text of system “{system}” or its "
            "references in topic “{topic}” has none between its words.",
            "Choose nw=0.",
            n=request.spelled["nw"],
            system=case.system,
            topic=case.topic,
        )
    return InputError.of(
        "bleu with tokens={tokens} would treat whole phrases of system “{system}” or its "
        "references in topic “{topic}” as one word.",
        "Choose tokens=ja for Japanese, tokens=zh for Chinese, or tokens=char for characters.",
        tokens=request.tokens,
        system=case.system,
        topic=case.topic,
    )


def _tokenised_texts(
    requests: Sequence[SacrebleuRequest], cases: Sequence[Case]
) -> Iterator[Problem]:
    """Yields a warning where most texts of a system look tokenised, against BLEU's assumption."""
    if not any(one.metric == "bleu" and one.tokens in _OF_WRITTEN_TEXT for one in requests):
        return
    n_texts = Counter(case.system for case in cases)
    n_suspect = Counter(case.system for case in cases if " ".join(case.text).endswith(" ."))
    suspect = [one for one, n in n_texts.items() if 2 * n_suspect[one] > n]
    if suspect:
        yield Problem(
            what="Texts of {systems} end with a blank and a full stop: they look tokenised, and "
            "BLEU by sacrebleu expects text as it is written.",
            hint="Score the text before tokenisation, or choose tokens=none.",
            fields={"systems": listed(suspect)},
        )


_VARIOUS = "var"


def score(
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    reporter: Reporter,
    supplies: Supplies,
) -> ScoreTable:
    """Returns scores from 0 to 100, as the package has them.

    With `average=plain` by topic and as means; with `average=corpus` one a system and length class,
    over all its texts together, with no values by topic.
    """
    parsed = {one.signature: one for one in map(parse_request, requests)}
    run = _Run([*parsed.values()], corpus.topics)
    scores = tuple(run.scores(supplies.workers, reporter))
    return ScoreTable(scores=scores, warnings=run.problems())


class _Run:
    def __init__(self, requests: Sequence[SacrebleuRequest], topics: Sequence[Topic]) -> None:
        self._requests = requests
        self._scorers = [one.scorer() for one in requests]
        self._log = TextLog()
        self._facts = facts_of_means(topics)
        self._cases = cases_of(topics, self._log)
        places = {(one.length, one.topic) for one in self._cases}
        self._n_topics = Counter(length for length, _ in places)
        self._splits: defaultdict[tuple[str | None, str], set[str]] = defaultdict(set)
        self._rows: dict[str | None, dict[str, list[_Row]]] = {}

    def scores(self, workers: Workers, reporter: Reporter) -> Iterator[Score]:
        """Yields the scores of each topic, then those over all of them."""
        for request in self._requests:
            check_words(self._cases, request)
        for case in self._cases:
            if not "".join(case.text).strip():
                self._log.note(EMPTY, case.system, case.topic)
        by_topic = [[*of_topic] for _, of_topic in groupby(self._cases, attrgetter("topic"))]
        found = workers.map(partial(counted, self._requests), by_topic, reporter)
        for case, of_case in zip(self._cases, chain.from_iterable(found), strict=True):
            yield from self._scores_of(case, of_case)
        yield from self._of_systems()

    def problems(self) -> tuple[Problem, ...]:
        """Returns the warnings, once the scores are there."""
        return (*self._log.problems(), *_tokenised_texts(self._requests, self._cases))

    def _scores_of(self, case: Case, found: Sequence[Counted]) -> Iterator[Score]:
        """Yields a case's scores, and adds its counts to the system's."""
        systems = self._rows.setdefault(case.length, {})
        self._splits[case.length, case.system].add(case.split)
        if case.system not in systems:
            systems[case.system] = [*map(_Row, self._requests, self._scorers)]
        for row, of_request in zip(systems[case.system], found, strict=True):
            value = row.added(of_request)
            if not row.request.is_of_corpus:
                facts = {"nrefs": str(of_request.n_references), "split": case.split}
                place = case.length, case.system
                n_topics = int(value is not None)
                yield from _score(row.request, case.topic, place, value, facts, n_topics)

    def _of_systems(self) -> Iterator[Score]:
        """Yields each system's scores, by length, system, metric."""
        for length, systems in self._rows.items():
            facts = self._facts[length]
            for system, rows in systems.items():
                for row in rows:
                    request, n = row.request, row.n_texts
                    self._log.note_mean(system, length, request.metric, n, self._n_topics[length])
                    split = join_splits(self._splits[length, system])
                    signed = {"nrefs": row.spelled_references(), "split": split, **facts}
                    yield from _score(request, None, (length, system), row.value(), signed, n)


def _score(
    request: SacrebleuRequest,
    topic: str | None,
    row: tuple[str | None, str],
    value: float | None,
    facts: Mapping[str, str],
    n_topics: int,
) -> Iterator[Score]:
    column = score_column(request, NO_UNIT, ()).signed(facts)
    return scores_of_row(topic, row, column, None if value is None else (value,), n_topics)


@dataclass(slots=True)
class _Row:
    """A request's counts over a system's texts of one length class."""

    request: SacrebleuRequest
    scorer: "Scorer"
    n_texts: int = 0
    values: "array[float]" = field(default_factory=lambda: array("d"))  # of each, for a mean
    sums: Sequence[int] = ()
    numbers: set[int] = field(default_factory=set)

    def added(self, found: Counted) -> float | None:
        """Adds a text, and returns its value; None = it has no reference or no value of its own."""
        if not found.n_references:
            return None
        self.n_texts += 1
        self.numbers.add(found.n_references)
        if self.request.is_of_corpus:
            self.sums = [*map(add, self.sums, found.counts)] if self.sums else found.counts
            return None
        self.values.append(score_of(self.scorer, found.counts))
        return self.values[-1]

    def value(self) -> float | None:
        """Returns the score over all texts; None without any."""
        if not self.n_texts:
            return None
        if self.request.is_of_corpus:
            return score_of(self.scorer, self.sums)
        return math.fsum(self.values) / self.n_texts

    def spelled_references(self) -> str:
        """Returns the number of references in the package's spelling."""
        if len(self.numbers) > 1:
            return _VARIOUS
        return str(next(iter(self.numbers), 0))
