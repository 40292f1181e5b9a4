"""How numbers are spelled for people, everywhere in the same way."""

from fractions import Fraction

from tests.in_part import in_turn

from awase.core.reports.grid import Cell, change_text, decimal_text, typeset
from awase.core.reports.html_report import table


@in_turn(
    ("value", "text"),
    [
        (None, "—"), (Fraction(0), "0.000"), (Fraction(1), "1.000"), (Fraction(2, 3), "0.667"),
        (0.5, "0.500"), (-0.25, "-0.250"), (-1e-9, "0.000"), (12, "12.000"),
    ],
)  # fmt: skip
def test_that_a_number_has_its_zero_and_all_its_decimals(value, text):
    assert decimal_text(value) == text


def test_that_a_difference_has_its_sign_and_none_where_nothing_is_seen():
    assert [change_text(Fraction(n, 2), 2) for n in (1, 0, -1)] == ["+0.50", "0.00", "-0.50"]
    assert change_text(Fraction(1, 5000)) == change_text(-Fraction(1, 5000)) == "0.000"


def test_that_a_minus_is_set_for_numbers_and_for_nothing_else():
    assert typeset("-0.500 [-1.000, 0.250]") == "−0.500 [−1.000, 0.250]"
    assert typeset("rouge-1 A-2 1-2 --3") == "rouge-1 A-2 1-2 -−3"
    cells = (Cell(text="-0.5", value=-0.5), Cell(text="-5 is a name", is_number=False))
    assert ">−0.5<" in (page := table(("a", "b"), [cells], name="t"))
    assert ">-5 is a name<" in page
