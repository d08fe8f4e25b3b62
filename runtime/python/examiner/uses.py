"""What a file takes from other modules: its imports, and the members it reads of modules that it imported."""

import ast

CAUGHT = {"ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "BaseException"}
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Import:
    def __init__(self, node, module, level, name, bound, is_guarded, is_in_function):
        self.line = node.lineno
        self.module = module
        self.level = level
        # The name taken from the module; None for `import module`, `*` for all.
        self.name = name
        # The variable that holds it.
        self.bound = bound
        self.is_guarded = is_guarded
        self.is_in_function = is_in_function


class Uses:
    def __init__(self, tree):
        self.imports = []
        self._tree = tree
        self._guarded_lines = []
        for node in tree.body:
            self._visit(node, False, False)

    def _visit(self, node, is_guarded, is_in_function):
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound = alias.asname or alias.name.split(".", 1)[0]
                self.imports.append(Import(node, alias.name, 0, None, bound, is_guarded, is_in_function))
            return
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                bound = alias.asname or alias.name
                found = Import(node, node.module or "", node.level, alias.name, bound, is_guarded, is_in_function)
                self.imports.append(found)
            return
        is_in_function = is_in_function or isinstance(node, DEFINITIONS)
        guards = guarded_blocks(node)
        for block in blocks(node):
            is_inside = is_guarded or any(block is guarded for guarded in guards)
            if is_inside and not is_guarded and block:
                self._guarded_lines.append((block[0].lineno, block[-1].end_lineno))
            for child in block:
                self._visit(child, is_inside, is_in_function)

    def members(self, bound):
        """(line, names) of each `variable.name.name` that is read, for variables that nothing else is ever bound to."""
        rebound = self._bound_otherwise()
        watched = {variable for variable in bound if variable not in rebound}
        if not watched:
            return
        asked = self._asked_for()
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                variable, chain = chain_of(node)
                if variable in watched and not asked.intersection(chain) and not self._is_guarded(node.lineno):
                    yield node.lineno, variable, chain

    def _is_guarded(self, line):
        return any(first <= line <= last for first, last in self._guarded_lines)

    def _bound_otherwise(self):
        names = set()
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                names.add(node.id)
            elif isinstance(node, ast.arg):
                names.add(node.arg)
            elif isinstance(node, DEFINITIONS + (ast.ClassDef, ast.ExceptHandler)):
                names.add(node.name)
        counts = {}
        for found in self.imports:
            if counts.setdefault(found.bound, (found.module.split(".", 1)[0], found.name)) != (
                found.module.split(".", 1)[0],
                found.name,
            ):
                names.add(found.bound)
        return names

    def _asked_for(self):
        """Names that the file sets on something, or asks for by `hasattr` and the like."""
        names = set()
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                names.add(node.attr)
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("hasattr", "getattr", "setattr"):
                names.update(one.value for one in node.args if isinstance(getattr(one, "value", None), str))
        return names


def chain_of(node):
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return getattr(node, "id", None), names[::-1]


def blocks(node):
    """The blocks of statements in a statement."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            yield block
    for part in getattr(node, "handlers", None) or getattr(node, "cases", None) or ():
        yield part.body


def guarded_blocks(node):
    """The blocks whose failure the source provides for, or which need not run at all."""
    if isinstance(node, ast.If):
        return [node.body, node.orelse]
    if hasattr(node, "handlers") and any(catches_imports(handler.type) for handler in node.handlers):
        return [node.body] + [handler.body for handler in node.handlers]
    if isinstance(node, ast.With) and any(is_suppress(item.context_expr) for item in node.items):
        return [node.body]
    return [case.body for case in getattr(node, "cases", ())]


def catches_imports(kind):
    if kind is None:
        return True
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(getattr(one, "attr", getattr(one, "id", None)) in CAUGHT for one in kinds)


def is_suppress(node):
    function = getattr(node, "func", None)
    return getattr(function, "attr", getattr(function, "id", None)) in ("suppress", "raises")
