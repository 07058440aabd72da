"""A pytest plugin that judges reference packs: every reference match is a test item."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from reconcile.gap.comparison import Comparison

MANIFESTS = pytest.StashKey[frozenset[Path]]()
OPTIONS = "--reconcile-candidate", "--reconcile-candidate-command", "--reconcile-strict"
COMMAND = "Command of a program under test, run for every match; {file} is its file."


class ToleranceWarning(UserWarning):
    """What is wrong with a match and does not fail, such as a figure of level `warn`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options; without a pack none of them has an effect."""
    add = parser.getgroup("reconcile", "reference packs of backgammon matches").addoption
    many: dict[str, Any] = {"action": "append", "default": []}
    add("--reconcile", metavar="PACK", help="Judge the reference matches of a folder.", **many)
    add(OPTIONS[0], metavar="FILE", help="Output of a program under test.", **many)
    add(OPTIONS[1], metavar="COMMAND", help=COMMAND)
    add(OPTIONS[2], action="store_true", help="What cannot be judged, or is missing, fails.")
    parser.addini("reconcile_packs", "Packs to judge in every run.", type="paths", default=[])
    parser.addini("reconcile_candidate_command", COMMAND, default=None)


def pytest_configure(config: pytest.Config) -> None:
    """Have the manifests of packs collected. Raises `UsageError`."""
    config.addinivalue_line("markers", "reconcile: a reference match; made by --reconcile PACK")
    config.addinivalue_line("filterwarnings", f"default::{__name__}.ToleranceWarning")
    asked = [config.invocation_params.dir / path for path in config.getoption("--reconcile")]
    packs = [*asked, *config.getini("reconcile_packs")]
    if not packs:
        if any(map(config.getoption, OPTIONS)):
            raise pytest.UsageError(f"{', '.join(OPTIONS)}: expected --reconcile PACK too")
        return
    from reconcile.errors import InvalidConfiguration
    from reconcile.gate.manifest import manifests_of

    try:
        manifests = [(path, pack) for pack in packs for path in manifests_of(pack)]
    except InvalidConfiguration as error:
        raise pytest.UsageError(f"--reconcile: {error}") from None
    config.stash[MANIFESTS] = frozenset(path.resolve() for path, _ in manifests)
    # As `testpaths`, packs of the ini file are not for a command that names anything.
    wanted = asked if config.args_source is pytest.Config.ArgsSource.ARGS else packs
    named = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    for path, pack in manifests:
        if pack in wanted and not any(part.is_relative_to(pack.resolve()) for part in named):
            config.args.append(str(path))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ManifestFile | None:
    """The manifests of the packs; files of that name elsewhere are ignored."""
    is_ours = file_path.resolve() in parent.config.stash.get(MANIFESTS, ())
    return ManifestFile.from_parent(parent, path=file_path) if is_ours else None


class ManifestFile(pytest.File):
    """The manifest of a reference match."""

    def collect(self) -> Iterator[MatchItem]:
        """The match."""
        match: MatchItem = MatchItem.from_parent(self, name=self.path.parent.name)
        match.add_marker("reconcile")
        yield match


class MatchItem(pytest.Item):
    """A reference match."""

    def runtest(self) -> None:
        """Judge it; it fails with what `validate` prints of it."""
        from reconcile.errors import NothingToCompare, ReconcileError
        from reconcile.gate.validate import validate
        from reconcile.report.forms import in_form
        from reconcile.wording import printable

        files, command, strict = map(self.config.getoption, OPTIONS)
        files = [self.config.invocation_params.dir / path for path in files]
        command = command or self.config.getini("reconcile_candidate_command")
        try:
            result = validate(self.path.parent, candidates=files, command=command, part=True)
        except ReconcileError as error:
            if isinstance(error, NothingToCompare) and not strict:
                pytest.skip(printable(str(error)))
            pytest.fail(printable(str(error)), pytrace=False)
        text = printable(in_form(result, "text"))
        if result.exit_code(strict=strict) or not all(part.player for part in result.missing):
            pytest.fail(text, pytrace=False)
        if result.exit_code(strict=True, fail_on="warn"):
            warnings.warn(ToleranceWarning(text), stacklevel=1)


@pytest.fixture
def reconcile_compare() -> Callable[..., Comparison]:
    """`reconcile.compare`; fails with the gap where a figure is out of tolerance."""
    from reconcile.formats import load_match
    from reconcile.gap.comparison import compare
    from reconcile.report.forms import in_form

    def compared(left: str | Path, right: str | Path, **options: Any) -> Comparison:
        judge = {key: options.pop(key) for key in ("strict", "fail_on") if key in options}
        result = compare(load_match(left), load_match(right), **options)
        if result.exit_code(**judge):
            pytest.fail(in_form(result, "text"), pytrace=False)
        return result

    return compared
