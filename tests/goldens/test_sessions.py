"""What people's acts leave in a corpus is what was recorded, the same in a file as on a server."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Table
from tests import building
from tests.goldens.conftest import HERE
from tests.goldens.recording import settled
from tests.storage.servers import run_sql
from tests.stored import sql
from tests.verbs import ids_in

from awase.core.annotation import actions, content
from awase.core.annotation.actions import alignment_edit, rank_edit
from awase.core.annotation.content import rewritten
from awase.core.errors import Silent
from awase.core.formats.reading.requests import ReadRequest
from awase.core.formats.registry import format_by_id
from awase.core.records.abstract import (
    Abstract,
    AbstractSentence,
    Alternative,
    AssistOrigin,
    AssistSettings,
    EditEffort,
    GoldEntry,
    GoldOrigin,
    GoldSource,
    SentenceAlignment,
    ShownSuggestion,
)
from awase.core.records.addition import Addition
from awase.core.records.corpus import Assignment, Person
from awase.core.records.edits import Edit, GoldEdit
from awase.core.records.score import Score, ScoreTable, Selection
from awase.core.records.source import Document, SentenceRef, SourceSentence
from awase.core.records.topic import HumanScore, Topic
from awase.core.text.resplitting import resplit
from awase.jobs.checking import rescue
from awase.storage.changing import Incoming
from awase.storage.postgresql.setup import plan_setup
from awase.storage.rows import log, parses
from awase.storage.rows.reading import FileReader
from awase.storage.rows.schema import Base
from awase.storage.store import CorpusStore

HANAKO, JIRO, LEAD = "花子", "次郎", "長"
FIRST, SECOND, THIRD = (SentenceRef("980101001", n) for n in (1, 2, 3))
OTHER = SentenceRef("980102:002", 1)
LINKED = building.entry(1, f"?{FIRST}&980102:002:7|{SECOND}", note="二通り")
FLAGGED = building.entry(4, f"!{SECOND}")
TAKEN = replace(building.entry(1, f"{FIRST}"), assist=AssistOrigin.TAKEN, rank="B")
SHOWN = ShownSuggestion(
    kind="beside", family=((f"{FIRST}",), (f"{SECOND}", f"{OTHER}")), confidence=0.75,
    source="words", model="gsd", shown_ms=1200,
)  # fmt: skip
DECIDED = GoldEntry(
    entry=replace(building.entry(3, f"{THIRD}|980102:002:2", note="決"), rank="C"),
    decided_by=LEAD, at="2026-11-22T04:00:00.000+00:00", origin=GoldOrigin.MAJORITY,
    sources=(GoldSource(annotator=HANAKO, digest="d1", alternatives=(1, 2)),), cause="oversight",
)  # fmt: skip
MORE = Addition(
    topics=(
        building.topic("z", docs=["雪。", "氷。"], links={JIRO: "s1|s2;-"}, title="冬"),
        building.topic("y", abstracts=[building.abstract(one, texts=["春。"]) for one in "ab"]),
    ),
    ranks=(("D", 0.125),),
    outputs=(
        (
            "0310",
            replace(
                building.text("新", "犬。", "", references=[["参照。", ""], ["別。"]]),
                split="lines",
            ),
        ),
    ),
    human_scores=(HumanScore(system="新", measure="流暢", value=3.5, annotator="甲"),),
    persons=(Person(id=HANAKO, name="山田"), Person(id=JIRO), Person(id=LEAD, role="lead")),
    assignments=(
        Assignment(topic="t/2", abstract="t2-long", person=JIRO, due="2026-12-24"),
        Assignment(topic="0310", person=HANAKO, order=1),
    ),
)
TABLE = ScoreTable(scores=(Score(topic="z", length=None, system="新", metric="m", value=0.5,
                                 signature="m:x", n_topics=1),))  # fmt: skip
_NOT_COMPARED = {("operation", "digest"), ("corpus", "digest")}
"""Columns that differ from run to run, or on a server; `find_damage` looks at them."""
_COUNTED = ("operation", "suggestion", "score_run")
"""Tables whose numbers are the same wherever the corpus is."""
_OWNERS = {"topic": "", "document": "topic", "abstract": "topic", "alignment": "abstract"}
"""Tables whose rows others belong to, and what they belong to themselves."""


class Annotating:
    """Somebody at work: each action is stored, and has taken longer than the one before."""

    def __init__(self, store: CorpusStore) -> None:
        self.store, self.topic = store, store.topic("0310")
        self._active_ms = count(250, 250)

    @property
    def abstract(self) -> Abstract:
        return self.topic.abstracts[0]

    def do(self, edit: Edit | None) -> None:
        assert edit is not None
        self.store.apply(edit, who=JIRO, active_ms=next(self._active_ms))
        if edit.topic:
            self.topic = actions.topic_after(self.topic, edit)

    def on(self, n, change, verb, subject="") -> None:
        alignment = self.abstract.alignment_by(JIRO)
        before = alignment.of_sentence(n) if alignment else SentenceAlignment(n=n)
        self.do(
            actions.alignment_edit(
                "0310", self.abstract, JIRO, change(before), verb=verb, subject=subject
            )
        )

    def toggle(self, n, alternative_idx, ref, verb=actions.LINK) -> None:
        self.on(n, lambda entry: actions.with_toggled(entry, alternative_idx, ref), verb, str(ref))

    def change(self, new: Topic, verb: str, **more: str) -> None:
        self.do(content.topic_edit(self.topic, new, verb=verb, **more))


def align(at_work: Annotating) -> None:
    at_work.toggle(1, 0, FIRST)
    at_work.toggle(1, 0, OTHER)
    at_work.toggle(1, 1, SECOND)
    at_work.toggle(1, 1, THIRD)
    at_work.toggle(1, 1, SECOND, actions.UNLINK)
    at_work.on(1, lambda e: actions.with_duplicates(e, 0, lambda ref: (SECOND,) if ref == FIRST
               else ()), actions.ADD_DUPLICATES)  # fmt: skip
    at_work.on(1, lambda e: actions.without_alternative(e, 1), actions.REMOVE_ALTERNATIVE, "2")
    at_work.on(1, actions.as_confirmed, actions.CONFIRM)
    at_work.on(1, lambda e: actions.with_note(e, "「注」 & <b>\n"), actions.NOTE)
    at_work.on(2, actions.as_no_source, actions.NO_SOURCE)
    at_work.on(3, actions.as_no_source, actions.NO_SOURCE)
    at_work.on(3, actions.as_no_source, actions.REOPEN)
    at_work.on(3, actions.with_flag_toggled, actions.FLAG)
    at_work.on(3, actions.with_flag_toggled, actions.UNFLAG)
    at_work.do(actions.rank_edit("0310", at_work.abstract, 4, "C"))
    at_work.do(actions.rank_edit("0310", at_work.abstract, 1, None))


def go_on(at_work: Annotating) -> None:
    at_work.on(1, lambda entry: replace(entry, rank="B"), actions.OWN_RANK)
    suggested = (Alternative(members=(SECOND,)),)
    at_work.on(1, lambda entry: actions.with_accepted(entry, suggested), actions.TAKE)
    at_work.on(1, lambda entry: actions.with_exchanged(entry, 0, THIRD), actions.EXCHANGE)


def go_back_and_forth(store: CorpusStore) -> None:
    for _ in range(4):
        store.undo(who=JIRO)
    for _ in range(3):
        store.redo(who=JIRO)


def rewrite(at_work: Annotating) -> None:
    at_work.do(content.source_text_edit(at_work.topic, FIRST, "犬が速く走った。"))
    at_work.do(content.abstract_text_edit("0310", at_work.abstract, 2, "鳥が高く鳴いた。"))
    texts = ("犬が走って", "止まった。", "鳥が高く鳴いた。空は青い。")
    whole = rewritten(at_work.abstract, texts).abstract
    at_work.change(at_work.topic.with_abstracts((whole,)), content.EDIT_ABSTRACT,
                   abstract="short", subject="short")  # fmt: skip
    added = Abstract(id="extra", length="long", sentences=(AbstractSentence(n=1, text="犬。"),))
    at_work.change(at_work.topic.with_abstracts((*at_work.topic.abstracts, added)),
                   content.ADD_ABSTRACT, abstract="extra", subject="extra")  # fmt: skip
    at_work.change(at_work.topic.with_abstracts(at_work.topic.abstracts[:-1]),
                   content.REMOVE_ABSTRACT, subject="extra")  # fmt: skip


def rearrange(at_work: Annotating) -> None:
    new = Document(id="990101001", sentences=(SourceSentence(n=1, text="雪。"),), title="雪")
    at_work.change(content.with_document(at_work.topic, new), content.ADD_DOCUMENT, subject=new.id)
    old = at_work.topic.documents[0]
    found = resplit([(s.n, s.text) for s in old.sentences],
                    ["犬が速く走った。猫は", "寝た。", "鳥が鳴いた。"])  # fmt: skip
    after = replace(old, sentences=tuple(SourceSentence(n=n, text=t) for n, t in found.sentences))
    at_work.change(
        content.with_replaced_document(at_work.topic, after, content.carried_in(old.id, found)),
        content.RESPLIT_DOCUMENT, subject=old.id,
    )  # fmt: skip
    at_work.change(content.without_document(at_work.topic, "980102:002"),
                   content.REMOVE_DOCUMENT, subject="980102:002")  # fmt: skip
    at_work.change(replace(at_work.topic, title="新しい題", language="en"), content.EDIT_TOPIC)
    guidelines = at_work.store.corpus().guidelines
    at_work.do(content.guidelines_edit(guidelines, f"{guidelines}\nNew rule: 一文ずつ。"))


def _entry(store: CorpusStore, who: str, new, verb: str, topic="0310", abstract="short") -> Edit:
    part = store.topic(topic).abstract(abstract)
    made = alignment_edit(topic, part, who, new, verb=verb, subject=f"{FIRST}")
    assert made is not None
    return made


def _gold(new: GoldEntry | None, old: GoldEntry | None = None, n: int = 3) -> GoldEdit:
    return GoldEdit(verb="gold_take", topic="0310", abstract="short", n=n, old=old, new=new,
                    subject=HANAKO)  # fmt: skip


def _parse(text: str, rest: str = "1") -> str:
    return f"# text = {text}\n{rest}"


def _merge(store: CorpusStore, path: Path) -> object:
    """Takes back a copy in which its person has worked, twice; says what the plan tells, too."""
    with CorpusStore.create(path, name="", who=HANAKO, copy=store.copy_for(HANAKO)) as copy:
        own = replace(LINKED, alternatives=LINKED.alternatives[1:])
        copy.apply(_entry(copy, HANAKO, own, "take"), who=HANAKO,
                   effort=EditEffort(active_ms=9, n_keys=2, shown=SHOWN))  # fmt: skip
        copy.apply(_entry(copy, "花", replace(FLAGGED, n=2), "flag"), who="花", active_ms=8)
        copy.apply(rank_edit("0310", copy.topic("0310").abstracts[0], 2, "A"), who=HANAKO)
        copy.undo(who=HANAKO)
        names = {"花": HANAKO}
        incoming = Incoming(name="h.awase", copy=copy.copy(), log=copy.log_rows)
        told = store.plan_merge([incoming], names=names).remarks
        plan, changes = store.merge([incoming, incoming], who=LEAD, names=names)
        again = store.join_log(copy.log_rows(), copy.ownership().replica)
        return told, plan.remarks, changes, again, store.join_log([*copy.log_rows()] * 2, "x")


def _acts(folder: Path) -> dict[str, Callable[[CorpusStore], object]]:
    def edited(make: Callable[[CorpusStore], Edit | None], who: str, **effort: object):
        def act(store: CorpusStore) -> object:
            edit = make(store)
            assert edit is not None
            return store.apply(edit, who=who, effort=EditEffort(**effort))

        return act

    def changed(change, who: str, *names: str, **how: bool):
        return lambda store: store.change(change, verb="edit_project", names=names, who=who, **how)

    seen = {"active_ms": 31, "n_keys": 5, "shown": SHOWN}
    people = {"is_blind": True, "assist": AssistSettings(level=3, control_percent=20, seed=7)}
    return {
        "align": lambda s: align(Annotating(s)),
        "back and forth": go_back_and_forth,
        "go on": lambda s: go_on(Annotating(s)),
        "take": edited(lambda s: _entry(s, HANAKO, TAKEN, "take_suggestion"), HANAKO, **seen),
        "flag": edited(lambda s: _entry(s, JIRO, FLAGGED, "flag"), JIRO, **{**seen, "n_keys": 0}),
        "empty": edited(lambda s: _entry(s, HANAKO, building.entry(1), "reopen"), HANAKO),
        "undo of emptying": lambda s: s.undo(who=HANAKO),
        "gold": edited(lambda _: _gold(DECIDED), LEAD, active_ms=5),
        "gold before": edited(lambda _: _gold(GoldEntry(entry=LINKED), n=1), LEAD),
        "gold locked": edited(lambda _: _gold(replace(DECIDED, locked=True), DECIDED), LEAD),
        "gold away": edited(lambda _: _gold(None, GoldEntry(entry=LINKED), n=1), LEAD),
        "rewrite": lambda s: rewrite(Annotating(s)),
        "rearrange": lambda s: rearrange(Annotating(s)),
        "undo of rearranging": lambda s: [s.undo(who=JIRO) for _ in range(5)],
        "redo of rearranging": lambda s: s.redo(who=JIRO),
        "import": lambda s: s.add(MORE, who=LEAD, source="more\udce9.json"),
        "undo of the import": lambda s: s.undo(who=LEAD),
        "redo of the import": lambda s: s.redo(who=LEAD),
        "people": changed(lambda c: replace(c, **people), LEAD, "花", "次", with_sources=False),
        "take next": lambda s: s.take_next(who=HANAKO, most=3),
        "take next again": lambda s: s.take_next(who=HANAKO),
        "undo of taking": lambda s: s.undo(who=HANAKO),
        "merge": lambda s: _merge(s, folder / "h.awase"),
        "undo of the merge": lambda s: s.undo(who=LEAD),
        "redo of the merge": lambda s: s.redo(who=LEAD),
        "remove": changed(lambda c: content.without_topics(c, ids=("t/2",)), LEAD, "t/2"),
        "undo of removing": lambda s: s.undo(who=LEAD),
        "parses": lambda s: s.add_parses("n", {one: _parse(one) for one in "abc"}, who=JIRO),
        "parses of a file": lambda s: s.replace_parses(
            "n", parses.by_digest([("b", _parse("b", "4"))]), who=LEAD, source="f.conllu"),
        "parses away": lambda s: s.remove_parses("m", who=LEAD),
        "scores": _keep_scores,
        "more scores": _keep_scores,
        "scores away": lambda s: s.remove_score_run(1),
        "source text": edited(_corrected, LEAD),
    }  # fmt: skip


def _corrected(store: CorpusStore) -> Edit | None:
    topic = store.topic("0310")
    return content.source_text_edit(topic, next(topic.refs()), "Corrected.")


def _keep_scores(store: CorpusStore) -> object:
    chosen = Selection(metrics=("m",), topics=("z",), systems=("新",), program="1")
    return store.keep_scores(
        TABLE, title="一", who=JIRO, corpus_state=store.state(), selection=chosen
    )


def as_text(value: object) -> str:
    """Returns a value as text that is the same in every run, without what is empty."""
    if isinstance(value, frozenset | set):
        return f"{{{', '.join(sorted(map(as_text, value)))}}}"
    if isinstance(value, tuple):
        return f"({', '.join(map(as_text, value))})"
    if isinstance(value, dict):
        return f"{{{', '.join(sorted(f'{as_text(k)}: {as_text(v)}' for k, v in value.items()))}}}"
    if is_dataclass(value):
        named = {one.name: getattr(value, one.name) for one in fields(value)}
        shown = (f"{name}={as_text(part)}" for name, part in named.items() if part)
        return f"{type(value).__name__}({', '.join(shown)})"
    return repr(value)


class _Rows:
    """Every row of every table but the holder's, told with names in the place of keys."""

    def __init__(self, run: Callable[[str], Sequence[tuple[object, ...]]]) -> None:
        self._names = dict[tuple[str, object], str]()
        self.by_table = {}
        for table in Base.metadata.sorted_tables:
            if table.name == "holder":
                continue
            columns = ", ".join(f'"{one.name}"' for one in table.columns)
            self.by_table[table] = rows = run(f"SELECT {columns} FROM {table} ORDER BY id")
            for row in rows if table.name in _OWNERS else ():
                owner = self._names.get((_OWNERS[table.name], row[1]))
                self._names[table.name, row[0]] = f"{owner}/{row[2]}" if owner else str(row[1])

    def lost(self, later: "_Rows") -> Iterator[str]:
        """Yields what rows there are no more later."""
        for table, rows in self.by_table.items():
            gone = {*later.by_table[table]}
            yield from (" ".join(self._words(table, row)) for row in rows if row not in gone)

    def _words(self, table: Table, row: tuple[object, ...]) -> Iterator[str]:
        yield table.name
        for column, value in zip(table.columns, row, strict=True):
            is_key = column.primary_key and table.name not in _COUNTED
            if value is None or is_key or (table.name, column.name) in _NOT_COMPARED:
                continue
            for key in column.foreign_keys:
                value = self._names.get((key.column.table.name, value), value)
            yield f"{column.name}={int(value) if value is True or value is False else value!r}"


