"""The words of a file. Two files with equal keys in equal order compile to the same program.

The first word of a logical line carries the depth of its block, so that moving a statement in or out changes its key.
"""

import re
import tokenize
from bisect import bisect_left

SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
PRAGMA = re.compile(r"#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER)")


class Tokens:
    def __init__(self, source):
        self.all = []
        # Lines that bear the mark "not to be covered", ascending.
        self.unmeasured_lines = []
        depth = 0
        begins_line = True
        for kind, text, start, end, _ in tokenize.generate_tokens(source.line_reader()):
            if kind in SILENT:
                if kind == tokenize.COMMENT and PRAGMA.match(text):
                    self.unmeasured_lines.append(start[0])
                depth += (kind == tokenize.INDENT) - (kind == tokenize.DEDENT)
                begins_line = begins_line or kind == tokenize.NEWLINE
                continue
            key = "%d>%s" % (depth, text) if begins_line else text
            begins_line = False
            self.all.append(
                {
                    "start": source.of_characters(*start),
                    "end": source.of_characters(*end),
                    "line": start[0],
                    "endLine": end[0],
                    "key": key,
                }
            )
        self.starts = [token["start"] for token in self.all]

    def before(self, offset, steps=1):
        """The token that begins `steps` tokens before the first one at or after `offset`; None at the beginning."""
        index = bisect_left(self.starts, offset) - steps
        return self.all[index] if index >= 0 else None

    def next_word(self, offset):
        """Text of the first token at or after `offset`; empty at the end."""
        index = bisect_left(self.starts, offset)
        return word(self.all[index]) if index < len(self.all) else ""

    def colon_after(self, offset):
        """End of the first `:` at or after `offset` that no bracket encloses, counted from there."""
        for index in range(bisect_left(self.starts, offset), len(self.all)):
            token = self.all[index]
            if token["key"] == ":":
                return token["end"]
        return offset


def word(token):
    """Text of a token, without the depth of its block."""
    depth, mark, text = token["key"].partition(">")
    return text if mark and depth.isdigit() else token["key"]
