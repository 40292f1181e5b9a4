"""Sets up all that `make` needs on a machine that has Python 3.11 or newer and nothing else.

It makes `.venv`, installs the project into it with the versions of constraints.txt, and sees to the
system libraries of Qt: on Debian or Ubuntu as root it installs what is missing, elsewhere it prints
the one line to type.

    python tools/prepare.py                       # what the program needs: make run
    python tools/prepare.py --for-tests           # and what the default tests need: make test
    python tools/prepare.py --for-slow-tests      # and models, parsers, a browser: make test-slow
    python tools/prepare.py --for-newest          # .venv-newest: the newest of every package
    python tools/prepare.py --for-docs            # what builds the documentation site
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
NEWEST = ROOT / ".venv-newest"
FLOORS = ROOT / ".venv-floors"
READY = ("ready", "ready-for-tests", "ready-for-slow-tests")
READY_OF = {"--for-run": 1, "--for-tests": 2, "--for-slow-tests": 3}
"""How much of that is ready once it is prepared for what is named."""
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
    """Prepares the machine for what is named; see above."""
    if sys.version_info < (3, 11):
        return _fail(f"Awase needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    what = arguments[0] if arguments else "--for-run"
    if what == "--for-docs":
        if not _succeeds(python_of(), "-c", BUILDS_THE_SITE):
            _install(".[docs]")
        return 0
    if what == "--for-newest":
        if not make_venv(NEWEST):
            return _fail("Python's venv module is missing: install python3-venv.")
        pip(
            "install", "--quiet", "--upgrade", "--upgrade-strategy", "eager",
            "--editable", ".[test]", venv=NEWEST,
        )  # fmt: skip
        return 0
    if not make_venv():
        return _fail("Python's venv module is missing: install python3-venv.")
    pip("install", "--quiet", "--upgrade", "pip")
    _install({"--for-run": ".", "--for-tests": ".[dev]"}.get(what, ".[dev,test-all]"))
    # Where cargo is, the compiled kernel; nothing needs it.
    subprocess.run([python_of(), ROOT / "tools" / "build_kernel.py"], cwd=ROOT)
    # Otherwise each worker of the first test run compiles all of it.
    subprocess.run([python_of(), "-m", "compileall", "-q", *PACKAGES], cwd=ROOT)
    _see_to_qt()
    if what == "--for-slow-tests":
        if not _succeeds("perl", "-MXML::DOM", "-e", "1"):
            _install_for_debian(PERL_PACKAGES)
        if not shutil.which("chromium"):
            _install_for_debian(BROWSER_PACKAGES)
        if not _has_database_server():
            _install_for_debian(SERVER_PACKAGES)
    for ready in READY[: READY_OF[what]]:
        (VENV / ready).touch()
    return 0


def _fail(message: str) -> int:
    print(message, file=sys.stderr)
    return 1


def _install(what: str) -> None:
    pip("install", "--quiet", "--constraint", "constraints.txt", "--editable", what)


def python_of(venv: Path = VENV) -> Path:
    """Returns the Python of an environment."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _venv_exists(venv: Path = VENV) -> bool:
    return python_of(venv).exists() and _succeeds(python_of(venv), "-m", "pip", "--version")


def make_venv(venv: Path = VENV) -> bool:
    """Returns whether there is the environment, once it is made where it was not."""
    if _venv_exists(venv) or _succeeds(sys.executable, "-m", "venv", venv):
        return True
    shutil.rmtree(venv, ignore_errors=True)
    _install_for_debian([f"python{sysconfig.get_python_version()}-venv"])
    return _succeeds(sys.executable, "-m", "venv", venv)


def pip(*arguments: str | Path, venv: Path = VENV) -> None:
    """Runs pip in an environment."""
    subprocess.run([python_of(venv), "-m", "pip", *arguments], check=True, cwd=ROOT)


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
    if not _succeeds(python_of(), "-c", QT_LOADS, QT_QPA_PLATFORM="offscreen"):
        packages += QT_PACKAGES
    if os.environ.get("DISPLAY") and not _succeeds(
        python_of(), "-c", QT_LOADS, QT_QPA_PLATFORM="xcb"
    ):
        packages += X11_PACKAGES
    if packages:
        _install_for_debian(packages)
    if not _succeeds(python_of(), "-c", FONT_EXISTS, QT_QPA_PLATFORM="offscreen"):
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
