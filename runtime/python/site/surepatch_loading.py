"""Watches what a process loads: the changed files, to start coverage in time, and the test runners, to hook into them."""

import importlib.machinery
import os
import sys

from surepatch_agent import State, append

_LOADER = importlib.machinery.SourceFileLoader
_noted = set()


def watch():
    load = _LOADER.exec_module
    followers = {"subprocess": _follow_children, "_pytest.config": _hook_pytest, "unittest.suite": _hook_unittest}
    if State.inherited:
        # Whatever runner this is, its tests are a part of the test that started it.
        del followers["_pytest.config"], followers["unittest.suite"]
    names = State.names

    def exec_module(self, module):
        if self.path.rpartition(os.sep)[2] in names:
            note_loaded(self.path, module.__name__)
        load(self, module)
        follow = followers.pop(module.__name__, None) if followers else None
        if follow is not None:
            follow(module)

    # Python leaves frames of its own import system out of tracebacks; this one is no part of the project either.
    exec_module.__code__ = exec_module.__code__.replace(co_filename="<frozen importlib._bootstrap_external>")
    _LOADER.exec_module = exec_module
    for name, follow in list(followers.items()):
        if name in sys.modules:
            followers.pop(name)(sys.modules[name])
    _look_at_command()


def note_loaded(path, name):
    """Notes a changed file, or another file that a module of the same name was loaded from."""
    path = os.path.abspath(path)
    if path not in State.changed:
        real = os.path.realpath(path)
        path = next((changed for changed in State.changed if os.path.realpath(changed) == real), path)
    _noted.add(path)
    if path in State.changed:
        _report(loaded=path)
        start_coverage()
        return
    for changed in State.changed:
        if _has_name(changed, name):
            _report(loaded=path, instead_of=changed)


def _report(**fact):
    # Not before it is needed: what is being loaded may be a part of the library that json itself is made of.
    import json

    append("coverage", json.dumps(fact) + "\n")


def note_loaded_modules():
    """Notes changed files that were loaded in another way, as pytest loads test files."""
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and path in State.changed and path not in _noted:
            note_loaded(path, name)


def _has_name(changed, module):
    """True when a changed file is the module of this name for those who use it."""
    path, package = os.path.splitext(changed)[0], os.path.dirname(changed)
    parts = [os.path.basename(path)]
    while os.path.exists(os.path.join(package, "__init__.py")):
        parts.insert(0, os.path.basename(package))
        package = os.path.dirname(package)
    if parts[-1] == "__init__":
        parts.pop()
    return module == ".".join(parts)


def start_coverage():
    if State.coverage is None:
        import surepatch_coverage

        State.coverage = surepatch_coverage.start()
        if State.test:
            State.coverage.switch(State.test)


def _look_at_command():
    """A changed file that is run as a program is loaded by nobody."""
    command = getattr(sys, "orig_argv", None)
    if command is None:
        try:
            with open("/proc/self/cmdline", "rb") as stream:
                command = os.fsdecode(stream.read()).split("\0")
        except OSError:
            command = []
    for word in command[1:]:
        if os.path.basename(word) in State.names or word.rpartition(".")[2] + ".py" in State.names:
            start_coverage()
            if os.path.abspath(word) in State.changed:
                note_loaded(word, "__main__")


def _hook_pytest(config):
    # Read when pytest makes its configuration; needs no option and no variable that a child could inherit in vain.
    config.default_plugins = tuple(config.default_plugins) + ("surepatch_pytest",)


def _hook_unittest(suite):
    import surepatch_unittest

    surepatch_unittest.hook(suite)


def _follow_children(subprocess):
    """Lets a Python child find the agent when a test gives it an environment of its own."""
    here = os.path.dirname(os.path.abspath(__file__))
    kept = {name: os.environ[name] for name in ("SUREPATCH_RUN", "SUREPATCH_PYTHON") if name in os.environ}
    start = subprocess.Popen._execute_child
    # Position of `env` among the arguments behind `self`.
    position = 6

    def _execute_child(self, *arguments):
        if len(arguments) > position and isinstance(arguments[position], dict):
            env = {**arguments[position]}
            if all(isinstance(name, str) for name in env):
                for name, value in kept.items():
                    env.setdefault(name, value)
                if State.test:
                    env.setdefault("SUREPATCH_TEST", State.test)
                path = env.get("PYTHONPATH", "")
                if here not in path.split(os.pathsep):
                    env["PYTHONPATH"] = here + os.pathsep + path if path else here
                arguments = (*arguments[:position], env, *arguments[position + 1 :])
        return start(self, *arguments)

    subprocess.Popen._execute_child = _execute_child
