"""Imports: packages of the lock come when they are imported, whoever imports them."""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any


class LockFinder(importlib.abc.MetaPathFinder):
    """Installs a package of the lock at the first import of one of its modules.

    Stands last in sys.meta_path, so it is asked only for what is not there yet.
    Doing this at the import, and not from the text of the code, covers what no
    reading of the code can see: a package that imports another one late
    (pandas and its plots), importlib.import_module, an uploaded module.
    """

    def __init__(self, packages: Mapping[str, str], install: Callable[[str], None]) -> None:
        self.packages = dict(packages)  # name of a module to name of its package
        self._install = install
        self._asked: set[str] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if path is not None or not self.install([fullname]):
            return None
        return importlib.machinery.PathFinder.find_spec(fullname, None, target)

    def install(self, modules: Iterable[str]) -> bool:
        """Installs what is known and new among the modules; says whether there was any."""
        found = False
        for module in modules:
            package = self.packages.get(module)
            if package is not None and package not in self._asked:
                # Before it is there: installing imports modules by itself.
                self._asked.add(package)
                try:
                    self._install(package)
                except BaseException:
                    self._asked.discard(package)
                    raise
                found = True
        if found:
            importlib.invalidate_caches()
        return found

    def restored(self, packages: Iterable[str]) -> None:
        """Says that packages are there without having been installed here."""
        self._asked.update(packages)

    def missing(self, modules: Iterable[str]) -> list[str]:
        """The packages that the modules would install."""
        wanted = (self.packages.get(module) for module in modules)
        return sorted({package for package in wanted if package is not None and package not in self._asked})


class _Loader(importlib.abc.Loader):
    """Runs a module's own loader, and then what waits for the module."""

    def __init__(self, loader: Any, after: Callable[[ModuleType], None]) -> None:
        self._loader = loader
        self._after = after

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        # What looks at the module later finds its own loader.
        module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._after(module)


class AfterImport(importlib.abc.MetaPathFinder):
    """Changes modules once they have been imported, and costs nothing where they are not."""

    def __init__(self, hooks: Mapping[str, Callable[[ModuleType], None]]) -> None:
        self._hooks = dict(hooks)
        for name in list(self._hooks):
            module = sys.modules.get(name)
            if module is not None:
                self._hooks.pop(name)(module)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        hook = self._hooks.pop(fullname, None)
        if hook is None:
            return None
        spec = importlib.util.find_spec(fullname)
        if spec is None or spec.loader is None:
            self._hooks[fullname] = hook
            return None
        spec.loader = _Loader(spec.loader, hook)
        return spec


# Names under which people know a package, for the message only.
KNOWN_AS = {"cv2": "opencv-python", "sklearn": "scikit-learn", "PIL": "pillow", "bs4": "beautifulsoup4", "yaml": "pyyaml"}


def missing_module(error: BaseException, finder: LockFinder) -> dict[str, str] | None:
    """What to tell about an import of a package that isn't here, or None where that is not the fault."""
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return None
    module = error.name.partition(".")[0]
    if module in finder.packages or module in sys.modules:
        return None
    available = ", ".join(sorted(set(finder.packages.values()) - HIDDEN, key=str.lower))
    return {"module": module, "package": KNOWN_AS.get(module, module), "available": available}


# Parts of other packages, which nobody looks for in a list.
HIDDEN = {
    "contourpy", "cycler", "fonttools", "kiwisolver", "matplotlib-pyodide", "openblas", "packaging", "pyparsing",
    "python-dateutil", "pytz", "six", "threadpoolctl",
}  # fmt: skip
