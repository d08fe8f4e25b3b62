"""Loaded by every Python of an instrumented run, because its folder comes first in PYTHONPATH.

Installs the agent, then runs the `sitecustomize` that it stands in front of, as Python would have.
"""

import sys


def _run_shadowed():
    import os
    from importlib.machinery import PathFinder

    here = os.path.dirname(os.path.abspath(__file__))
    spec = PathFinder.find_spec("sitecustomize", [path for path in sys.path if os.path.abspath(path) != here])
    if spec is not None and spec.loader is not None:
        from importlib.util import module_from_spec

        sys.modules["sitecustomize"] = module = module_from_spec(spec)
        spec.loader.exec_module(module)


import surepatch_agent  # noqa: E402

surepatch_agent.install()
_run_shadowed()
