"""Plan of a merge; nothing is changed here.

Every entry has one owner, so that merging never chooses between two people. The newest version in
both histories is the base: a copy that still has its value takes the other's. Where neither has,
one person worked in two copies; the main file's value stays and the other is added as `A2~2`.

Topics and versions are loaded in chunks of the copy's topics.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, TypeVar

from awase.core.annotation.actions import abstract_after
from awase.core.annotation.content import state_to_review
from awase.core.errors import InputError, Listing, Problem, Reporter, Silent
from awase.core.records.abstract import (
    Abstract,
    AbstractSentence,
    Alignment,
    Alternative,
    GoldEntry,
    SentenceAlignment,
)
from awase.core.records.corpus import Corpus, reader_of
from awase.core.records.digests import (
    BEGINNING,
    NO_ENTRY,
    EntryKey,
    EntryVersion,
    Ownership,
    Versions,
    entry_digest,
    gold_digest,
    next_version,
    text_value,
)
from awase.core.records.edits import AlignmentEdit, GoldEdit
from awase.core.records.source import SentenceRef, SourceSentence
from awase.core.records.topic import Topic, annotators_of, ids_of, map_topics, with_progress
from awase.core.team.handing_out import Copy, RankPlace, is_of


@dataclass(frozen=True, slots=True, kw_only=True)
class TextMap:
    """Their sentences in our topic."""

    is_same: bool
    # Their source sentence to ours; what is missing cannot be mapped. Empty where all texts are the
    # same.
    refs: Mapping[SentenceRef, SentenceRef]
    numbers: Mapping[str, Mapping[int, int]]

    def entry(self, entry: SentenceAlignment, n: int) -> tuple[SentenceAlignment, int]:
        """Returns their entry mapped to our sentence `n`, and its number of lost alternatives."""
        if self.is_same:
            return entry, 0
        kept: list[Alternative] = []
        for alternative in entry.alternatives:
            members = [self.refs.get(ref) for ref in alternative.members]
            if None not in members:
                kept.append(Alternative(tuple(ref for ref in members if ref is not None)))
        n_lost = len(entry.alternatives) - len(kept)
        state = state_to_review(entry.state, tuple(kept)) if n_lost else entry.state
        return replace(entry, n=n, alternatives=tuple(kept), state=state), n_lost


def text_map(theirs: Topic, ours: Topic) -> TextMap:
    """Maps their sentences to ours: by id, else by text."""
    if text_value(theirs) == text_value(ours):
        numbers = {one.id: {each.n: each.n for each in one.sentences} for one in ours.abstracts}
        return TextMap(is_same=True, refs={}, numbers=numbers)
    our_documents = {document.id: document for document in ours.documents}
    refs: dict[SentenceRef, SentenceRef] = {}
    for document in theirs.documents:
        ours_of_it = our_documents.get(document.id)
        if ours_of_it is not None:
            for n, new in _numbers(document.sentences, ours_of_it.sentences).items():
                refs[SentenceRef(document.id, n)] = SentenceRef(document.id, new)
    mapped = {
        abstract.id: _numbers(abstract.sentences, other.sentences)
        for abstract in theirs.abstracts
        if (other := ours.abstract(abstract.id)) is not None
    }
    return TextMap(is_same=False, refs=refs, numbers=mapped)


_Sentences = Sequence[SourceSentence] | Sequence[AbstractSentence]


def _numbers(theirs: _Sentences, ours: _Sentences) -> dict[int, int]:
    numbers = {one.n for one in ours}
    places: dict[str, int] = {}
    for one in ours:
        places.setdefault(one.text, one.n)
    found: dict[int, int] = {}
    for one in theirs:
        if one.n in numbers:
            found[one.n] = one.n
        elif one.text in places:
            found[one.n] = places[one.text]
    taken: set[int] = set()
    unique: dict[int, int] = {}
    # Unchanged numbers first: two sentences never become one.
    for n in sorted(found, key=lambda one: found[one] != one):
        if found[n] not in taken:
            taken.add(found[n])
            unique[n] = found[n]
    return unique


_Part = TypeVar("_Part")  # abstract to its alignments and its gold
_Added = dict[EntryKey, list[EntryVersion]]
_PLACES_NAMED: Final = 3


class MergeOutcome(Enum):
    """Outcome for an entry of the copy."""

    NEW = "new"
    CHANGED = "changed"
    CONFLICT = "conflict"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """An entry that the copy brings."""

    key: EntryKey
    fate: MergeOutcome
    # The name under which it is added: the owner's, or `A2~2` for a diverged one.
    kept_as: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePlan:
    """Changes by merging some copies."""

    corpus: Corpus
    # Those that the main file learns of, in their order, by topic and entry.
    versions: Mapping[str, Mapping[EntryKey, Sequence[EntryVersion]]] = field(default_factory=dict)
    entries: Sequence[Merged] = ()
    remarks: tuple[Problem, ...] = ()
    n_human_scores: int = 0  # scores that the main file has not

    @property
    def is_empty(self) -> bool:
        """Whether the copies change nothing, not even histories."""
        return not (self.entries or self.versions or self.n_human_scores)

    def count(self, fate: MergeOutcome) -> int:
        """Counts entries with this outcome."""
        return sum(entry.fate is fate for entry in self.entries)


def plan_merge(
    main: Copy,
    copies: Sequence[tuple[str, Copy]],
    *,
    at: str,
    names: Mapping[str, str],
    reporter: Reporter | None = None,
) -> MergePlan:
    """Plans to merge copies, each with a display name, one after another into the main file."""
    _check_names(names, [copy for _, copy in copies])
    state = _Main(main, at)
    for name, copy in copies:
        _check(main, copy, name, names)
        state.take(name, copy, names, reporter or Silent())
    return state.plan()


def ignored_ranks_warning(
    main: Corpus, copy: Corpus, name: str, ranked: Iterable[RankPlace]
) -> tuple[Problem, ...]:
    """Returns the warning that a copy's ranks are not merged: those are the main file's."""
    differing = []
    for topic_id, abstract_id, n in dict.fromkeys(ranked):
        here, there = (_rank_in(corpus, topic_id, abstract_id, n) for corpus in (main, copy))
        if here != there:
            differing.append(f"{topic_id}:{abstract_id}:{n} {there or '-'}")
    if not differing:
        return ()
    return (
        Problem(
            what="Ranks that were given in “{file}” are left out, as the ranks of sentences are "
            "this corpus's: {places}.",
            hint="Set them here if they should apply.",
            fields={"file": name, "places": Listing(differing)},
        ),
    )


def _rank_in(corpus: Corpus, topic_id: str, abstract_id: str, n: int) -> str | None:
    topic = next((one for one in corpus.topics if one.id == topic_id), None)
    abstract = topic.abstract(abstract_id) if topic is not None else None
    sentences = abstract.sentences if abstract is not None else ()
    return next((one.rank for one in sentences if one.n == n), None)


def _check_names(names: Mapping[str, str], copies: Iterable[Copy]) -> None:
    """Refuses other names of people who are in no copy."""
    if not names:
        return
    known: set[str] = set()
    for copy in copies:
        logged = (key.annotator for key in copy.ownership.versions)
        judged = (score.annotator for score in copy.corpus.human_scores)
        known |= {*annotators_of(copy.corpus.topics), *filter(None, (*logged, *judged))}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InputError.of(
            "The copies hold no work of “{name}”.",
            "They hold work of: {known}." if known else "",
            name=unknown[0],
            known=Listing(sorted(known)),
        )


def _check(main: Copy, copy: Copy, name: str, names: Mapping[str, str]) -> None:
    if not copy.ownership.corpus or copy.ownership.corpus != main.ownership.corpus:
        raise InputError.of(
            "“{file}” is not a copy of this corpus.",
            "Take back what was handed out from here, or import it into a new corpus.",
            file=name,
        )
    person = copy.ownership.handed_to
    persons = [one.id for one in main.corpus.persons]
    if person is not None and persons and not {person, reader_of(person)[0]} & {*persons}:
        raise InputError.of(
            "“{file}” was handed out to “{person}”, who is no longer in this project.",
            "Add the person again, then take the file back.",
            file=name,
            person=person,
        )
    if person is None:
        return
    known = {*persons}
    for annotator in annotators_of(copy.corpus.topics):
        called = names.get(annotator, annotator)
        if is_of(called, person) or called in known:
            continue
        known |= {*annotators_of(main.corpus.topics)}
        if called not in known:
            raise InputError.of(
                "“{file}” was handed out to “{person}”, and holds work of “{annotator}”.",
                "If that is the same person, say so: {annotator}={person}.",
                file=name,
                person=person,
                annotator=annotator,
            )


def _renamed(topic: Topic, names: Mapping[str, str]) -> Topic:
    if not names:
        return topic

    def own(abstract: Abstract) -> Abstract:
        joined: dict[str, Alignment] = {}
        for one in abstract.alignments:
            name = names.get(one.annotator, one.annotator)
            first = joined.get(name, Alignment(annotator=name))
            known = {entry.n for entry in first.sentences}
            more = tuple(entry for entry in one.sentences if entry.n not in known)
            joined[name] = replace(first, sentences=first.sentences + more)
        return replace(abstract, alignments=tuple(joined.values()))

    return replace(topic, abstracts=tuple(map(own, topic.abstracts)))


def _with_names(versions: Versions, names: Mapping[str, str]) -> Versions:
    if not names:
        return versions
    renamed: dict[EntryKey, tuple[EntryVersion, ...]] = {}
    for key, known in versions.items():
        name = None if key.annotator is None else names.get(key.annotator, key.annotator)
        called = key._replace(annotator=name)
        renamed[called] = (*renamed.get(called, ()), *known)
    return renamed


class _Main:
    """The main file while copies are joined to it."""

    def __init__(self, main: Copy, at: str) -> None:
        self._corpus = main.corpus
        self._ownership = main.ownership
        self._at = at
        self._topics = {topic.id: topic for topic in main.corpus.topics}
        self._abstracts: dict[str, dict[str, Abstract]] = {}
        self._added: dict[str, _Added] = {}
        self._entries: list[Merged] = []
        self._remarks: list[Problem] = []
        self._scores = list(main.corpus.human_scores)

    def take(self, name: str, copy: Copy, names: Mapping[str, str], reporter: Reporter) -> None:
        versions = _with_names(copy.ownership.versions, names)
        ownership = replace(copy.ownership, versions=versions)
        # What was removed there is the lead's to remove here.
        by_topic: dict[str, list[EntryKey]] = {one: [] for one in ids_of(copy.corpus.topics)}
        for key in versions:
            if key.topic in by_topic:
                by_topic[key.topic].append(key)
        for topic in with_progress(copy.corpus.topics, reporter):
            self._take_topic(name, _renamed(topic, names), by_topic[topic.id], ownership)
        self._take_scores(copy, names)

    def _take_scores(self, copy: Copy, names: Mapping[str, str]) -> None:
        known = {score.key for score in self._scores}
        for one in copy.corpus.human_scores:
            score = replace(one, annotator=names.get(one.annotator or "", one.annotator))
            if score.key not in known and (score.topic is None or score.topic in self._topics):
                _insert(self._scores, score, key=lambda one: tuple(map(str, one.key)))
                known.add(score.key)

    def plan(self) -> MergePlan:
        corpus = replace(
            self._corpus,
            topics=map_topics(self._corpus.topics, self._topic_after, self._abstracts.keys()),
            human_scores=tuple(self._scores),
        )
        return MergePlan(
            corpus=corpus,
            versions=self._added,
            entries=tuple(self._entries),
            remarks=tuple({str(one): one for one in (*self._remarks, *self._beside())}.values()),
            n_human_scores=len(self._scores) - len(self._corpus.human_scores),
        )

    def _beside(self) -> Iterator[Problem]:
        """Yields the diverged entries, by the name under which they are added."""
        places: dict[tuple[str, str], list[str]] = {}
        for key, kept_as in ((one.key, one.kept_as) for one in self._entries):
            if key.annotator is not None and kept_as not in (None, key.annotator):
                of_name = places.setdefault((key.annotator, str(kept_as)), [])
                of_name.append(f"{key.topic}:{key.abstract}:{key.n}")
        for (annotator, kept_as), named in places.items():
            yield Problem(
                what="“{annotator}” worked on {n} {n:sentence|sentences} in two places "
                "({places}); what is here "
                "stays, the other is kept as “{kept_as}”.",
                hint="Compare both, and decide which one to keep.",
                fields={
                    "annotator": annotator,
                    "kept_as": kept_as,
                    "n": len(named),
                    "places": Listing(named, most=_PLACES_NAMED),
                },
            )

    def _abstract(self, topic_id: str, abstract_id: str) -> Abstract | None:
        """Returns an abstract with changes so far; topics are rebuilt once, at the end."""
        changed = self._abstracts.get(topic_id, {}).get(abstract_id)
        return changed or self._topics[topic_id].abstract(abstract_id)

    def _topic_after(self, topic: Topic) -> Topic:
        changed = self._abstracts[topic.id]
        abstracts = tuple(changed.get(one.id, one) for one in topic.abstracts)
        return topic if abstracts == topic.abstracts else replace(topic, abstracts=abstracts)

    def _take_topic(
        self, name: str, theirs: Topic, keys: Iterable[EntryKey], ownership: Ownership
    ) -> None:
        news = [key for key in keys if self._is_news(key, ownership)]
        ours = self._topics.get(theirs.id)
        if ours is None:
            if news:
                self._remark(
                    name,
                    what="The corpus has no topic “{topic}”; what “{file}” says of it is left out.",
                    topic=theirs.id,
                )
            for key in news:
                self._entries.append(Merged(key=key, fate=MergeOutcome.LEFT_OUT))
            return
        mapped = text_map(theirs, ours)
        if not mapped.is_same:
            self._remark(
                name,
                what="Texts of topic “{topic}” differ in “{file}”; those of this corpus stay.",
                topic=theirs.id,
            )
        for key in news:
            self._take_entry(name, theirs, key, ownership, mapped)

    def _is_news(self, key: EntryKey, ownership: Ownership) -> bool:
        """Returns whether the copy changed the entry after our version."""
        versions = ownership.versions_of(key)
        return versions[-1] not in {*self._known(key)}

    def _known(self, key: EntryKey) -> tuple[EntryVersion, ...]:
        added = self._added.get(key.topic, {}).get(key, ())
        return (*self._ownership.versions_of(key), *added)

    def _take_entry(
        self, name: str, theirs: Topic, key: EntryKey, ownership: Ownership, mapped: TextMap
    ) -> None:
        abstract = self._abstract(key.topic, key.abstract)
        n = mapped.numbers.get(key.abstract, {}).get(key.n)
        if abstract is None or n is None:
            self._remark(
                name,
                what="Sentence {n} of abstract “{abstract}” of topic “{topic}” is only in "
                "“{file}”; what is said of it there is left out.",
                topic=key.topic,
                abstract=key.abstract,
                n=key.n,
            )
            self._entries.append(Merged(key=key, fate=MergeOutcome.LEFT_OUT))
            return
        here = key._replace(n=n)
        incoming = ownership.versions_of(key)
        base = _base(incoming, self._known(here))
        if incoming[-1].digest == base.digest:
            self._learn(here, incoming, _digest(_value(abstract, here)))
            return
        value = _value(theirs.abstract(key.abstract), key)
        n_lost = 0
        if isinstance(value, GoldEntry):
            entry, n_lost = mapped.entry(value.entry, n)
            value = value.with_entry(entry)
        else:
            value, n_lost = mapped.entry(value or SentenceAlignment(n=n), n)
        if n_lost:
            self._remark(
                name,
                what="{count} {count:alternative|alternatives} of sentence {n} of abstract "
                "“{abstract}” of topic “{topic}” {count:leads|lead} to sentences that are only in "
                "“{file}”; {count:it is|they are} left out.",
                topic=key.topic,
                abstract=key.abstract,
                n=key.n,
                count=n_lost,
            )
        if n_lost and _digest(value) == NO_ENTRY:
            self._entries.append(Merged(key=here, fate=MergeOutcome.LEFT_OUT))
        else:
            self._join(name, abstract, here, value, incoming, base)

    def _join(
        self,
        name: str,
        abstract: Abstract,
        key: EntryKey,
        value: SentenceAlignment | GoldEntry | None,
        incoming: tuple[EntryVersion, ...],
        base: EntryVersion,
    ) -> None:
        ours = _value(abstract, key)
        here, there = _digest(ours), _digest(value)
        if here == there:
            self._learn(key, incoming, here)
        elif here == base.digest and not (isinstance(ours, GoldEntry) and ours.locked):
            self._write(key, value)
            self._learn(key, incoming, there)
            fate = MergeOutcome.NEW if here == NO_ENTRY else MergeOutcome.CHANGED
            self._entries.append(Merged(key=key, fate=fate, kept_as=key.annotator))
        elif isinstance(value, SentenceAlignment):
            self._keep_beside(key, value, incoming, base)
        else:
            self._remark(
                name,
                what="The decision about sentence {n} of abstract “{abstract}” of topic “{topic}” "
                "was changed here and in “{file}”; the one here stays.",
                topic=key.topic,
                abstract=key.abstract,
                n=key.n,
            )
            self._entries.append(Merged(key=key, fate=MergeOutcome.CONFLICT))

    def _keep_beside(
        self,
        key: EntryKey,
        value: SentenceAlignment,
        incoming: tuple[EntryVersion, ...],
        base: EntryVersion,
    ) -> None:
        abstract = self._abstract(key.topic, key.abstract)
        number = 2
        while True:
            beside = key._replace(annotator=f"{(key.annotator or '').partition('~')[0]}~{number}")
            there = _digest(_value(abstract, beside))
            if there in (NO_ENTRY, base.digest, entry_digest(value)) and beside != key:
                break
            number += 1
        if there != entry_digest(value):
            self._write(beside, value)
            self._add(beside, entry_digest(value))
        self._learn(key, incoming, _digest(_value(abstract, key)))
        self._entries.append(Merged(key=key, fate=MergeOutcome.CONFLICT, kept_as=beside.annotator))

    def _learn(self, key: EntryKey, incoming: tuple[EntryVersion, ...], digest: str) -> None:
        """Merges the copy's versions; the last one is always the present value's."""
        known = {*self._known(key)}
        news = [version for version in incoming if version not in known]
        self._added.setdefault(key.topic, {}).setdefault(key, []).extend(news)
        if news and self._known(key)[-1].digest != digest:
            self._add(key, digest)

    def _add(self, key: EntryKey, digest: str) -> None:
        version = next_version(
            self._known(key), digest, at=self._at, replica=self._ownership.replica
        )
        self._added.setdefault(key.topic, {}).setdefault(key, []).append(version)

    def _write(self, key: EntryKey, value: SentenceAlignment | GoldEntry | None) -> None:
        abstract = self._abstract(key.topic, key.abstract)
        if abstract is None:
            raise KeyError(f"no abstract {key.abstract!r} in topic {key.topic!r}")
        old = _value(abstract, key)
        edit: AlignmentEdit | GoldEdit
        if key.annotator is None:
            decided = None if isinstance(value, SentenceAlignment) else value
            before = None if isinstance(old, SentenceAlignment) else old
            edit = GoldEdit(
                verb="merge", topic=key.topic, abstract=key.abstract, n=key.n,
                old=before, new=decided,
            )  # fmt: skip
        elif isinstance(value, SentenceAlignment) and isinstance(old, SentenceAlignment):
            edit = AlignmentEdit(
                verb="merge", topic=key.topic, abstract=key.abstract, annotator=key.annotator,
                old=old, new=value,
            )  # fmt: skip
        else:
            raise TypeError("an annotator's entry is no decision")
        after = abstract_after(abstract, edit)
        if key.annotator is not None and abstract.alignment_by(key.annotator) is None:
            after = _in_order(after, key.annotator)
        self._abstracts.setdefault(key.topic, {})[key.abstract] = after

    def _remark(self, name: str, what: str, **fields: str | int) -> None:
        self._remarks.append(Problem(what=what, fields={"file": name, **fields}))


def _base(incoming: Sequence[EntryVersion], known: Sequence[EntryVersion]) -> EntryVersion:
    ours = {*known}
    return next((one for one in reversed(incoming) if one in ours), BEGINNING)


def _value(abstract: Abstract | None, key: EntryKey) -> SentenceAlignment | GoldEntry | None:
    if key.annotator is None:
        decided = abstract.gold if abstract is not None else ()
        return next((one for one in decided if one.n == key.n), None)
    alignment = abstract.alignment_by(key.annotator) if abstract is not None else None
    return alignment.of_sentence(key.n) if alignment else SentenceAlignment(n=key.n)


def _digest(value: SentenceAlignment | GoldEntry | None) -> str:
    return entry_digest(value) if isinstance(value, SentenceAlignment) else gold_digest(value)


def _in_order(abstract: Abstract, annotator: str) -> Abstract:
    """Returns the abstract with a new alignment at a position independent of merge order."""
    own = abstract.alignment_by(annotator)
    if own is None:  # an empty entry needs no alignment
        return abstract
    others = [one for one in abstract.alignments if one is not own]
    _insert(others, own, key=lambda one: (one.annotator,))
    return replace(abstract, alignments=tuple(others))


def _insert(parts: list[_Part], new: _Part, *, key: Callable[[_Part], tuple[str, ...]]) -> None:
    """Inserts `new` before the first greater part, so that merge order does not matter."""
    place = next((idx for idx, one in enumerate(parts) if key(one) > key(new)), len(parts))
    parts.insert(place, new)
