"""Oracles as a JSON file, so that they are found once: docs/formats/oracles.md."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from awase.core.errors import CorpusFormatError, Missing
from awase.core.oracles.extractive import Oracle
from awase.core.oracles.units import Unit, parse_unit_id

_VERSION = 1
_NUMBERS = ("value", "total", "upper", "length", "limit", "greedy", "greedy_by_rate")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundOracle:
    """An oracle with what it is of."""

    key: str
    topic: str
    reference: str
    oracle: Oracle


def oracle_record(found: FoundOracle) -> dict[str, Any]:
    """Returns an oracle as JSON holds it; any value may be in it."""
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


def oracles_record(options: str, found: Iterable[FoundOracle]) -> dict[str, Any]:
    """Returns what a file of oracles holds."""
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
