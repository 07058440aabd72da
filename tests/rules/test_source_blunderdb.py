"""blunderDB's page on its statistics model: the system it describes works here."""

from __future__ import annotations

from reconcile.gap.tolerances import load_tolerances

DEMONSTRATION = "reference_matches/demonstration/nora-lindqvist-tomas-beck.xg"


def test_both_tolerance_tables_of_the_page_can_be_chosen() -> None:
    tables = load_tolerances().tables
    bounds = {
        name: {metric: entry.abs for metric, entry in tables[name].entries.items()}
        for name in ("xg-blunderdb", "gnubg-blunderdb")
    }
    xg, gnubg = bounds["xg-blunderdb"], bounds["gnubg-blunderdb"]
    assert xg == {
        "decisions.counted": 5,
        "moves.unforced": 7,
        "pr": 0.10,
        "mwc_loss_percent.total": 1.0,
        "equity_error.total": 0.05,
    }
    assert gnubg == {"checker_pr": 0.20, "mwc_loss_percent.total": 3.5, "snowie_er": 0.50}
