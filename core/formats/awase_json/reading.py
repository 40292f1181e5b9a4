"""A whole corpus from Awase JSON, with everything that is wrong told at once."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from awase.core.errors import CorpusFormatError, Problem
from awase.core.formats.awase_json.alignments import Mentions
from awase.core.formats.awase_json.parts import Part, abstract, document, output
from awase.core.formats.awase_json.project import assignments_in, ownership_in, person
from awase.core.formats.reading.findings import Place
from awase.core.formats.reading.json_fields import STAND_IN, Fields, JsonFindings, number_of
from awase.core.records.abstract import Abstract
from awase.core.records.assist import USUAL_ASSISTANCE, AssistSettings
from awase.core.records.corpus import Corpus, RankWeights
from awase.core.records.edits.ownership import Ownership
from awase.core.records.output import HumanScore
from awase.core.records.topic import Topic

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
        name: Of the corpus.
        guidelines: Its guidelines.
        problems: What is wrong so far.
    """

    def __init__(
        self,
        value: object,
        oddities: Sequence[Problem],
        source: str,
        default_weights: RankWeights,
    ) -> None:
        """Reads what stands before topics.

        Args:
            value: What the file holds.
            oddities: What readers of JSON overlook in it.
            source: Its name.
            default_weights: For a file that gives no rank weights.

        Raises:
            CorpusFormatError: It is no corpus, or of another version.
        """
        if not isinstance(value, dict) or not value.keys() & {"awase", "topics"}:
            raise CorpusFormatError([_NOT_OURS])
        _refuse_other_version(value.get("awase"))
        self.problems = JsonFindings(source)
        self.problems.note_below(Place(), oddities)
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

    def topic(self, value: object, path: str) -> Part[Topic]:
        """Returns a topic, or what stands in for it."""
        return _topic(value, path, self.problems)

    def corpus_of(self, topics: Sequence[Part[Topic]]) -> tuple[Corpus, Ownership | None]:
        """Returns the corpus, and what the file says about copies and versions.

        Raises:
            CorpusFormatError: With every problem of the file.
        """
        corpus = self._corpus(topics)
        ownership = ownership_in(self._fields, self.problems)
        found = {(one.path, str(one)): one for one in self.problems.found}
        self.problems.found = [*found.values()]
        self.problems.refuse_if_any()
        assert corpus is not None, "what keeps a corpus from being made is noted"
        return corpus, ownership

    def _corpus(self, topics: Sequence[Part[Topic]]) -> Corpus | None:
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


def _topic(value: object, path: str, problems: JsonFindings) -> Part[Topic]:
    stand_in = Topic(id=f"{STAND_IN}{path}")
    fields = Fields.of(value, path, problems, _TOPIC)
    if fields is None:
        return Part(stand_in, False)
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
        problems.note(Place(at), [problem])
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
        return Part(record, fields.is_sound, topic_id)
    return Part(_stand_in(stand_in, abstracts), False, topic_id)


def _is_unknown_sentence(problem: Problem) -> bool:
    """Whether the problem is one that `Mentions` has told already, or one that only follows."""
    return ".alternatives[" in problem.path or ".extract[" in problem.path


def _stand_in(empty: Topic, abstracts: list[Part[Abstract]]) -> Topic:
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
) -> list[Part[Abstract]]:
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
