"""A plugin for pytest that judges reference packs: every judged figure is an item.

    pytest --reconcile reference_matches            or in the ini file:  reconcile_packs = reference_matches

Without one of these it does nothing. A pack's manifests are collected as files, the figures of a match as items below what judges
them and the player; a match is judged when its first item runs, once in every process that runs one. Importing this module costs
nothing that pytest has not paid already.
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
"""Under this name a worker of pytest-xdist hands over what only the whole run can tell."""


class ToleranceWarning(UserWarning):
    """A figure is out of a tolerance of level `warn`. An error with `-W error::reconcile.pytest_plugin.ToleranceWarning`."""


# -- asking for it ------------------------------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options; none of them does anything without a pack."""
    group = parser.getgroup("reconcile", "reference packs of backgammon matches")
    add = group.addoption
    add("--reconcile", action="append", default=[], metavar="PACK", dest="reconcile_packs", help="Judge the reference matches of a folder.")
    add("--reconcile-tolerances", metavar="FILE", help="File of tolerance tables; by default the one that comes with reconcile.")
    add("--reconcile-candidate", action="append", default=[], metavar="FILE", help="What a program under test says of the matches.")
    add("--reconcile-strict", action="store_true", help="Incomplete figures and what is not compared fail, instead of being skipped.")
    parser.addini("reconcile_packs", "Folders of reference matches to judge in every run.", type="paths", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and the session where a pack was asked for."""
    config.addinivalue_line(
        "markers", "reconcile(match, suite, player, metric, tool): a judged figure of a reference match; made by --reconcile PACK"
    )
    asked = [Path(config.invocation_params.dir, path).resolve() for path in config.getoption("reconcile_packs")]
    always = [Path(path).resolve() for path in config.getini("reconcile_packs")]
    packs = list(dict.fromkeys((*asked, *always)))
    if not packs:
        given = [name for name in ("candidate", "tolerances", "strict") if config.getoption(f"reconcile_{name}")]
        if given:
            raise pytest.UsageError(f"--reconcile-{given[0]} needs a pack: --reconcile PACK, or reconcile_packs in the ini file")
        return
    from reconcile.report.ci.pytest_run import Judged

    judged = Judged(
        manifests={manifest.resolve(): pack for pack in packs for manifest in _manifests(pack)},
        tolerances_file=config.getoption("reconcile_tolerances"),
        candidates=tuple(str(Path(config.invocation_params.dir, path)) for path in config.getoption("reconcile_candidate")),
    )
    session = Session(tuple(packs), judged, config.getoption("reconcile_strict"))
    config.pluginmanager.register(session, "reconcile-session")
    # What is of level warn stays a warning where a project makes errors of all others; the command line can still say otherwise.
    config.addinivalue_line("filterwarnings", f"default::{ToleranceWarning.__module__}.{ToleranceWarning.__qualname__}")
    # As pytest has it with `testpaths`: what the ini file names is left out where the command line names something.
    wanted = asked if config.args_source is pytest.Config.ArgsSource.ARGS else packs
    named = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    for manifest, pack in judged.manifests.items():
        # Where the command line names a part of a pack, that part is meant and not the whole.
        if pack in wanted and not any(path.is_relative_to(pack) for path in named):
            config.args.append(str(manifest))


def _manifests(pack: Path) -> list[Path]:
    """The manifests of a pack, or of a single match. Raises `UsageError`."""
    found = [pack / MANIFEST] if (pack / MANIFEST).is_file() else sorted(pack.glob(f"*/{MANIFEST}"))
    if not found:
        what = f"a folder of reference matches, each with a {MANIFEST}"
        raise pytest.UsageError(f"--reconcile {pack}: expected {what}, found {'none' if pack.exists() else 'nothing there'}")
    return found


# -- collecting ---------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Session:
    """The packs of a run, and what is judged of them."""

    packs: tuple[Path, ...]
    judged: Judged
    strict: bool

    def pytest_report_header(self) -> str:
        """The packs."""
        return f"reconcile: {', '.join(pack.name for pack in self.packs)}"

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> ManifestFile | None:
        """The manifests of the packs; a file of that name elsewhere is none of our business."""
        if file_path.name != MANIFEST or file_path.resolve() not in self.judged.manifests:
            return None
        file: ManifestFile = ManifestFile.from_parent(parent, path=file_path, run=self)
        return file

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """A pack that lies below what is collected anyway is collected once."""
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
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """A figure that is skipped is so because of its match, and not of a line of this module."""
        report = yield
        if isinstance(item, FigureItem) and isinstance(report.longrepr, tuple):
            report.longrepr = (str(item.path), self.judged.line(item.planned.place.keys[:2], item.path), report.longrepr[2])
        return report

    # -- telling --------------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Look for what nothing used, where whole packs were collected; a worker hands it to its controller."""
        for pack in self.packs:
            paths = [path for path, home in self.judged.manifests.items() if home == pack]
            if all(path in self.judged.planned for path in paths):
                self.judged.notes |= set(self.judged.unused(paths))
        handed: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if handed is not None:
            handed[NOTES] = sorted(self.judged.notes)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker of pytest-xdist is done."""
        self.judged.notes |= set(getattr(node, "workeroutput", {}).get(NOTES, ()))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """What nothing used."""
        if self.judged.notes:
            terminalreporter.write_sep("=", "reconcile: figures and exceptions that nothing used")
            for note in sorted(self.judged.notes):
                terminalreporter.write_line(note)


class ManifestFile(pytest.File):
    """A reference match."""

    def __init__(self, *, run: Session, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.run = run
        self.add_marker("reconcile")

    def collect(self) -> Iterator[Group]:
        """What judges it."""
        from reconcile.errors import ReconcileError

        try:
            planned = self.run.judged.plan(self.path)
        except ReconcileError as error:
            raise self.CollectError(" ".join(str(error).split())) from None
        for name, parts in _grouped(planned, lambda one: one.suite):
            yield Group.from_parent(self, name=name, planned=parts)


class Group(pytest.Collector):
    """What is judged together; below it, each player's figures."""

    def __init__(self, *, planned: Sequence[Planned], of_player: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.planned, self.of_player = planned, of_player

    def collect(self) -> Iterator[Group | FigureItem]:
        """The players, or the figures of one; of a part that cannot be looked at, that it is not compared."""
        if self.of_player:
            for name, (one, *_) in _grouped(self.planned, lambda one: one.metric):
                yield FigureItem.from_parent(self, name=name, planned=one)
            return
        for name, parts in _grouped(self.planned, lambda one: one.player):
            if parts[0].name:
                yield Group.from_parent(self, name=name, planned=parts, of_player=True)
            else:
                yield FigureItem.from_parent(self, name="not compared", planned=parts[0])


def _grouped(planned: Iterable[Planned], key: Callable[[Planned], str]) -> Iterator[tuple[str, list[Planned]]]:
    """In the order of the first of each, under names that can stand in a node id."""
    groups: dict[str, list[Planned]] = {}
    for one in planned:
        groups.setdefault(key(one), []).append(one)
    taken: set[str] = set()
    for name, parts in groups.items():
        shown = start = "".join(c if c.isprintable() else "?" for c in name.replace("::", ":")) or "?"
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
            facts = {"match": planned.match, "suite": planned.suite, "player": planned.player, "metric": planned.metric, "tool": tool}
            self.add_marker(pytest.mark.reconcile(**facts))
        self.extra_keyword_matches |= {planned.match, *planned.tools}

    @property
    def file(self) -> ManifestFile:
        """The manifest."""
        found = self.getparent(ManifestFile)
        assert found is not None
        return found

    def runtest(self) -> None:
        """Judge it: fails with the verdict line and the steps of the gap, without a traceback of ours."""
        outcome = self.file.run.judged.outcome(self.path, self.planned)
        self.user_properties += outcome.facts
        if outcome.word == "failed" or (outcome.word in ("incomplete", "not compared") and self.file.run.strict):
            pytest.fail(f"{outcome.text}\n{self._where()}", pytrace=False)
        if outcome.word in ("incomplete", "not compared"):
            pytest.skip(outcome.text)
        if outcome.word == "warned":
            warnings.warn(ToleranceWarning(outcome.text), stacklevel=2)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the manifest says that this is judged."""
        return self.path, None, self.name

    def _where(self) -> str:
        place = self.planned.place
        return f"{place.path.name}:{self.file.run.judged.line(place.keys, place.path)} in {self.planned.match}"


# -- for tests of one's own ---------------------------------------------------------------------------------------------


@pytest.fixture
def reconcile_compare() -> Callable[..., Comparison]:
    """Compare two files of a match: `reconcile_compare(left, right, table="documented")` gives the comparison.

    Fails with the verdict and the bridges where a figure is out of tolerance. Takes what `reconcile.compare` takes.
    """

    def check(left: str | Path, right: str | Path, *, strict: bool = False, fail_on: str = "error", **options: Any) -> Comparison:
        __tracebackhide__ = True
        from reconcile.adapters import load_match
        from reconcile.errors import ReconcileError
        from reconcile.gap.comparison import compare
        from reconcile.report.text.comparison import comparison_text

        try:
            result = compare(load_match(left), load_match(right), **options)
        except ReconcileError as error:
            pytest.fail(str(error), pytrace=False)
        if result.exit_code(strict=strict, fail_on=fail_on):
            pytest.fail(comparison_text(result), pytrace=False)
        return result

    return check
