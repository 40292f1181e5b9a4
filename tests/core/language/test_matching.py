from dataclasses import replace
from itertools import count

from hypothesis import example
from hypothesis import strategies as st
from tests.core.language.trees import tree
from tests.laws import law

from awase.core.language.conllu import FileSentence, sha256_of
from awase.core.language.engines import KnownTexts, Unmatched, matched, model_named_in


def sentences_of(*texts: str) -> list[FileSentence]:
    return [
        FileSentence(replace(tree("w 0 root"), text=text), line)
        for line, text in enumerate(texts, start=1)
    ]


def matches_in(sentences: list[FileSentence], texts: list[str]) -> list[tuple[list[str], set[str]]]:
    """Returns what belongs together: sentences of the file, and digests of the corpus's texts."""
    known = KnownTexts(texts)
    return [
        ([one.sentence.text for one in match.sentences], {*map(known.digest_at, match.places)})
        for match in matched(sentences, known)
    ]


def digests(*texts: str) -> set[str]:
    return {*map(sha256_of, texts)}


def by_comparing_all(
    sentences: list[FileSentence], texts: list[str]
) -> list[tuple[list[str], set[str]]]:
    """Returns what `taken` does, by comparing every run of sentences with every text."""
    file, runs, start = [one.sentence.text for one in sentences], [], 0
    while start < len(file):
        for end in range(start + 1, len(file) + 1):
            joined = "".join("".join(file[start:end]).split())
            same = [text for text in texts if "".join(text.split()) == joined]
            if same:
                break
        else:
            end = start + 1
        runs.append((file[start:end], digests(*same)))
        start = end
    return runs


_PIECES = st.text("ab 、", max_size=3)


@example(["a  b", "c"], ["a b", " ab ", "d"])  # whatever the white space
@example(["He ran.", "She won.", "He fell."], ["He ran. She won.", "He fell."])
@example(["He ran.", "He fell."], ["He ran. She won."])  # half a text is no match
@law(300, st.lists(_PIECES, max_size=7), st.lists(_PIECES.filter(str.strip), max_size=4))
def test_that_runs_are_those_found_by_comparing_all_with_all(file, corpus):
    assert matches_in(sentences_of(*file), corpus) == by_comparing_all(sentences_of(*file), corpus)
    assert len(KnownTexts(corpus)) == len({*corpus})


def test_that_no_more_sentences_are_read_than_the_longest_text_can_be():
    read = count()
    endless = (FileSentence(tree("w 0 root"), next(read)) for _ in iter(int, 1))
    endless = (found._replace(sentence=replace(found.sentence, text="abc")) for found in endless)
    assert next(matched(endless, KnownTexts(["x" * 10]))).places == range(0)
    assert next(read) == 4


def test_that_unmatched_sentences_are_named_and_many_are_counted():
    unmatched = Unmatched("f")
    for one in sentences_of(*(f"s{n}" for n in range(25))):
        unmatched.note(one)
    warnings = [*unmatched.problems()]
    assert unmatched.n == 25
    assert [warning.line for warning in warnings] == [*range(1, 21), None]
    assert str(warnings[0]).startswith("f:1: The corpus has no sentence “s0”.")
    assert "5 more" in str(warnings[-1])


def test_that_the_first_lines_name_the_model():
    assert model_named_in(["# x", "# model = stanza-en", "", "1\t"]) == "stanza-en"
    assert model_named_in(["# text = a", "1\t"]) == ""
    assert model_named_in([*[""] * 20, "# model = late"]) == ""