_NONE = _Rows(lambda _: ())


def _left_in_file(store: CorpusStore, folder: Path) -> Iterator[tuple[str, str]]:
    """Does each act; yields what it returned, what there is to undo, what others hear, and rows."""
    rows, known = _NONE, frozenset[int]()
    for name, act in {"create": lambda _: None, **_acts(folder)}.items():
        answer = as_text(act(store))
        histories = [store.history(who) for who in (HANAKO, JIRO, LEAD)]
        steps = [(len(side), [one.edit.verb for one in side[-1:]])
                 for history in histories for side in (history.done, history.undone)]  # fmt: skip
        changes, known = store.changes_after(known)
        was, rows = rows, _Rows(partial(sql, store.location))
        lines = [answer, f"{steps}", as_text(changes), f"in {sorted(changes.touched_topics())}"]
        lines += [*(f"- {row}" for row in was.lost(rows)), *(f"+ {row}" for row in rows.lost(was))]
        yield name, settled("\n".join((*lines, "")))


def _answers_of(store: CorpusStore) -> dict[str, str]:
    """Returns what the queries give in the end."""
    assert (*store.each_log_row(),) == store.log_rows()
    answers = {
        "times": store.logged_times(), "suggestions": store.logged_suggestions(),
        "worked at": store.worked_at(), "copy": store.copy_for(HANAKO),
        "versions": store.versions(), "ownership": store.bare_ownership(),
        "models": store.parse_models(), "parses": store.parses("n", ["a", "b", "x"]),
        "parsed": store.parsed("n", ["a", "x", "c"]), "each": tuple(store.each_parse("n")),
        "digest": store.digest_of_parses(["n"]), "runs": store.score_runs(),
        "entries": store.n_entries(), "some": store.topics(["z", "?", "t/2"]),
        "state": store.state(), "corpus": store.corpus(), "written": [*store.rows_written],
        "ranks": (*log.rank_steps(store.log_rows()),),
        "done": [[one.edit.verb for one in store.history(who).done] for who in (HANAKO, LEAD)],
    }  # fmt: skip
    return {name: settled(as_text(one)) for name, one in answers.items()}


