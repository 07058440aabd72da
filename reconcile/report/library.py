"""What the library has beside the functions of one match: results as text, pooled figures, samples,
and lists of names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from reconcile.errors import InvalidArgument, expect, expect_list
from reconcile.gap.comparison import Comparison
from reconcile.gap.review import Review
from reconcile.infer.investigation import Investigation
from reconcile.match.match import Match
from reconcile.report.forms import in_form
from reconcile.scoring.statistics import Statistics

if TYPE_CHECKING:
    from reconcile.corpus.archive import Archive
    from reconcile.gate.pack_results import PackResult
    from reconcile.scoring.pool import Pooled
    from reconcile.suite.documents import SuiteRun

Result: TypeAlias = "Statistics | Comparison | Review | Investigation | PackResult"


def _checked(result: Result) -> None:
    """Raise `InvalidArgument` for anything else."""
    from reconcile.gate.pack_results import PackResult

    expected = "a Statistics, Comparison, Review, Investigation or PackResult"
    kinds = (Statistics, Comparison, Review, Investigation, PackResult)
    expect("result", result, kinds, expected)


def to_html(result: Result) -> str:
    """The page of a match, of figures that somebody saw, or of a pack: one file that asks nobody
    for anything. Raises `InvalidArgument`."""
    _checked(result)
    from reconcile.gate.pack_results import PackResult

    if isinstance(result, PackResult):
        from reconcile.report.text.pack_pages import pack_page

        return pack_page(result)
    if isinstance(result, Statistics):
        from reconcile.gap.review import review

        rules = result.rules
        for (
            code,
            wanted,
            _,
        ) in result.scored.replaced:  # so that the page says what its file could not be asked
            rules = rules.switched(code, wanted)
        result = review(result.match, rules=rules, met=result.scored.met)
    page: str = in_form(result, "html")
    return page


def to_json(result: Result) -> str:
    """A result as the command line writes it with `--json`; docs/json.md describes every key.
    Raises `InvalidArgument`."""
    _checked(result)
    text: str = in_form(result, "json")
    return text


def pool(scored: Sequence[Statistics], aliases: str | Path | None = None) -> tuple[Pooled, ...]:
    """The figures of every player over several matches, by rule set and name; `aliases` is a file
    of name variants.

    A pooled rate is that of the sums: all that was lost by all decisions. Raises `InvalidArgument`,
    and `InvalidConfiguration` for a file of aliases with a mistake."""
    from reconcile.match.aliases import load_aliases
    from reconcile.scoring import pool as pooling

    expected = "a list of Statistics, at least one"
    expect_list("scored", scored, Statistics, expected)
    expect(
        "aliases", aliases, (str, Path, type(None)), "the path of a file of name variants, or None"
    )
    if not scored:
        raise InvalidArgument("scored", expected, scored)
    return pooling.pool(scored, load_aliases(None if aliases is None else str(aliases)))


def samples() -> Mapping[str, Path]:
    """The matches that come with the program, by file name; none is of real players. Raises
    `InvalidConfiguration` if they are missing."""
    from reconcile.files.bundled import bundled

    names = sorted(
        path for path in bundled("reference_matches").glob("*/*") if path.suffix in (".xg", ".sgf")
    )
    return {path.name: path for path in names}


def metrics() -> Mapping[str, str]:
    """What every figure is called, by its name in `Statistics.figures`."""
    from reconcile.scoring.figures import METRICS

    return {name: metric_.label for name, metric_ in METRICS.items()}


def rule_sets() -> Mapping[str, str]:
    """What every known rule set is about, by its name."""
    from reconcile.rules.rulesets import RULE_SETS

    return {name: rules.title for name, rules in RULE_SETS.items()}


def equity_tables() -> tuple[str, ...]:
    """The names of the match equity tables that come with the program."""
    from reconcile.match.met import met_names

    return tuple(met_names())


def convert(match: Match, path: str | Path) -> tuple[str, ...]:
    """Write the transcript of a match (`.mat`); what it cannot express.

    Raises `InvalidArgument` for another ending, `CannotTranscribe`, and `CannotWrite`.
    """
    from reconcile.files.output import write
    from reconcile.formats.mat.writer import transcript

    expect("match", match, Match, "a Match")
    if Path(path).suffix.lower() != ".mat":
        raise InvalidArgument("path", "a name ending in .mat", str(path))
    written = transcript(match)
    write(str(path), written.text)
    return written.changes


def analyse(
    match: Match, engine: str = "gnubg", *, plies: int | None = None, timeout: float = 36000.0
) -> Match:
    """The match as gnuBG (`gnubg`) or Open Sage (`sage`) analyses it; `timeout` is in seconds,
    `plies` by default 2 or 3.

    Raises `InvalidArgument`, `InvalidConfiguration`, `EngineError` and `MissingPackage`.
    """
    import os

    from reconcile.engines.second_opinion import ENGINES, analysed, checked_plies
    from reconcile.files.bundled import cache_folder

    expect("match", match, Match, "a Match")
    if engine not in ENGINES:
        raise InvalidArgument("engine", f"one of {', '.join(ENGINES)}", engine)
    depth = checked_plies(engine, ENGINES[engine].usual if plies is None else plies)
    cores, folder = os.cpu_count() or 1, cache_folder()
    return analysed(match, engine, depth, threads=cores, timeout=timeout, cache=folder).match


def build_archive(
    paths: Sequence[str | Path],
    folder: str | Path,
    *,
    rules: Sequence[str] = (),
    jobs: int | None = None,
) -> Archive:
    """Make or complete the tables of an archive of matches, and open it; `rules` are by default
    those of every program.

    Raises `UnreadableFile`, `UnknownName`, `NothingToCompare`, `CannotWrite` and `MissingPackage`.
    """
    from reconcile.corpus import needs_pyarrow

    needs_pyarrow()
    from reconcile.corpus.archive import open_archive
    from reconcile.corpus.run import build
    from reconcile.corpus.tables import RULES, Settings

    if isinstance(paths, str | Path):
        paths = [paths]
    build([str(path) for path in paths], folder, Settings(tuple(rules) or RULES), jobs=jobs)
    return open_archive(folder)


def run_suite(
    *, command: str | None = None, harness: str | None = None, only: str = "", timeout: float = 60.0
) -> SuiteRun:
    """Ask a program for the figures of every case whose id begins with `only`: a command with
    `{file}`, or a harness.

    Raises `InvalidArgument`, `InvalidConfiguration`, and `CommandFailed`.
    """
    from reconcile.suite.documents import document_of
    from reconcile.suite.run import run

    if (command is None) == (harness is None):
        raise InvalidArgument("command", "a command or a harness, one of them", command)
    return document_of(run(command=command, harness=harness, only=only, timeout=timeout))
