"""Roles of columns in tables of texts: the single decision for every door.

A role is declared by the user, or by a name that data sets of the field use; never assumed. Every
door prints the assignment (`TakenAs`). Ambiguous tables are refused with the columns in question.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Final

from awase.core.errors import NOTHING, InputError, Listing, Missing, Problem
from awase.core.text.script import Separators

ID: Final = (
    "id", "instance_id", "doc_id", "docid", "document_id", "topic", "topic_id", "guid", "uid",
    "idx", "記事id", "文書id", "番号", "トピック",
)  # fmt: skip
DOCUMENT: Final = (
    "document", "documents", "article", "source", "src", "input", "dialogue", "text", "content",
    "body", "full_text", "report", "本文", "原文", "原文書", "記事", "文書",
)  # fmt: skip
REFERENCE: Final = (
    "reference", "references", "highlights", "ref", "refs", "reference_summary",
    "reference_summaries", "target", "tgt", "gold", "参照要約", "正解", "正解要約",
    "アブストラクト", "abstract", "abstracts", "summary", "summaries", "要約", "要旨", "抄録",
    "label", "labels",
)  # fmt: skip
SYSTEM: Final = (
    "prediction", "predictions", "predicted", "generated", "generated_summary", "decoded",
    "hypothesis", "hyp", "output", "model_output", "system_output", "candidate", "pred",
    "system_summary", "出力", "システム要約", "生成要約", "予測",
)  # fmt: skip
SYSTEM_NAME: Final = (
    "system", "system_id", "system_name", "model", "model_id", "model_name", "summarizer_id",
    "システム", "システム名", "モデル", "モデル名",
)  # fmt: skip

# Role to its names, the surest first.
ROLES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "id": ID, "document": DOCUMENT, "reference": REFERENCE, "system": SYSTEM,
        "system name": SYSTEM_NAME,
    }
)  # fmt: skip

# Words for the role in names of files or folders, longer ones first.
JAPANESE_ROLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("原文書", "原文", "記事", "文書", "本文"), "document"),
        **dict.fromkeys(
            ("アブストラクト", "参照要約", "要約", "要旨", "抄録", "正解"), "reference"
        ),
        **dict.fromkeys(("システム", "出力"), "system"),
    }
)

# Names of references and outputs alike: the other columns decide.
_EITHER: Final = ("summary", "summaries", "要約", "text", "content")
_OF_SYSTEM: Final = re.compile(
    r"(?:predictions?|pred|outputs?|out|system|model|generated|decoded|hyp|出力|システム)"
    r"[_\-. ](.+)",
    re.I,
)
_NOT_SYSTEMS: Final = ("id", "name", "type", "length", "score", "outputs", "summaries", "texts")
_KEYED: Final = (
    "system_outputs", "outputs", "model_outputs", "predictions", "systems", "summaries",
    "system_summaries", "candidates", "generations",
)  # fmt: skip
_IN_OUTPUTS: Final = ("summary", "text", "output", "prediction", "system_summary")
_LABELS: Final = ("label", "labels", "oracle", "oracle_labels", "extract", "extracts", "oracle_ids")
_TEXTS: Final = ("document", "reference", "system")
_NO_TEXTS: Final = frozenset(
    {"label", "labels", "entities", "metrics", "metric", "measure", "score"}
)

# Role to the column, or the columns, that a person named.
Declared = Mapping[str, str | tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenAs:
    """Assigned roles in a file or a folder."""

    source: str
    # Role to the names of its columns or files; roles that none has are left out.
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()  # names of what is not read
    separators: tuple[str, ...] = ()  # what parted sentences; line feeds are written as in Python
    # Whether sentences cross line feeds, in texts that look wrapped.
    joins_lines: bool = False
    n_lines: int = 0  # of a file without columns, in which every line is a text of its own

    def record(self) -> dict[str, object]:
        """Returns it as JSON outputs have it under `taken_as`."""
        roles = {role.replace(" ", "_"): [*names] for role, names in self.roles.items()}
        rest: dict[str, object] = {
            "left_out": [*self.left_out],
            "separators": [*self.separators],
            "joins_lines": self.joins_lines,
            "lines": self.n_lines,
        }
        return {"file": self.source, **roles, **{key: one for key, one in rest.items() if one}}

    def problems(self) -> tuple[Problem, ...]:
        """Returns messages about roles, lines, separators, and wrapped lines."""
        told = [self._roles_problem()] if self.roles or self.left_out else []
        if self.n_lines:
            what = "Each line was read as a separate text, {n} in all."
            told.append(Problem(what=what, fields={"n": self.n_lines}, source=self.source))
        if self.separators:
            what, fields = (
                "Taken for ends of sentences: {separators}.",
                {"separators": Listing(self.separators)},
            )
            told.append(Problem(what=what, fields=fields, source=self.source))
        if self.joins_lines:
            what = "Lines of documents that look wrapped were joined."
            told.append(Problem(what=what, source=self.source))
        return tuple(told)

    def _roles_problem(self) -> Problem:
        roles = (*ROLES, "human scores")
        return Problem(
            what="Taken as id: {id}; document: {document}; reference: {reference}; "
            "output: {system}; system name: {system_name}; human scores: {human_scores}. "
            "Left out: {left}."
            if "human scores" in self.roles
            else "Taken as id: {id}; document: {document}; reference: {reference}; "
            "output: {system}; system name: {system_name}. Left out: {left}.",
            fields={
                **{role.replace(" ", "_"): _listed(self.roles.get(role, ())) for role in roles},
                "left": _listed(self.left_out),
            },
            source=self.source,
        )


def used_roles(source: str, roles: Mapping[str, tuple[str, ...]], names: Sequence[str]) -> TakenAs:
    """Returns the roles that have columns; `names` are those of all columns."""
    used = {column for columns in roles.values() for column in columns}
    return TakenAs(
        source=source,
        roles={role: columns for role, columns in roles.items() if columns},
        left_out=tuple(name for name in names if name not in used),
    )


def with_separators(
    taken_as: tuple[TakenAs, ...], source: str, separators: Separators
) -> tuple[TakenAs, ...]:
    """Returns the assignment with separators found; empty for none."""
    if not separators.found and not separators.joins_lines:
        return taken_as
    (first, *rest) = taken_as or (TakenAs(source=source),)
    met = tuple(separators.found)
    return (replace(first, separators=met, joins_lines=separators.joins_lines), *rest)


def _listed(names: Sequence[str]) -> str:
    return Listing(names, most=6, is_counted=True) or NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnRoles:
    """Which column of a table is what."""

    id: str | None = None  # of the item; None = items are numbered
    documents: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    systems: Mapping[str, str]
    # Column that names the system of a row; None = the column of outputs does.
    system_name: str | None = None
    keyed: tuple[str, ...] = ()  # columns of objects with an output under each system's name
    scores: tuple[str, ...] = ()  # columns of objects with people's scores under each system's name
    # Column that selects sentences of the document for an extract, by 0 and 1 or by index from 0.
    labels: str | None = None
    names: tuple[str, ...] = ()

    def taken_as(self, source: str) -> TakenAs:
        """Returns the assigned roles."""
        roles = {
            "id": (self.id,) if self.id else (),
            "document": self.documents,
            "reference": self.references,
            "system": (*self.systems, *self.keyed, *((self.labels,) if self.labels else ())),
            "system name": (self.system_name,) if self.system_name else (),
            "human scores": self.scores,
        }
        return used_roles(source, roles, self.names)


def declared_columns(declared: Declared) -> dict[str, tuple[str, ...]]:
    """Returns role to declared columns, without empty roles."""
    each = {role: (one,) if isinstance(one, str) else one for role, one in declared.items()}
    return {role: found for role, one in each.items() if (found := tuple(filter(None, one)))}


def record_roles(
    records: Iterable[Mapping[str, object]], declared: Declared, source: str = ""
) -> ColumnRoles:
    """Assigns roles to the columns of records, by names and by types; raises as `column_roles`."""
    names: dict[str, object] = {}
    for record in records:
        for name, value in record.items():
            if names.get(name) is None:
                names[name] = value
    said = {name for columns in declared_columns(declared).values() for name in columns}
    free = {name: value for name, value in names.items() if name not in said}
    keyed = keyed_columns(free)
    scores = tuple(name for name, value in free.items() if _holds_scores(value)) if keyed else ()
    labels = next((name for name in free if are_labels(names, name)), None)
    special = {*keyed, *scores, labels}
    plain = [name for name in names if name not in special]
    if keyed and not declared and not any(column_for(role, plain) for role in _TEXTS):
        found = ColumnRoles(id=column_for("id", plain), systems={})
    else:
        found = column_roles(plain, declared, source)
    return replace(found, keyed=keyed, scores=scores, labels=labels, names=(*names,))


def keyed_columns(record: Mapping[str, object]) -> tuple[str, ...]:
    """Returns the columns of objects with an output under each system's name."""
    return tuple(name for name, value in record.items() if _holds_outputs(name, value))


