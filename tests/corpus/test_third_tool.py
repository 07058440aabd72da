"""An archive with matches of BGBlitz beside XG's: the two are compared, and a match is pooled
once."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from reconcile.corpus.run import build
from reconcile.corpus.study import study
from reconcile.files.aliases import load_aliases
from reconcile.report.html.corpus import corpus_page
from reconcile.report.text.corpus import corpus_text
from reconcile.scoring.statistics import statistics
from tests.corpus.corpus_folder import table
from tests.support.loaded import loaded

NAMES = ("3WNK_g1Z-PLsh_HyvQ5j4a", "baR-U643iUDpvzTC")


@pytest.mark.long
def test_xg_and_bgblitz_are_compared_on_their_transcripts(data: Path, tmp_path: Path) -> None:
    files = [data / "bgblitz" / kind / f"{name}.{kind}" for name in NAMES for kind in ("xg", "bgf")]
    (tmp_path / "archive").mkdir()
    for file in files:
        shutil.copy(file, tmp_path / "archive")
    corpus = build([str(tmp_path / "archive")], tmp_path / "out", jobs=1)
    assert (corpus.matches, corpus.errors) == (4, 0)
    report = study(corpus, load_aliases(None))
    (pair,) = report.tools
    assert (pair.left.key, pair.right.key) == ("xg", "bgblitz")
    expected = []
    for left, right in zip(files[::2], files[1::2], strict=True):
        for seat in (0, 1):
            prs = [statistics(loaded(path)).figures(seat)["pr"] for path in (left, right)]
            assert prs[0] is not None
            assert prs[1] is not None
            expected.append(prs[1] - prs[0])
    assert pair.gap.values == pytest.approx(np.sort(expected), abs=1e-12)
    assert sum(person.matches for person in report.people) == 2 * len(NAMES)
    assert "BGBlitz's PR minus XG's, same transcript" in corpus_text(report)
    assert "Between XG and BGBlitz" in corpus_page(report)


def test_rows_of_every_rule_set_are_the_same_decisions(data: Path, tmp_path: Path) -> None:
    """BGBlitz counts turns with a dead cube, which have no row of their own otherwise."""
    build([str(data / "bgblitz" / "xg" / f"{NAMES[0]}.xg")], tmp_path / "out", jobs=1)
    rows = table(tmp_path / "out", "decisions")
    for rules in ("xg", "gnubg", "bgblitz"):
        computed = statistics(loaded(data / "bgblitz" / "xg" / f"{NAMES[0]}.xg"), rules)
        for seat in (0, 1):
            mine = [row for row in rows if row["seat"] == seat]
            assert (
                sum(row[f"counted_{rules}"] for row in mine)
                == computed.figures(seat)["decisions.counted"]
            )
            assert sum(row[f"error_{rules}"] or 0 for row in mine) == pytest.approx(
                computed.figures(seat)["equity_error.total"]
            )
