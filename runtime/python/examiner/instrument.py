"""Where probes stand and how they read; and the proof, by compiling, that a text takes them.

A probe is a call before a statement on its line, or a call in front of an expression that is put in brackets. Every
closing text is the same, so that at one place only the order of the openings matters: outer before inner.
"""

import warnings

CALL = "__surepatch_hit__(%)"


class Before:
    """In front of a simple statement."""

    def __init__(self, offset):
        self.offset = offset

    def hit(self):
        return [{"at": self.offset, "text": CALL + "; "}]

    def given(self, name):
        """Takes the mark off a default value, which notes that it was used."""
        return [{"at": self.offset, "text": "%s=__surepatch_given__(%s); " % (name, name)}]


class Around:
    """Around an expression, which keeps its value."""

    def __init__(self, start, end):
        self.start = start
        self.end = end

    def _with(self, opening):
        return self._opened(opening + "or(")

    def _opened(self, opening):
        return [{"at": self.start, "text": opening}, {"at": self.end, "text": "))"}]

    def hit(self):
        # The call returns None.
        return self._with("(" + CALL)

    def completed(self):
        """Notes that the expression has its value, and not that it was begun."""
        return self._opened("__surepatch_completed__(%,(")

    def given(self, name):
        return self._with("(((%s:=__surepatch_given__(%s)),0)[1]" % (name, name))


def default_mark(start, end):
    """Marks a default value; it is still evaluated where it stands."""
    return [{"at": start, "text": "__surepatch_default__(%,("}, {"at": end, "text": "))"}]


def keep_what_compiles(source, structure):
    """Takes away every probe that the text does not compile with; all that stay compile together."""
    kept = []
    _sift(source, structure.probed(), kept)
    if kept and not _compiles(source, kept):
        one_by_one = []
        for part in kept:
            if _compiles(source, one_by_one + [part]):
                one_by_one.append(part)
            else:
                part.drop()
        kept = one_by_one


def _sift(source, parts, kept):
    if not parts:
        return
    if _compiles(source, parts):
        kept.extend(parts)
    elif len(parts) == 1:
        parts[0].drop()
    else:
        middle = len(parts) // 2
        _sift(source, parts[:middle], kept)
        _sift(source, parts[middle:], kept)


def _compiles(source, parts):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(instrumented(source, parts), "<probed>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def instrumented(source, parts):
    """The code with the probes of `parts`, which come outer first, numbered in that order."""
    insertions = [
        (insertion["at"], not insertion["text"].startswith(")"), number, insertion["text"])
        for number, part in enumerate(parts)
        for insertion in part.insertions()
    ]
    insertions.sort(key=lambda insertion: insertion[:3])
    units = source.text.encode("utf-16-le", "surrogatepass")
    pieces = []
    at = 2 * source.mark
    for offset, _, number, text in insertions:
        pieces.append(units[at : 2 * offset])
        pieces.append(text.replace("%", str(number)).encode("utf-16-le"))
        at = 2 * offset
    pieces.append(units[at:])
    return b"".join(pieces).decode("utf-16-le", "surrogatepass")
