"""Writes a picture of every screen: `python tools/screens FOLDER`."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from screens.every_screen import Looks, render_all


def size_of(text: str) -> tuple[int, int]:
    """Returns width and height, from `1366x768`."""
    width, height = map(int, text.split("x"))
    return width, height


if __name__ == "__main__":
    usual = Looks()
    parser = argparse.ArgumentParser(description="Writes a picture of every screen.")
    parser.add_argument("folder", nargs="?", default="screens", type=Path)
    parser.add_argument("--language", nargs="+", default=usual.languages)
    parser.add_argument("--palette", nargs="+", default=usual.palettes)
    parser.add_argument("--points", type=int, default=usual.points, help="size of the letters")
    parser.add_argument("--size", type=size_of, default=usual.size, help="such as 1366x768")
    given = parser.parse_args()
    looks = Looks(
        languages=given.language, palettes=given.palette, points=given.points, size=given.size
    )
    for picture in render_all(given.folder, looks):
        print(picture)
