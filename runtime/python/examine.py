"""Examines a proposed change of Python files: reads a request, prints an Examination (src/model/examination.ts).

Run as `python -I -S -B examine.py request.json` by the project's own interpreter. It only reads: nothing of the project
is imported or run, and nothing is written.
"""

import base64
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from examiner.analysis import analyse  # noqa: E402
from examiner.imports import check_imports  # noqa: E402
from examiner.toml import analyse_toml, is_toml, undecided_toml  # noqa: E402


def examine(request):
    files = []
    for file in request["files"]:
        before, after = file["before"], file["after"]
        files.append(
            {
                "path": file["path"],
                "before": None if before is None else base64.b64decode(before),
                "after": base64.b64decode(after),
            }
        )
    examined = [
        {
            "path": file["path"],
            "before": None if file["before"] is None else analyse_any(file["path"], file["before"]),
            "after": analyse_any(file["path"], file["after"]),
        }
        for file in files
    ]
    modules = [file for file in files if not is_toml(file["path"])]
    imports, undecided = check_imports(request["root"], modules, request["searchFolders"])
    unread = undecided_toml([file["path"] for file in files])
    return {"files": examined, "imports": imports, "undecided": undecided + unread}


def analyse_any(path, raw):
    return analyse_toml(path, raw) if is_toml(path) else analyse(path, raw)


def main():
    # Deep source must end in an answer about that file, and not in the end of this process.
    sys.setrecursionlimit(10_000)
    with open(sys.argv[1], encoding="utf-8") as stream:
        request = json.load(stream)
    # In one piece, which is several times faster than piece by piece.
    sys.stdout.write(json.dumps(examine(request)))


main()
