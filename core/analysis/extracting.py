"""Extractors at work on a corpus: from options and backgrounds to extracts of pseudo-systems."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from awase.core.analysis.extractors import (
    EXTRACTORS,
    LOADED_CORPUS,
    Bags,
    Choose,
    Extraction,
    Frequencies,
    at_random,
    clustered,
    lead,
    mmr,
    seeded,
    sources_by_date,
)
from awase.core.errors import (
    NOTHING,
    AwaseError,
    CorpusFormatError,
    FieldValue,
    InputError,
    Listing,
    Problem,
    Reporter,
)
from awase.core.metrics.extracts.gold import KnownSize, gold_of, known_size_of_cover
from awase.core.metrics.kit.extractive import OracleEffort
from awase.core.metrics.kit.outputs import Annotators, abstracts_by_length
from awase.core.metrics.kit.supplies import NO_SUPPLIES, StillWanted, Supplies, TopicTasks
from awase.core.metrics.oracles import OracleFinder, Reference
from awase.core.records.abstract import Limit
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Extract, Topic
from awase.core.text.tokenisers import known_tokenisers, settled, tokeniser_called, tokeniser_of

_DIGITS_OF_A_LABEL = 8
_HEAD = ("tokens", "documents")


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """The documents in which tokens are counted."""

    label: str  # how signatures call it: `corpus`, or a file's name with the digest of its content
    by_tokeniser: Mapping[str, Frequencies]


def background_of_corpus(corpus: Corpus, tokens: str, label: str = LOADED_CORPUS) -> Background:
    """Returns document frequencies over `corpus`; `tokens` as of `tokeniser_id`."""
    n_documents: Counter[str] = Counter()
    by_token: dict[str, Counter[str]] = {}
    for topic in corpus.topics:
        tokeniser = tokeniser_of(topic, tokens)
        tokens_of = tokeniser_called(tokeniser).tokens
        n_documents[tokeniser] += len(topic.documents)
        frequency = by_token.setdefault(tokeniser, Counter())
        for document in topic.documents:
            sentences = document.sentences
            frequency.update({t for sentence in sentences for t in tokens_of(sentence.text)})
    return Background(
        label=label,
        by_tokeniser={
            key: Frequencies(n_documents=max(1, n_documents[key]), by_token=frequency)
            for key, frequency in by_token.items()
        },
    )


def read_background(text: str, source: str) -> Background:
    """Parses a table of document frequencies (docs/extractors.md)."""
    lines = text.splitlines()
    head = dict(_pair(line, number, source) for number, line in enumerate(lines[:2], 1))
    tokeniser, total = head.get("tokens", ""), head.get("documents", "")
    if tuple(head) != _HEAD or tokeniser not in known_tokenisers() or not _is_count(total):
        raise CorpusFormatError.of(
            "The file does not begin like a table of document frequencies.",
            "Line 1 is tokens, a tab and one of {known}; line 2 documents, a tab and their number.",
            known=Listing(known_tokenisers()),
            source=source,
            line=1,
        )
    frequency: dict[str, int] = {}
    for number, line in enumerate(lines[2:], 3):
        token, count = _pair(line, number, source)
        if not _is_count(count) or int(count) > int(total) or token in frequency:
            raise CorpusFormatError.of(
                "“{token}” has no document frequency from 1 to {total}, or has two.",
                "Write each token once: token, tab, number of documents.",
                token=token, total=total, source=source, line=number,
            )  # fmt: skip
        frequency[token] = int(count)
    frequencies = Frequencies(n_documents=int(total), by_token=frequency)
    return Background(label=label_of(source, text), by_tokeniser={tokeniser: frequencies})


def label_of(name: str, content: str) -> str:
    """Returns the signature's name of a background file."""
    digest = hashlib.sha256(content.encode()).hexdigest()[:_DIGITS_OF_A_LABEL]
    return f"{name}.{digest}"


