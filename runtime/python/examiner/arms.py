"""The ways through a statement that the source spells out; an `else` that is not written is none.

Of some ways nothing can be seen (which exception of several came, which alternative of a pattern matched, whether a
default of a field was used): they have no probe, and a change of them stays open.
"""

import ast

from .expressions import completion, default_arms, expression_arms
from .spots import DEFINITIONS, FORS, MATCH, TRIES, WITHS
from .tokens import word

# Statements that do nothing with their value but what their words say.
VALUES = {
    ast.Assign: "value",
    ast.AugAssign: "value",
    ast.AnnAssign: "value",
    ast.Expr: "value",
    ast.Return: "value",
    ast.Raise: "exc",
    ast.Assert: "test",
}


class Arms:
    def __init__(self, structure):
        self.structure = structure
        self.found = []

    def sorted(self):
        return sorted(self.found, key=lambda arm: (arm["start"], -arm["end"]))

    def of_expressions(self, node, index, context):
        """Arms inside the expressions of one statement, without its nested statements."""
        spots = self.structure.spots
        if isinstance(node, DEFINITIONS) and not isinstance(node, ast.ClassDef):
            first = spots.very_first(node.body)
            for kind, start, end, introduced, probe, timing in default_arms(spots, node, first):
                self._add(kind, start, end, introduced, probe, index, timing, context)
        for item in node.items[1:] if isinstance(node, WITHS) else ():
            place = spots.start(item.context_expr), spots.end(item.optional_vars or item.context_expr)
            self._add("item", *place, [place], spots.around(item.context_expr).hit(), index, context.timing, context)
        value = getattr(node, VALUES.get(type(node), ""), None)
        last = None if value is None else completion(value)
        if last is not None:
            start, end = spots.start(node), spots.end(value)
            place, probe = (spots.start(value), end), spots.around(last).completed()
            self._add("completion", *place, [(start, end)], probe, index, context.timing, context)
        if isinstance(node, ast.Assert) and node.msg is not None:
            start, end = spots.start(node.msg), spots.end(node.msg)
            probe = spots.around(node.msg).hit()
            self._add("message", start, end, [(start, end)], probe, index, context.timing, context)
        if isinstance(node, ast.ClassDef) and (node.decorator_list or node.bases):
            for field in node.body:
                if isinstance(field, ast.AnnAssign) and field.value is not None:
                    self._unseen("default", field.value, index, context)
        for child in own_expressions(node):
            for kind, start, end, introduced, probe, timing in expression_arms(spots, child, context.timing):
                self._add(kind, start, end, introduced, probe, index, timing, context)

    def of_blocks(self, node, index, start, header_end, context, is_excluded):
        """Arms that are blocks of statements, and the statements in them."""
        structure = self.structure
        header = (start, header_end)
        inside = context.inside(is_excluded=is_excluded)
        if isinstance(node, ast.If):
            is_for_types = structure.knows_type_checking and names_type_checking(node.test)
            self._block("then", node.body, [header], index, inside.inside(is_inert=is_for_types))
            self._else(node.orelse, [header], index, context)
        elif isinstance(node, ast.While) or isinstance(node, FORS):
            self._block("loop", node.body, [header], index, inside)
            self._else(node.orelse, [header], index, context)
        elif isinstance(node, WITHS):
            structure.block(node.body, inside)
        elif isinstance(node, TRIES):
            structure.block(node.body, inside)
            for handler in node.handlers:
                for kind in handler.type.elts if isinstance(handler.type, ast.Tuple) else []:
                    self._unseen("exception", kind, index, inside)
                self._headed("catch", structure.spots.start(handler), handler.body, [], index, context)
            self._else(node.orelse, [], index, context)
            self._else(node.finalbody, [], index, context, "finally")
        elif isinstance(node, MATCH):
            for case in node.cases:
                for pattern in ast.walk(case.pattern):
                    for alternative in pattern.patterns if isinstance(pattern, ast.MatchOr) else []:
                        self._unseen("alternative", alternative, index, inside)
                keyword = structure.tokens.before(structure.spots.start(case.pattern))
                while word(keyword) != "case":
                    keyword = structure.tokens.before(keyword["start"])
                self._headed("case", keyword["start"], case.body, [header], index, inside)

    def _unseen(self, kind, node, index, context):
        place = self.structure.spots.start(node), self.structure.spots.end(node)
        self._add(kind, *place, [place], None, index, context.timing, context)

    def _headed(self, kind, start, body, introduced, index, context):
        """A block behind a line of its own: `except …:`, `case …:`, `else:`."""
        structure = self.structure
        colon = structure.tokens.before(structure.spots.start(body[0]))
        lines = structure.source.line_of(start), structure.source.line_of(colon["end"])
        inside = context.inside(is_excluded=structure.is_marked(*lines))
        self._block(kind, body, introduced + [(start, colon["end"])], index, inside)

    def _else(self, body, introduced, index, context, kind="else"):
        if not body:
            return
        structure = self.structure
        start = structure.spots.start(body[0])
        if structure.tokens.next_word(start) == "elif":
            self._block(kind, body, introduced, index, context)
        else:
            keyword = structure.tokens.before(start, 2)
            self._headed(kind, keyword["start"], body, introduced, index, context)

    def _block(self, kind, body, introduced, index, context):
        spots = self.structure.spots
        if not context.is_inert:
            spot = spots.first(body)
            probe = None if spot is None else spot.hit()
            start, end = spots.start(body[0]), spots.end(body[-1])
            self._add(kind, start, end, introduced, probe, index, context.timing, context)
        self.structure.block(body, context)

    def _add(self, kind, start, end, introduced, probe, index, timing, context):
        if context.is_inert:
            return
        source = self.structure.source
        arm = source.span(start, end)
        arm.update(
            timing=timing,
            kind=kind,
            statement=index,
            introducedBy=[source.span(*place) for place in introduced],
            isExcluded=context.is_excluded,
            probe=probe,
        )
        self.found.append(arm)


def own_expressions(node):
    """Expressions of a statement in the order of the tree; nested statements are not entered."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        elif not isinstance(child, ast.stmt):
            yield from own_expressions(child)


def names_type_checking(test):
    return getattr(test, "id", getattr(test, "attr", None)) == "TYPE_CHECKING"
