"""The statements of a file, each with what it takes to see that it ran; the ways through them are in `arms.py`."""

import ast
from bisect import bisect_left

from .arms import Arms
from .spots import DEFINITIONS, MATCH, Spots, is_future, is_text

KINDS = {
    ast.FunctionDef: "function",
    ast.AsyncFunctionDef: "function",
    ast.ClassDef: "class",
    ast.Assign: "assignment",
    ast.AugAssign: "assignment",
    ast.AnnAssign: "assignment",
    ast.AsyncFor: "for",
    ast.AsyncWith: "with",
    ast.ImportFrom: "import",
    ast.Expr: "expression",
}

TYPING = ("typing", "typing_extensions")


class Part:
    """A statement or arm of the answer, and its probe while that may still be dropped."""

    def __init__(self, answer, is_arm):
        self.answer = answer
        self.order = (answer["start"], -answer["end"], is_arm)

    def insertions(self):
        return self.answer["probe"]

    def drop(self):
        self.answer["probe"] = None


class LoadPart:
    def __init__(self, structure):
        self.structure = structure

    def insertions(self):
        return self.structure.load_probe

    def drop(self):
        self.structure.load_probe = None


class Context:
    """What holds for a block: when it runs, and whether its author left it out."""

    def __init__(self, timing="definition", is_excluded=False, is_inert=False):
        self.timing = timing
        self.is_excluded = is_excluded
        self.is_inert = is_inert

    def inside(self, timing=None, is_excluded=False, is_inert=False):
        return Context(timing or self.timing, self.is_excluded or is_excluded, self.is_inert or is_inert)


class Structure:
    def __init__(self, source, tokens, tree, is_stub):
        self.source = source
        self.tokens = tokens
        self.spots = Spots(source)
        self.statements = []
        self.overload_names = names_of_overload(tree)
        self.knows_type_checking = any(
            isinstance(node, ast.ImportFrom) and node.module in TYPING for node in tree.body
        )
        self._arms = Arms(self)
        end = self.spots.at_end_of_file()
        load = self.spots.first(tree.body, end) if tree.body else None
        self.load_probe = None if load is None else load.hit()
        # The text of a module is set when the module is loaded.
        self._module_text = tree.body[0] if tree.body and is_text(tree.body[0]) else None
        self._on_load = load
        self.block(tree.body, Context(is_inert=is_stub), end)
        self.arms = self._arms.sorted()

    def block(self, body, context, then=None, of_definition=False):
        for node, after in zip(body, self.spots.after_each(body, then)):
            # Programs read the text of a definition (docopt, click, PLY): it belongs to the statement that it describes.
            if not (of_definition and node is body[0] and is_text(node)):
                self._statement(node, context, after)

    def _statement(self, node, context, after):
        start, end = self.spots.start(node), self.spots.end(node)
        header_end = self.header_end(node, end)
        span = self.source.span(start, end)
        is_excluded = context.is_excluded or self.is_marked(span["line"], self.source.line_of(header_end))
        is_set = node is self._module_text
        is_inert = context.is_inert or (is_text(node) and not is_set)
        probe = None if is_inert else self._on_load.hit() if is_set and self._on_load else self._probe(node, after)
        index = len(self.statements)
        span.update(
            timing=context.timing,
            kind=self._kind(node, start),
            headerEnd=header_end,
            isExcluded=is_excluded,
            isInert=is_inert,
            probe=probe,
        )
        self.statements.append(span)
        inner = context.inside(is_excluded=is_excluded, is_inert=is_inert)
        self._arms.of_expressions(node, index, inner)
        if isinstance(node, ast.ClassDef):
            self.block(node.body, inner, after, True)
        elif isinstance(node, DEFINITIONS):
            self.block(node.body, inner.inside("body", is_inert=self.is_overload(node)), None, True)
        else:
            self._arms.of_blocks(node, index, start, header_end, context, is_excluded)

    def _probe(self, node, after):
        spot = self.spots.entering(node)
        if spot is None and (isinstance(node, DEFINITIONS) or is_future(node)):
            spot = after
            if spot is None and isinstance(node, DEFINITIONS):
                spot = self.spots.in_definition(node)
        return None if spot is None else spot.hit()

    def _kind(self, node, start):
        if is_text(node):
            return "docstring"
        if isinstance(node, ast.If) and self.tokens.next_word(start) == "elif":
            return "elif"
        return KINDS.get(type(node)) or type(node).__name__.lower().replace("trystar", "try")

    def header_end(self, node, end):
        """End of the `:` in front of the first nested statement; for a statement without any, its own end."""
        if isinstance(node, MATCH):
            return self.tokens.colon_after(self.spots.end(node.subject))
        body = getattr(node, "body", None)
        if not isinstance(body, list) or not body:
            return end
        colon = self.tokens.before(self.spots.start(body[0]))
        return end if colon is None else colon["end"]

    def is_overload(self, node):
        """A declaration for type checkers only: another definition takes its place."""
        return any(dotted(decorator) in self.overload_names for decorator in node.decorator_list)

    def is_marked(self, first_line, last_line):
        lines = self.tokens.unmeasured_lines
        index = bisect_left(lines, first_line)
        return index < len(lines) and lines[index] <= last_line

    def probed(self):
        """All that have a probe, outer ones first."""
        parts = [Part(answer, False) for answer in self.statements] + [Part(answer, True) for answer in self.arms]
        parts = sorted((part for part in parts if part.insertions() is not None), key=lambda part: part.order)
        return ([LoadPart(self)] if self.load_probe is not None else []) + parts

    def drop_probes(self):
        for part in self.probed():
            part.drop()


def names_of_overload(tree):
    """What `typing.overload` is called in this module, dots included."""
    names = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module in TYPING:
            names.update(alias.asname or alias.name for alias in node.names if alias.name == "overload")
        elif isinstance(node, ast.Import):
            names.update((alias.asname or alias.name) + ".overload" for alias in node.names if alias.name in TYPING)
    return names


def dotted(node):
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.value.id + "." + node.attr
    return getattr(node, "id", None)
