"""Sets up all that `make` needs on a machine that has Python 3.11 or newer and nothing else.

It makes `.venv`, installs the project into it with the versions of constraints.txt, and sees to the
system libraries of Qt: on Debian or Ubuntu as root it installs what is missing, elsewhere it prints
the one line to type.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
READY = VENV / "ready"
PACKAGES = ("api", "cli", "conformance", "core", "gui", "jobs", "storage")

QT_PACKAGES = (
    "libegl1 libgl1 libx11-6 libxkbcommon0 libdbus-1-3 libfontconfig1 libfreetype6 libglib2.0-0"
).split()
X11_PACKAGES = (
    "libx11-xcb1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 "
    "libxcb-randr0 libxcb-render-util0 libxcb-render0 libxcb-shape0 libxcb-shm0 libxcb-sync1 "
    "libxcb-util1 libxcb-xfixes0 libxcb-xkb1"
).split()
FONT_PACKAGES = ["fonts-ipaexfont-gothic"]
PERL_PACKAGES = ["perl", "libxml-dom-perl"]
BROWSER_PACKAGES = ["chromium"]
SERVER_PACKAGES = ["postgresql"]

QT_LOADS = "from PySide6.QtWidgets import QApplication; QApplication([])"
BUILDS_THE_SITE = (
    "import material, mkdocs_static_i18n, mkdocstrings_handlers.python, nbclient, nbconvert, "
    "ipykernel, matplotlib, mdx_truly_sane_lists"
)
FONT_EXISTS = (
    "import sys; from PySide6.QtGui import QFontDatabase as F, QGuiApplication as A; a = A([]); "
    "sys.exit(not F.families(F.WritingSystem.Japanese))"
)


def main(arguments: list[str]) -> int:
    """Prepares the machine; with `--for-slow-tests` for Perl, a browser and a server, too.

    With `--for-docs` it installs what builds the documentation site, and nothing else.
    """
    if arguments == ["--for-docs"]:
        if not _succeeds(_python(), "-c", BUILDS_THE_SITE):
            _pip("install", "--quiet", "--constraint", "constraints.txt", "--editable", ".[docs]")
        return 0
    if arguments == ["--for-slow-tests"]:
        if not _succeeds("perl", "-MXML::DOM", "-e", "1"):
            _install_for_debian(PERL_PACKAGES)
        if not shutil.which("chromium"):
            _install_for_debian(BROWSER_PACKAGES)
        if not _has_database_server():
            _install_for_debian(SERVER_PACKAGES)
        return 0
    if sys.version_info < (3, 11):
        return _fail(f"Awase needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    if not _venv_exists() and not _make_venv():
        return _fail("Python's venv module is missing: install python3-venv.")
    _pip("install", "--quiet", "--upgrade", "pip")
    _pip("install", "--quiet", "--constraint", "constraints.txt", "--editable", ".[dev]")
    # Where cargo is, the compiled kernel; nothing needs it.
    subprocess.run([_python(), ROOT / "tools" / "build_kernel.py"], cwd=ROOT)
    # Otherwise each worker of the first test run compiles all of it.
    subprocess.run([_python(), "-m", "compileall", "-q", *PACKAGES], cwd=ROOT)
    _see_to_qt()
    READY.touch()
    return 0


def _fail(message: str) -> int:
    print(message, file=sys.stderr)
    return 1


def _python() -> Path:
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _venv_exists() -> bool:
    return _python().exists() and _succeeds(_python(), "-m", "pip", "--version")


def _make_venv() -> bool:
    if _succeeds(sys.executable, "-m", "venv", VENV):
        return True
    shutil.rmtree(VENV, ignore_errors=True)
    _install_for_debian([f"python{sysconfig.get_python_version()}-venv"])
    return _succeeds(sys.executable, "-m", "venv", VENV)


def _pip(*arguments: str) -> None:
    subprocess.run([_python(), "-m", "pip", *arguments], check=True, cwd=ROOT)


def _succeeds(*command: str | Path, **environment: str) -> bool:
    try:
        done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True)
    except FileNotFoundError:
        return False
    return done.returncode == 0


def _has_database_server() -> bool:
    # Debian keeps its programs off the path.
    found = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    return shutil.which("initdb") is not None or any(found)


def _see_to_qt() -> None:
    packages: list[str] = []
    if not _succeeds(_python(), "-c", QT_LOADS, QT_QPA_PLATFORM="offscreen"):
        packages += QT_PACKAGES
    if os.environ.get("DISPLAY") and not _succeeds(
        _python(), "-c", QT_LOADS, QT_QPA_PLATFORM="xcb"
    ):
        packages += X11_PACKAGES
    if packages:
        _install_for_debian(packages)
    if not _succeeds(_python(), "-c", FONT_EXISTS, QT_QPA_PLATFORM="offscreen"):
        _install_for_debian(FONT_PACKAGES)


def _install_for_debian(packages: list[str]) -> None:
    """Installs Debian packages when allowed to; otherwise prints the line that does it."""
    apt = shutil.which("apt-get")
    line = f"apt-get install --yes --no-install-recommends {' '.join(packages)}"
    if os.name != "posix" or sys.platform == "darwin":
        return
    if apt is None or os.geteuid() != 0:
        print(f"System libraries are missing. On Debian or Ubuntu: sudo {line}", file=sys.stderr)
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    print(f"+ {line}")
    subprocess.run([apt, "update", "--quiet", "--quiet"], env=environment)
    subprocess.run(line.split(), check=True, env=environment, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
