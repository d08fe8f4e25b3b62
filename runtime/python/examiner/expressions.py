"""Ways through an expression: both sides of a ternary, right operands, comprehensions, lambda bodies, default values.

A way is shown by a probe around what is evaluated on it, and nothing else: for a condition of a comprehension that is
what comes after the condition was true. In a chain of comparisons the third operand and those behind it are right ones.
"""

import ast
import sys

from .instrument import default_mark

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# Until 3.11 the places of what stands inside an f-string are not those of the file.
PLACES_IN_TEXT = sys.version_info >= (3, 12)
# Decorators that call the function as it is; others may read its default values, which must then stay what they are.
TRANSPARENT = {
    "staticmethod",
    "classmethod",
    "abstractmethod",
    "property",
    "contextmanager",
    "asynccontextmanager",
    "override",
    "final",
    "wraps",
    "cache",
    "lru_cache",
}


def expression_arms(spots, node, timing):
    """Yields (kind, start, end, introduced by, probe, timing) for each arm in an expression."""
    walker = Walker(spots)
    walker.visit(node, timing, None)
    return walker.found


class Walker:
    def __init__(self, spots):
        self.spots = spots
        self.found = []

    def visit(self, node, timing, text):
        """`text` is the f-string around the node where places inside cannot be used; else None."""
        if isinstance(node, ast.IfExp):
            for kind, arm in (("then", node.body), ("else", node.orelse)):
                self.add(kind, arm, [node.test, arm], timing, text)
        elif isinstance(node, ast.BoolOp):
            for position, operand in enumerate(node.values[1:], 2):
                self.add("operand", operand, node.values[:position], timing, text)
        elif isinstance(node, ast.Compare):
            operands = [node.left] + node.comparators
            for position, operand in enumerate(operands[2:], 3):
                self.add("operand", operand, operands[:position], timing, text)
        elif isinstance(node, COMPREHENSIONS):
            self.comprehension(node, timing, text)
        elif isinstance(node, ast.Lambda):
            self.add("lambda", node.body, [node], "body", text)
            for default in node.args.defaults + [one for one in node.args.kw_defaults if one is not None]:
                start, end = self.places(default, text)
                self.found.append(("default", start, end, [(start, end)], None, "body"))
            self.visit(node.args, timing, text)
            self.visit(node.body, "body", text)
            return
        elif is_formatted(node) and text is None and (not PLACES_IN_TEXT or self.shows_its_source(node)):
            text = node
        for child in ast.iter_child_nodes(node):
            self.visit(child, timing, text)

    def comprehension(self, node, timing, text):
        element = getattr(node, "elt", None) or node.key
        last = node.value if isinstance(node, ast.DictComp) else element
        start, end = self.places(element, text)[0], self.places(last, text)[1]
        probe = None if text is not None else self.spots.around(element).hit()
        targets = [self.places(generator.target, text) for generator in node.generators]
        self.found.append(("element", start, end, [(start, end), *targets], probe, timing))
        close = self.places(node, text)[1]
        for generator in node.generators[1:]:
            self.add("element", generator.iter, [generator.target, generator.iter], timing, text)
        for position, generator in enumerate(node.generators):
            following = [one.iter for one in node.generators[position + 1 : position + 2]]
            for index, condition in enumerate(generator.ifs):
                reached = (generator.ifs[index + 1 : index + 2] + following + [element])[0]
                probe = None if text is not None else self.spots.around(reached).hit()
                own = self.places(condition, text)
                # Holds what is reached, from its start on: so it is the outer one of all that begin there.
                begin = min(own[0], self.places(reached, text)[0])
                self.found.append(("condition", begin, close, [own], probe, timing))

    def add(self, kind, node, introduced, timing, text):
        start, end = self.places(node, text)
        probe = None if text is not None else self.spots.around(node).hit()
        spans = [self.places(part, text) for part in introduced]
        self.found.append((kind, start, end, [(spans[0][0], spans[-1][1])] if is_run(spans) else spans, probe, timing))

    def places(self, node, text):
        place = node if text is None else text
        return self.spots.start(place), self.spots.end(place)

    def shows_its_source(self, node):
        """True for an f-string with `{x=}`, which prints its own source."""
        source = self.spots.source
        for value in node.values:
            if type(value).__name__ in ("FormattedValue", "Interpolation"):
                line = source.lines[value.value.end_lineno - 1].encode("utf-8", "surrogatepass")
                if line[value.value.end_col_offset :].lstrip(b" )\t").startswith(b"="):
                    return True
        return False


def completion(node):
    """What of a statement's value has to come to its end before all its words have been used; None if that is plain.

    A call may fail, and what is behind it was then never looked at. The last call may fail as well: it was made.
    """
    while isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom)) and node.value is not None:
        node = node.value
    if not isinstance(node, ast.Call):
        return node if may_fail(node) else None
    arguments = [one.value for one in node.keywords] or node.args
    if not any(may_fail(one) for one in [node.func, *node.args, *(one.value for one in node.keywords)]):
        return None
    last = arguments[-1] if arguments else node.func
    if isinstance(last, ast.GeneratorExp):
        # Only this is looked at by now; and as the only argument it shares its brackets with the call.
        return last.generators[0].iter
    return last.value if isinstance(last, (ast.Starred, ast.Attribute)) else last


def may_fail(node):
    """True where a call, or waiting for something, is a part of finding the value."""
    if isinstance(node, (ast.Call, ast.Await, ast.Yield, ast.YieldFrom)):
        return True
    return not isinstance(node, ast.Lambda) and any(may_fail(child) for child in ast.iter_child_nodes(node))


def is_run(spans):
    """True when the places follow one another, so that what is between them (a keyword) belongs to them."""
    return all(left[1] <= right[0] for left, right in zip(spans, spans[1:]))


def is_formatted(node):
    return type(node).__name__ in ("JoinedStr", "TemplateStr")


def default_arms(spots, node, first):
    """Arms of the default values of a function: taken when a call leaves the argument out."""
    arguments = node.args
    positional = getattr(arguments, "posonlyargs", []) + arguments.args
    pairs = list(zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults))
    pairs += [(name, default) for name, default in zip(arguments.kwonlyargs, arguments.kw_defaults) if default]
    is_open = first is not None and all(decorator_name(decorator) in TRANSPARENT for decorator in node.decorator_list)
    found = []
    for argument, default in pairs:
        start, end = spots.start(default), spots.end(default)
        probe = default_mark(start, end) + first.given(argument.arg) if is_open else None
        found.append(("default", start, end, [(start, end)], probe, "body"))
    return found


def decorator_name(node):
    while isinstance(node, ast.Call):
        node = node.func
    return getattr(node, "attr", getattr(node, "id", None))
