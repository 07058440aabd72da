"""The image for programs that are not in Python, by what its users rely on. It is not built here;
`.ci/run` has its linter read it."""

import re
import tomllib

import pytest

from reconcile.engines.gnubg import FOLDERS
from reconcile.files.bundled import CACHE_VARIABLE
from tests.support.data import PROJECT

DOCKERFILE = PROJECT / "Dockerfile"

if not DOCKERFILE.is_file():
    pytest.skip("the image is not part of an unpacked archive", allow_module_level=True)

TEXT = re.sub(r"(?m)^#.*\n|\\\n\s*", "", DOCKERFILE.read_text("utf-8"))
LAST_STAGE = TEXT[TEXT.rindex("\nFROM") :]
INSTALLED = r"install --yes --no-install-recommends (.*?) && rm -rf /var/lib/apt/lists/\*"


def words_after(pattern):
    """The words behind every place of a pattern, to the end of its line."""
    return [word for rest in re.findall(f"(?m){pattern}(.*)$", TEXT) for word in rest.split()]


def test_it_runs_without_rights_and_begins_with_the_command():
    before, user, after = LAST_STAGE.partition("\nUSER 65532:65532\n")
    assert user
    assert re.findall(r"(?m)^(?:RUN|COPY|USER)", after) == []
    assert after.startswith('ENTRYPOINT ["reconcile"]\n')
    assert "\nWORKDIR /work" in before
    assert not re.search(r"chmod|sudo|setuid", TEXT)


def test_programs_come_from_debian_and_packages_from_the_lock():
    packages = " ".join(re.findall(INSTALLED, TEXT)).split()
    installed = dict(word.split("=") for word in packages)
    assert len(re.findall("apt-get install", TEXT)) == len(re.findall(INSTALLED, TEXT))
    assert set(installed) == {"gnubg", "python3", "python3-venv"}
    assert installed["gnubg"] == "1.07.001-*", "the version that the rules of gnuBG are of"
    locked, own = re.findall(r"(?m)pip install (.*)$", TEXT)
    assert "--require-hashes --requirement .ci/action.txt" in locked
    assert own.endswith("--no-deps --no-build-isolation .")


def test_environment_serves_a_user_without_a_home_and_leaves_the_candidate_its_own():
    variables = dict(word.split("=", 1) for word in words_after("^ENV "))
    assert "\nENV " in LAST_STAGE
    assert variables["HOME"] == "/tmp"
    assert variables[CACHE_VARIABLE].startswith("/tmp/")
    path = variables["PATH"].split(":")
    assert (FOLDERS[0] in path, "/usr/local/lib/reconcile/bin" in path) == (True, False)
    assert not [name for name in variables if name.startswith("PYTHON")]


def test_everything_that_is_copied_is_there_and_the_build_is_given_nothing_else():
    copied = {
        name for words in re.findall(r"(?m)^COPY ([^-].*) \S+$", TEXT) for name in words.split()
    }
    assert [name for name in copied if not (PROJECT / name).exists()] == []
    hatch = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]
    wheel, hook = hatch["build"]["targets"]["wheel"], hatch["metadata"]["hooks"]["custom"]["path"]
    assert {hook, *wheel["packages"], *wheel["force-include"]} <= copied
    text = (PROJECT / ".dockerignore").read_text("utf-8")
    assert re.findall(r"(?m)^[^#\n].*", text)[0] == "*"
    assert set(re.findall(r"(?m)^!(.*)", text)) == copied
