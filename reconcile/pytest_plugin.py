"""A pytest plugin that judges reference packs: every judged figure is a test item.

    pytest --reconcile reference_matches            or in the ini file:  reconcile_packs = reference_matches

Without one of these it does nothing. A pack's manifests are collected as files, the figures of a match as items grouped by suite and
player; a match is judged when its first item runs, once in every process that runs one. Importing this module loads nothing that
pytest has not loaded already.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from reconcile.gap.comparison import Comparison
    from reconcile.gate.planned import Planned
    from reconcile.report.ci.pytest_run import Judged

MANIFEST: Final = "match.yaml"
NOTES: Final = "reconcile_notes"
"""Key under which a pytest-xdist worker passes on what only the whole run can report."""


class ToleranceWarning(UserWarning):
    """A figure is out of a tolerance of level `warn`, or the figures of a program show a mistake.

    An error with `-W error::reconcile.pytest_plugin.ToleranceWarning`.
    """


# -- asking for it ------------------------------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options; without a pack none of them has an effect."""
    group = parser.getgroup("reconcile", "reference packs of backgammon matches")
    add = group.addoption
    add(
        "--reconcile",
        action="append",
        default=[],
        metavar="PACK",
        dest="reconcile_packs",
        help="Judge the reference matches of a folder.",
    )
    add(
        "--reconcile-tolerances",
        metavar="FILE",
        help="File of tolerance tables (default: the one bundled with reconcile).",
    )
    add(
        "--reconcile-candidate",
        action="append",
        default=[],
        metavar="FILE",
        help="Output of a program under test for the matches.",
    )
    add(
        "--reconcile-candidate-command",
        metavar="CMD",
        help="Command of a program under test, run for every match; {file} is its file.",
    )
    add(
        "--reconcile-candidate-timeout",
        type=float,
        metavar="SECONDS",
        help="Time limit for one run (default: 60).",
    )
    add(
        "--reconcile-candidate-table",
        metavar="ID",
        help="Tolerance table for the candidate figures.",
    )
    add(
        "--reconcile-candidate-rules",
        metavar="RULES",
        help="Rule set of the reference figures, by name or as a YAML file.",
    )
    add(
        "--reconcile-strict",
        action="store_true",
        help="Incomplete figures, parts not compared and mistakes that a diagnosis names fail.",
    )
    parser.addini(
        "reconcile_packs",
        "Folders of reference matches to judge in every run.",
        type="paths",
        default=[],
    )
    parser.addini(
        "reconcile_tolerances",
        "File of tolerance tables, as --reconcile-tolerances.",
        type="string",
        default="",
    )
    parser.addini(
        "reconcile_candidate_command",
        "Command of a program under test, as --reconcile-candidate-command.",
        type="string",
        default="",
    )
    parser.addini(
        "reconcile_candidate_table",
        "Its tolerance table, as --reconcile-candidate-table.",
        type="string",
        default="",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker and, if there is a pack, the session."""
    config.addinivalue_line(
        "markers",
        "reconcile(match, suite, player, metric, tool): a judged figure of a reference match; made by --reconcile PACK",
    )
    asked = [
        Path(config.invocation_params.dir, path).resolve()
        for path in config.getoption("reconcile_packs")
    ]
    always = [Path(path).resolve() for path in config.getini("reconcile_packs")]
    packs = list(dict.fromkeys((*asked, *always)))
    if not packs:
        options = (
            "candidate",
            "candidate_command",
            "candidate_timeout",
            "candidate_table",
            "candidate_rules",
            "tolerances",
            "strict",
        )
        given = [name for name in options if config.getoption(f"reconcile_{name}")]
        if given:
            raise pytest.UsageError(
                f"--reconcile-{given[0].replace('_', '-')} needs a pack: --reconcile PACK, or reconcile_packs in the ini file"
            )
        return
    from reconcile.gate.candidates.command import TIMEOUT
    from reconcile.report.ci.pytest_run import Judged

    judged = Judged(
        manifests={manifest.resolve(): pack for pack in packs for manifest in _manifests(pack)},
        tolerances_file=config.getoption("reconcile_tolerances")
        or _beside(config, config.getini("reconcile_tolerances")),
        candidates=tuple(
            str(Path(config.invocation_params.dir, path))
            for path in config.getoption("reconcile_candidate")
        ),
        command=config.getoption("reconcile_candidate_command")
        or config.getini("reconcile_candidate_command")
        or None,
        timeout=config.getoption("reconcile_candidate_timeout") or TIMEOUT,
        candidate_table=config.getoption("reconcile_candidate_table")
        or config.getini("reconcile_candidate_table")
        or None,
        candidate_rules=config.getoption("reconcile_candidate_rules") or None,
    )
    session = Session(tuple(packs), judged, config.getoption("reconcile_strict"))
    config.pluginmanager.register(session, "reconcile-session")
    # Figures of level warn stay warnings even if the project turns warnings into errors; the command line can override this.
    config.addinivalue_line(
        "filterwarnings", f"default::{ToleranceWarning.__module__}.{ToleranceWarning.__qualname__}"
    )
    # As with pytest's `testpaths`, packs in the ini file are ignored if the command line names anything.
    wanted = asked if config.args_source is pytest.Config.ArgsSource.ARGS else packs
    named = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    for manifest, pack in judged.manifests.items():
        # If the command line names a part of a pack, only that part is meant.
        if pack in wanted and not any(path.is_relative_to(pack) for path in named):
            config.args.append(str(manifest))


def _beside(config: pytest.Config, name: str) -> str | None:
    """A file that the configuration names, which is relative to the configuration."""
    return str((config.inipath or config.rootpath / "ini").parent / name) if name else None


def _manifests(pack: Path) -> list[Path]:
    """The manifests of a pack, or of a single match. Raises `UsageError`."""
    found = [pack / MANIFEST] if (pack / MANIFEST).is_file() else sorted(pack.glob(f"*/{MANIFEST}"))
    if not found:
        what = f"a folder of reference matches, each with a {MANIFEST}"
        raise pytest.UsageError(
            f"--reconcile {pack}: expected {what}, found {'none' if pack.exists() else 'nothing there'}"
        )
    return found


# -- collecting ---------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Session:
    """The packs of a run and their judged figures."""

    packs: tuple[Path, ...]
    judged: Judged
    strict: bool

    def pytest_report_header(self) -> str:
        """The packs."""
        return f"reconcile: {', '.join(pack.name for pack in self.packs)}"

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> ManifestFile | None:
        """The manifests of the packs; files of that name elsewhere are ignored."""
        if file_path.name != MANIFEST or file_path.resolve() not in self.judged.manifests:
            return None
        file: ManifestFile = ManifestFile.from_parent(parent, path=file_path, run=self)
        return file

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """A pack inside a folder that is collected anyway is collected only once."""
        seen: set[tuple[Path, Planned]] = set()
        kept = []
        for item in items:
            if isinstance(item, FigureItem):
                figure = item.path.resolve(), item.planned
                if figure in seen:
                    continue
                seen.add(figure)
            kept.append(item)
        items[:] = kept

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Report a skipped figure at its match, not at a line of this module."""
        report = yield
        if isinstance(item, FigureItem) and isinstance(report.longrepr, tuple):
            report.longrepr = (
                str(item.path),
                self.judged.line(item.planned.place.keys[:2], item.path),
                report.longrepr[2],
            )
        return report

    # -- reporting ------------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Find unused figures and exceptions if whole packs were collected; a worker passes them to its controller."""
        for pack in self.packs:
            paths = [path for path, home in self.judged.manifests.items() if home == pack]
            if all(path in self.judged.planned for path in paths):
                self.judged.notes |= set(self.judged.unused(paths))
        handed: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if handed is not None:
            handed[NOTES] = sorted(self.judged.notes)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A pytest-xdist worker is done."""
        self.judged.notes |= set(getattr(node, "workeroutput", {}).get(NOTES, ()))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List the unused figures and exceptions."""
        if self.judged.notes:
            terminalreporter.write_sep("=", "reconcile: unused figures and exceptions")
            for note in sorted(self.judged.notes):
                terminalreporter.write_line(note)


class ManifestFile(pytest.File):
    """A reference match."""

    def __init__(self, *, run: Session, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.run = run
        self.add_marker("reconcile")

    def collect(self) -> Iterator[Group]:
        """The suites that judge it."""
        from reconcile.errors import ReconcileError

        try:
            planned = self.run.judged.plan(self.path)
        except ReconcileError as error:
            raise self.CollectError(" ".join(str(error).split())) from None
        for name, parts in _grouped(planned, lambda one: one.suite):
            yield Group.from_parent(self, name=name, planned=parts)


class Group(pytest.Collector):
    """A suite: figures judged together, grouped by player."""

    def __init__(
        self, *, planned: Sequence[Planned], of_player: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.planned, self.of_player = planned, of_player

    def collect(self) -> Iterator[Group | FigureItem]:
        """The players, or one player's figures; for a part that cannot be read, an item that says so."""
        if self.of_player:
            for name, (one, *_) in _grouped(self.planned, lambda one: one.metric):
                yield FigureItem.from_parent(self, name=name, planned=one)
            return
        for name, parts in _grouped(self.planned, lambda one: one.player):
            if parts[0].name:
                yield Group.from_parent(self, name=name, planned=parts, of_player=True)
            else:
                name = "diagnosis" if parts[0].kind == "diagnosis" else "not compared"
                yield FigureItem.from_parent(self, name=name, planned=parts[0])


def _grouped(
    planned: Iterable[Planned], key: Callable[[Planned], str]
) -> Iterator[tuple[str, list[Planned]]]:
    """Grouped in order of first appearance, with names that are valid in a node id."""
    groups: dict[str, list[Planned]] = {}
    for one in planned:
        groups.setdefault(key(one), []).append(one)
    taken: set[str] = set()
    for name, parts in groups.items():
        shown = start = (
            "".join(c if c.isprintable() else "?" for c in name.replace("::", ":")) or "?"
        )
        while shown in taken:
            shown = f"{start} ({len(taken) + 1})"
        taken.add(shown)
        yield shown, parts


# -- running ------------------------------------------------------------------------------------------------------------


class FigureItem(pytest.Item):
    """One judged figure."""

    def __init__(self, *, planned: Planned, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.planned = planned
        for tool in planned.tools or ("",):
            facts = {
                "match": planned.match,
                "suite": planned.suite,
                "player": planned.player,
                "metric": planned.metric,
                "tool": tool,
            }
            self.add_marker(pytest.mark.reconcile(**facts))
        self.extra_keyword_matches |= {planned.match, *planned.tools}

    @property
    def file(self) -> ManifestFile:
        """The manifest."""
        found = self.getparent(ManifestFile)
        assert found is not None
        return found

    def runtest(self) -> None:
        """Judge it: fails with the verdict line and the steps of the gap, without a traceback."""
        outcome = self.file.run.judged.outcome(self.path, self.planned)
        self.user_properties += outcome.facts
        if outcome.word == "failed" or (
            self.file.run.strict
            and outcome.word in ("open", "mistake", "incomplete", "not compared")
        ):
            pytest.fail(f"{outcome.text}\n{self._where()}", pytrace=False)
        if outcome.word in ("incomplete", "not compared"):
            pytest.skip(outcome.text)
        if outcome.word in ("warned", "open", "mistake"):
            warnings.warn(ToleranceWarning(outcome.text), stacklevel=2)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The place in the manifest for this figure."""
        return self.path, None, self.name

    def _where(self) -> str:
        place = self.planned.place
        return f"{place.path.name}:{self.file.run.judged.line(place.keys, place.path)} in {self.planned.match}"


# -- for your own tests -------------------------------------------------------------------------------------------------


@pytest.fixture
def reconcile_compare() -> Callable[..., Comparison]:
    """Compare two files of a match: `reconcile_compare(left, right, table="documented")` returns the comparison.

    Fails with the verdict and the bridges if a figure is out of tolerance. Takes the arguments of `reconcile.compare`.
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
        from reconcile.files.wording import printable
        from reconcile.formats import load_match
        from reconcile.gap.comparison import compare
        from reconcile.report.forms import in_form

        try:
            result = compare(load_match(left), load_match(right), **options)
        except ReconcileError as error:
            pytest.fail(printable(str(error)), pytrace=False)
        if result.exit_code(strict=strict, fail_on=fail_on):
            pytest.fail(printable(in_form(result, "text")), pytrace=False)
        return result

    return check
