"""Imports that do not resolve and names that are gone, before and after the change, in changed files and importers."""

import functools
import os
import re

from .analysis import parse
from .places import Places
from .resolve import Resolver
from .tree import Module, Tree

MOST_IMPORTERS = 400
STAR = re.compile(rb"import\s*\(?\s*\*")


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
        if after.cannot_be_followed(path, existed):
            shown = os.path.relpath(path, root).replace(os.sep, "/")
            notes.append("%s imports every name of a changed module, so its uses of them are not followed." % shown)
    findings = {
        "before": [finding for path in existed + importers for finding in before.findings(path, path in paths)],
        "after": [finding for path in paths + importers for finding in after.findings(path, path in paths)],
    }
    known = set(before.undecided)
    return findings, notes + [note for note in dict.fromkeys(after.undecided) if note not in known]


def _importers(places, before, after, paths, notes):
    """Files that name a changed module, or one that hands its names on, together with a name that is gone."""
    gone, stems = set(), set()
    for path in paths:
        lost, is_guess = _lost_names(before, after, Module(path))
        if lost and is_guess:
            shown = os.path.relpath(path, places.root).replace(os.sep, "/")
            notes.append("%s makes names at run time, so what it no longer defines cannot be told." % shown)
        if lost:
            gone.update(name.encode() for name in lost)
            stems.add(_stem(path))
    if not gone:
        return []
    texts = {path: before.tree.read(path) or b"" for path in places.files()}
    candidates = {path: text for path, text in texts.items() if STAR.search(text) or any(name in text for name in gone)}
    found, more = set(), set(candidates)
    while more:
        # Inside of a package a module can be imported from `.`, without its name.
        more = {
            path
            for path, text in candidates.items()
            if path not in found and (b"from ." in text or any(stem in text for stem in stems))
        }
        found |= more
        stems.update(_stem(path) for path in more)
    if places.is_cut or len(found) > MOST_IMPORTERS:
        notes.append("The repository has too many files to look at every one that may import a name that is gone.")
    return sorted(found)[:MOST_IMPORTERS]


def _lost_names(before, after, module):
    """Names that the module no longer has or no longer gives to `import *`, and whether it may have them all the same."""
    lost, is_guess = set(), False
    for names_of in (Resolver.names_of, Resolver.given_by):
        (old, _), (new, is_open) = names_of(before, module), names_of(after, module)
        lost |= old - new
        is_guess = is_guess or is_open
    return lost, is_guess


def _stem(path):
    folder, name = os.path.split(path)
    return (os.path.basename(folder) if name == "__init__.py" else name[: -len(".py")]).encode()
