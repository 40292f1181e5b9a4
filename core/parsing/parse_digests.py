"""What tells some parses from others: a digest of them all."""

import hashlib
from collections.abc import Iterable


def digest_of_parses(digests: Iterable[tuple[str, str]]) -> str:
    """Returns what tells some parses from others.

    Args:
        digests: SHA-256 of each text and of its parse, in the order of the former.
    """
    whole = hashlib.sha256()
    for number, (text, parse) in enumerate(digests):
        line = f"{text} {parse}"
        whole.update((f"\n{line}" if number else line).encode())
    return whole.hexdigest()


def sha256_of(text: str) -> str:
    """Returns the digest of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
