"""Table 1 of the TSC-3 paper, from files on disk to the numbers it prints, by the command line.

Source: Hirao, Okumura, Fukushima, Nanba (2004), 「TSC3 コーパスの構築と評価」, sections 3.1 to 3.4.
The constraints printed under Table 1 add s20 to {s21, s23}. The table is right; h is 6 either way,
with two minimal covers where the misprint (s20) leaves one. The scores below are the same under
both readings. The paper's values (.667, .553, .780, .689) are rounded on the way; these are exact.
"""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from tests.in_part import in_part

from awase.cli.main import main

TABLE_1 = "1\tA\ts1 s10,s11\n2\tB\ts3,s5,s6\n3\tC\ts21,s23 s1,s30,s60\n"
AS_MISPRINTED = TABLE_1.replace("s21,s23", "s20,s21,s23")
EXTRACTS = "first\tT\t\ts10 s11 s5 s17 s60 s61\nsecond\tT\t\ts1 s10 s11 s3 s5 s60\n"


def corpus_of(folder: Path, table: str) -> Path:
    base = {
        "awase": 1,
        "topics": [
            {
                "id": "T",
                "documents": [{"id": "d", "sentences": [f"文{n}。" for n in range(1, 62)]}],
                "abstracts": [{"id": "a", "sentences": ["文一。", "文二。", "文三。"]}],
            }
        ],
    }
    folder.mkdir()
    (folder / "base.json").write_text(json.dumps(base), encoding="utf-8")
    (folder / "table.align").write_text(table, encoding="utf-8")
    (folder / "systems.extracts").write_text(EXTRACTS, encoding="utf-8")
    corpus = folder / "table.awase"
    options = ["--topic", "T", "--abstract", "a", "--annotator", "paper"]
    files = [folder / name for name in ("base.json", "table.align", "systems.extracts")]
    with pytest.raises(SystemExit) as stopped:  # in process: what the corpus is asked is not
        main([str(word) for word in ("import", corpus, *files, *options)])
    assert not stopped.value.code
    return corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus_of(tmp_path_factory.mktemp("paper") / "right", TABLE_1)


@pytest.fixture(scope="module")
def misprinted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus_of(tmp_path_factory.mktemp("paper") / "misprint", AS_MISPRINTED)


PRECISION = {"first": Fraction(2, 3), "second": Fraction(1)}
COVERAGE = {"first": Fraction(5, 9), "second": Fraction(7, 9)}
WEIGHTED = {"first": Fraction(23, 33), "second": Fraction(28, 33)}  # footnote 7: w(C) = 1/3
WEIGHTED_AS_PRINTED = {"first": Fraction(19, 27), "second": Fraction(23, 27)}  # eq. 8: w(C) = .3


EXPECTED = {
    "precision": PRECISION,
    "coverage": COVERAGE,
    "weighted-coverage": WEIGHTED,
    "weighted-coverage:weights=1/0.5/0.3": WEIGHTED_AS_PRINTED,
}


@pytest.mark.parametrize("table", in_part(["corpus", "misprinted"]))
def test_that_the_worked_values_come_out(table, request, awase):
    metrics = [word for metric in EXPECTED for word in ("-m", metric)]
    scores = awase("score", request.getfixturevalue(table), *metrics, "--json")["scores"]
    values: dict[str, list[float]] = {}
    for score in scores:
        if score["topic"] == "T":
            values.setdefault(score["system"], []).append(score["value"])
    assert values == {
        system: [float(expected[system]) for expected in EXPECTED.values()]
        for system in ("first", "second")
    }
