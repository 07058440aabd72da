"""What a fresh interpreter does, away from everything that the tests have imported."""

from __future__ import annotations

import subprocess
import sys

from tests.support.data import PROJECT


def imported_after(code: str) -> set[str]:
    """The top modules that a fresh interpreter holds after running some code."""
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(' '.join(sys.modules))"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return {name.partition(".")[0] for name in ran.stdout.split()}
