"""The text of one file: decoded as Python decodes it, with places counted in UTF-16 code units of that text."""

import io
import re
import tokenize
from bisect import bisect_right

LINE_END = re.compile("\r\n|\r|\n")
MARK = "\ufeff"


def decode(raw):
    """Returns the text by PEP 263, a byte order mark included; raises SyntaxError where Python would."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
    if encoding == "utf-8-sig":
        encoding = "utf-8"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SyntaxError("a byte is not valid in the encoding %s" % encoding, (None, line, 0, None)) from error


def is_utf8(raw, text):
    """True when whoever reads the bytes as UTF-8 sees the same text, so that offsets mean the same to both."""
    try:
        return raw.decode("utf-8") == text
    except UnicodeDecodeError:
        return False


class Source:
    def __init__(self, text):
        self.mark = 1 if text.startswith(MARK) else 0
        self.text = text
        # What the compiler reads: it takes no mark in a str.
        self.code = text[self.mark :]
        self.lines = []
        self.starts = []
        place = self.mark
        at = 0
        for end in LINE_END.finditer(self.code):
            place = self._line(self.code[at : end.start()], place) + len(end.group())
            at = end.end()
        self.length = self._line(self.code[at:], place)
        self.ends_with_line_end = at == len(self.code)

    def _line(self, line, place):
        self.lines.append(line)
        self.starts.append(place)
        return place + units(line)

    def of_bytes(self, line, column):
        """Offset of a place that `ast` gave: line from 1, column in bytes of UTF-8."""
        text = self.lines[line - 1]
        if text.isascii():
            return self.starts[line - 1] + column
        before = text.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "surrogatepass")
        return self.starts[line - 1] + units(before)

    def of_characters(self, line, column):
        """Offset of a place that `tokenize` gave: line from 1, column in characters."""
        text = self.lines[line - 1]
        if text.isascii():
            return self.starts[line - 1] + column
        return self.starts[line - 1] + units(text[:column])

    def line_of(self, offset):
        return bisect_right(self.starts, offset)

    def span(self, start, end):
        return {"start": start, "end": end, "line": self.line_of(start), "endLine": self.line_of(end)}

    def line_reader(self):
        """A `readline` for `tokenize`, with one kind of line end."""
        last = len(self.lines) - 1
        return iter([line + "\n" if i < last else line for i, line in enumerate(self.lines)]).__next__


def units(text):
    """Length in UTF-16 code units."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
