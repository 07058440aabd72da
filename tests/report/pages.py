"""Pages of every kind that the report makes, rendered once for all tests."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from reconcile.files.aliases import load_aliases
from reconcile.gap.comparison import Comparison
from reconcile.gap.many_folders import compare_many_folders
from reconcile.gap.verdict import Figure
from reconcile.gate.candidates.judgement import NotCompared
from reconcile.gate.manifest import Manifest, Pair
from reconcile.gate.match_results import MatchResult, PairResult, ReportedResult, match_result
from reconcile.gate.pack_results import pack_result
from reconcile.probe.contrasts import SERIES
from reconcile.report.html.benchmark import probe_page
from reconcile.report.html.folders import many_folder_pages
from reconcile.report.html.many import many_page
from reconcile.report.html.pack import pack_pages
from reconcile.report.html.render import comparison_page
from reconcile.rules.rulesets import RULE_SETS
from tests.report import samples
from tests.support.archive import make_archive
from tests.support.command_line import PACK as PACKS
from tests.support.command_line import SGF, XG
from tests.support.probed_programs import few, probe_of
from tests.support.several import analyses_of


def rendered(comparison: Comparison, synthetic: str = "made up") -> str:
    return comparison_page(samples.walked(comparison), samples.contributions(comparison), synthetic=synthetic)


def match_of(
    key: str, title: str, *pairs: Pair, figures: tuple[Figure, ...] = (), reason: str = "", synthetic: bool = False
) -> MatchResult:
    """A match of a pack, every pair of which is the demonstration."""
    origin = "made up <here> for the tests"
    file = {"name": "a.xg", "sha256": 64 * "0", "bytes": 1, "url": None, "bundled": True, "tool": "XG", "tool_version": None, "level": None}
    facts = {"schema_version": 1, "id": key, "title": title, "synthetic": synthetic, "licence": "any", "provenance": origin}
    players = {"Black": {one.metric: str(one.left) for one in figures}}
    entry = {"file": "xg", "rules": "xg", "table": "xg-reported", "source": origin, "players": players}
    manifest = Manifest.model_validate({**facts, "files": {"xg": file}, "reported": (entry,) if figures else (), "pairs": ()})
    reported = (ReportedResult("xg", "xg", "xg-reported", origin, figures, 0),) if figures else ()
    compared = tuple(PairResult(pair, replace(samples.demonstration()), pair.judged_by is not None) for pair in pairs)
    return match_result(manifest, Path(key), reported, compared, (NotCompared("a part", reason),) if reason else ())


def folders_of_several() -> str:
    """The index of a folder with a match of two analyses, and other files."""
    ((_, page), *_) = many_folder_pages(compare_many_folders(str(PACKS / "demonstration"), str(PACKS / "gnubg-3pt-2ply")), "site")[::-1]
    return str(page)


def archive() -> str:
    """The page of matches by XG, one of them by gnuBG, too."""
    from reconcile.corpus.run import build
    from reconcile.corpus.study import study
    from reconcile.report.html.corpus import corpus_page

    with TemporaryDirectory() as folder:
        corpus = build([str(make_archive(Path(folder) / "matches"))], Path(folder) / "tables", jobs=1)
        return corpus_page(study(corpus, load_aliases(None)))


JUDGED = Pair(left="xg", right="gnubg", judged_by="documented")
EXPLAINED = Pair(left="xg", right="gnubg", judged_by=None, note="another <b>level</b>")
FIGURE = samples.figure("snowie_er", 3.0, 3.125, tolerance=0.5, verdict="within")
RESULT = pack_result(
    "pack <b>",
    (
        match_of("one", "A & <b>B</b>", figures=(FIGURE, samples.figure("luck.equity", 0.5, None, tolerance=None, verdict="ungated"))),
        match_of("two", "C", JUDGED, EXPLAINED, synthetic=True),
        match_of("three", "D", reason="file <x> is absent"),
        match_of("four", "E", EXPLAINED),
    ),
)
PACK = {Path(path).name: page for path, page in pack_pages(RESULT, "site")}
"""Pages by the name of their file."""
DEMONSTRATION = rendered(samples.demonstration())
PAGES = {
    "whole": DEMONSTRATION,
    "bare": comparison_page(samples.walked(samples.demonstration(), ()), (), synthetic=""),
    "hostile": rendered(samples.hostile(), synthetic="<b>made</b> up"),
    "one player": comparison_page(
        samples.with_figures(samples.demonstration(), [f for f in samples.demonstration().figures if f.player == "Tomas Beck"])
    ),
    "pack": PACK["index.html"],
    "match": PACK["one.html"],
    "explained match": PACK["four.html"],
    "several": many_page(analyses_of(XG, SGF, XG)),
    "several equal": many_page(analyses_of(XG, XG, XG)),
    "folders of several": folders_of_several(),
    "probe": probe_page(replace(probe_of(RULE_SETS["xg"], few(RULE_SETS["xg"]), "xg", SERIES[:2]), program="prog <b>2</b>")),
    "empty pack": pack_pages(pack_result("pack", ()), "site")[0][1],
}
if find_spec("pyarrow") and find_spec("duckdb"):
    PAGES["archive"] = archive()