def _holds_outputs(name: str, value: object) -> bool:
    is_named = _bare(name) in _KEYED or _bare(name) in SYSTEM
    return is_named and isinstance(value, Mapping) and any(map(output_in, value.values()))


def output_in(value: object) -> str | Sequence[str] | None:
    """Returns the output under a system's name, or in the object there."""
    if isinstance(value, Mapping):
        value = next((value[name] for name in _IN_OUTPUTS if name in value), None)
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return value
    return value if isinstance(value, str) else None


def _holds_scores(value: object) -> bool:
    return (
        isinstance(value, Mapping)
        and bool(value)
        and all(isinstance(one, Mapping) and scores_in(one) for one in value.values())
    )


def scores_in(value: Mapping[str, object]) -> dict[str, str]:
    """Returns the numbers among a system's annotations, as texts, by measure."""
    return {
        name: str(one)
        for name, one in value.items()
        if isinstance(one, int | float) and not isinstance(one, bool)
    }


def are_labels(record: Mapping[str, object], name: str) -> bool:
    """Returns whether a numeric column selects sentences of a document that is a list."""
    value = record.get(name)
    document = column_for("document", record)
    return (
        _bare(name) in _LABELS
        and isinstance(value, list)
        and bool(value)
        and all(type(one) is int for one in value)
        and document is not None
        and isinstance(record[document], list)
    )


