"""`.ci/pythons` runs the tests on every Python that starts, and fails if one of them does."""

from __future__ import annotations

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


def ran(tmp_path: Path, *wanted: str, **pythons: str) -> tuple[int, str, list[str]]:
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


def test_every_python_that_starts_runs_the_tests_in_its_own_environment(tmp_path: Path) -> None:
    good, broken = STARTS.format(log=tmp_path / "log", code=0), "#!/bin/sh\nexit 127\n"
    code, _, lines = ran(tmp_path, "3.97", "3.98", "3.99", _97=good, _98=broken, _99=good)
    assert code == 0
    words = [(Path(line.split()[0]).parts[-3:], line.split()[1:3]) for line in lines]
    assert words == [
        (("3.97", "bin", "pip"), ["install", "--quiet"]),
        (("3.97", "bin", "python"), ["-m", "pytest"]),
        (("3.99", "bin", "pip"), ["install", "--quiet"]),
        (("3.99", "bin", "python"), ["-m", "pytest"]),
    ]


def test_one_that_fails_does_not_stop_the_others_and_fails_the_run(tmp_path: Path) -> None:
    good, bad = (STARTS.format(log=tmp_path / "log", code=code) for code in (0, 1))
    code, is_told, lines = ran(tmp_path, "3.97", "3.99", _97=bad, _99=good)
    assert (code, is_told.split()) == (1, ["failed", "with", "Python", "3.97"])
    assert len(lines) == 4


@pytest.mark.parametrize("wanted", ["3.98", "3.9"])
def test_without_a_python_that_is_supported_and_starts_nothing_has_passed(
    wanted: str, tmp_path: Path
) -> None:
    code, is_told, lines = ran(
        tmp_path,
        wanted,
        _98="#!/bin/sh\nexit 127\n",
        _9=STARTS.format(log=tmp_path / "log", code=0),
    )
    assert (code, lines) == (1, [])
    assert f"expected {wanted}" in is_told
