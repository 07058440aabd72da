"""`.ci/pythons` runs the tests on every Python that starts, and fails if one of them does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / ".ci" / "pythons"

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or not SCRIPT.is_file(), reason="needs bash and a checkout"
)

STARTS = """#!/bin/sh
[ "$2" = venv ] || exit 0
mkdir -p "$3/bin"
printf '#!/bin/sh\necho "$0 $*" >>%s\n' "{log}" >"$3/bin/pip"
printf '#!/bin/sh\necho "$0 $*" >>%s\nexit %s\n' "{log}" {code} >"$3/bin/python"
chmod +x "$3/bin/pip" "$3/bin/python"
"""


def ran(tmp_path, *wanted, **pythons):
    """Exit code, messages and the programs that ran, with Pythons of these numbers before all
    others in PATH."""
    for name, text in pythons.items():
        python = tmp_path / "bin" / f"python3.{name.removeprefix('_')}"
        python.parent.mkdir(exist_ok=True)
        python.write_text(text)
        python.chmod(0o755)
    environment = os.environ | {
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "PYENV_ROOT": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
    }
    done = subprocess.run([SCRIPT, *wanted], env=environment, capture_output=True, text=True)
    log = tmp_path / "log"
    return done.returncode, done.stderr, log.read_text().splitlines() if log.is_file() else []


def test_every_python_that_starts_runs_the_tests_and_one_that_fails_fails_the_run(
    tmp_path,
):
    good, bad = (STARTS.format(log=tmp_path / "log", code=code) for code in (0, 1))
    broken = "#!/bin/sh\nexit 127\n"
    code, errors, lines = ran(tmp_path, "3.97", "3.98", "3.99", _97=bad, _98=broken, _99=good)
    assert (code, errors.split()) == (1, ["failed", "with", "Python", "3.97"])
    words = [(Path(line.split()[0]).parts[-3:], line.split()[1:3]) for line in lines]
    assert words == [
        ((version, "bin", name), more)
        for version in ("3.97", "3.99")
        for name, more in (("pip", ["install", "--quiet"]), ("python", ["-m", "pytest"]))
    ]
    code, errors, more_lines = ran(tmp_path, "3.98")
    assert (code, more_lines, "expected 3.98" in errors) == (1, lines, True)
    assert ran(tmp_path, "3.99")[0] == 0
