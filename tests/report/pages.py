"""Pages of every kind that the report makes, rendered once for all tests."""

from __future__ import annotations

from reconcile.gap.comparison import Comparison
from reconcile.report.html.render import PackRow, comparison_page, pack_index
from tests.report import samples


def rendered(comparison: Comparison, synthetic: str = "made up") -> str:
    return comparison_page(samples.walked(comparison), samples.contributions(comparison), synthetic=synthetic)


PACK = pack_index(
    "pack <b>: 3 of 4 figures",
    [
        PackRow("one", "A & <b>B</b>", "within", 6, "PR of A off by 0.01", pages=("one.html",)),
        PackRow("two", "C", "outside", 6, "", pages=("two.html", "two-2.html"), synthetic=True),
        PackRow("three", "D", "not compared", 0, "", notes=("file <x> is absent",)),
        PackRow("four", "E", "explained", 0, ""),
    ],
)
DEMONSTRATION = rendered(samples.demonstration())
PAGES = {
    "whole": DEMONSTRATION,
    "bare": comparison_page(samples.walked(samples.demonstration(), ()), (), synthetic=""),
    "hostile": rendered(samples.hostile(), synthetic="<b>made</b> up"),
    "one player": comparison_page(
        samples.with_figures(samples.demonstration(), [f for f in samples.demonstration().figures if f.player == "Tomas Beck"])
    ),
    "pack": PACK,
    "empty pack": pack_index("pack", []),
}
