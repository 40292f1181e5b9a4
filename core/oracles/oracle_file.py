"""JSON files of oracles (docs/formats/oracles.md)."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from awase.core.errors import CorpusFormatError, Missing
from awase.core.oracles.extractive import Oracle
from awase.core.oracles.units import Unit, parse_unit_id

_VERSION = 1
_NUMBERS = ("value", "total", "upper", "length", "limit", "greedy", "greedy_by_rate")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundOracle:
    """An oracle with its reference."""

    key: str
    topic: str
    reference: str
    oracle: Oracle


def oracle_record(found: FoundOracle) -> dict[str, Any]:
    """Converts an oracle to JSON values."""
    oracle = found.oracle
    units = {unit.id: unit.text for optimum in (oracle.units, *oracle.optima) for unit in optimum}
    return {
        "key": found.key,
        "topic": found.topic,
        "reference": found.reference,
        **{name: getattr(oracle, name) for name in _NUMBERS},
        "proved": oracle.is_proved,
        "settled": oracle.is_settled,
        "units": [unit.id for unit in oracle.units],
        "optima": [[unit.id for unit in optimum] for optimum in oracle.optima],
        "all_optima": oracle.are_all,
        "texts": units,
    }


def digest_of_oracles(oracles: Mapping[str, Oracle]) -> str:
    """Returns the digest of a file's oracles, for signatures."""
    listed = repr(sorted((key, _spelled(oracle)) for key, oracle in oracles.items()))
    return hashlib.sha256(listed.encode()).hexdigest()


def _spelled(oracle: Oracle) -> str:
    # These words and their order are for ever, whatever classes and fields are called.
    optima = ", ".join(map(_spelled_units, oracle.optima)) + "," * (len(oracle.optima) == 1)
    return (
        f"Oracle(units={_spelled_units(oracle.units)}, value={oracle.value!r}, "
        f"total={oracle.total!r}, upper={oracle.upper!r}, is_settled={oracle.is_settled!r}, "
        f"length={oracle.length!r}, limit={oracle.limit!r}, optima=({optima}), "
        f"are_all={oracle.are_all!r}, greedy={oracle.greedy!r}, "
        f"greedy_by_rate={oracle.greedy_by_rate!r})"
    )


def _spelled_units(units: Sequence[Unit]) -> str:
    listed = [
        f"Unit(ref=SentenceRef(document_id={unit.ref.document_id!r}, n={unit.ref.n!r}), "
        f"start={unit.start!r}, end={unit.end!r}, text={unit.text!r})"
        for unit in units
    ]
    return f"({', '.join(listed)}{',' * (len(listed) == 1)})"


def oracles_record(options: str, found: Iterable[FoundOracle]) -> dict[str, Any]:
    """Returns the file's JSON value."""
    return {
        "awase_oracles": _VERSION,
        "options": options,
        "oracles": [oracle_record(one) for one in found],
    }


def read_oracles(text: str, source: str) -> dict[str, Oracle]:
    """Returns the oracles in a file by their keys."""
    try:
        content = json.loads(text)
        if content["awase_oracles"] != _VERSION:
            raise ValueError
        records = content["oracles"]
        return {str(record["key"]): _oracle(record) for record in records}
    except (ValueError, KeyError, TypeError, AttributeError, CorpusFormatError) as error:
        raise CorpusFormatError.of(
            "The file does not hold oracles, or it is damaged.",
            "Write it again.",
            source=source,
            missing=Missing.ORACLES,
        ) from error


def _oracle(record: Mapping[str, Any]) -> Oracle:
    texts = record["texts"]
    numbers = {name: int(record[name]) for name in _NUMBERS}
    optima = tuple(tuple(_unit(one, texts) for one in optimum) for optimum in record["optima"])
    if not 0 <= numbers["value"] <= numbers["upper"] or numbers["length"] > numbers["limit"]:
        raise ValueError("the numbers contradict each other")
    return Oracle(
        units=tuple(_unit(one, texts) for one in record["units"]),
        is_settled=bool(record["settled"]),
        optima=optima,
        are_all=bool(record["all_optima"]),
        **numbers,
    )


def _unit(unit_id: str, texts: Mapping[str, str]) -> Unit:
    ref, (start, end) = parse_unit_id(unit_id)
    return Unit(ref=ref, start=start, end=end, text=texts[unit_id])
