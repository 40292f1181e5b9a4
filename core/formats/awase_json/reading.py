"""A whole corpus from Awase JSON, with everything that is wrong told at once."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial

from awase.core.errors import CorpusFormatError, Problem
from awase.core.formats.awase_json.parts import (
    DECISION,
    Mentions,
    ReadPart,
    abstract,
    document,
    output,
)
from awase.core.formats.reading.findings import FilePosition
from awase.core.formats.reading.json_fields import (
    STAND_IN,
    Fields,
    JsonFindings,
    number_of,
)
from awase.core.records.abstract import Abstract
from awase.core.records.assist import USUAL_ASSISTANCE, AssistSettings
from awase.core.records.corpus import Corpus, RankWeights
from awase.core.records.edits.ownership import EntryKey, EntryVersion, Ownership, Versions
from awase.core.records.encoding.json_values import Json
from awase.core.records.output import HumanScore
from awase.core.records.project import Assignment, Person
from awase.core.records.topic import Topic

_PERSON = ("id", "name", "role")
_ASSIGNMENT = ("topic", "abstract", "person", "round", "order", "due")
_SYNC = ("corpus", "replica", "handed_to", "texts", "entries")
_SYNC_ENTRY = ("topic", "abstract", "annotator", "n", "versions")
_VERSION = ("revision", "digest", "at", "replica")


def person(value: object, path: str, problems: JsonFindings) -> Person:
    """Returns the person at `path`."""
    stand_in = Person(id=f"{STAND_IN}{path}")
    fields = Fields.of(value, path, problems, _PERSON)
    if fields is None or not fields.required("id", "alignments are signed with it"):
        return stand_in
    person_id, name, role = fields.text("id"), fields.text("name"), fields.text("role")
    if person_id is None:
        return stand_in
    make = partial(Person, id=person_id, name=name, role=role or "annotator")
    return problems.build(make, path) or stand_in


def assignments_in(parent: Fields, problems: JsonFindings) -> tuple[Assignment, ...]:
    """Returns the assignments; one that is broken is told and left out."""
    found = []
    for fields in parent.parts("assignments", _ASSIGNMENT):
        is_whole = fields.required("topic", "what is to be aligned")
        is_whole = fields.required("person", "who is to align it") and is_whole
        topic, who = fields.text("topic"), fields.text("person")
        if not is_whole or topic is None or who is None:
            continue
        make = partial(
            Assignment,
            topic=topic,
            person=who,
            abstract=fields.text("abstract"),
            round=(fields.integer("round") if fields.has("round") else 1) or 0,
            order=fields.integer("order"),
            due=fields.text("due"),
        )
        assignment = problems.build(make, fields.path)
        found += [assignment] if assignment is not None else []
    return tuple(found)


def ownership_in(parent: Fields, problems: JsonFindings) -> Ownership | None:
    """Returns what the file says about copies and versions; None when it says nothing."""
    fields = parent.part("sync", _SYNC)
    if fields is None:
        return None
    fields.required("corpus", "which corpus this is a copy of")
    versions: dict[EntryKey, tuple[EntryVersion, ...]] = {}
    for entry in fields.parts("entries", _SYNC_ENTRY):
        read = _sync_entry(entry)
        if read is not None:
            if read[0] in versions:
                note_twice(read[0], entry.path, problems)
            versions[read[0]] = read[1]
    return Ownership(
        corpus=fields.text("corpus") or "",
        replica=fields.text("replica") or "",
        handed_to=fields.text("handed_to"),
        versions=versions,
    )


def note_twice(key: EntryKey, path: str, problems: JsonFindings) -> None:
    """Notes that what stands at a path is about an entry that stood in the file before."""
    problems.add(
        FilePosition(path),
        what="The versions of sentence {n} of abstract “{abstract}”, topic “{topic}”, stand twice "
        "for one owner.",
        hint="Keep those of the newest copy.",
        n=key.n,
        abstract=key.abstract,
        topic=key.topic,
    )


def _sync_entry(fields: Fields) -> tuple[EntryKey, tuple[EntryVersion, ...]] | None:
    for key in ("topic", "abstract", "n"):
        fields.required(key, "which sentence it is about")
    topic, abstract, n = fields.text("topic"), fields.text("abstract"), fields.integer("n")
    annotator = fields.text("annotator")
    versions = []
    for one in fields.parts("versions", _VERSION):
        one.required("revision", "its number")
        one.required("digest", "of the value")
        versions.append(
            EntryVersion(
                revision=one.integer("revision") or 0,
                digest=one.text("digest") or "",
                at=one.text("at") or "",
                replica=one.text("replica") or "",
            )
        )
    if topic is None or abstract is None or n is None:
        return None
    return EntryKey(topic, abstract, annotator, n), tuple(versions)


# Writing


def present(value: Json) -> Json:
    """Returns the parts that are there."""
    return {key: part for key, part in value.items() if part is not None}


def gold_value(decisions: list[Json]) -> Json:
    """Returns the gold layer of decisions as the codec has them."""
    return {"sentences": [present({key: one.get(key) for key in DECISION}) for one in decisions]}


class SyncEntries:
    """What is written of entries and their versions, made when it is written."""

    def __init__(self, versions: Versions, topics: Collection[str]) -> None:
        self._versions, self._topics = versions, topics

    def __bool__(self) -> bool:
        return any(key.topic in self._topics for key in self._versions)

    def __iter__(self) -> Iterator[Json]:
        for key, versions in self._versions.items():
            if key.topic in self._topics:
                yield present({**key._asdict(), "versions": [*map(asdict, versions)]})


def ownership_value(ownership: Ownership, topics: Sequence[str], texts: Mapping[str, str]) -> Json:
    """Returns what this copy knows about some topics' entries.

    Args:
        texts: Digests of their texts by id, as far as anybody knows when this is written.
    """
    return present(
        {
            "corpus": ownership.corpus,
            "replica": ownership.replica,
            "handed_to": ownership.handed_to,
            "texts": texts,
            "entries": SyncEntries(ownership.versions, frozenset(topics)) or [],
        }
    )


VERSION = 1

_CORPUS = (
    "awase", "name", "guidelines", "rank_weights", "blind", "assist", "persons", "assignments",
    "topics", "human_scores", "sync",
)  # fmt: skip
_ASSIST_NUMBERS = ("level", "control_percent", "seed", "decoy_percent")
_ASSIST = (*_ASSIST_NUMBERS, "weights")
_TOPIC = ("id", "title", "language", "documents", "abstracts", "outputs")
_HUMAN_SCORE = ("topic", "system", "measure", "value", "annotator")

_NOT_OURS = Problem(
    what="The file is not an Awase JSON corpus.",
    hint='Such a file is an object that begins with "awase": 1 and has "topics".',
)
_NO_VERSION = Problem(
    what="The file does not say that it is Awase JSON; it was read as version 1.",
    hint='Add "awase": 1 at its beginning.',
)


class CorpusFields:
    """The parts of a file, read in the order in which their faults are told.

    Attributes:
        own_weights: Those that the file gives to ranks; None = none, or they cannot be read.
        weights: Those that count; None = those of the file cannot be read.
    """

    def __init__(
        self,
        value: object,
        oddities: Sequence[Problem],
        source: str,
        default_weights: RankWeights,
    ) -> None:
        """Reads what stands before topics."""
        if not isinstance(value, dict) or not value.keys() & {"awase", "topics"}:
            raise CorpusFormatError([_NOT_OURS])
        _refuse_other_version(value.get("awase"))
        self.problems = JsonFindings(source)
        self.problems.note_below(FilePosition(), oddities)
        self._default_weights = default_weights
        self._fields = fields = Fields(value, "", self.problems, _CORPUS)
        has_weights = fields.has("rank_weights")
        self.own_weights = _rank_weights(fields, self.problems) if has_weights else None
        self.weights = self.own_weights if has_weights else default_weights
        self.name = fields.text("name") or ""
        self.guidelines = fields.text("guidelines") or ""

    def warnings(self) -> tuple[Problem, ...]:
        """Returns what should be told about the file itself."""
        return () if self._fields.has("awase") else (_NO_VERSION,)

    def topics(self) -> Iterator[tuple[object, str]]:
        """Yields the topics as they stand in the file, each with its path."""
        return self._fields.each("topics")

    def topic(self, value: object, path: str) -> ReadPart[Topic]:
        """Returns a topic, or what stands in for it."""
        return _topic(value, path, self.problems)

    def corpus_of(self, topics: Sequence[ReadPart[Topic]]) -> tuple[Corpus, Ownership | None]:
        """Returns the corpus, and what the file says about copies and versions."""
        corpus = self._corpus(topics)
        ownership = ownership_in(self._fields, self.problems)
        found = {(one.path, str(one)): one for one in self.problems.found}
        self.problems.found = [*found.values()]
        self.problems.refuse_if_any()
        assert corpus is not None, "what keeps a corpus from being made is noted"
        return corpus, ownership

    def _corpus(self, topics: Sequence[ReadPart[Topic]]) -> Corpus | None:
        fields, problems, weights = self._fields, self.problems, self.weights
        scores = [_human_score(item, path, problems) for item, path in fields.each("human_scores")]
        persons = [person(item, path, problems) for item, path in fields.each("persons")]
        assignments = assignments_in(fields, problems)
        is_blind = fields.truth("blind")
        assist = _assist(fields, problems)
        lost_ids = {part.id for part in topics if not part.is_whole}
        are_persons_lost = any(one.id.startswith(STAND_IN) for one in persons)

        def only_follows(problem: Problem) -> bool:
            if problem.path.endswith(".rank") and weights is None:
                return True
            if problem.path.startswith("assignments[") and problem.path.endswith(".person"):
                return are_persons_lost
            is_about_topic = problem.path.startswith(("human_scores[", "assignments["))
            if is_about_topic and problem.path.endswith(".topic"):
                return None in lost_ids or problem.fields["topic"] in lost_ids
            return False

        return problems.build(
            lambda: Corpus(
                name=self.name,
                guidelines=self.guidelines,
                rank_weights=weights if weights is not None else self._default_weights,
                topics=tuple(part.record for part in topics),
                human_scores=tuple(scores),
                persons=tuple(persons),
                assignments=assignments,
                is_blind=is_blind,
                assist=assist,
            ),
            "",
            is_spurious=only_follows,
        )


def _refuse_other_version(version: object) -> None:
    if version is None or (version == VERSION and type(version) is int):
        return
    if type(version) is int and version > VERSION:
        raise CorpusFormatError.of(
            "The file is Awase JSON version {version}, made by a newer version of this program.",
            "Install the newest version, or export the corpus again as version 1.",
            path="awase",
            version=version,
        )
    raise CorpusFormatError.of(
        "The version of Awase JSON must be the number 1.", 'Write "awase": 1.', path="awase"
    )


def _assist(fields: Fields, problems: JsonFindings) -> AssistSettings:
    """Returns how annotators are helped; as usual where the file does not say."""
    part = fields.part("assist", _ASSIST)
    if part is None:
        return USUAL_ASSISTANCE
    numbers = {
        name: number
        for name in _ASSIST_NUMBERS
        if part.has(name) and (number := part.integer(name)) is not None
    }
    weights = part.text("weights") or ""
    made = problems.build(lambda: AssistSettings(**numbers, weights=weights), "")
    return made or USUAL_ASSISTANCE


def _rank_weights(fields: Fields, problems: JsonFindings) -> RankWeights | None:
    """Returns the weights; None, and a problem noted, when they are not all numbers."""
    value = fields.raw("rank_weights")
    if not isinstance(value, dict):
        problems.wrong_type(
            value, "an object", "rank_weights", hint="Write it as an object of ranks and weights."
        )
        return None
    weights = []
    for rank, weight in value.items():
        number = number_of(weight)
        if number is None:
            problems.wrong_type(weight, "a number", f"rank_weights.{rank}")
        else:
            weights.append((rank, number))
    return tuple(weights) if len(weights) == len(value) else None


def _topic(value: object, path: str, problems: JsonFindings) -> ReadPart[Topic]:
    stand_in = Topic(id=f"{STAND_IN}{path}")
    fields = Fields.of(value, path, problems, _TOPIC)
    if fields is None:
        return ReadPart(stand_in, False)
    has_id = fields.required("id", "a topic is known by it")
    topic_id = fields.text("id") if has_id else None
    fields.required("documents", "the list of the topic's documents, which may be empty")
    title, language = fields.text("title"), fields.text("language")
    documents = [document(item, at, problems) for item, at in fields.each("documents")]
    whole = [part.record for part in documents if part.is_whole]
    mentions = Mentions(whole)
    abstracts = _abstracts(fields, topic_id or "topic", problems, mentions)
    outputs = [output(item, at, problems, mentions) for item, at in fields.each("outputs")]
    lost = {part.id for part in documents if not part.is_whole}
    if not isinstance(fields.raw("documents"), list):
        lost.add(None)
    for at, problem in mentions.unknown(topic_id or "?", lost):
        problems.note(FilePosition(at), [problem])
    record = problems.build(
        lambda: Topic(
            id=stand_in.id if topic_id is None else topic_id,
            documents=tuple(part.record for part in documents),
            abstracts=tuple(part.record for part in abstracts),
            outputs=tuple(part.record for part in outputs),
            title=title,
            language=language,
        ),
        path,
        is_spurious=_is_unknown_sentence,
    )
    if record is not None:
        return ReadPart(record, fields.is_sound, topic_id)
    return ReadPart(_stand_in(stand_in, abstracts), False, topic_id)


def _is_unknown_sentence(problem: Problem) -> bool:
    """Whether the problem is one that `Mentions` has told already, or one that only follows."""
    return ".alternatives[" in problem.path or ".extract[" in problem.path


def _stand_in(empty: Topic, abstracts: list[ReadPart[Abstract]]) -> Topic:
    """Returns a topic of the abstracts without their alignments, so that ranks are checked."""
    return replace(
        empty,
        abstracts=tuple(
            replace(part.record, id=f"{STAND_IN}{index}", alignments=(), gold=())
            for index, part in enumerate(abstracts)
        ),
    )


def _abstracts(
    fields: Fields, topic_id: str, problems: JsonFindings, mentions: Mentions
) -> list[ReadPart[Abstract]]:
    items = [*fields.each("abstracts")]
    ids = [item.get("id") for item, _ in items if isinstance(item, dict)]
    taken = {one for one in ids if isinstance(one, str)}
    parts = []
    for item, path in items:
        length = item.get("length") if isinstance(item, dict) else None
        default = f"{topic_id}-{length if isinstance(length, str) else 'abstract'}"
        default_id, number = default, 2
        while default_id in taken:
            default_id, number = f"{default}-{number}", number + 1
        if isinstance(item, dict) and item.get("id") is None:
            taken.add(default_id)
        parts.append(abstract(item, path, problems, mentions, default_id))
    return parts


def _human_score(value: object, path: str, problems: JsonFindings) -> HumanScore:
    stand_in = HumanScore(system=f"{STAND_IN}{path}", measure="none", value=0.0)
    fields = Fields.of(value, path, problems, _HUMAN_SCORE)
    if fields is None:
        return stand_in
    for key, why in (
        ("system", "the system judged"),
        ("measure", "what was judged"),
        ("value", "the score"),
    ):
        fields.required(key, why)
    system, measure, number = fields.text("system"), fields.text("measure"), fields.number("value")
    topic, annotator = fields.text("topic"), fields.text("annotator")
    if not fields.is_sound or system is None or measure is None or number is None:
        return stand_in
    record = problems.build(
        lambda: HumanScore(
            system=system, measure=measure, value=number, topic=topic, annotator=annotator
        ),
        path,
    )
    return record or stand_in