def _pair(line: str, number: int, source: str) -> tuple[str, str]:
    token, tab, count = line.rpartition("\t")
    if not tab or not token:
        raise CorpusFormatError.of(
            "The line has no tab.", "Write token, tab, number.", source=source, line=number
        )
    return token, count


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and 1 <= int(text) < 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """Extracts of a corpus by system, with warnings."""

    # Topic to its extracts, of topics that have any, in the order of the corpus.
    extracts: Mapping[str, tuple[Extract, ...]]
    warnings: tuple[Problem, ...] = ()

    def n_by_system(self) -> Counter[str]:
        """Returns the number of extracts by system."""
        return Counter(one.system for of_topic in self.extracts.values() for one in of_topic)


def extract(
    corpus: Corpus,
    systems: Mapping[str, Extraction],
    reporter: Reporter,
    background: Background | None = None,
    supplies: Supplies = NO_SUPPLIES,
) -> Extracted:
    """Returns an extract for each system, topic and length class of abstracts.

    Args:
        systems: System name to its extractor.
        background: DB of those that name it by its label; None = only the corpus's own.
    """
    backgrounds = _Backgrounds.checked(corpus, background, systems.values())
    log = _Log(backgrounds.warnings())
    extracts: dict[str, tuple[Extract, ...]] = {}
    tasks = TopicTasks(corpus.topics, supplies)
    extract_one = partial(_extracts_of, dict(systems), backgrounds)
    for topic_id, made, warnings in supplies.workers.map(extract_one, tasks, reporter):
        if made:
            extracts[topic_id] = made
        log.add(warnings)
    return Extracted(extracts=extracts, warnings=tuple(log.problems))


def _extracts_of(
    systems: Mapping[str, Extraction],
    backgrounds: "_Backgrounds",
    task: tuple[Topic, Supplies],
    still_wanted: StillWanted,
) -> tuple[str, tuple[Extract, ...], list[Problem]]:
    topic, supplies = task
    still_wanted(topic.id)
    log = _Log()
    of_topic = _OfTopic(topic, backgrounds, supplies, log, partial(still_wanted, topic.id))
    return topic.id, tuple(of_topic.extracts(systems)), log.problems


def named(
    corpus: Corpus,
    requests: Sequence[Extraction],
    names: Sequence[str] = (),
    parse_model: str = "",
) -> dict[str, Extraction]:
    """Returns system name -> extractor, tokenisers resolved for `corpus`.

    Args:
        names: One for each request; empty = the requests' own.
        parse_model: The model of the corpus's parses; empty = there are none.
    """
    tokenisers = {tokens: settled(corpus, tokens) for tokens in {one.tokens for one in requests}}
    settled_ones = [one.read_by(tokenisers[one.tokens]).parsed_by(parse_model) for one in requests]
    return dict(zip(names or [one.system for one in settled_ones], settled_ones, strict=True))


def systems_there(corpus: Corpus, names: Iterable[str]) -> list[str]:
    """Returns the names with extracts in the corpus."""
    known = {
        output.system
        for topic in corpus.topics
        for output in topic.outputs
        if isinstance(output, Extract)
    }
    return [name for name in names if name in known]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Backgrounds:
    """DB of every request: the given one, or the corpus's own by tokeniser."""

    given: Background | None
    own: Mapping[str, Background]

    @classmethod
    def checked(
        cls, corpus: Corpus, given: Background | None, requests: Iterable[Extraction]
    ) -> "_Backgrounds":
        """Validates and returns the background that the requests need."""
        wanted = [one for one in requests if "background" in EXTRACTORS[one.extractor].defaults]
        label = given.label if given else ""
        for request in wanted:
            if request.background not in (LOADED_CORPUS, label):
                raise InputError.of(
                    "There is no background “{name}”.",
                    "Name its file, or leave background out to use the corpus itself.",
                    name=request.background,
                )
        tokens = {one.tokens for one in wanted if one.background == LOADED_CORPUS}
        own = {one: background_of_corpus(corpus, one) for one in tokens}
        backgrounds = cls(given=given, own=own)
        # The corpus's own was counted as each topic is read.
        by_tokens = {one.tokens: one for one in wanted if one.background != LOADED_CORPUS}
        if by_tokens:
            for topic in corpus.topics:
                for request in by_tokens.values():
                    backgrounds.frequencies(request, tokeniser_of(topic, request.tokens), topic)
        return backgrounds

    def frequencies(self, request: Extraction, tokeniser: str, topic: Topic) -> Frequencies:
        if request.background == LOADED_CORPUS:
            return self.own[request.tokens].by_tokeniser[tokeniser]
        found = self.given.by_tokeniser.get(tokeniser) if self.given else None
        if found is None:
            raise InputError.of(
                "The background “{name}” was not counted with tokens={tokens}, the tokeniser of "
                "topic “{topic}”.",
                "Choose the tokens named in its first line.",
                name=request.background, tokens=tokeniser, topic=topic.id,
            )  # fmt: skip
        return found

    def warnings(self) -> Iterator[Problem]:
        for background in self.own.values():
            if sum(of.n_documents for of in background.by_tokeniser.values()) == 1:
                yield Problem(
                    what="The corpus has one document, so that every TF-IDF is 0.",
                    hint="Name a background file.",
                )


