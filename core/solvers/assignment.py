"""Linear assignment, without scipy's package of 50 MB and a third of a second.

Source: Crouse (2016), On implementing 2D rectangular assignment algorithms: shortest augmenting
paths, with ties settled as by `scipy.optimize.linear_sum_assignment`.
"""

from collections.abc import Sequence
from math import inf


def assigned(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Returns the (row, column) pairs of the assignment with the greatest sum, by row.

    `weights` is a finite matrix; all of its shorter side is assigned.
    """
    is_wide = len(weights) <= len(weights[0])
    rows = weights if is_wide else [*zip(*weights, strict=True)]
    found = _columns([[-weight for weight in row] for row in rows])
    return [*enumerate(found)] if is_wide else sorted((at, row) for row, at in enumerate(found))


def _columns(costs: Sequence[Sequence[float]]) -> list[int]:
    """Returns the column of each row with the least sum; columns are at least as many."""
    n_columns = len(costs[0])
    of_rows, of_columns = [0.0] * len(costs), [0.0] * n_columns
    column_of, row_of = [-1] * len(costs), [-1] * n_columns
    for row in range(len(costs)):
        shortest, before = [inf] * n_columns, [-1] * n_columns
        remaining = [*range(n_columns)][::-1]
        rows_seen, columns_seen = list[int](), list[int]()
        at, least, end = row, 0.0, -1
        while end < 0:
            rows_seen.append(at)
            chosen, lowest = -1, inf
            for place, column in enumerate(remaining):
                length = least + costs[at][column] - of_rows[at] - of_columns[column]
                if length < shortest[column]:
                    before[column], shortest[column] = at, length
                known = shortest[column]
                # Of equal ones a column that is free ends the path.
                if known < lowest or (known == lowest and row_of[column] < 0):
                    chosen, lowest = place, known
            least, column = lowest, remaining[chosen]
            if row_of[column] < 0:
                end = column
            else:
                at = row_of[column]
            columns_seen.append(column)
            remaining[chosen] = remaining[-1]
            remaining.pop()
        of_rows[row] += least
        for other in rows_seen[1:]:
            of_rows[other] += least - shortest[column_of[other]]
        for column in columns_seen:
            of_columns[column] -= least - shortest[column]
        column, at = end, -1
        while at != row:
            at = row_of[column] = before[column]
            column_of[at], column = column, column_of[at]
    return column_of
