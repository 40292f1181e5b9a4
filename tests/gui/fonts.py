"""The fonts that tests of the window measure in, by name, whatever else a machine has installed.

With Noto CJK a line is a third higher than with IPAex: what has room on a low screen would hang on
the machine. Where there is no DejaVu, and with `AWASE_TEST_FONTS=all`, its own fonts are used.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

_FILES: Final = ("DejaVuSans.ttf", "ipaexg.ttf")
_FOLDERS: Final = ("/usr/share/fonts", "/usr/local/share/fonts")
_CONFIGURATION: Final = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
{folders}
<include ignore_missing="yes">/etc/fonts/conf.d</include>
<cachedir>{cache}</cachedir>
</fontconfig>
"""


def _use_measured_fonts() -> None:
    """Has Qt, which is not loaded yet, see these fonts alone."""
    found = {
        name: [path.parent for folder in _FOLDERS for path in Path(folder).rglob(name)]
        for name in _FILES
    }
    if not found[_FILES[0]] or os.environ.get("AWASE_TEST_FONTS") == "all":
        return
    place = Path(tempfile.mkdtemp(prefix="awase-fonts-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    folders = "\n".join(f"<dir>{folder[0]}</dir>" for folder in found.values() if folder)
    configuration = _CONFIGURATION.format(folders=folders, cache=place)
    (place / "fonts.conf").write_text(configuration, "utf-8")
    os.environ["FONTCONFIG_FILE"] = str(place / "fonts.conf")


_use_measured_fonts()
