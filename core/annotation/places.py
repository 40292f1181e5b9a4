"""Very many places in a corpus, of each of which eight bytes are held."""

from array import array
from typing import TYPE_CHECKING

from awase.core.parsing.texts_on_demand import key_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def number_of(*names: object) -> int:
    """Returns a number of eight bytes that a place of other names hardly ever has."""
    return key_of("\0".join(map(str, names)))


class Places:
    """Different places by their numbers, and how often each was named.

    Attributes:
        of_each: Where each of the numbers given is, from 0.
        times: How often each place was named.
    """

    def __init__(self, numbers: "array[int]") -> None:
        """Takes numbers of `number_of`, an unsigned array; equal ones are one place."""
        import numpy as np

        self.of_each: NDArray[np.intp]
        self.times: NDArray[np.intp]
        self._numbers, self.of_each, self.times = np.unique(
            np.array(numbers), return_inverse=True, return_counts=True
        )

    def __len__(self) -> int:
        return len(self._numbers)

    def at(self, number: int) -> int | None:
        """Returns where a place is, from 0; None = it was not named."""
        at = int(self._numbers.searchsorted(self._numbers.dtype.type(number)))
        return at if at < len(self) and self._numbers[at] == number else None

    def sums_of(self, values: "array[int]") -> "NDArray[np.int64]":
        """Returns the sum of the values at each place; there is one for each number given."""
        import numpy as np

        sums = np.zeros(len(self), np.int64)
        np.add.at(sums, self.of_each, np.array(values, np.int64))
        return sums
