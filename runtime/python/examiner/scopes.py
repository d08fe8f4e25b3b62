"""Which scope each name that a file reads belongs to, so that a parameter is not taken for a module of the same name."""

import ast

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
GENERIC = ("TypeVar", "ParamSpec", "TypeVarTuple")
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Scope:
    def __init__(self, outer=None, is_class=False, is_comprehension=False):
        self.outer = outer
        self.is_class = is_class
        self.is_comprehension = is_comprehension
        # Name → the import statements that bind it, None for whatever else does.
        self.bound = {}
        self.passed_on = {}

    def bind(self, name, by=None):
        self.passed_on.get(name, self).bound.setdefault(name, []).append(by)


class Scopes:
    def __init__(self, tree):
        self.module = Scope()
        # Name nodes that are read, each with the scope it stands in.
        self.reads = []
        self._scope_of_import = {}
        self._visit_all(tree.body, self.module)

    def of_import(self, node):
        return self._scope_of_import[node]

    def binding(self, name, scope):
        """The scope that a name read in `scope` belongs to; None where no scope of the file binds it."""
        first = scope
        while scope is not None:
            if name in scope.passed_on:
                scope = scope.passed_on[name]
            if name in scope.bound and (scope is first or not scope.is_class):
                return scope
            scope = scope.outer
        return None

    def _visit_all(self, nodes, scope):
        # What a function passes on to an outer scope is said anywhere in it, and holds for all of it.
        for node in nodes:
            self._pass_on(node, scope)
        for node in nodes:
            self._visit(node, scope)

    def _pass_on(self, node, scope):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            outer = self.module if isinstance(node, ast.Global) else scope.outer or self.module
            scope.passed_on.update(dict.fromkeys(node.names, outer))
        elif not isinstance(node, FUNCTIONS + (ast.ClassDef,)):
            for child in ast.iter_child_nodes(node):
                self._pass_on(child, scope)

    def _visit(self, node, scope):
        if isinstance(node, FUNCTIONS):
            self._function(node, scope)
        elif isinstance(node, ast.ClassDef):
            scope.bind(node.name)
            for decorator in node.decorator_list:
                self._visit(decorator, scope)
            scope = self._generic(node, scope)
            for part in (*node.bases, *node.keywords):
                self._visit(part, scope)
            self._visit_all(node.body, Scope(scope, is_class=True))
        elif isinstance(node, COMPREHENSIONS):
            self._visit(node.generators[0].iter, scope)
            inner = Scope(scope, is_comprehension=True)
            for child in ast.iter_child_nodes(node):
                self._visit(child, inner)
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                self.reads.append((node, scope))
            else:
                scope.bind(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self._scope_of_import[node] = scope
            for alias in node.names:
                scope.bind(alias.asname or alias.name.split(".", 1)[0], node)
        else:
            self._other(node, scope)

    def _other(self, node, scope):
        if isinstance(node, ast.NamedExpr):
            holder = scope
            while holder.is_comprehension:
                holder = holder.outer
            holder.bind(node.target.id)
            self._visit(node.value, scope)
            return
        kind = type(node).__name__
        name = getattr(node, "rest", None) if kind == "MatchMapping" else getattr(node, "name", None)
        if isinstance(node, ast.ExceptHandler) or kind in ("MatchAs", "MatchStar", "MatchMapping", *GENERIC):
            if isinstance(name, str):
                scope.bind(name)
        for child in ast.iter_child_nodes(node):
            self._visit(child, scope)

    def _function(self, node, scope):
        for decorator in getattr(node, "decorator_list", ()):
            self._visit(decorator, scope)
        if not isinstance(node, ast.Lambda):
            scope.bind(node.name)
        for default in node.args.defaults + [one for one in node.args.kw_defaults if one is not None]:
            self._visit(default, scope)
        scope = self._generic(node, scope)
        inner = Scope(scope)
        arguments = node.args
        extra = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        for argument in getattr(arguments, "posonlyargs", []) + arguments.args + arguments.kwonlyargs + extra:
            inner.bind(argument.arg)
            if argument.annotation is not None:
                self._visit(argument.annotation, scope)
        if getattr(node, "returns", None) is not None:
            self._visit(node.returns, scope)
        self._visit_all([node.body] if isinstance(node, ast.Lambda) else node.body, inner)

    def _generic(self, node, scope):
        """The scope of the parameters of `def f[T]` and `class A[T]`."""
        parameters = getattr(node, "type_params", None)
        if not parameters:
            return scope
        scope = Scope(scope)
        for parameter in parameters:
            self._visit(parameter, scope)
        return scope
