"""Builds the documentation site: `python tools/build_site.py [FOLDER]` (site/ without it).

Every page of docs/ stands in both languages: `page.ja.md` is the Japanese of `page.md`; a page that
has none is shown in English, and says so. Made here, from what the program itself says: the pages
of its help with all keys, the notebooks, executed, and files at the root that pages link to.
Nothing is fetched; a broken link, a notebook that fails or anything loaded from elsewhere fails.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

Notebook = Any  # nbformat's; its cells are dictionaries with attributes

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
SETTINGS = ROOT / "mkdocs.yml"
LEFT_OUT = ("plugin-example",)
AT_THE_ROOT = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "CITATION.cff",
    "SECURITY.md",
    "CODE_OF_CONDUCT.md",
)
ONLY_ENGLISH = (
    '!!! note "英語のみのページです"\n\n'
    "    このページの日本語版はまだありません。用語は[用語集]({up}glossary.md)をご覧ください。\n\n"
    "<!-- -->\n\n"  # a page that begins with code would go on within the box
)
MADE_OF_HELP = "help"
LISTED = {
    "metrics": ("Metrics", "指標"),
    "formats": ("File formats", "ファイル形式"),
    "adr": ("Decisions", "設計の決定"),
}
"""Folders whose pages are all in the navigation, with the titles of their lists."""
_NOT_ON_THE_SITE = re.compile(r"\[([^\]]+)\]\((?:README\.md|LICENSE|resources/[^)]*README\.md)\)")
SEPARATOR = "\u200b"
_HAN = re.compile(r"[\u4e00-\u9fff\u3400-\u4dbf々〆]+")
_JAPANESE = re.compile(rf"{_HAN.pattern}|[ぁ-ゖ]+|[ァ-ヺー]+")
_LINK = re.compile(r"(\]\()(?!\w+:|#)([^)#\s]+)")
_HREF = re.compile(r"""<(?:a|img|link|script)\b[^>]*?\s(?:href|src)=["']?([^"'\s>]+)""")
_ANCHOR = re.compile(r"""\s(?:id|name)=["']?([^"'\s>]+)""")
_FROM_ELSEWHERE = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?(?:https?:)?//[^\s"'>]+"""
    r"""|<link\b(?=[^>]*\brel=["']?(?:stylesheet|preconnect|icon|preload))[^>]*"""
    r"""\bhref=["']?(?:https?:)?//[^\s"'>]+|@import\s+url\(["']?https?://|url\(["']?https?://"""
)


def main(arguments: list[str]) -> int:
    """Builds the site into a folder; returns the exit status."""
    target = Path(arguments[0] if arguments else ROOT / "site").resolve()
    with tempfile.TemporaryDirectory() as name:
        stage(Path(name) / "docs")
        settings = Path(name) / "mkdocs.yml"
        settings.write_text(_settings(Path(name) / "docs", target), "utf-8")
        command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--clean"]
        done = subprocess.run([*command, "--config-file", str(settings)])
        if done.returncode:
            return done.returncode
        index_for_search(target, translated_pages(Path(name) / "docs"))
    elsewhere, broken = loaded_from_elsewhere(target), broken_links(target)
    for line in elsewhere:
        print(f"loaded from elsewhere: {line}", file=sys.stderr)
    for line in broken:
        print(f"broken link: {line}", file=sys.stderr)
    print(f"{target / 'index.html'}: {sum(1 for _ in target.rglob('*.html'))} pages")
    return 1 if elsewhere or broken else 0


def _settings(docs: Path, target: Path) -> str:
    text = SETTINGS.read_text("utf-8")
    for name in LISTED:
        pages = sorted(path.name for path in (DOCS / name).glob("*.md") if ".ja." not in path.name)
        listed = ", ".join(f"{name}/{page}" for page in ("index.md", *pages))
        text = text.replace(f"PAGES_OF_{name.upper()}", f"[{listed}]")
    paths = f"docs_dir: {docs}\nsite_dir: {target}\n"
    return paths + text.replace("$ROOT", str(ROOT))


