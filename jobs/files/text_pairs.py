"""Pairs systems' texts with references, streaming from files.

A file has a text a line, a JSON object a line, or a table; a folder a file a text, a sentence a
line. Mismatched lengths and ids are errors.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Final

from awase.core.errors import CorpusFormatError, InputError, Listing, Reporter
from awase.core.formats.reading.roles import TakenAs, with_separators
from awase.core.formats.tables.text_folder import topics_by_number
from awase.core.metrics.rouge.family import RougeStream, StreamItem
from awase.core.records.score import Score
from awase.core.records.source import join_splits
from awase.core.text.script import Separators
from awase.core.text.sentences import Split, split_text
from awase.jobs.files.reading import STANDARD_INPUT, DiskFolder, read_file
from awase.jobs.files.text_lines import Text, TextFileLayout, TextsOfFile, no_reference

_ITEMS_AT_ONCE: Final = 1_000
_LETTERS_AT_ONCE: Final = 1 << 21


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPairs:
    """Files to pair."""

    systems: Mapping[str, str]  # name to a file or a folder; `-` is standard input
    # Files, each with a reference for every item; or folders; none = the first file of systems is a
    # table that has them, too.
    references: tuple[str, ...]
    layout: TextFileLayout = field(default_factory=TextFileLayout)  # but for what each one has

    def layouts(self) -> list[TextFileLayout]:
        """Returns the layouts of systems' files, then of references'."""
        # Without a references file the first system's file has the references, too.
        n_systems, n_references = len(self.systems), len(self.references)
        of_files = [(True, at == 0 and not n_references) for at in range(n_systems)]
        of_files += [(False, True)] * n_references
        return [
            replace(
                self.layout, has_systems=has_systems, has_references=has_references,
                declared={
                    role: columns
                    for role, columns in self.layout.declared.items()
                    if (has_systems or role not in ("system", "system name"))
                    and (has_references or role != "reference")
                },
            )
            for has_systems, has_references in of_files
        ]  # fmt: skip


def items_of(
    pairs: TextPairs, reporter: Reporter, taken_as: list[TakenAs] | None = None
) -> Iterator[StreamItem]:
    """Yields the items in the order of the files; those of folders by name.

    `taken_as` receives the selected columns, once the last item was yielded.
    """
    places = [*pairs.systems.values(), *pairs.references]
    if places.count(STANDARD_INPUT) > 1:
        raise InputError.of(
            "Standard input can be read once, and is named {n} times.",
            "Save it as a file, and name that.",
            n=places.count(STANDARD_INPUT),
        )
    folders = [place != STANDARD_INPUT and Path(place).is_dir() for place in places]
    if any(folders) and not all(folders):
        raise InputError.of(
            "Some of these are folders and some are files: {places}.",
            "Name folders only, or files only.",
            places=Listing(places),
        )
    if not all(folders):
        return _of_files(pairs, places, reporter, taken_as)
    if not pairs.references:
        raise no_reference(places[0])
    return _of_folders(pairs, places, taken_as)


def scored_pairs(stream: RougeStream, items: Iterator[StreamItem]) -> Iterator[Score]:
    """Yields every item's scores; afterwards the stream has the means."""
    for some in portions(items):
        yield from stream.scores_of(some)


def portions(items: Iterator[StreamItem]) -> Iterator[list[StreamItem]]:
    """Yields batches of items sized for counting."""
    some: list[StreamItem] = []
    n_letters = 0
    for item in items:
        some.append(item)
        n_letters += sum(len(s) for text in (*item.texts, *item.references) for s in text)
        if len(some) >= _ITEMS_AT_ONCE or n_letters >= _LETTERS_AT_ONCE:
            yield some
            some, n_letters = [], 0
    if some:
        yield some


def _of_files(
    pairs: TextPairs, places: Sequence[str], reporter: Reporter, taken_as: list[TakenAs] | None
) -> Iterator[StreamItem]:
    with ExitStack() as opened:
        files = [
            TextsOfFile(place, opened, layout)
            for place, layout in zip(places, pairs.layouts(), strict=True)
        ]
        for number, texts in enumerate(zip_longest(*files), start=1):
            if number % _ITEMS_AT_ONCE == 1:
                done, total = files[0].progress()
                reporter.advance(done, total, f"{number - 1} items")
            ids = {text.id for text in texts if text is not None and text.id is not None}
            _check_together(number, texts, ids, files)
            yield _item(next(iter(ids), str(number)), texts)
        if taken_as is not None:
            taken_as += filter(None, (file.taken_as() for file in files))


