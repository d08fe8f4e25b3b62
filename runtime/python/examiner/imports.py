"""Imports that do not resolve and names that are gone, before and after the change, in changed files and importers."""

import functools
import os

from .analysis import parse
from .places import Places
from .resolve import Resolver
from .tree import Module, Tree

MOST_IMPORTERS = 400


def check_imports(root, files, search_folders):
    sources = [file for file in files if file["path"].endswith(".py")]
    if not sources:
        return {"before": [], "after": []}, []
    places = Places(root, search_folders)
    at = {file["path"]: os.path.join(root, *file["path"].split("/")) for file in sources}
    listings = {}
    parse_once = functools.lru_cache(maxsize=None)(parse)
    before = Resolver(Tree({at[one["path"]]: one["before"] for one in sources}, listings), places, parse_once)
    after = Resolver(Tree({at[one["path"]]: one["after"] for one in sources}, listings), places, parse_once)
    paths = [at[file["path"]] for file in sources]
    existed = [at[file["path"]] for file in sources if file["before"] is not None]
    notes = []
    importers = [path for path in _importers(places, before, after, existed, notes) if path not in paths]
    for path in importers:
        if after.takes_all_of(path, existed):
            shown = os.path.relpath(path, root).replace(os.sep, "/")
            notes.append("%s imports every name of a changed module, so its uses of them are not followed." % shown)
    findings = {
        "before": [finding for path in existed + importers for finding in before.findings(path)],
        "after": [finding for path in paths + importers for finding in after.findings(path)],
    }
    known = set(before.undecided)
    return findings, notes + [note for note in dict.fromkeys(after.undecided) if note not in known]


def _importers(places, before, after, paths, notes):
    """Files that name a changed module together with a name that it has no more."""
    wanted = []
    for path in paths:
        old, new = before.names(Module(path)), after.names(Module(path))
        if old is None or new is None:
            continue
        gone = old.own - new.own
        if gone and new.is_dynamic:
            shown = os.path.relpath(path, places.root).replace(os.sep, "/")
            notes.append("%s makes names at run time, so what it no longer defines cannot be told." % shown)
        elif gone:
            folder, name = os.path.split(path)
            stem = os.path.basename(folder) if name == "__init__.py" else name[: -len(".py")]
            wanted.append((stem.encode(), [one.encode() for one in gone]))
    if not wanted:
        return []
    found = [path for path in places.files() if _mentions(before.tree.read(path), wanted)]
    if places.is_cut or len(found) > MOST_IMPORTERS:
        notes.append("The repository has too many files to look at every one that may import a name that is gone.")
    return found[:MOST_IMPORTERS]


def _mentions(raw, wanted):
    if raw is None:
        return False
    # Inside of a package a module can be imported from `.`, without its name.
    return any((stem in raw or b"from ." in raw) and any(name in raw for name in gone) for stem, gone in wanted)