@pytest.fixture
def create(monkeypatch):
    """Makes a corpus in which all is read and written a few rows at a time."""
    for module, name, n in ((log, "ROWS_AT_ONCE", 5), (parses, "ROWS_AT_A_TIME", 2)):
        monkeypatch.setattr(module, name, n)
    text = (HERE / "inputs" / "small.json").read_text("utf-8")
    addition = format_by_id("awase-json").reader()(ReadRequest(text=text, source="s")).addition
    parsed = [("m", [("犬が走った。", "p1"), ("猫は寝た。", "p2"), ("x", "p3")])]
    return partial(CorpusStore.create, name="小", who=LEAD, addition=addition, parses=parsed,
                   source="small.json")  # fmt: skip


def test_that_each_act_leaves_the_recorded_rows(create, golden, run, folder):
    path = folder / "new.awase"
    with create(path) as store:
        left = dict(_left_in_file(store, folder))
        said, last = _answers_of(store), store.corpus()
        assert store.find_damage() == ()
        histories = [store.history(who) for who in (HANAKO, JIRO, LEAD)]
        used = {row["verb"] for row in store.log_rows()}
    assert {*ids_in(actions), *ids_in(content)} <= used
    outputs = {**left, **said}
    for line in ("export new.awase -", "time new.awase --json", "score new.awase"):
        outputs |= {f"{heading} ({line})": text for heading, text in run(line).items()}
    golden("sessions/annotating", outputs)
    with CorpusStore.open(path, who=JIRO, read_only=True) as again:
        assert again.corpus() == FileReader(path).corpus() == last
        assert [again.history(who) for who in (HANAKO, JIRO, LEAD)] == histories
    rescued = folder / "rescued.awase"
    lost = [f"{one}" for one in rescue(path, rescued, who=LEAD, reporter=Silent()).lost]
    golden("sessions/rescue", {"not carried over": "\n".join((*lost, ""))})
    with CorpusStore.open(rescued, who=LEAD, read_only=True) as new:
        kept = {"versions", "ownership", "times", "worked at", "parses", "models", "corpus"}
        of_rescued = _answers_of(new)
    assert {name: of_rescued[name] for name in kept} == {name: said[name] for name in kept}


@pytest.mark.slow
def test_that_each_act_leaves_the_same_on_a_server(create, server, folder):
    path = folder / "new.awase"
    with create(path) as store:
        left, said = dict(_left_in_file(store, folder)), _answers_of(store)
    url = server.url_of(server.make_database())
    (folder / "h.awase").unlink()
    with create(url) as store:
        for name, act in _acts(folder).items():
            assert left[name].startswith(settled(f"{as_text(act(store))}\n")), name
        assert (_answers_of(store), store.find_damage()) == (said, ())
    one, other = (
        settled("\n".join(sorted(_Rows(partial(run, place)).lost(_NONE))))
        for run, place in ((sql, path), (run_sql, url))
    )
    assert one == other


def test_that_a_team_has_the_recorded_rights(server, golden):
    url = server.url_of(server.make_database("team's"))
    people = [Person(id="A'1"), Person(id='判"', role="adjudicator"), *MORE.persons]
    rights = plan_setup(url, people, name="x", who=LEAD).access
    golden("sessions/rights", {f"statement {n}": one for n, one in enumerate(rights, start=1)})
