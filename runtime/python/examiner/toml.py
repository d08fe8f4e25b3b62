"""The syntax of a TOML file, where this interpreter brings a parser (Python 3.11 and later)."""

import re

try:
    import tomllib
except ImportError:
    tomllib = None

NOTHING = {"syntax": [], "tokens": [], "statements": [], "arms": [], "loadProbe": None}


def is_toml(path):
    return path.endswith(".toml")


def analyse_toml(path, raw):
    """Nothing of it can be seen to run, so all that is said of it is what is wrong."""
    if tomllib is None:
        return NOTHING
    try:
        tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        words, line = str(error), re.search(r" \(at line (\d+), column \d+\)$", str(error))
        sentence = words[: line.start()] if line else words
        finding = {"file": path, "line": int(line.group(1)) if line else 1, "message": sentence + ".", "key": sentence}
        return dict(NOTHING, syntax=[finding])
    return NOTHING


def undecided_toml(paths):
    if tomllib is not None:
        return []
    return ["%s was not checked: this Python has no parser for TOML." % path for path in paths if is_toml(path)]
