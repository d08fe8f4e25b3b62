"""Imports and member accesses of one file held against one state of the tree."""

import builtins
import os

from .names import IMPLICIT, Names
from .source import decode
from .tree import OPAQUE, Module
from .uses import Uses

BUILTIN = IMPLICIT.union(dir(builtins), ("__module__", "__qualname__"))


class Resolver:
    def __init__(self, tree, places, parse):
        self.tree = tree
        self.places = places
        self._parse = parse
        self._names = {}
        self._all_names = {}
        self.undecided = []

    def parsed(self, path):
        """The syntax tree of a file; None where there is none, or it is broken (which is another gate's finding)."""
        raw = self.tree.read(path)
        try:
            return None if raw is None else self._parse(decode(raw).lstrip("\ufeff"))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    def findings(self, path, is_changed):
        syntax_tree = self.parsed(path)
        if syntax_tree is None:
            return []
        uses = Uses(syntax_tree)
        found = []
        bound = {}
        for use in uses.imports:
            if use.is_guarded:
                continue
            modules, missing = self._modules(path, use)
            if missing is not None:
                if not use.is_in_branch:
                    found.append(self._finding(path, use.line, missing, missing, ""))
            elif use.name == "*":
                continue
            elif use.name is None:
                is_inner = use.target[1] == use.module
                bound[use.scope, use.bound] = modules if is_inner else self._absolute(path, use.bound)
            elif not any(self.defines(module, use.name) for module in modules):
                inner = [one for module in modules for one in self._submodules(module, use.name)]
                if inner:
                    bound[use.scope, use.bound] = inner
                else:
                    found.append(self._finding(path, use.line, "." * use.level + use.module, None, use.name))
        for line, key, chain in uses.members(bound):
            owner, name = self._missing_member(key[1], bound[key], chain)
            if name is not None:
                found.append(self._finding(path, line, owner, None, name))
        found += self._findings_of_lists(path, uses, is_changed)
        return list({finding["key"]: finding for finding in reversed(found)}.values())[::-1]

    def _findings_of_lists(self, path, uses, is_changed):
        """Names that `from … import *` does not give, and names that the own `__all__` lists without having them."""
        names = self.names(Module(path))
        if names is None:
            return
        given, is_open = self.names_of(Module(path))
        # What a file that is as it was takes from modules of others, it took before: only a name of ours can get lost.
        if names.stars and not (is_open if is_changed else self._may_have_more(path, names)):
            for line, name in uses.unbound():
                if name not in given and name not in BUILTIN:
                    words = "No `import *` of this file gives the name '%s', and nothing else does." % name
                    yield self._finding(path, line, "*", None, name, words)
        if is_open:
            return
        inner = Module(path, [os.path.dirname(path)] if os.path.basename(path) == "__init__.py" else [])
        for name, line in (names.listed or {}).items():
            if name not in given and not self._submodules(inner, name):
                words = "`__all__` lists '%s', and there is no such name here." % name
                yield self._finding(path, line, "__all__", None, name, words)

    def _may_have_more(self, path, names):
        modules = self._star_modules(path, names)
        return names.is_dynamic or any(self.names(one) is not None and self.given_by(one)[1] for one in modules)

    def _star_modules(self, path, names):
        return [one for level, target in names.stars for one in self._modules(path, _Star(level, target or ""))[0]]

    def cannot_be_followed(self, path, targets):
        """True for a file that imports every name of one of these modules, where its names cannot all be told."""
        names = self.names(Module(path))
        if names is None or not self._may_have_more(path, names):
            return False
        return any(module.path in targets for module in self._star_modules(path, names))

    def _modules(self, path, use):
        """The modules that the import may mean, or the name of the one that is not there."""
        if use.level > 0:
            folder = os.path.dirname(path)
            for _ in range(use.level - 1):
                folder = os.path.dirname(folder)
            if not self.places.is_ours(folder):
                return [OPAQUE], None
            init = os.path.join(folder, "__init__.py")
            found = [Module(init if self.tree.read(init) is not None else None, [folder])]
            names = use.module.split(".") if use.module else []
        else:
            names = use.module.split(".")
            found = self._absolute(path, names[0])
            if not found:
                return [OPAQUE], self._missing(path, use, names[0])
            names = names[1:]
        at = "." * use.level + ("" if use.level else use.module.split(".", 1)[0])
        for name in names:
            at += name if at.endswith(".") else "." + name
            inner = [one for module in found for one in self._submodules(module, name)]
            if not inner:
                if any(self._is_open(module) for module in found):
                    return [OPAQUE], None
                return [OPAQUE], at
            found = inner
        return found, None

    def _absolute(self, path, name):
        places = self.places
        if name in places.standard:
            return [OPAQUE]
        if name in places.mapped:
            folder, last = os.path.split(places.mapped[name])
            return self.tree.find(last, [folder]) or [OPAQUE]
        found = self.tree.find(name, list(dict.fromkeys([*places.own, *places.around(path)])))
        # A folder that only happens to have the name is no package while something installed has it.
        installed = self.tree.find(name, places.installed)
        if installed and not any(module.path for module in found):
            return [OPAQUE]
        return found

    def _missing(self, path, use, name):
        """Decides about a top-level module that is nowhere: its name where it is surely missing, else None and a note."""
        where = "%s:%d" % (os.path.relpath(path, self.places.root).replace(os.sep, "/"), use.line)
        if use.is_in_function:
            self.undecided.append("%s imports '%s' in a function, and it is not installed." % (where, name))
        elif self.places.names_requirement(name):
            self.undecided.append("%s imports '%s', which the project requires and is not installed." % (where, name))
        elif self.places.sets_its_own_path(path) or self._stands_somewhere(name):
            self.undecided.append("%s imports '%s', and where it is looked for is decided at run time." % (where, name))
        else:
            return name
        return None

    def _stands_somewhere(self, name):
        ends = (os.sep + name + ".py", os.sep + os.path.join(name, "__init__.py"))
        return any(file.endswith(ends) for file in self.places.files()) or self.places.is_cut

    def _submodules(self, module, name):
        if module is OPAQUE or (module.path is not None and not self.places.is_ours(module.path)):
            return [OPAQUE]
        return self.tree.find(name, module.folders)

    def _is_open(self, module):
        """True when the module may have members that its text does not show."""
        if module is OPAQUE or (module.path is not None and not self.places.is_ours(module.path)):
            return True
        names = self.names(module)
        return names is not None and names.is_dynamic

    def names(self, module):
        """What the text of a module of the project says; None for any other."""
        if module.path is None or not self.places.is_ours(module.path):
            return None
        if module.path not in self._names:
            syntax_tree = self.parsed(module.path)
            self._names[module.path] = None if syntax_tree is None else Names(syntax_tree)
        return self._names[module.path]

    def defines(self, module, name):
        names, is_open = self.names_of(module)
        return is_open or name in names

    def names_of(self, module, seen=()):
        """(names, whether there may be more) that a module has once it is loaded."""
        if module.path is None or module.path in seen:
            # A namespace package has its submodules only.
            return frozenset(), module is OPAQUE
        if not seen and module.path in self._all_names:
            return self._all_names[module.path]
        names = self.names(module)
        if names is None:
            # Not the project's own, or it does not parse.
            return frozenset(), True
        found, is_open = set(names.own), names.is_dynamic
        for level, target in names.stars:
            inner, missing = self._modules(module.path, _Star(level, target or ""))
            is_open = is_open or missing is not None
            for one in inner:
                given, may_give_more = self.given_by(one, (*seen, module.path))
                found |= given
                is_open = is_open or may_give_more
        if not seen:
            self._all_names[module.path] = found, is_open
        return found, is_open

    def given_by(self, module, seen=()):
        """(names, whether there may be more) that `from module import *` takes."""
        found, is_open = self.names_of(module, seen)
        names = self.names(module)
        if names is None:
            return found, is_open
        if names.listed is not None:
            return set(names.listed), False
        if names.is_list_open:
            return found, True
        return {name for name in found if not name.startswith("_")}, is_open

    def _missing_member(self, variable, modules, chain):
        owner = variable
        for name in chain:
            if not modules or any(self.defines(module, name) for module in modules):
                return owner, None
            inner = [one for module in modules for one in self._submodules(module, name)]
            if not inner:
                return owner, name
            modules, owner = inner, owner + "." + name
        return owner, None

    def _finding(self, path, line, module, missing, name, words=None):
        file = os.path.relpath(path, self.places.root).replace(os.sep, "/")
        if words is None:
            words = "No module '%s' is found." % missing if missing else "'%s' has no name '%s'." % (module, name)
        key = "%s %s %s" % (file, module, name)
        return {"file": file, "line": line, "message": words, "key": key}


class _Star:
    """What `from … import *` inside another module asks for."""

    is_in_function = False
    line = 1

    def __init__(self, level, module):
        self.level = level
        self.module = module
