"""Reports what pytest collects and how each test ends, as lines of `TestEvent` (src/model/suite.ts).

PYTEST_DONT_REWRITE
"""

import json
import os

import pytest
import surepatch_agent
import surepatch_loading
from surepatch_agent import State, append
from surepatch_parts import report_examples, report_part, subtest_id

MOST_CHARACTERS = 4_000


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config):
    # pytest-cov would measure in our place, and fail the run by its own limits.
    if hasattr(early_config.known_args_namespace, "no_cov"):
        early_config.known_args_namespace.no_cov = True
    if any(name.startswith(("test_", "conftest")) or name.endswith("_test.py") for name in State.names):
        # pytest loads these itself, past everything that watches.
        surepatch_loading.start_coverage()
    yield


def pytest_configure(config):
    if State.test:
        # A run inside of a test is that test's own affair.
        return
    config.pluginmanager.register(Current(), "surepatch-current")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(), "surepatch-recorder")


class Current:
    """Tells the probes which test runs; in workers, too."""

    def __init__(self):
        self._examples = ()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        self._examples = getattr(getattr(item, "dtest", None), "examples", ())
        surepatch_agent.begin_test(item.nodeid)
        yield
        surepatch_agent.end_test()
        self._examples = ()

    def pytest_runtest_logreport(self, report):
        if report.when == "call" and report.passed and self._examples:
            report_examples(report.nodeid, self._examples, None)

    def pytest_collection_finish(self):
        surepatch_loading.note_loaded_modules()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        # A repeated failure is run apart from all other tests, whatever command starts them.
        path = os.environ.get("SUREPATCH_ONLY")
        if path:
            with open(path, encoding="utf-8") as file:
                only = set(file.read().split("\n"))
            items[:] = [item for item in items if item.nodeid in only]


class Recorder:
    def __init__(self):
        self.deselected = 0
        # Id → (outcome, message, seconds) so far: a test has a set-up, a call and a tear-down.
        self._running = {}
        self._root = None
        self._ended = None
        self._has_session = False

    def pytest_sessionstart(self, session):
        self._ended = surepatch_agent.expect_end("pytest")
        self._root = str(getattr(session.config, "rootpath", None) or session.config.rootdir)

    def pytest_sessionfinish(self):
        self._ended()

    def pytest_deselected(self, items):
        self.deselected += len(items)

    def pytest_collection_finish(self, session):
        emit(
            event="session",
            runner="pytest",
            collected=len(session.items) + self.deselected,
            deselected=self.deselected,
        )

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids):
        # With xdist the workers collect and select, and the controller hears of what is left.
        if not self._has_session:
            self._has_session = True
            emit(event="session", runner="pytest", collected=None, deselected=None)

    def pytest_collectreport(self, report):
        if report.failed:
            emit(event="error", id=report.nodeid, message=cut(text_of(report)))
        elif report.skipped:
            self._emit_test(report.nodeid, "skipped", reason_of(report), report.nodeid.split("::", 1)[0], None)

    def pytest_internalerror(self, excrepr):
        emit(event="error", id="pytest", message=cut(str(excrepr)))

    def pytest_runtest_logreport(self, report):
        outcome, message = outcome_of(report)
        if is_subtest(report):
            if outcome != "failed":
                values = report.context.kwargs.items()
                report_part(subtest_id(report.nodeid, report.context.msg, list(values)), outcome, None, message)
            # One that skips does not skip the test around it.
            outcome, message = ("failed", message) if outcome == "failed" else ("passed", None)
        was, said, seconds = self._running.get(report.nodeid, (None, None, 0.0))
        if was is None or WORSE.index(outcome) > WORSE.index(was):
            was, said = outcome, message
        self._running[report.nodeid] = (was, said, seconds + (getattr(report, "duration", 0) or 0))
        if report.when not in ("setup", "call"):
            self._end(report.nodeid, report.location)

    def pytest_runtest_logfinish(self, nodeid, location):
        self._end(nodeid, location)

    def _end(self, nodeid, location):
        if nodeid in self._running:
            outcome, message, seconds = self._running.pop(nodeid)
            self._emit_test(nodeid, outcome, message, location[0], round(seconds * 1000))

    def _emit_test(self, nodeid, outcome, message, file, duration):
        place = os.path.normpath(os.path.join(self._root, file))
        file = None if os.path.relpath(place, State.root).startswith("..") else os.path.relpath(place, State.root)
        shown = None if file is None else file.replace(os.sep, "/")
        emit(event="test", id=nodeid, outcome=outcome, message=message, file=shown, durationMs=duration)


# From the least to the most that a set-up, call or tear-down says about the whole test.
WORSE = ["passed", "skipped", "expected_failure", "unexpected_pass", "failed"]


def outcome_of(report):
    if hasattr(report, "wasxfail"):
        if report.skipped:
            return "expected_failure", cut(str(report.wasxfail))
        if report.passed:
            return "unexpected_pass", cut(str(report.wasxfail))
    if report.failed:
        return "failed", cut(text_of(report))
    if report.skipped:
        return "skipped", reason_of(report)
    return "passed", None


def is_subtest(report):
    """True for what pytest, or pytest-subtests before it, says of a subtest."""
    return type(report).__name__ in ("SubTestReport", "SubtestReport")


def reason_of(report):
    reason = report.longrepr
    return cut(str(reason[2]) if isinstance(reason, tuple) else text_of(report))


def text_of(report):
    """What went wrong first, then the whole of it as pytest shows it."""
    whole = getattr(report, "longreprtext", "") or str(report.longrepr or "")
    crash = getattr(getattr(report.longrepr, "reprcrash", None), "message", "")
    return "%s\n%s" % (crash, whole) if crash else whole


def cut(text):
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"


def emit(**event):
    append("tests", json.dumps(event) + "\n")
