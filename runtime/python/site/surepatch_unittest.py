"""Reports what unittest runs, as lines of `TestEvent` (src/model/suite.ts), whichever runner and result class it uses."""

import json
import os
import sys
import time
import unittest.case

import surepatch_agent
from surepatch_agent import State, append
from surepatch_parts import report_examples, report_part, shown, subtest_id

MOST_CHARACTERS = 4_000
# Held here, because suites replace the clock.
_clock = time.perf_counter


def hook(suite):
    _hook_cases(unittest.case.TestCase)
    _hook_subtests(unittest.case.TestCase)
    _hook_suites(suite.TestSuite)


def _hook_cases(kind):
    run = kind.run

    def hooked(self, result=None):
        # Under pytest the test is known already; inside of another test it is that one's own affair.
        if result is None or not surepatch_agent.begin_test(self.id()):
            return run(self, result)
        os.environ["SUREPATCH_TEST"] = State.test
        listener = Listener(result)
        begun = _clock()
        try:
            ended = run(self, result)
            listener.has_ended = True
            return ended
        finally:
            listener.close()
            os.environ.pop("SUREPATCH_TEST", None)
            surepatch_agent.end_test()
            _report(self, listener, round((_clock() - begun) * 1000))

    kind.run = hooked


def _hook_subtests(kind):
    begin = kind.subTest

    def hooked(self, *message, **values):
        subtest = begin(self, *message, **values)
        outcome = getattr(self, "_outcome", None)
        if not State.test or outcome is None or getattr(outcome, "result_supports_subtests", True):
            return subtest
        # A result that knows no subtests, as that of older versions of pytest, is told of none.
        name = shown(message[0]) if message else None
        return Noted(subtest, subtest_id(State.test, name, [(one, shown(value)) for one, value in values.items()]))

    kind.subTest = hooked


class Noted:
    """A subtest that is reported once it is through."""

    def __init__(self, subtest, part):
        self._subtest = subtest
        self._part = part

    def __enter__(self):
        return self._subtest.__enter__()

    def __exit__(self, kind, error, trace):
        is_handled = self._subtest.__exit__(kind, error, trace)
        if kind is None:
            report_part(self._part, "passed")
        return is_handled


class Listener:
    """Overhears what a result object is told about one test."""

    # From the least to the most that a call says about the whole test.
    METHODS = {
        "addSuccess": "passed",
        "addSkip": "skipped",
        "addExpectedFailure": "expected_failure",
        "addUnexpectedSuccess": "unexpected_pass",
        "addFailure": "failed",
        "addError": "failed",
        "addSubTest": "failed",
    }
    RANK = list(dict.fromkeys(METHODS.values()))

    def __init__(self, result):
        self.outcome = None
        self.message = None
        # True once the test came to its end, whatever was told of it.
        self.has_ended = False
        self.has_skipped_subtest = False
        self._result = result
        self._replaced = []
        for method, outcome in self.METHODS.items():
            self._overhear(method, outcome)

    def _overhear(self, method, outcome):
        tell = getattr(self._result, method, None)
        if tell is None:
            return

        def told(test, *details, **named):
            last = details[-1] if details else next(iter(named.values()), None)
            if isinstance(test, unittest.case._SubTest):
                # A subtest that skips does not skip the test around it.
                self.has_skipped_subtest = True
                report_part(_name_of(test), outcome, _file_of(type(test.test_case)), _words(last))
            elif method == "addSubTest" and last is None:
                report_part(_name_of(details[0]), "passed", _file_of(type(test)))
            elif self.outcome is None or self.RANK.index(outcome) >= self.RANK.index(self.outcome):
                self.outcome, self.message = outcome, _words(last)
            return tell(test, *details, **named)

        try:
            setattr(self._result, method, told)
        except AttributeError:
            # A result with fixed attributes; its tests are then reported without an outcome of theirs, as failed.
            return
        self._replaced.append(method)

    def close(self):
        for method in self._replaced:
            try:
                delattr(self._result, method)
            except AttributeError:
                pass


def _name_of(subtest):
    message = None if subtest._message is unittest.case._subtest_msg_sentinel else shown(subtest._message)
    return subtest_id(State.test, message, [(name, shown(value)) for name, value in subtest.params.items()])


def _words(detail):
    if detail is None:
        return None
    if isinstance(detail, tuple) and len(detail) == 3:
        import traceback

        detail = "".join(traceback.format_exception(*detail))
    return str(detail)[:MOST_CHARACTERS]


def _report(case, listener, duration):
    if type(case).__name__ == "_FailedTest":
        return _emit(event="error", id=case.id(), message=listener.message or "could not be loaded")
    # Told nothing at all: it was interrupted, and an interrupted test has not passed.
    outcome = listener.outcome or ("passed" if listener.has_ended and listener.has_skipped_subtest else "failed")
    file = _file_of(type(case))
    if outcome == "passed" and hasattr(case, "_dt_test"):
        report_examples(case.id(), case._dt_test.examples, file)
    _emit(event="test", id=case.id(), outcome=outcome, message=listener.message, file=file, durationMs=duration)


def _file_of(kind):
    path = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if path is None:
        return None
    inner = os.path.relpath(os.path.abspath(path), State.root)
    return None if inner.startswith("..") else inner.replace(os.sep, "/")


def _hook_suites(kind):
    run, depth = kind.run, [0]

    def hooked(self, result, debug=False):
        if depth[0] > 0 or State.test:
            return run(self, result, debug)
        _emit(event="session", runner="unittest", collected=self.countTestCases(), deselected=None)
        ended = surepatch_agent.expect_end("unittest")
        depth[0] = 1
        try:
            return run(self, result, debug)
        finally:
            depth[0] = 0
            ended()

    kind.run = hooked
    fixture = kind._handleClassSetUp

    def set_up(self, test, result):
        # What a class prepares is a part of its first test.
        has_begun = surepatch_agent.begin_test(test.id()) if hasattr(test, "id") else False
        try:
            return fixture(self, test, result)
        finally:
            if has_begun:
                surepatch_agent.end_test()

    kind._handleClassSetUp = set_up
    fail = kind._addClassOrModuleLevelException

    def failed(self, result, exception, name, *more, **named):
        if not State.test or State.test != State.inherited:
            is_skip = isinstance(exception, unittest.case.SkipTest)
            if is_skip:
                _emit(event="test", id=name, outcome="skipped", message=str(exception), file=None, durationMs=None)
            else:
                _emit(event="error", id=name, message=repr(exception)[:MOST_CHARACTERS])
        return fail(self, result, exception, name, *more, **named)

    kind._addClassOrModuleLevelException = failed


def _emit(**event):
    append("tests", json.dumps(event) + "\n")