def column_roles(names: Sequence[str], declared: Declared, source: str = "") -> ColumnRoles:
    """Assigns roles to columns.

    >>> column_roles(["id", "system", "summary"], {}).systems
    {'summary': 'summary'}
    """
    said = declared_columns(declared)
    _check_declared(names, said, source)
    taken = {name for columns in said.values() for name in columns}
    free = [name for name in names if name not in taken]

    def chosen(role: str, among: Collection[str]) -> tuple[str, ...]:
        found = column_for(role, among)
        return said.get(role) or ((found,) if found else ())

    id_ = chosen("id", free)
    system_name = chosen("system name", free)
    systems = {name: name for name in chosen("system", free)}
    systems |= _named_systems(free, {*id_, *system_name, *systems})
    reference = chosen("reference", [name for name in free if name not in systems])
    if not systems:
        either = _either(free, reference, is_of_systems=bool(system_name))
        systems = {name: name for name in either}
        if "reference" not in said and {*reference} & {*either}:
            reference = chosen("reference", [name for name in free if name not in either])
    document = chosen(
        "document", [name for name in free if name not in systems and name not in reference]
    )
    if not (document or reference or systems):
        raise InputError.of(
            "No column name suggests texts: {known}.",
            "Name the columns of documents, references and systems.",
            source=source, known=Listing(names) or NOTHING, missing=Missing.COLUMNS,
        )  # fmt: skip
    return ColumnRoles(
        id=next(iter(id_), None),
        documents=document,
        references=reference,
        systems=systems,
        system_name=next(iter(system_name), None) if len(systems) == 1 else None,
        names=(*names,),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PairColumns:
    """Which columns of a table are scored, and against which."""

    system: str | None  # of the outputs; None = others hold them
    reference: str | None
    roles: ColumnRoles

    def taken_as(self, source: str) -> TakenAs:
        """Returns the assigned roles of the scored columns."""
        scored = {
            "id": self.roles.id,
            "system": self.system,
            "reference": self.reference,
            "system name": self.roles.system_name if self.system else None,
        }
        each = {role: (column,) for role, column in scored.items() if column}
        return used_roles(source, each, self.roles.names)


def pair_columns(
    names: Sequence[str],
    declared: Declared,
    source: str,
    *,
    has_systems: bool,
    has_references: bool,
) -> PairColumns:
    """Assigns the scored columns of a table.

    A file declared as that of the outputs, or of the references, may call its only text anything.
    """
    roles = column_roles(names, declared, source)
    is_alone = has_systems != has_references
    system = _output_column(roles, declared, source, is_alone=is_alone) if has_systems else None
    reference = None
    if has_references:
        reference = _reference_column(roles, declared, source, is_alone=is_alone)
    return PairColumns(system=system, reference=reference, roles=roles)


def _output_column(roles: ColumnRoles, declared: Declared, source: str, *, is_alone: bool) -> str:
    said = declared_columns(declared).get("system", ())
    found: list[str] = [*(said or roles.systems)]
    if not found and is_alone:
        texts = [*roles.references, *roles.documents]
        by_name = _by_bare_name(texts)
        found = [by_name[name] for name in _EITHER[:3] if name in by_name][:1] or texts
    if len(found) == 1:
        return found[0]
    if found:
        what = "Several columns may be the outputs: {columns}."
    else:
        what = "No column name suggests a system's outputs: {columns}."
    hint = "Name the one to score."
    raise _no_column(what, hint, Missing.COLUMN_OF_OUTPUTS, found, roles, source)


def _reference_column(
    roles: ColumnRoles, declared: Declared, source: str, *, is_alone: bool
) -> str:
    found = [*roles.references]
    if not found and is_alone:
        found = [*roles.systems, *roles.documents]
    if len(found) == 1 or (found and "reference" in declared):
        return found[0]
    if found:
        what = "Several columns may be the references: {columns}."
    else:
        what = "There is no reference: no column name suggests one: {columns}."
    hint = "Name the column, or a file of references."
    raise _no_column(what, hint, Missing.COLUMN_OF_REFERENCES, found, roles, source)


def _no_column(
    what: str, hint: str, missing: Missing, found: list[str], roles: ColumnRoles, source: str
) -> InputError:
    own = (roles.id, roles.system_name)
    columns = Listing(found or [name for name in roles.names if name not in own], most=12)
    return InputError.of(what, hint, source=source, columns=columns, missing=missing)


def _check_declared(names: Sequence[str], said: Mapping[str, tuple[str, ...]], source: str) -> None:
    missing = [name for columns in said.values() for name in columns if name not in names]
    if missing:
        raise InputError.of(
            "There is no column “{name}”.", "There are: {known}.",
            source=source, name=missing[0], known=Listing(names),
        )  # fmt: skip


def _named_systems(free: Sequence[str], used: Collection[str]) -> dict[str, str]:
    """Returns column to system for names such as `prediction_NAME`.

    A word for any text, as in `model_summary`, names no system: the column does.
    """
    matches = {name: _OF_SYSTEM.fullmatch(name) for name in free if name not in used}
    return {
        name: name if match[1].lower() in _EITHER else match[1]
        for name, match in matches.items()
        if match and match[1].lower() not in _NOT_SYSTEMS
        and _bare(name) not in {*REFERENCE, *SYSTEM_NAME, *ID}
    }  # fmt: skip


def _either(
    free: Sequence[str], reference: Sequence[str], *, is_of_systems: bool
) -> tuple[str, ...]:
    """Returns the column of a system's texts whose name means any text.

    Where another column names the systems, or is surely the reference.
    """
    by_name = _by_bare_name(free)
    for name in _EITHER if is_of_systems else ("summary", "summaries", "要約"):
        column = by_name.get(name)
        if column is not None and (is_of_systems or (reference and column not in reference)):
            return (column,)
    return ()


def _bare(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name).strip().lower()
    return plain.replace("-", "_").replace(" ", "_")


def _by_bare_name(columns: Iterable[str]) -> dict[str, str]:
    return {_bare(column): column for column in columns}


def column_for(role: str, columns: Collection[str]) -> str | None:
    """Returns the column whose name implies a role, or None.

    >>> column_for("reference", ["id", "article", "Highlights"])
    'Highlights'
    """
    by_name = _by_bare_name(columns)
    return next((by_name[name] for name in ROLES[role] if name in by_name), None)


def has_texts(names: Sequence[str]) -> bool:
    """Returns whether these names are surely of columns of texts."""
    bare = {_bare(name) for name in names}
    if _NO_TEXTS & bare:
        return False
    sure = {*REFERENCE, *SYSTEM, "article", "document", "dialogue", "本文", "原文", "記事"}
    has_system = any(map(_OF_SYSTEM.fullmatch, names))
    return bool(sure & bare) or (has_system and "document" in bare)


def holds_texts(record: Mapping[str, object]) -> bool:
    """Returns whether a record surely has texts, by names or values."""
    is_labelled = any(are_labels(record, name) for name in record)
    return bool(keyed_columns(record)) or is_labelled or has_texts([*map(str, record)])


def texts_in(value: object, *, is_plural: bool) -> tuple[tuple[str, ...], ...] | None:
    """Returns the texts of a field, sentence by sentence; None when it has something else.

    It has a text; a list of sentences, or of texts; or a list of lists of sentences.
    """
    if value is None:
        return ()
    if isinstance(value, str):
        return ((value,),)
    if not isinstance(value, list | tuple):
        return None
    if {*map(type, value)} == {str} or all(isinstance(one, str) for one in value):
        return tuple((one,) for one in value) if is_plural else (tuple(value),)
    if all(isinstance(one, list | tuple) and all(isinstance(s, str) for s in one) for one in value):
        return tuple(tuple(one) for one in value)
    return None


def items_problem(record: Mapping[str, object], system: str, reference: str) -> Problem | None:
    """Returns the problem that a record may have many items in two lists, as metric libraries do.

    >>> items_problem({"outputs": ["a", "b"], "refs": ["a", "c"]}, "outputs", "refs") is None
    False
    """
    outputs, references = record.get(system), record.get(reference)
    are_items = (
        isinstance(outputs, list)
        and isinstance(references, list)
        and len(outputs) == len(references) > 1
        and _bare(system) in ("predictions", "outputs", "summaries", "candidates", "hypotheses")
        and is_plural(reference)
    )
    if not are_items:
        return None
    return Problem(
        what="“{system}” and “{reference}” may be lists of items, or of one item's sentences and "
        "references.",
        hint="Write one item per record; name a list of sentences in the singular.",
        fields={"system": system, "reference": reference},
    )


@cache
def is_plural(column: str) -> bool:
    """Returns whether a column's name means several texts.

    >>> is_plural("references"), is_plural("highlights")
    (True, False)
    """
    name = column.strip().lower()
    return name in ("refs", "documents", "references", "abstracts") or name.endswith("summaries")
