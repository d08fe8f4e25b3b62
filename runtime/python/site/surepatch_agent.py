"""Records which probes of the changed files are run, by which test, in every Python process of a run.

It stays out of the way: everything else is loaded only once a process loads a changed file, pytest or unittest. What it
needs of `os` it holds itself, because suites replace file functions, and each line is written by an open and close of
its own, because suites close and reuse descriptors. A record that cannot be written is lost, which only weakens evidence.
"""

import builtins
import os
import sys

_open, _write, _close, _getpid, _fsencode = os.open, os.write, os.close, os.getpid, os.fsencode
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT


class State:
    """What this process is a part of."""

    run = None
    root = ""
    # Absolute paths of the changed files, and their last names.
    changed = ()
    names = frozenset()
    # Id of the running test; empty while none runs.
    test = ""
    # Id of the test that started this process; then whatever runs here belongs to it.
    inherited = ""
    coverage = None


def install():
    seen = set()

    def hit(number):
        key = (number, State.test)
        if key not in seen:
            seen.add(key)
            phase = "test" if State.test else "load"
            append("probes", "%d\t%s\t%s\n" % (number, phase, State.test))

    def completed(number, value):
        hit(number)
        return value

    class Default:
        """Stands for a default value until the function that was called without the argument takes it out."""

        __slots__ = ("number", "value")

        def __init__(self, number, value):
            self.number = number
            self.value = value

        def __repr__(self):
            return repr(self.value)

    def given(value):
        if type(value) is Default:
            hit(value.number)
            return value.value
        return value

    builtins.__surepatch_hit__ = hit
    builtins.__surepatch_completed__ = completed
    builtins.__surepatch_default__ = Default
    builtins.__surepatch_given__ = given
    State.run = os.environ.get("SUREPATCH_RUN")
    if State.run:
        _join_run()


def _join_run():
    # Lines, because most processes of a run are no tests, and reading JSON costs more than all the rest.
    State.root, *files = os.environ.get("SUREPATCH_PYTHON", "").split("\n")
    State.changed = frozenset(os.path.join(State.root, file) for file in files)
    State.names = frozenset(os.path.basename(file) for file in State.changed)
    inherited = os.environ.get("SUREPATCH_TEST") or os.environ.get("PYTEST_CURRENT_TEST", "").rsplit(" (", 1)[0]
    State.test = State.inherited = one_line(inherited)
    import surepatch_loading

    surepatch_loading.watch()


def begin_test(test_id):
    """Returns False where the test is a part of another one, and so none of the suite's own."""
    if State.test:
        return False
    State.test = one_line(test_id)
    if State.coverage is not None:
        State.coverage.switch(State.test)
    return True


def end_test():
    State.test = ""
    if State.coverage is not None:
        State.coverage.switch("")


def expect_end(runner):
    """Reports a suite that a test ends with `os._exit`, which looks like success; returns what to call at its real end."""
    import json

    owner, end, is_open = _getpid(), os._exit, [True]

    def _exit(status):
        if is_open[0] and _getpid() == owner:
            message = "The process was ended by os._exit before the suite was through."
            append("tests", json.dumps({"event": "error", "id": State.test or runner, "message": message}) + "\n")
        end(status)

    def ended():
        is_open[0] = False
        if os._exit is _exit:
            os._exit = end

    os._exit = _exit
    return ended


def one_line(text):
    return text.replace("\t", " ").replace("\r", " ").replace("\n", " ")


def append(folder, text):
    """Adds a line to this process's own file of the run."""
    try:
        # A forked child has a file of its own, too.
        name = os.path.join(State.run or "", folder, "python-%d" % _getpid())
        data = text.encode("utf-8", "backslashreplace")
        descriptor = _open(_fsencode(name), _FLAGS, 0o600)
        try:
            _write(descriptor, data)
        finally:
            _close(descriptor)
    except OSError:
        # Not our process to break; the missing line shows as evidence that is missing.
        pass
