"""Where a probe can stand so that it runs exactly when a statement, or a block of them, is entered."""

import ast

from .instrument import Around, Before

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
TRIES = (ast.Try,) + ((ast.TryStar,) if hasattr(ast, "TryStar") else ())
MATCH = getattr(ast, "Match", ())
WITHS = (ast.With, ast.AsyncWith)
FORS = (ast.For, ast.AsyncFor)


def is_text(node):
    """True for a docstring, or a string that stands where a docstring might."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def is_future(node):
    return isinstance(node, ast.ImportFrom) and node.module == "__future__" and node.level == 0


class Spots:
    def __init__(self, source):
        self.source = source

    def start(self, node):
        """Where a statement begins, its decorators included."""
        decorators = getattr(node, "decorator_list", None)
        if decorators:
            first = decorators[0]
            line = self.source.lines[first.lineno - 1].encode("utf-8", "surrogatepass")
            row, column = first.lineno, line.rfind(b"@", 0, first.col_offset)
            while column < 0:
                row -= 1
                column = self.source.lines[row - 1].encode("utf-8", "surrogatepass").rfind(b"@")
            return self.source.of_bytes(row, column)
        return self.source.of_bytes(node.lineno, node.col_offset)

    def end(self, node):
        return self.source.of_bytes(node.end_lineno, node.end_col_offset)

    def around(self, node):
        return Around(self.start(node), self.end(node))

    def entering(self, node):
        """None where nothing can stand in front of the statement."""
        if isinstance(node, (ast.If, ast.While)):
            return self.around(node.test)
        if isinstance(node, FORS):
            return self.around(node.iter)
        if isinstance(node, WITHS):
            return self.around(node.items[0].context_expr)
        if isinstance(node, MATCH):
            return self.around(node.subject)
        if isinstance(node, TRIES):
            return self.first(node.body)
        if isinstance(node, DEFINITIONS) or is_text(node) or is_future(node):
            return None
        return Before(self.start(node))

    def first(self, body, then=None):
        """The first spot that is reached once a block is entered; what cannot be probed itself is passed on the way."""
        for node in body:
            spot = self.entering(node)
            if spot is not None:
                return spot
            if isinstance(node, TRIES):
                return None
        return then

    def very_first(self, body):
        """A spot that nothing of the block runs before; None where there is none."""
        for node in body:
            if not is_text(node):
                return self.very_first(node.body) if isinstance(node, TRIES) else self.entering(node)
        return None

    def after_each(self, body, then):
        """For each statement of a block the first spot behind it: whoever gets there has run the statement."""
        spots = []
        for node in reversed(body):
            spots.append(then)
            then = self.entering(node) or then
        return spots[::-1]

    def at_end_of_file(self):
        """Behind the last line, where the file ends with a line end."""
        return Before(self.source.length) if self.source.ends_with_line_end and self.source.lines[:-1] else None

    def in_definition(self, node):
        """Around something that is evaluated when the definition is made; None where there is nothing such."""
        # Before 3.9 only a name or a call may stand behind the `@`; what does not compile is dropped later.
        candidates = list(node.decorator_list)
        if isinstance(node, ast.ClassDef):
            candidates += node.bases
        else:
            candidates += node.args.defaults + [default for default in node.args.kw_defaults if default is not None]
        for candidate in candidates:
            if not isinstance(candidate, ast.Starred):
                return self.around(candidate)
        return None
