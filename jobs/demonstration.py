"""The demonstration corpora as corpus files."""

from importlib.resources import files
from pathlib import Path

from awase.core.errors import InputError, Listing
from awase.core.formats.reading.requests import ReadRequest
from awase.core.formats.registry import format_by_id
from awase.core.progress import Reporter, Silent
from awase.core.records.addition import Addition
from awase.storage.new_corpus import copy_of, create_copy

LANGUAGES = ("ja", "en")
_MODEL, _TEXT = "# model = ", "# text = "


def demonstration_file(language: str, folder: Path) -> Path:
    """Returns the path in `folder` of the demonstration in `language`."""
    return folder / f"demo-{language}.awase"


def demonstration(language: str) -> Addition:
    """Returns the demonstration corpus in `language`."""
    if language not in LANGUAGES:
        raise InputError.of(
            "There is no demonstration in “{language}”.",
            "Use one of {known}.",
            language=language,
            known=Listing(LANGUAGES),
        )
    name = f"{language}.json"
    text = files("awase.resources").joinpath("demo", name).read_text("utf-8")
    return format_by_id("awase-json").reader()(ReadRequest(text=text, source=name)).addition


def demonstration_parses(language: str) -> dict[str, dict[str, str]]:
    """Returns the demonstration's parses: model to text to CoNLL-U."""
    text = files("awase.resources").joinpath("demo", f"{language}.conllu").read_text("utf-8")
    head, *blocks = text.split("\n\n")
    model = head.partition("\n")[0].removeprefix(_MODEL)
    return {model: {_text_of(block): f"{block}\n\n" for block in blocks if block}}


def _text_of(block: str) -> str:
    return block.partition("\n")[0].removeprefix(_TEXT)


def make_demonstration(
    language: str, folder: Path, *, who: str, reporter: Reporter | None = None
) -> Path:
    """Writes the demonstration into `folder`, unless it is there already, and returns its path."""
    path = demonstration_file(language, folder)
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        addition = demonstration(language)
        create_copy(
            path,
            copy_of(addition, addition.name),
            who=who,
            source=f"{language}.json",
            parses=[
                (model, by_text.items())
                for model, by_text in demonstration_parses(language).items()
            ],
            reporter=reporter or Silent(),
        )
    return path
