"""The names that a module has once it is loaded, as far as its text tells."""

import ast

IMPLICIT = frozenset(
    "__name__ __doc__ __package__ __loader__ __spec__ __path__ __file__ __cached__ __builtins__ __dict__ "
    "__annotations__ __class__".split()
)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
MAKERS = {"globals", "vars", "exec", "setattr", "eval"}


class Names:
    def __init__(self, tree):
        self.own = set(IMPLICIT)
        # (level, module) of `from … import *`.
        self.stars = []
        # True where names come from what only running the module can tell.
        self.is_dynamic = False
        for node in tree.body:
            self._visit(node)
        self._look_for_tricks(tree)

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
