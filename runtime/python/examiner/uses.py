"""What a file takes from other modules: its imports, and the members it reads of modules that it imported."""

import ast
from bisect import bisect_right
from itertools import accumulate

from .scopes import Scopes

CAUGHT = {"ImportError", "ModuleNotFoundError", "AttributeError", "NameError", "Exception", "BaseException"}
FEATURES = {"sys", "os", "platform", "hasattr", "getattr", "find_spec", "dir", "vars", "globals"}
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Import:
    def __init__(self, node, alias, scope, place):
        is_from = isinstance(node, ast.ImportFrom)
        self.line = node.lineno
        self.module = node.module or "" if is_from else alias.name
        self.level = node.level if is_from else 0
        # The name taken from the module; None for `import module`, `*` for all.
        self.name = alias.name if is_from else None
        # The variable that holds it, in its scope.
        self.bound = alias.asname or (alias.name if is_from else alias.name.split(".", 1)[0])
        self.scope = scope
        # What the variable stands for: for `import a.b` without another name that is `a`.
        is_inner = is_from or alias.asname is not None
        self.target = (self.level, self.module if is_inner else self.bound, self.name)
        self.is_guarded = place.is_guarded
        self.is_in_branch = place.is_in_branch
        self.is_in_function = place.is_in_function


class Place:
    """What is known of where a statement stands."""

    def __init__(self, is_guarded=False, is_in_branch=False, is_in_function=False):
        self.is_guarded = is_guarded
        self.is_in_branch = is_in_branch
        self.is_in_function = is_in_function


class Uses:
    def __init__(self, tree):
        self.imports = []
        self._tree = tree
        self._scopes = Scopes(tree)
        self._guarded_lines = []
        for node in tree.body:
            self._visit(node, Place())
        self._guarded_lines.sort()
        # For each stretch the last line of it and of all that begin before it.
        self._guarded_ends = list(accumulate((last for _, last in self._guarded_lines), max))
        # (scope, variable) → what imports bind to it.
        self._targets = {}
        for one in self.imports:
            self._targets.setdefault((one.scope, one.bound), set()).add(one.target)

    def _visit(self, node, place):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            scope = self._scopes.of_import(node)
            self.imports += [Import(node, alias, scope, place) for alias in node.names]
            return
        guards, branches = guarded_blocks(node), branches_of(node)
        for block in blocks(node):
            inside = Place(
                place.is_guarded or any(block is guarded for guarded in guards),
                place.is_in_branch or any(block is branch for branch in branches),
                place.is_in_function or isinstance(node, DEFINITIONS),
            )
            if inside.is_guarded and not place.is_guarded and block:
                self._guarded_lines.append((block[0].lineno, block[-1].end_lineno))
            for child in block:
                self._visit(child, inside)

    def members(self, bound):
        """(line, key, names) of each `variable.name.name` that is read; `bound` are (scope, variable) of imports."""
        watched = {key for key in bound if self._is_import_only(*key)}
        if not watched:
            return
        scopes = {id(node): scope for node, scope in self._scopes.reads}
        asked = self._asked_for({variable for _, variable in watched})
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                variable, chain = chain_of(node)
                if variable is None or asked.intersection(chain) or self._is_guarded(node.lineno):
                    continue
                key = self._scopes.binding(variable.id, scopes[id(variable)]), variable.id
                if key in watched:
                    yield node.lineno, key, chain

    def unbound(self):
        """(line, name) of each name that is read and that nothing in the file binds."""
        for node, scope in self._scopes.reads:
            if self._scopes.binding(node.id, scope) is None and not self._is_guarded(node.lineno):
                yield node.lineno, node.id

    def _is_guarded(self, line):
        begun = bisect_right(self._guarded_lines, (line, float("inf")))
        return begun > 0 and line <= self._guarded_ends[begun - 1]

    def _is_import_only(self, scope, variable):
        """True where nothing but imports of one and the same thing binds the variable."""
        return None not in scope.bound[variable] and len(self._targets.get((scope, variable), ())) == 1

    def _asked_for(self, variables):
        """Names that the file sets on one of these, or asks for by `hasattr` and the like."""
        names = set()
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                variable, chain = chain_of(node)
                if variable is not None and variable.id in variables:
                    names.add(chain[-1])
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("hasattr", "getattr", "setattr"):
                names.update(one.value for one in node.args if isinstance(getattr(one, "value", None), str))
            elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
                names.add(getattr(node.left, "value", None))
        return names


def chain_of(node):
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return node if isinstance(node, ast.Name) else None, names[::-1]


def blocks(node):
    """The blocks of statements in a statement."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            yield block
    for part in getattr(node, "handlers", None) or getattr(node, "cases", None) or ():
        yield part.body


def guarded_blocks(node):
    """The blocks whose failure the source provides for."""
    if isinstance(node, ast.If) and asks_for_features(node.test):
        return [node.body, node.orelse]
    if hasattr(node, "handlers") and any(catches_imports(handler.type) for handler in node.handlers):
        return [node.body] + [handler.body for handler in node.handlers]
    if isinstance(node, ast.With) and any(is_suppress(item.context_expr) for item in node.items):
        return [node.body]
    return []


def branches_of(node):
    """The blocks that need not run at all."""
    return [node.body, node.orelse] if isinstance(node, ast.If) else [case.body for case in getattr(node, "cases", ())]


def asks_for_features(test):
    """True for a condition on what there is: a version, a platform, a flag in capitals, a name that may be missing."""
    words = {getattr(node, "id", getattr(node, "attr", None)) for node in ast.walk(test)} - {None}
    return bool(words & FEATURES) or any(word.isupper() for word in words)


def catches_imports(kind):
    if kind is None:
        return True
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(getattr(one, "attr", getattr(one, "id", None)) in CAUGHT for one in kinds)


def is_suppress(node):
    function = getattr(node, "func", None)
    return getattr(function, "attr", getattr(function, "id", None)) in ("suppress", "raises")
