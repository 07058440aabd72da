"""A pytest plugin that judges reference packs: every reference match is a test item.

    pytest --reconcile reference_matches    or in the ini file:  reconcile_packs = reference_matches

Without one of these it does nothing. A pack's manifests are collected as files, a match as their
one item, which is judged when it runs and fails with the figures that are out of tolerance.
Importing this module loads nothing that pytest has not loaded already.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from reconcile.gap.comparison import Comparison
    from reconcile.gate.pack_results import PackResult

MANIFEST: Final = "match.yaml"
GIVEN: Final = "reconcile_given"
"""Key under which a pytest-xdist worker passes on which figures a program gave."""


class ToleranceWarning(UserWarning):
    """A figure is out of a tolerance of level `warn`, or a program's figures show a mistake.

    An error with `-W error::reconcile.pytest_plugin.ToleranceWarning`.
    """


# -- asking for it --------------------------------------------------------------------------------


OPTIONS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    (
        "--reconcile",
        {
            "action": "append",
            "default": [],
            "metavar": "PACK",
            "dest": "reconcile_packs",
            "help": "Judge the reference matches of a folder.",
        },
    ),
    (
        "--reconcile-tolerances",
        {
            "metavar": "FILE",
            "help": "File of tolerance tables (default: the one bundled with reconcile).",
        },
    ),
    (
        "--reconcile-candidate",
        {
            "action": "append",
            "default": [],
            "metavar": "FILE",
            "help": "Output of a program under test for the matches.",
        },
    ),
    (
        "--reconcile-candidate-command",
        {
            "metavar": "CMD",
            "help": "Command of a program under test, run for every match; {file} is its file.",
        },
    ),
    (
        "--reconcile-candidate-timeout",
        {
            "type": float,
            "metavar": "SECONDS",
            "help": "Time limit for one run (default: 60).",
        },
    ),
    (
        "--reconcile-candidate-table",
        {"metavar": "ID", "help": "Tolerance table for the candidate figures."},
    ),
    (
        "--reconcile-candidate-rules",
        {
            "metavar": "RULES",
            "help": "Rule set of the reference figures, by name or as a YAML file.",
        },
    ),
    (
        "--reconcile-strict",
        {
            "action": "store_true",
            "help": "Open, incomplete, unjudged and missing figures, parts not compared and named "
            "mistakes fail.",
        },
    ),
)
SETTINGS: Final = {
    "reconcile_tolerances": "File of tolerance tables, as --reconcile-tolerances.",
    "reconcile_candidate_command": (
        "Command of a program under test, as --reconcile-candidate-command."
    ),
    "reconcile_candidate_table": "Its tolerance table, as --reconcile-candidate-table.",
}
"""Of the ini file."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options; without a pack none of them has an effect."""
    group = parser.getgroup("reconcile", "reference packs of backgammon matches")
    for name, facts in OPTIONS:
        group.addoption(name, **facts)
    packs = "Folders of reference matches to judge in every run."
    parser.addini("reconcile_packs", packs, type="paths", default=[])
    for name, page in SETTINGS.items():
        parser.addini(name, page, type="string", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker and, if there is a pack, the session."""
    marker = "reconcile(match): a reference match; made by --reconcile PACK"
    config.addinivalue_line("markers", marker)
    start = config.invocation_params.dir
    asked = [Path(start, path).resolve() for path in config.getoption("reconcile_packs")]
    always = [Path(path).resolve() for path in config.getini("reconcile_packs")]
    packs = list(dict.fromkeys((*asked, *always)))
    if not packs:
        for option, _ in OPTIONS[1:]:
            if config.getoption(option):
                remedy = "--reconcile PACK, or reconcile_packs in the ini file"
                raise pytest.UsageError(f"{option} needs a pack: {remedy}")
        return
    session = Session(
        manifests={manifest.resolve(): pack for pack in packs for manifest in _manifests(pack)},
        tolerances=config.getoption("reconcile_tolerances")
        or _beside(config, config.getini("reconcile_tolerances")),
        options=_program(config),
        strict=config.getoption("reconcile_strict"),
    )
    config.pluginmanager.register(session, "reconcile-session")
    # Warnings stay warnings if the project makes errors of them; the command line can override.
    kind = f"{ToleranceWarning.__module__}.{ToleranceWarning.__qualname__}"
    config.addinivalue_line("filterwarnings", f"default::{kind}")
    # As with `testpaths`, packs in the ini file are ignored if the command line names anything.
    wanted = asked if config.args_source is pytest.Config.ArgsSource.ARGS else packs
    named = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    for manifest, pack in session.manifests.items():
        # If the command line names a part of a pack, only that part is meant.
        if pack in wanted and not any(path.is_relative_to(pack) for path in named):
            config.args.append(str(manifest))


def _program(config: pytest.Config) -> dict[str, Any]:
    """The program under test, as `validate` takes it."""
    start = config.invocation_params.dir
    files = config.getoption("reconcile_candidate")
    program = {
        "candidates": [str(Path(start, path)) for path in files],
        "command": _setting(config, "candidate_command"),
        "candidate_table": _setting(config, "candidate_table"),
        "candidate_rules": config.getoption("reconcile_candidate_rules") or None,
    }
    if timeout := config.getoption("reconcile_candidate_timeout"):
        program["command_timeout"] = timeout
    return program


def _setting(config: pytest.Config, name: str) -> str | None:
    return config.getoption(f"reconcile_{name}") or config.getini(f"reconcile_{name}") or None


def _beside(config: pytest.Config, name: str) -> str | None:
    """A file that the configuration names, which is relative to the configuration."""
    return str((config.inipath or config.rootpath / "ini").parent / name) if name else None


def _manifests(pack: Path) -> list[Path]:
    """The manifests of a pack, or of a single match. Raises `UsageError`."""
    single = pack / MANIFEST
    manifests = [single] if single.is_file() else sorted(pack.glob(f"*/{MANIFEST}"))
    if not manifests:
        expected = f"expected a folder of reference matches, each with a {MANIFEST}"
        absent = "none" if pack.exists() else "nothing there"
        raise pytest.UsageError(f"--reconcile {pack}: {expected}, found {absent}")
    return manifests


# -- judging --------------------------------------------------------------------------------------


@dataclass(eq=False)
class Session:
    """The packs of a run, and how a match is judged."""

    manifests: dict[Path, Path]
    """Every manifest, and its pack."""
    tolerances: str | None
    options: dict[str, Any]
    """Of `reconcile.gate.validate.validate`."""
    strict: bool
    given_figures: list[list[Any]] = field(default_factory=list)
    """What programs under test gave of every match that was judged, as `GivenFigure` has it."""

    def pytest_report_header(self) -> str:
        """The packs."""
        names = dict.fromkeys(pack.name for pack in self.manifests.values())
        return f"reconcile: {', '.join(names)}"

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> ManifestFile | None:
        """The manifests of the packs; files of that name elsewhere are ignored."""
        if file_path.name != MANIFEST or file_path.resolve() not in self.manifests:
            return None
        manifest: ManifestFile = ManifestFile.from_parent(parent, path=file_path, run=self)
        return manifest

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """A pack inside a folder that is collected anyway is collected only once."""
        first: dict[object, pytest.Item] = {}
        for item in items:
            first.setdefault(item.path.resolve() if isinstance(item, MatchItem) else item, item)
        items[:] = first.values()

    def judge(self, folder: Path) -> PackResult:
        """The result of one match. Raises `ReconcileError`."""
        from reconcile.gap.tolerances import load_tolerances
        from reconcile.gate.validate import validate

        result = validate(folder, load_tolerances(self.tolerances), **self.options, part=True)
        self.given_figures += map(list, result.given_figures)
        return result

    def missing(self) -> list[str]:
        """What a program gives of one match and not of another, in words."""
        from reconcile.gate.candidates.missing import GivenFigure, missing_between, missing_lines

        return list(
            missing_lines(missing_between([GivenFigure(*row) for row in self.given_figures]))
        )

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Pass on what was given to pytest-xdist; with `strict` what is missing fails the run."""
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[GIVEN] = json.dumps(self.given_figures)
        elif self.strict and self.given_figures and not session.exitstatus and self.missing():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A pytest-xdist worker is done."""
        self.given_figures += json.loads(getattr(node, "workeroutput", {}).get(GIVEN, "[]"))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List what is missing between matches."""
        lines = self.missing() if self.given_figures else []
        if lines:
            terminalreporter.write_sep("=", "reconcile: missing figures")
            for line in lines:
                terminalreporter.write_line(line)


class ManifestFile(pytest.File):
    """The manifest of a reference match."""

    def __init__(self, *, run: Session, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.run = run

    def collect(self) -> Iterator[MatchItem]:
        """The match."""
        yield MatchItem.from_parent(self, name=self.path.parent.name, run=self.run)


class MatchItem(pytest.Item):
    """A reference match."""

    def __init__(self, *, run: Session, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.run = run
        self.add_marker(pytest.mark.reconcile(match=self.name))

    def runtest(self) -> None:
        """Judge it: fails with a line for every figure and the steps of its gap."""
        from reconcile.errors import NothingToCompare, ReconcileError
        from reconcile.report.text.pack import match_lines
        from reconcile.wording import printable

        try:
            result = self.run.judge(self.path.parent)
        except NothingToCompare as error:
            if self.run.strict:
                pytest.fail(printable(str(error)), pytrace=False)
            raise pytest.skip.Exception(printable(str(error)), _use_item_location=True) from None
        except ReconcileError as error:
            pytest.fail(printable(" ".join(str(error).split())), pytrace=False)
        summary = result.summary
        self.user_properties += [
            (word, getattr(summary, word))
            for word in ("within", "outside", "open", "incomplete", "missing")
        ]
        text = printable("\n".join(match_lines(result)))
        if result.exit_code(strict=self.run.strict):
            pytest.fail(f"{self.name}: {text}", pytrace=False)
        if text:
            warnings.warn(ToleranceWarning(f"{self.name}: {text}"), stacklevel=2)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The manifest."""
        return self.path, 0, self.name


# -- for your own tests ---------------------------------------------------------------------------


@pytest.fixture
def reconcile_compare() -> Callable[..., Comparison]:
    """Compare two files of a match: `reconcile_compare(left, right, table="documented")`.

    Fails with the verdict and the bridges if a figure is out of tolerance. Takes the arguments of
    `reconcile.compare` and returns the comparison.
    """

    def check(
        left: str | Path,
        right: str | Path,
        *,
        strict: bool = False,
        fail_on: str = "error",
        **options: Any,
    ) -> Comparison:
        __tracebackhide__ = True
        from reconcile.errors import ReconcileError
        from reconcile.formats import load_match
        from reconcile.gap.comparison import compare
        from reconcile.report.forms import in_form
        from reconcile.wording import printable

        try:
            result = compare(load_match(left), load_match(right), **options)
        except ReconcileError as error:
            pytest.fail(printable(str(error)), pytrace=False)
        if result.exit_code(strict=strict, fail_on=fail_on):
            pytest.fail(printable(in_form(result, "text")), pytrace=False)
        return result

    return check
