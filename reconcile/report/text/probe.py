"""What a probe found as text: the sentence, the answers with their evidence, and the borders."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from reconcile.probe.documents import evidence, sentence
from reconcile.probe.probe import Probed
from reconcile.scoring.metrics import METRICS

WIDTH: Final = 80
CANNOT_SAY: Final = "cannot say"


def probe_text(probed: Probed) -> str:
    """The whole result, at most 80 columns wide."""
    lines = [*wrap(sentence(probed), WIDTH), ""]
    answers = {code: one.answer or CANNOT_SAY for code, one in probed.findings.items()}
    widest = max(map(len, answers.values()))
    for code, one in probed.findings.items():
        lines += _row((code.ljust(3), answers[code].ljust(widest)), evidence(one))
    if probed.borders:
        lines += ["", "Numbers at which its figures change:"]
        for border in probed.borders:
            lines += _row((f"  {border.series.question}",), f"{border.series.title}: {border.words}")
    if probed.other:
        lines += ["", "Figures that mean something else than their names say, not used:"]
        for name, text, ours in probed.other:
            lines += _row(("  ",), f"{METRICS[name].title} {text}, where {METRICS[name].shown(ours)} is right")
    for seen in probed.failures:
        lines += _row(("",), f"No figures for {seen.file.contrast.title}: {seen.failure}")
    lines += ["", "`reconcile explain CODE` has the page of a question, with all its answers."]
    return "\n".join(lines) + "\n"


def _row(cells: tuple[str, ...], text: str) -> Iterator[str]:
    """Cells, and a text that continues below itself."""
    start = "  ".join(cells) + "  " if cells[0] else ""
    for number, line in enumerate(wrap(text, WIDTH - len(start), break_on_hyphens=False) or [""]):
        yield ((start if not number else " " * len(start)) + line).rstrip()
