"""The path that ROUGE-1.5.5 walks through the table of two sentences of any length.

Pure Python: integers of any size serve as sets of positions. `lanes` and `paths` do the same for
thousands of short sentences at once.
"""

from collections.abc import Mapping, Sequence


def places_of(sentence: Sequence[int]) -> dict[int, int]:
    """Returns for each token of a reference sentence where it stands, place i as bit i."""
    places: dict[int, int] = {}
    bit = 1
    for token in sentence:
        places[token] = places.get(token, 0) | bit
        bit <<= 1
    return places


def lcs_marks(places: Mapping[int, int], n_places: int, sentence: Sequence[int]) -> int:
    """Returns the reference's places on the path of a longest common subsequence.

    Args:
        places: Of the reference sentence.
        n_places: Its length.
        sentence: Of the system.

    Source: Hyyro (2004) for the table, a bit for each place where it grows; the walk is that of
        `paths`. Tokens that match nothing change no row, and one of a run is enough for the walk.
    """
    full = (1 << n_places) - 1
    flat = full
    matches: list[int] = []
    stops: list[int] = []
    is_idle = True
    for token in sentence:
        match = places.get(token)
        if match:
            common = flat & match
            flat = ((flat + common) | (flat ^ common)) & full
            matches.append(match)
            stops.append((flat ^ full) | match)
            is_idle = False
        elif not is_idle:
            matches.append(0)
            stops.append(flat ^ full)
            is_idle = True
    return walk_back(matches, stops, full)


def walk_back(matches: Sequence[int], stops: Sequence[int], full: int) -> int:
    """Returns the places marked on the way back.

    Args:
        matches: By token of the system's sentence, the places of equal tokens.
        stops: By token, where the walk cannot go up, matches included.
        full: All places.
    """
    found, below = 0, full
    for index in range(len(stops) - 1, -1, -1):
        here = stops[index] & below
        if not here:
            break
        highest = 1 << here.bit_length() - 1
        if highest & matches[index]:
            found |= highest
            below = highest - 1
        else:
            below = highest + highest - 1
    return found
