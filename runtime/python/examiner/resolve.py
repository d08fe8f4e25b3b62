"""Imports and member accesses of one file held against one state of the tree."""

import os

from .names import Names
from .source import decode
from .tree import OPAQUE, Module
from .uses import Uses


class Resolver:
    def __init__(self, tree, places, parse):
        self.tree = tree
        self.places = places
        self._parse = parse
        self._names = {}
        self.undecided = []

    def parsed(self, path):
        """The syntax tree of a file; None where there is none, or it is broken (which is another gate's finding)."""
        raw = self.tree.read(path)
        try:
            return None if raw is None else self._parse(decode(raw).lstrip("\ufeff"))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    def findings(self, path):
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
                found.append(self._finding(path, use.line, missing, missing, ""))
            elif use.name == "*":
                continue
            elif use.name is None:
                if "." not in use.module or use.bound != use.module.split(".", 1)[0]:
                    bound[use.bound] = modules
                else:
                    bound[use.bound] = self._absolute(path, use.module.split(".", 1)[0])
            else:
                inner = [one for module in modules for one in self._submodules(module, use.name)]
                if not any(self.defines(module, use.name) for module in modules):
                    if not inner:
                        found.append(self._finding(path, use.line, "." * use.level + use.module, None, use.name))
                    else:
                        bound[use.bound] = inner
        for line, variable, chain in uses.members(bound):
            owner, name = self._missing_member(variable, bound[variable], chain)
            if name is not None:
                found.append(self._finding(path, line, owner, None, name))
        return list({finding["key"]: finding for finding in reversed(found)}.values())[::-1]

    def takes_all_of(self, path, targets):
        """True when the file imports every name of one of these modules, so that its uses of them cannot be followed."""
        syntax_tree = self.parsed(path)
        stars = [] if syntax_tree is None else [use for use in Uses(syntax_tree).imports if use.name == "*"]
        return any(module.path in targets for use in stars for module in self._modules(path, use)[0])

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
        if module.path is None:
            return None
        if module.path not in self._names:
            syntax_tree = self.parsed(module.path)
            self._names[module.path] = None if syntax_tree is None else Names(syntax_tree)
        return self._names[module.path]

    def defines(self, module, name, seen=()):
        if self._is_open(module) or module.path in seen:
            return True
        names = self.names(module)
        if names is None:
            # A namespace package has its submodules only; a module that does not parse may have anything.
            return module.path is not None
        return name in names.own or any(self._star_gives(module, star, name, seen) for star in names.stars)

    def _star_gives(self, module, star, name, seen):
        level, target = star
        inner, missing = self._modules(module.path, _Star(level, target or ""))
        return missing is not None or any(self.defines(one, name, (*seen, module.path)) for one in inner)

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

    def _finding(self, path, line, module, missing, name):
        file = os.path.relpath(path, self.places.root).replace(os.sep, "/")
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
