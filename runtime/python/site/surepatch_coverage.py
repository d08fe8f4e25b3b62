"""The second witness: coverage.py over the changed files, where the interpreter has it. Writes no file of coverage's own.

Everything stays in memory and is printed as one JSON line when the process ends, also by `os._exit`.
"""

import atexit
import json
import os

from surepatch_agent import State, append


class Nothing:
    """What a process has without coverage.py."""

    def switch(self, test_id):
        pass


class Measurement:
    def __init__(self, coverage):
        self._dumped = None
        self._coverage = coverage.Coverage(
            data_file=None, branch=True, include=sorted(State.changed), config_file=False, messages=False
        )
        if hasattr(self._coverage.config, "core"):
            # The monitoring of newer Pythons sees a line once, and not once in each test.
            self._coverage.config.core = "ctrace"
        # Warnings would be printed among the suite's own words.
        self._coverage._warn = lambda *_, **__: None
        self._coverage.start()
        self._announce()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._announce)
        atexit.register(self.dump)
        end = os._exit

        def _exit(status):
            self.dump()
            end(status)

        os._exit = _exit

    def _announce(self):
        """Says that a report must follow; a process that is killed before has seen more than is known."""
        append("coverage", json.dumps({"measuring": True}) + "\n")

    def switch(self, test_id):
        self._coverage.switch_context(test_id)

    def dump(self):
        if self._dumped == os.getpid():
            return
        self._dumped = os.getpid()
        try:
            self._report()
        except Exception as error:
            # The announced report stays out, and says so; the process ends as it would have.
            append("coverage", json.dumps({"failed": repr(error)}) + "\n")

    def _report(self):
        self._coverage.stop()
        data = self._coverage.get_data()
        names = {os.path.realpath(path): path for path in State.changed}
        files = {}
        for path in data.measured_files():
            lines = data.contexts_by_lineno(path)
            files[names.get(os.path.realpath(path), path)] = {
                "lines": {line: sorted(lines.get(line, [""])) for line in data.lines(path) or ()},
                "possible": sorted(possible_lines(path)),
            }
        append("coverage", json.dumps({"files": files}) + "\n")


def possible_lines(path):
    """Lines at which running the file can be noticed at all."""
    with open(path, "rb") as stream:
        waiting = [compile(stream.read(), path, "exec", dont_inherit=True)]
    lines = set()
    while waiting:
        code = waiting.pop()
        if hasattr(code, "co_lines"):
            lines.update(line for _, _, line in code.co_lines() if line)
        else:
            import dis

            lines.update(line for _, line in dis.findlinestarts(code))
        waiting += [constant for constant in code.co_consts if hasattr(constant, "co_code")]
    return lines


def start():
    installed = True
    try:
        import coverage

        return Measurement(coverage)
    except ImportError:
        installed = False
        why = "coverage.py is not installed in the interpreter that ran the tests"
    except Exception as error:
        why = "coverage.py could not be started in the interpreter that ran the tests (%r)" % error
    append("coverage", json.dumps({"unavailable": why, "installed": installed}) + "\n")
    return Nothing()
