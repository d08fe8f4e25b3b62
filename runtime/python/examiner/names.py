"""The names that a module has once it is loaded, as far as its text tells."""

import ast

IMPLICIT = frozenset(
    "__name__ __doc__ __package__ __loader__ __spec__ __path__ __file__ __cached__ __builtins__ __dict__ "
    "__annotations__ __class__".split()
)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
LIST = "__all__"
MAKERS = {"globals", "vars", "exec", "setattr", "eval"}


class Names:
    def __init__(self, tree):
        self.own = set(IMPLICIT)
        # (level, module) of `from … import *`.
        self.stars = []
        # True where names come from what only running the module can tell.
        self.is_dynamic = False
        # What `__all__` lists, each with its line; None where there is no such list, or it is more than written words.
        self.listed = None
        self.is_list_open = False
        for node in tree.body:
            if isinstance(node, ast.Delete):
                self.own.difference_update(getattr(target, "id", None) for target in node.targets)
            else:
                self._visit(node)
        self._look_for_tricks(tree)
        self._read_list(tree)

    def _visit(self, node):
        if isinstance(node, FUNCTIONS) or isinstance(node, ast.ClassDef):
            name = getattr(node, "name", None)
            if name is not None:
                self.own.add(name)
            self.is_dynamic = self.is_dynamic or name == "__getattr__"
            return
        if isinstance(node, ast.Import):
            for alias in node.names:
                self.own.add(alias.asname or alias.name.split(".", 1)[0])
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name == "*":
                    self.stars.append((node.level, node.module))
                else:
                    self.own.add(alias.asname or alias.name)
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                self.own.add(node.id)
        elif type(node).__name__ in ("MatchAs", "MatchStar"):
            self.own.add(node.name)
        elif type(node).__name__ == "MatchMapping":
            self.own.add(node.rest)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            self.own.add(node.name)
        for child in ast.iter_child_nodes(node):
            self._visit(child)

    def _look_for_tricks(self, tree):
        for node in ast.walk(tree):
            if isinstance(node, ast.Global):
                self.own.update(node.names)
            elif isinstance(node, ast.Call):
                self.is_dynamic = self.is_dynamic or getattr(node.func, "id", None) in MAKERS
            elif isinstance(node, ast.Attribute) and node.attr == "modules":
                self.is_dynamic = self.is_dynamic or getattr(node.value, "id", None) == "sys"

    def _read_list(self, tree):
        if LIST not in self.own:
            return
        listed, statements = {}, 0
        for node in tree.body:
            change = _change_of_list(node)
            if change is not None:
                statements += 1
                replaces, words = change
                listed = dict(words) if replaces else {**listed, **words}
        mentions = sum(getattr(node, "id", getattr(node, "name", None)) == LIST for node in ast.walk(tree))
        self.is_list_open = mentions != statements
        self.listed = None if self.is_list_open else listed


def _change_of_list(node):
    """(whether it replaces the list, word → line) of a statement that sets or extends `__all__` by words alone."""
    call = getattr(node, "value", None)
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        value = node.value
        is_own = [getattr(target, "id", None) for target in targets] == [LIST]
        if isinstance(node, ast.AugAssign) and not isinstance(node.op, ast.Add):
            return None
    elif isinstance(node, ast.Expr) and isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords:
        kind = getattr(call.func, "attr", None)
        is_own = kind in ("append", "extend") and getattr(call.func.value, "id", None) == LIST
        value = ast.List([call.args[0]], ast.Load()) if kind == "append" else call.args[0]
    else:
        return None
    words = _words(value) if is_own else None
    return None if words is None else (isinstance(node, (ast.Assign, ast.AnnAssign)), words)


def _words(node):
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _words(node.left), _words(node.right)
        return None if left is None or right is None else {**left, **right}
    if not isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return None
    if not all(isinstance(getattr(one, "value", None), str) for one in node.elts):
        return None
    return {one.value: one.lineno for one in node.elts}
