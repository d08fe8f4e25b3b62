"""Where the modules of a project are looked for, besides what is installed; and the repository's Python files."""

import os
import re

from .tree import installed_folders, linked_folders, standard_names

SETTINGS = ("pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini", "setup.py")
REQUIREMENTS = ("pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "Pipfile", "environment.yml", "poetry.lock")
FOLDER_SETTING = re.compile(r"^[ \t]*(?:pythonpath|python_paths|where|testpaths)[ \t]*=[ \t]*(.+(?:\n[ \t]+.+)*)", re.M)
WORD = re.compile(r"[\w./-]+")
SKIPPED = {"node_modules", "__pycache__", "site-packages", "dist-packages", ".git", ".tox", ".nox"}
MOST_FILES = 20_000


class Places:
    def __init__(self, root, search_folders):
        self.root = root
        self.standard = standard_names()
        self.installed = installed_folders(root)
        linked, self.mapped = linked_folders(self.installed)
        self._settings = {name: text_of(os.path.join(root, name)) for name in SETTINGS + REQUIREMENTS}
        inside = [folder for folder in linked if self.is_ours(folder)]
        self.own = [*search_folders, root, os.path.join(root, "src"), *self._configured(), *inside]
        self.installed += [folder for folder in linked if folder not in inside]
        self._files = None
        self.is_cut = False

    def is_ours(self, path):
        """True for a file of the project itself, and not of an environment that is kept inside of it."""
        inner = os.path.relpath(path, self.root)
        return not inner.startswith("..") and not SKIPPED.intersection(inner.split(os.sep))

    def _configured(self):
        for name in SETTINGS:
            for setting in FOLDER_SETTING.findall(self._settings[name]):
                for word in WORD.findall(setting):
                    folder = os.path.normpath(os.path.join(self.root, word))
                    if os.path.isdir(folder):
                        yield folder

    def around(self, path):
        """Folders that hold modules for this file: its own, and the one around its outermost package."""
        folder = os.path.dirname(path)
        found = [folder]
        while folder != self.root and os.path.isfile(os.path.join(folder, "__init__.py")):
            folder = os.path.dirname(folder)
        return found + [folder]

    def names_requirement(self, name):
        """True when the project's own files ask for a package of this name, installed or not."""
        wanted = re.compile(r"(?<![\w.-])%s(?![\w-])" % re.escape(name).replace("_", "[-_]"), re.I)
        texts = [self._settings[file] for file in REQUIREMENTS]
        folders = [self.root, os.path.join(self.root, "requirements")]
        for folder in filter(os.path.isdir, folders):
            texts += [
                text_of(os.path.join(folder, file))
                for file in sorted(os.listdir(folder))
                if file.endswith(".txt") and (folder != self.root or "require" in file)
            ]
        return any(wanted.search(text) for text in texts)

    def files(self):
        """Python files of the repository, absolute; `is_cut` tells when there were too many to look at all."""
        if self._files is None:
            self._files = []
            for folder, inner, names in os.walk(self.root):
                inner[:] = sorted(
                    name
                    for name in inner
                    if name not in SKIPPED and not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
                )
                self._files += [os.path.join(folder, name) for name in sorted(names) if name.endswith(".py")]
                if len(self._files) > MOST_FILES:
                    self.is_cut = True
                    break
        return self._files

    def sets_its_own_path(self, path):
        """True when the file, or a `conftest.py` above it, changes where modules are looked for."""
        folder = os.path.dirname(path)
        candidates = [path]
        while folder.startswith(self.root):
            candidates.append(os.path.join(folder, "conftest.py"))
            folder = os.path.dirname(folder)
        return any("sys.path" in text_of(candidate) for candidate in candidates)


def text_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read(1_000_000)
    except OSError:
        return ""