class _Log:
    """Collects distinct warnings."""

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        self._noted: dict[tuple[object, ...], Problem] = {}
        self.add(problems)

    @property
    def problems(self) -> list[Problem]:
        """All warnings, in order."""
        return [*self._noted.values()]

    def add(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            key = (problem.what, problem.hint, *problem.fields.items())
            self._noted.setdefault(key, problem)

    def warn(self, *, what: str, hint: str, **fields: FieldValue) -> None:
        self.add([Problem(what=what, hint=hint, fields=fields)])


class _OfTopic:
    """One topic, its sentences read once for every request with the same tokens."""

    def __init__(
        self,
        topic: Topic,
        backgrounds: _Backgrounds,
        supplies: Supplies,
        log: _Log,
        still_wanted: Callable[[], None],
    ) -> None:
        self._topic = topic
        self._backgrounds = backgrounds
        self._supplies = supplies
        self._log = log
        self._still_wanted = still_wanted
        self._sources = sources_by_date(topic)
        self._bags: dict[tuple[str, str, str], Bags] = {}
        self._h: dict[tuple[str | None, str], KnownSize] = {}

    def extracts(self, systems: Mapping[str, Extraction]) -> Iterator[Extract]:
        for length in abstracts_by_length(self._topic):
            for name, request in systems.items():
                if request.oracle is not None:
                    yield from self._oracle(name, request, length)
                    continue
                n = self._size(request, length)
                if n == 0:
                    continue
                if n > len(self._sources):
                    self._log.warn(
                        what="Topic “{topic}” has {n} {n:sentence|sentences}, fewer than are to "
                        "be extracted.",
                        hint="All of them were used.",
                        topic=self._topic.id,
                        n=len(self._sources),
                    )
                chosen = self._chosen(request, n)
                refs = tuple(self._sources[idx].ref for idx in chosen)
                yield Extract(system=name, sentences=refs, length=length)

    def _oracle(self, name: str, request: Extraction, length: str | None) -> Iterator[Extract]:
        abstracts = abstracts_by_length(self._topic)[length]
        if request.oracle is None or request.reference > len(abstracts):
            self._warn_no_oracle(length)
            return
        options = request.oracle
        if request.takes_h:
            n = self._size(request, length)
            if n == 0:
                return
            options = replace(options, limit=Limit(unit="sentences", size=n))
        source = OracleFinder(
            options, self._supplies, OracleEffort(time_limit_s=self._supplies.time_limit_s)
        ).source_of(self._topic)
        reference = Reference.of(abstracts[request.reference - 1])
        oracle = source.oracle_for(reference, lambda _value, _upper: self._still_wanted())
        refs = tuple(dict.fromkeys(unit.ref for unit in oracle.units))
        if not oracle.is_proved:
            self._warn(
                length,
                what="Topic “{topic}”, length “{length}”: the oracle is not proved in the time "
                "allowed: the best known shares {value}, and at most {upper} can be shared.",
                hint="Choose a shorter limit, or larger units.",
                value=oracle.value,
                upper=oracle.upper,
            )
        elif refs:
            yield Extract(system=name, sentences=refs, length=length)
        else:
            self._warn_no_oracle(length)

    def _warn_no_oracle(self, length: str | None) -> None:
        self._warn(
            length,
            what="Topic “{topic}”, length “{length}”: there is no oracle.",
            hint="Check the reference and the limit.",
        )

    def _warn(self, length: str | None, *, what: str, hint: str, **fields: FieldValue) -> None:
        """Adds a warning about the abstracts of a length class."""
        place = {"topic": self._topic.id, "length": length or NOTHING}
        self._log.warn(what=what, hint=hint, **place, **fields)

    def _size(self, request: Extraction, length: str | None) -> int:
        """Returns the number of sentences, the largest h; 0 and a warning if unknown."""
        if request.size is not None:
            return request.size
        key = length, request.annotator
        if key not in self._h:
            abstracts = abstracts_by_length(self._topic)[length]
            annotators = Annotators.parse(request.annotator)
            golds = [
                gold_of(abstract, alignment)
                for abstract in abstracts
                for alignment in annotators.alignments_of(abstract)
            ]
            limit_s = self._supplies.time_limit_s
            sizes = [
                known_size_of_cover(gold, lambda _: self._still_wanted(), limit_s) for gold in golds
            ]
            self._h[key] = KnownSize(
                lower=max((size.lower for size in sizes), default=0),
                upper=max((size.upper for size in sizes), default=0),
            )
        size = self._h[key]
        if size.h is None:
            self._warn(
                length,
                what="Topic “{topic}”, length “{length}”: h is not proved in the time allowed: "
                "{lower} ≤ h ≤ {upper}.",
                hint="Give a size.",
                lower=size.lower,
                upper=size.upper,
            )
        elif size.h == 0:
            self._warn(
                length,
                what="Topic “{topic}”, length “{length}”: h is unknown, as no sentence is aligned "
                "(annotator={annotator}).",
                hint="Align the abstract, or give a size.",
                annotator=request.annotator,
            )
        return size.h or 0

    def _chosen_by_others(self, choose: Choose, request: Extraction, n: int) -> list[int]:
        """Runs a plug-in's extractor and checks its result."""
        try:
            places = choose(self._topic, self._sources, n, dict(request.spelled))
            found = [range(len(self._sources))[place] for place in places]
            if len({*found}) != len(found) or len(found) > n:
                raise ValueError(f"{found} are not up to {n} different places")
        except (AwaseError, MemoryError):
            raise
        except Exception as error:
            raise InputError.of(
                "The extractor {name} of {package} failed: {reason}.",
                "Update or remove the package, or report this to its authors.",
                name=request.extractor,
                package=EXTRACTORS[request.extractor].by,
                reason=f"{type(error).__name__}: {error}",
            ) from error
        return found

    def _chosen(self, request: Extraction, n: int) -> list[int]:
        others = EXTRACTORS[request.extractor].choose
        if others is not None:
            return self._chosen_by_others(others, request, n)
        if request.extractor == "lead":
            return lead(self._sources, n)
        if request.extractor == "random":
            rng = seeded(request.seed, self._topic.id)
            return at_random(self._sources, n, rng)
        bags = self._bags_for(request)
        if request.extractor == "cluster":
            return clustered(bags, n, request.pool)
        if request.extractor == "mmr":
            return mmr(bags, n, request.pool, float(request.share))
        return bags.best_first[:n]

    def _bags_for(self, request: Extraction) -> Bags:
        tokeniser = tokeniser_of(self._topic, request.tokens)
        key = request.tokens, tokeniser, request.background
        if key not in self._bags:
            frequencies = self._backgrounds.frequencies(request, tokeniser, self._topic)
            self._bags[key] = Bags(self._sources, tokeniser, frequencies)
        return self._bags[key]
