"""Makes `import awase.core` work in an editable install, although the folders lie at the root.

`pip install -e .` creates `.links/awase/<folder> -> ../../<folder>` (git-ignored), so that editors,
type checkers and pytest see one tree and new files at once. A wheel is mapped by pyproject.toml.

A wheel has the compiled kernel where cargo is, so that an install from the sources or an sdist has
it, and its name says for which platform it is. AWASE_WHEEL=pure makes one that runs everywhere,
without the kernel; AWASE_WHEEL=platform fails where it cannot be built.
"""

import importlib.util
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("api", "conformance", "core", "cli", "gui", "jobs", "storage", "resources")
BUILDER = ("tools", "build_kernel.py")
OF_THE_PACKAGE = {  # what lies in awase/ itself: what `import awase` runs, and that it has types
    "__init__.py": ("api", "front_door.py"),
    "plugins.py": ("api", "plugins.py"),
    "py.typed": ("api", "py.typed"),
}


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]  # hatchling names it so
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            for name, place in OF_THE_PACKAGE.items():
                file = Path(self.root, *place)
                if file.exists():  # in the published packages it lies where it is imported from
                    build_data["force_include"][str(file)] = f"awase/{name}"
            self._add_kernel(build_data, os.environ.get("AWASE_WHEEL", ""))
            return
        package = Path(self.root, ".links", "awase")
        package.mkdir(parents=True, exist_ok=True)
        for folder in FOLDERS:
            link = package / folder
            if not link.exists():
                _link_directory(link, Path(self.root, folder))
        for name, place in OF_THE_PACKAGE.items():
            _link_file(package / name, Path(self.root, *place))

    def _add_kernel(self, build_data: dict[str, Any], wanted: str) -> None:
        place = Path(self.root, *BUILDER)
        if self.target_name != "wheel" or wanted == "pure" or not place.exists():
            return
        builder = _module(place)
        if wanted != "platform" and builder.cargo() is None:
            return
        try:
            library = builder.built(Path(self.root))
        except subprocess.CalledProcessError as error:
            if wanted == "platform":
                raise
            self.app.display_warning(f"The compiled kernel is not built: {error.stderr}")
            return
        build_data["force_include"][str(library)] = f"awase/{builder.PACKED}"
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None  # noqa: PT018
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _link_directory(link: Path, target: Path) -> None:
    if os.name == "nt":  # symbolic links need a privilege on Windows; junctions do not
        subprocess.run(["cmd", "/c", "mklink", "/J", str(link), str(target)], check=True)
    else:
        link.symlink_to(Path("..", "..", target.name), target_is_directory=True)


def _link_file(link: Path, target: Path) -> None:
    if os.name == "nt":  # a junction is for directories; set up again after changing the file
        shutil.copyfile(target, link)
    elif not link.exists():
        link.symlink_to(Path("..", "..", target.parent.name, target.name))
