"""Writes a picture of every screen: `python tools/screens FOLDER`."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from screens.every_screen import render_all

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Writes a picture of every screen.")
    parser.add_argument("folder", nargs="?", default="screens", type=Path)
    for picture in render_all(parser.parse_args().folder):
        print(picture)
