"""One state of the project's files, before or after the change, and the modules that are found in it and around it.

Modules are found by names in folders; nothing is imported, and no `.pth` line is run.
"""

import ast
import glob
import importlib.machinery
import os
import sys
import sysconfig

SUFFIXES = importlib.machinery.EXTENSION_SUFFIXES
# Sources that a build turns into a module, which need not have been built here.
BUILT_FROM = (".pyx", ".c", ".cpp", ".rs", ".so", ".pyd", ".pyi", ".pyc", ".zip")


class Module:
    """A found module. `path` is its source, None where there is none to read; `folders` hold its submodules."""

    def __init__(self, path, folders=()):
        self.path = path
        self.folders = tuple(folders)


OPAQUE = Module(None)


class Tree:
    def __init__(self, overrides, listings):
        """`overrides`: absolute path → bytes, or None for a file that is not there in this state."""
        self.overrides = overrides
        self._listings = listings
        self._hidden = {os.path.split(path) for path, content in overrides.items() if content is None}

    def read(self, path):
        if path in self.overrides:
            return self.overrides[path]
        try:
            with open(path, "rb") as stream:
                return stream.read()
        except OSError:
            return None

    def names(self, folder):
        if folder not in self._listings:
            try:
                self._listings[folder] = frozenset(os.listdir(folder))
            except OSError:
                self._listings[folder] = frozenset()
        return self._listings[folder]

    def has(self, folder, name):
        return name in self.names(folder) and (folder, name) not in self._hidden

    def find(self, name, folders):
        """All modules of this name in the folders, the first of each folder."""
        found = []
        portions = []
        for folder in folders:
            inner = os.path.join(folder, name)
            if self.has(folder, name) and self.names(inner):
                if self.has(inner, "__init__.py"):
                    found.append(Module(os.path.join(inner, "__init__.py"), [inner]))
                    continue
                if any(other.startswith("__init__.") for other in self.names(inner)):
                    found.append(OPAQUE)
                    continue
            if self.has(folder, name + ".py"):
                found.append(Module(inner + ".py"))
            elif any(name + suffix in self.names(folder) for suffix in (*SUFFIXES, *BUILT_FROM)):
                found.append(OPAQUE)
            elif self.has(folder, name) and os.path.isdir(inner):
                portions.append(inner)
        return found + ([Module(None, portions)] if portions else [])


def standard_names():
    names = set(getattr(sys, "stdlib_module_names", ())) | set(sys.builtin_module_names)
    if not hasattr(sys, "stdlib_module_names"):
        library = os.path.dirname(os.__file__)
        for folder in (library, os.path.join(library, "lib-dynload")):
            if os.path.isdir(folder):
                names.update(name.split(".", 1)[0] for name in os.listdir(folder))
    return names


def installed_folders(root):
    """Folders of installed packages: of this interpreter's environment or system, and of environments in the project."""
    version = "python%d.%d" % sys.version_info[:2]
    prefix = os.path.dirname(os.path.dirname(os.path.abspath(sys.executable)))
    config = os.path.join(prefix, "pyvenv.cfg")
    folders = [os.path.join(prefix, lib, version, "site-packages") for lib in ("lib", "lib64")]
    folders.append(os.path.join(prefix, "Lib", "site-packages"))
    if not os.path.isfile(config) or _includes_system(config):
        folders += [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
        folders += ["/usr/lib/python3/dist-packages", "/usr/local/lib/%s/dist-packages" % version]
        folders.append(os.path.join(os.path.expanduser("~"), ".local", "lib", version, "site-packages"))
    for pattern in ("*", ".venv", ".env", ".tox/*", ".nox/*"):
        for own in glob.glob(os.path.join(glob.escape(root), pattern, "pyvenv.cfg")):
            folders += glob.glob(os.path.join(glob.escape(os.path.dirname(own)), "lib", "python*", "site-packages"))
    return [folder for folder in dict.fromkeys(folders) if os.path.isdir(folder)]


def _includes_system(config):
    with open(config, encoding="utf-8", errors="replace") as stream:
        words = [line.partition("=") for line in stream]
    return any(name.strip() == "include-system-site-packages" and value.strip() == "true" for name, _, value in words)


def linked_folders(installed):
    """Folders that `.pth` files and editable installs point to, and top-level names that the latter map."""
    folders, mapped = [], {}
    for folder in installed:
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if name.endswith(".pth"):
                with open(path, encoding="utf-8", errors="replace") as stream:
                    lines = [line.strip() for line in stream]
                lines = [line for line in lines if line and not line.startswith(("#", "import ", "import\t"))]
                folders += [os.path.abspath(os.path.join(folder, line)) for line in lines]
            elif name.startswith("__editable__") and name.endswith("_finder.py"):
                mapped.update(_mapping(path))
    return [folder for folder in folders if os.path.isdir(folder)], mapped


def _mapping(path):
    """The literal `MAPPING` in the finder of an editable install: top-level name → folder or file."""
    with open(path, encoding="utf-8", errors="replace") as stream:
        body = ast.parse(stream.read()).body
    for node in body:
        target = getattr(node, "target", None) or (getattr(node, "targets", None) or [None])[0]
        if getattr(target, "id", None) == "MAPPING" and isinstance(node.value, ast.Dict):
            return ast.literal_eval(node.value)
    return {}
