"""gnuBG's exports as text and HTML agree with the analysis of the same transcript."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from reconcile.errors import InvalidConfiguration
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import OUTSIDE, WITHIN
from reconcile.scoring.metrics import METRICS
from tests.gate.candidates.judging import codes, only, refused, validate
from tests.gate.candidates.samples import PACK, file_of, loaded, make_pack, written
from tests.support.data import cases

GNUBG = Path("/usr/games/gnubg")
pytestmark = pytest.mark.usefixtures("undiagnosed")


BETWEEN_BUILDS = {
    "equity_error": 0.007,
    "mwc_loss_percent": 0.163,
    "error_rate_memg": 0.3,
    "snowie_memg": 0.3,
}
"""What two builds of gnuBG 1.07 differ by on one transcript, measured on 87 matches; their counts are equal."""


def between_builds() -> Tolerances:
    entries = {
        metric: {
            "abs": BETWEEN_BUILDS.get(metric.partition(".")[0], 0),
            "level": "error",
            "reason": "measured",
            "source": "87 matches",
        }
        for metric in METRICS
        if not metric.startswith(("luck", "pr", "checker_pr", "cube_pr", "snowie_er"))
    }
    return Tolerances.from_mapping(
        {
            "schema_version": 1,
            "extends": "bundled",
            "tables": {"gnubg-blunderdb": {"title": "two builds", "entries": entries}},
        }
    )


@pytest.mark.parametrize("path", cases("gnubg-text/*/*.sgf", short=1, most=3))
def test_text_export_agrees_with_the_analysis_of_the_same_transcript(
    path: Path, tmp_path: Path
) -> None:
    pack = make_pack(tmp_path / "pack", {path.stem: {"gnubg": path}})
    games = sorted(path.parent.glob(f"{path.stem}*.txt"))
    assert len(games) == len(loaded(path).games)
    result = validate(
        pack,
        between_builds(),
        candidates=[str(game) for game in games],
        candidate_table="gnubg-blunderdb",
    )
    candidate = only(result)
    judged = {one.metric for one in candidate.judged}
    assert len(candidate.judged) == 46
    assert judged >= {
        "decisions.counted",
        "decisions.double",
        "moves.total",
        "equity_error.take",
        "mwc_loss_percent.total",
        "snowie_memg",
    }
    assert {one.verdict for one in candidate.judged} == {WITHIN}
    first = only(
        validate(
            pack, between_builds(), candidates=[str(games[0])], candidate_table="gnubg-blunderdb"
        )
    )
    assert first.figures == candidate.figures


@pytest.mark.parametrize("path", cases("gnubg-text/4-ply/match1151563_002.txt"))
def test_export_of_one_game_alone_is_not_taken_for_the_match(path: Path, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path)
    assert "found only those of a game" in refused(str(tmp_path / path.name), InvalidConfiguration)


@pytest.mark.long
@pytest.mark.skipif(not GNUBG.exists(), reason="no gnuBG here")
def test_exports_of_gnubg_itself_agree_with_its_file(tmp_path: Path) -> None:
    source = file_of(PACK / "gnubg-3pt-2ply")
    script = f'load match "{source}"\nexport match text "{tmp_path}/a.txt"\nexport match html "{tmp_path}/a.html"\nshow statistics match\n'
    written(tmp_path / "script", script)
    arguments = [str(GNUBG), "-t", "-q", "-r", "-c", str(tmp_path / "script")]
    shown = subprocess.run(
        arguments, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=120
    ).stdout
    written(tmp_path / "shown", shown)
    said = []
    for name in ("a.txt", "a.html", "shown"):
        result = validate(PACK / "gnubg-3pt-2ply", candidates=[str(tmp_path / name)])
        assert only(result).table == "gnubg-export"
        assert {one.verdict for one in only(result).figures} == {WITHIN}
        said.append([(one.player, one.metric, one.right) for one in only(result).figures])
    assert said[0] == said[1] == said[2]
    assert len(said[0]) == 49, "one player has no cube decision, and so no rate"


@pytest.mark.skipif(not GNUBG.exists(), reason="no gnuBG here")
@pytest.mark.parametrize("path", cases("gnubg-text/*/*.sgf", "gnubg/m2[0-5]*.sgf", short=1, most=4))
def test_exports_of_gnubg_agree_with_their_file_to_the_printed_digit(
    path: Path, tmp_path: Path
) -> None:
    script = written(
        tmp_path / "script", f'load match "{path}"\nexport match text "{tmp_path}/a.txt"\n'
    )
    subprocess.run(
        [str(GNUBG), "-t", "-q", "-r", "-c", script],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=120,
    )
    pack = make_pack(tmp_path / "pack", {"one": {"gnubg": path}})
    last = sorted(tmp_path.glob("a*.txt"))[-1]
    candidate = only(validate(pack, candidates=[str(last)]))
    assert candidate.table == "gnubg-export"
    assert not candidate.unjudged
    assert {one.verdict for one in candidate.figures} == {WITHIN}
    text = last.read_text("utf-8")
    total = next(
        line for line in reversed(text.splitlines()) if line.startswith("Error total EMG (MWC)")
    ).split()[4]
    other = f"{float(total) - 0.001:+.3f}"
    changed = written(tmp_path / "changed.txt", text.replace(f"  {total} ", f"  {other} "))
    assert OUTSIDE in {one.verdict for one in only(validate(pack, candidates=[changed])).figures}


@pytest.mark.parametrize("path", cases("xg-summary/composed/*.txt"))
def test_summary_of_xg_agrees_with_its_file_whatever_the_order_of_its_columns(
    path: Path, data: Path, tmp_path: Path
) -> None:
    (file,) = data.glob("real/charlot1*.xg")
    pack = make_pack(tmp_path / "pack", {"charlot": {"xg": file}})
    candidate = only(validate(pack, candidates=[str(path)]))
    assert {one.verdict for one in candidate.judged} == {WITHIN}
    rights = {(one.player, one.metric): one.right for one in candidate.figures}
    assert (rights["charlot1", "decisions.double"], rights["charlot2", "decisions.double"]) == (
        3,
        13,
    )
    assert (
        rights["charlot1", "equity_error.double"],
        rights["charlot2", "equity_error.double"],
    ) == (0, 0.008)
    assert "candidate-contradicts" not in codes(candidate)
    changed = written(
        tmp_path / "changed.txt",
        path.read_text("utf-8").replace("\t90\t79", "\t91\t79").replace("\t79\t90", "\t79\t91"),
    )
    assert "candidate-contradicts" in codes(only(validate(pack, candidates=[str(changed)])))