def stage(folder: Path) -> None:
    """Writes all pages of the site, in both languages, into `folder`, which is made."""
    shutil.copytree(DOCS, folder, ignore=shutil.ignore_patterns(*LEFT_OUT, "*.ipynb"))
    shutil.copyfile(ROOT / "resources" / "icons" / "awase.svg", folder / "assets" / "awase.svg")
    for name in AT_THE_ROOT:
        text = (ROOT / name).read_text("utf-8")
        text = _NOT_ON_THE_SITE.sub(r"\1", text)
        (folder / name).write_text(text.replace("](docs/", "]("), "utf-8")
    for name, titles in LISTED.items():
        write_list(folder / name, titles)
    write_help(folder / MADE_OF_HELP)
    for notebook in sorted((DOCS / "notebooks").glob("*.ipynb")):
        write_notebook(notebook, folder / "notebooks")
    for page in sorted(folder.rglob("*.md")):
        page.write_text(page_with_links_inside(page, folder), "utf-8")
    for page in sorted(folder.rglob("*.md")):
        japanese = page.with_suffix(".ja.md")
        if not page.name.endswith(".ja.md") and not japanese.exists():
            japanese.write_text(marked_as_english(page, folder), "utf-8")


def page_with_links_inside(page: Path, folder: Path) -> str:
    """Returns a page whose links to the root, and to folders, lead to pages of the site."""
    up = "../" * (len(page.relative_to(folder).parts) - 1)

    def mended(match: re.Match[str]) -> str:
        before, target = match[1], match[2]
        for name in AT_THE_ROOT:
            if target.endswith(f"../{name}"):
                return f"{before}{up}{name}"
        of_help = re.fullmatch(r"(?:\.\./)+resources/help/\w\w/(\w+)\.md", target)
        if of_help is not None:
            return (
                before + "../" * (len(page.relative_to(folder).parts) - 1) + f"help/{of_help[1]}.md"
            )
        if re.fullmatch(r"notebooks/[\w-]+\.ipynb", target):
            return before + target.replace(".ipynb", ".md")
        if (page.parent / target).is_dir():
            return f"{before}{target.rstrip('/')}/index.md"
        return match[0]

    lines = _LINK.sub(mended, page.read_text("utf-8")).split("\n")
    return "\n".join(_with_braces(line) if line.startswith("|") else line for line in lines)


def _with_braces(row: str) -> str:
    """Returns a row of a table whose sets, such as {s1}, are not taken for attributes."""
    parts = row.split("`")
    parts[::2] = [part.replace("{", "&#123;") for part in parts[::2]]
    return "`".join(parts)


def marked_as_english(page: Path, folder: Path) -> str:
    """Returns an English page with the remark that there is no Japanese one."""
    up = "../" * (len(page.relative_to(folder).parts) - 1)
    text = page.read_text("utf-8")
    title, found, rest = text.partition("\n")
    return f"{title}\n\n{ONLY_ENGLISH.format(up=up)}{rest}" if found else text


def translated_pages(folder: Path) -> set[str]:
    """Returns the addresses of the staged pages that are in Japanese, as the site has them."""
    return {
        page.relative_to(folder).as_posix().replace(".ja.md", ".html")
        for page in folder.rglob("*.ja.md")
        if ONLY_ENGLISH.split("\n", 1)[0] not in page.read_text("utf-8")
    }


def index_for_search(site: Path, translated: set[str]) -> None:
    """Writes the index of the search anew: whole for each language, words of Japanese parted.

    The theme would look for words between blanks. What it is told to take for one, a space without
    width, is put where the script changes and, among Chinese characters, where Sudachi parts words;
    `docs/assets/iframe-worker.js` parts queries likewise and shows one language.
    """
    place = site / "search" / "search_index.json"
    index = json.loads(place.read_text("utf-8"))
    english = [one for one in index["docs"] if not one["location"].startswith("ja/")]
    japanese = [one for one in index["docs"] if _page(one)[3:] in translated]
    japanese += [
        {**one, "location": f"ja/{one['location']}"}
        for one in english
        if _page(one) not in translated
    ]
    for one in japanese:
        one |= {field: parted(one[field]) for field in ("title", "text")}
    index["docs"] = [*english, *japanese]
    index["config"]["lang"] = ["en"]  # Japanese is parted already
    place.write_text(json.dumps(index, ensure_ascii=False), "utf-8")
    script = f"var __index = {json.dumps(index, ensure_ascii=False)}"
    place.with_suffix(".js").write_text(script, "utf-8")


def _page(one: dict[str, str]) -> str:
    return one["location"].partition("#")[0] or "index.html"


def parted(text: str) -> str:
    """Returns a text with spaces without width between words of Japanese."""
    return _JAPANESE.sub(lambda run: SEPARATOR + _parted_run(run[0]) + SEPARATOR, text)


def _parted_run(run: str) -> str:
    from awase.core.text.tokenisers import japanese_words

    return SEPARATOR.join(japanese_words(run)) if _HAN.match(run) else run