def _item(id_: str, texts: Sequence[Text]) -> StreamItem:
    outputs = [text.output for text in texts if text.output is not None]
    return _item_of(id_, outputs, [one for text in texts for one in text.references])


def _item_of(id_: str, outputs: Sequence[Split], references: Sequence[Split]) -> StreamItem:
    of_references = [one.way for one in references if one.sentences]
    return StreamItem(
        id=id_,
        texts=tuple(one.sentences for one in outputs),
        references=tuple(one.sentences for one in references),
        splits=tuple(
            join_splits([one.way, *of_references] if one.sentences else of_references)
            for one in outputs
        ),
    )


def _check_together(
    number: int, texts: Sequence[Text | None], ids: set[str], files: Sequence[TextsOfFile]
) -> None:
    ended = [file.name for file, text in zip(files, texts, strict=True) if text is None]
    if ended:
        longer = next(f.name for f, text in zip(files, texts, strict=True) if text is not None)
        raise CorpusFormatError.of(
            "“{ended}” has {n} {n:item|items}, and “{longer}” has more.",
            "Every file needs a line for each item, an empty one where there is no text.",
            ended=ended[0],
            n=number - 1,
            longer=longer,
        )
    if len(ids) > 1:
        raise CorpusFormatError.of(
            "The files disagree on what line {n} is about: {ids}.",
            "Put them in the same order.",
            n=number,
            ids=Listing(sorted(ids)),
        )


def _of_folders(
    pairs: TextPairs, places: Sequence[str], taken_as: list[TakenAs] | None
) -> Iterator[StreamItem]:
    met = [Separators(is_on=pairs.layout.separates) for _ in places]
    n_systems = len(pairs.systems)
    folders = _by_number(places, n_systems) or [_names(place) for place in places]
    ids = sorted(folders[0])
    for place, names in zip(places[1:], folders[1:], strict=True):
        lacking = [id_ for id_ in ids if id_ not in names]
        surplus = [id_ for id_ in names if id_ not in folders[0]]
        if lacking or surplus:
            raise CorpusFormatError.of(
                "“{place}” does not have the same files as “{first}”: {names}.",
                "A text and its references need the same name, or the same number in their names.",
                place=place,
                first=places[0],
                names=Listing([*islice((*lacking, *surplus), 5)]),
            )
    for id_ in ids:
        texts = [
            [_file_sentences(Path(place) / name, pairs, separators) for name in names[id_]]
            for place, names, separators in zip(places, folders, met, strict=True)
        ]
        outputs = [own[0] for own in texts[:n_systems]]
        yield _item_of(id_, outputs, [*chain.from_iterable(texts[n_systems:])])
    for place, separators in zip(places, met, strict=True):
        if taken_as is not None:
            taken_as += with_separators((), place, separators)


def _by_number(places: Sequence[str], n_systems: int) -> list[dict[str, list[str]]] | None:
    """Groups the folders' files by the number in their names; None = no such names."""
    names = [[*DiskFolder(Path(place)).names()] for place in places]
    if {Path(name).stem for name in names[0]} & {Path(name).stem for name in names[-1]}:
        return None
    roles = ["system" if at < n_systems else "reference" for at in range(len(places))]
    inner = [f"{role}/{at}/" for at, role in enumerate(roles)]
    topic_of = topics_by_number(
        f"{inner[at]}{one}" for at in range(len(places)) for one in names[at]
    )
    found: list[dict[str, list[str]]] = []
    for at, own in enumerate(names):
        by_topic: dict[str, list[str]] = {}
        for one in own:
            by_topic.setdefault(topic_of.get(f"{inner[at]}{one}", ""), []).append(one)
        if "" in by_topic or (at < n_systems and any(len(some) > 1 for some in by_topic.values())):
            return None
        found.append(by_topic)
    return found


def _names(place: str) -> dict[str, list[str]]:
    """Returns the files of a folder by stem."""
    result: dict[str, list[str]] = {}
    for name in DiskFolder(Path(place)).names():
        stem = str(Path(name).with_suffix(""))
        if stem in result:
            raise CorpusFormatError.of(
                "“{first}” and “{second}” differ only in their extensions.",
                "Leave one of them out.",
                source=place,
                first=result[stem][0],
                second=name,
            )
        result[stem] = [name]
    return result


def _file_sentences(path: Path, pairs: TextPairs, separators: Separators) -> Split:
    from awase.core.text.encoding import decode

    layout = pairs.layout
    text = decode(read_file(path), None if layout.encoding == "utf-8" else layout.encoding).text
    return split_text(text, layout.way, separators=separators)
