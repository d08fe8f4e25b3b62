"""One text of one file: its syntax errors, or its words, statements and arms."""

import ast
import warnings

from .declared import mark_declared
from .instrument import keep_what_compiles
from .source import Source, decode, is_utf8
from .structure import Structure
from .tokens import Tokens


def analyse(path, raw):
    try:
        source = Source(decode(raw))
        tree = parse(source.code)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        return failed(path, error)
    tokens = Tokens(source)
    structure = Structure(source, tokens, tree, is_stub=path.endswith(".pyi"))
    mark_declared(tokens, structure.spots, tree)
    if is_utf8(raw, source.text) and not path.endswith(".pyi"):
        keep_what_compiles(source, structure)
    else:
        structure.drop_probes()
    return {
        "syntax": [],
        "tokens": tokens.all,
        "statements": structure.statements,
        "arms": structure.arms,
        "loadProbe": structure.load_probe,
    }


def parse(code):
    """Parses and compiles, because some errors (a `return` outside of a function) are found only by the latter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(code)
        compile(tree, "<examined>", "exec", dont_inherit=True)
    return tree


def failed(path, error):
    if isinstance(error, SyntaxError):
        line, message = error.lineno or 1, error.msg or "invalid syntax"
    else:
        line, message = 1, str(error) or "too deeply nested for the interpreter"
    sentence = message[:1].upper() + message[1:].rstrip(".") + "."
    finding = {"file": path, "line": line, "message": sentence, "key": message}
    return {"syntax": [finding], "tokens": [], "statements": [], "arms": [], "loadProbe": None}