def write_list(folder: Path, titles: tuple[str, str]) -> None:
    """Writes a page with the titles of all pages of a folder, in both languages."""
    pages = [path for path in sorted(folder.glob("*.md")) if ".ja." not in path.name]
    first_lines = {path.name: path.read_text("utf-8").partition("\n")[0] for path in pages}
    lines = [f"- [{line.lstrip('# ')}]({name})" for name, line in first_lines.items()]
    for title, suffix in zip(titles, (".md", ".ja.md"), strict=True):
        text = "\n".join([f"# {title}", "", *lines, ""])
        (folder / f"index{suffix}").write_text(text, "utf-8")


def write_help(folder: Path) -> None:
    """Writes the pages of the program's own help, with the keys that it comes with."""
    from awase.gui.frame.commands import default_bindings
    from awase.gui.frame.help import PAGES, page_text
    from awase.gui.kit.i18n import set_language
    from awase.gui.kit.keys import KeyMap

    folder.mkdir()
    for language, suffix in (("en", ".md"), ("ja", ".ja.md")):
        set_language(language)
        for page in PAGES:
            text = page_text(page, language, KeyMap(default_bindings()))
            (folder / f"{page}{suffix}").write_text(text, "utf-8")
    set_language("en")


def write_notebook(notebook: Path, folder: Path) -> None:
    """Executes a notebook and writes it as a page in each language, with its pictures.

    The Japanese of a cell of text stands in its metadata, under `ja`.
    """
    import nbformat

    folder.mkdir(exist_ok=True)
    source: Any = nbformat.reads(notebook.read_text("utf-8"), as_version=4)
    executed = run_notebook(source)
    shutil.copyfile(notebook, folder / notebook.name)
    for language, suffix in (("", ".md"), ("ja", ".ja.md")):
        page = folder / f"{notebook.stem}{suffix}"
        page.write_text(_page_of(executed, language, notebook.stem, folder), "utf-8")


def run_notebook(notebook: Notebook) -> Notebook:
    """Returns the notebook with its outputs, executed in an empty folder by this Python.

    Raises:
        CellExecutionError: A cell failed.
    """
    from nbclient import NotebookClient

    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    return notebook


def _page_of(notebook: Notebook, language: str, stem: str, folder: Path) -> str:
    from nbconvert import MarkdownExporter

    told = notebook.copy()
    told["cells"] = [_cell_in(cell, language) for cell in notebook["cells"]]
    exporter: Any = MarkdownExporter()
    text, resources = exporter.from_notebook_node(
        told, resources={"output_files_dir": f"{stem}_files", "unique_key": stem}
    )
    for name, data in resources["outputs"].items():
        place = folder / name
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(data)
    text = re.sub(r"<style scoped>.*?</style>\s*", "", str(text), flags=re.DOTALL)
    text = text.replace('<table border="1" class="dataframe">', "<table>")
    return re.sub(r"\n(?:[ ]*\n){3,}", "\n\n", text)


def _cell_in(cell: Notebook, language: str) -> Notebook:
    told = cell.copy()
    told["source"] = cell["metadata"].get(language, cell["source"])
    return told


def broken_links(site: Path) -> list[str]:
    """Returns what leads nowhere within the site: page and link.

    mkdocs tells of some of them, and only where it is not asked to be quiet.
    """
    pages = {path: path.read_text("utf-8") for path in site.rglob("*.html")}
    anchors = {path: {*map(unescape, _ANCHOR.findall(text))} for path, text in pages.items()}
    found = []
    for page, text in sorted(pages.items()):
        for link in dict.fromkeys(map(unescape, _HREF.findall(text))):
            if re.match(r"\w[\w+.-]*:|//", link) or (page.name == "404.html" and link[0] == "/"):
                continue
            place, _, anchor = link.partition("#")
            target = (page.parent / unquote(place.partition("?")[0])).resolve() if place else page
            target = target / "index.html" if target.is_dir() else target
            is_known = unquote(anchor) in anchors.get(target, ()) if anchor else target.is_file()
            if not is_known:
                found.append(f"{page.relative_to(site)}: {link}")
    return found


def loaded_from_elsewhere(site: Path) -> list[str]:
    """Returns what pages and styles of a site would load from another place."""
    return [
        f"{path.relative_to(site)}: {found[0][:120]}"
        for path in sorted((*site.rglob("*.html"), *site.rglob("*.css")))
        for found in _FROM_ELSEWHERE.finditer(path.read_text("utf-8", "replace"))
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
