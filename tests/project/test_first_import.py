"""Every module can be the first that is imported: no circle that only holds where another module came before."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.data import PROJECT

MODULES = sorted(
    ".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__")
    for path in (PROJECT / "reconcile").rglob("*.py")
    if path.stem != "__main__"
)
ALONE = """
import importlib, os, sys
import click, jinja2, numpy, pydantic, rich, yaml
for name in sys.argv[1:]:
    child = os.fork()
    if not child:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError:  # of an extra
            pass
        except ImportError as error:
            print(f"{name}: {error}", flush=True)
        os._exit(0)
    os.waitpid(child, 0)
print("all were tried")
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="no fork here")
def test_every_module_can_be_imported_first() -> None:
    assert len(MODULES) > 300
    done = subprocess.run([sys.executable, "-c", ALONE, *MODULES], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout == "all were tried\n"
