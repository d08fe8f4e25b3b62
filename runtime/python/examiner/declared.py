"""What `global` and `nonlocal` declare is another variable wherever their block names it, and the keys say so."""

import ast
import re
import unicodedata
from bisect import bisect_left

from .spots import DEFINITIONS
from .tokens import word

# Before 3.12 such a string is one word, with the names inside it.
FORMATTED = re.compile(r"[rR]?[fF][rR]?['\"]")


def mark_declared(tokens, spots, tree):
    """Changes the key of each use: a declaration that comes or goes changes every statement that uses the name."""
    scopes = declarations(tree)
    if not scopes:
        return
    words = [word(token) for token in tokens.all]
    for node, names in scopes.items():
        at, end = bisect_left(tokens.starts, spots.start(node.body[0])), spots.end(node)
        while at < len(words) and tokens.starts[at] < end:
            for how in meanings(words, at, names):
                tokens.all[at]["key"] += " (%s)" % how
            at += 1


def declarations(tree):
    """Definition → name → the word that declares it in the block of that very definition."""
    scopes = {}
    open_nodes = [(tree, None)]
    while open_nodes:
        node, scope = open_nodes.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)) and scope is not None:
            how = type(node).__name__.lower()
            scopes.setdefault(scope, {}).update(dict.fromkeys(node.names, how))
        inner = node if isinstance(node, DEFINITIONS) else scope
        open_nodes.extend((child, inner) for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr))
    return scopes


def meanings(words, at, names):
    """How what a word names is declared: once for a name, for each of the names in a formatted string."""
    text = words[at]
    if FORMATTED.match(text):
        return [names[name] for name in sorted(names) if re.search(r"\b%s\b" % re.escape(name), text)]
    how = names.get(unicodedata.normalize("NFKC", text))
    return [] if how is None or (at > 0 and words[at - 1] == ".") else [how]
