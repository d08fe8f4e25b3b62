"""The parts of a test that are counted for themselves: subtests, and the examples of a doctest.

A test stays green when it loses one of them, so each has an id of its own, made of words that are the same in every run.
"""

import json
import os
import re
import zlib

from surepatch_agent import append, one_line

MOST_CHARACTERS = 200
# Addresses, times, random names: what they are differs from run to run. Equal ids are counted, so nothing is lost by it.
_CHANGING = re.compile(r"0x[0-9a-fA-F]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|\d{6,}")
# Not asked of `tempfile`, which would look for it now, and remember it for the suite.
_TEMPORARY = re.compile(re.escape(os.environ.get("TMPDIR") or "/tmp") + "/[^\\s'\"),]*")
_PLAIN = (str, bytes, int, float, complex, bool, type(None))


def subtest_id(test, message, values):
    """`values` are pairs of a name and a text."""
    words = [] if message is None else ["[%s]" % message]
    if values:
        words.append("(%s)" % ", ".join("%s=%s" % pair for pair in values))
    text = _TEMPORARY.sub("…", " ".join(words) or "(<subtest>)")
    return "%s %s" % (test, _short(_CHANGING.sub("…", text)))


def shown(value, depth=3):
    """A text for a value that runs nothing of the project's: a `repr` may fail, ask a database, or never end."""
    kind = type(value)
    if kind in _PLAIN:
        return repr(value[:MOST_CHARACTERS] if kind in (str, bytes) else value)
    if kind in (list, tuple) and depth > 0:
        return "[%s]" % ", ".join(shown(one, depth - 1) for one in value[:20])
    if kind in (set, frozenset) and depth > 0:
        return "{%s}" % ", ".join(sorted(shown(one, depth - 1) for one in value))
    if kind is dict and depth > 0:
        return "{%s}" % ", ".join("%s: %s" % (shown(name, 1), shown(one, depth - 1)) for name, one in value.items())
    if type(kind).__name__ in ("EnumMeta", "EnumType"):
        return "%s.%s" % (kind.__name__, value._name_)
    if kind.__module__.partition(".")[0] == "pathlib":
        return str(value)
    return value.__name__ if kind in (type, type(shown), type(len)) else "<%s>" % kind.__name__


def report_examples(test, examples, file):
    """Reports what a passed doctest is made of: an example with another answer is another example."""
    import doctest

    for example in examples:
        answer = " → %s" % example.want.strip() if example.want else ""
        outcome = "skipped" if example.options.get(doctest.SKIP) else "passed"
        report_part("%s >>> %s" % (test, _short(example.source.strip() + answer)), outcome, file)


def report_part(part, outcome, file=None, message=None):
    event = {"event": "test", "id": one_line(part), "outcome": outcome, "message": message}
    append("tests", json.dumps({**event, "file": file, "durationMs": None}) + "\n")


def _short(text):
    if len(text) <= MOST_CHARACTERS:
        return text
    return "%s… %08x" % (text[:MOST_CHARACTERS], zlib.crc32(text.encode("utf-8", "backslashreplace")))
