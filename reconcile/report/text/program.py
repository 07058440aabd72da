"""What is found about a program as text: the answers of a probe, and gnuBG's own statistics beside ours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Final

from reconcile.engines.selfcheck import Checked, SelfCheck
from reconcile.files.wording import one_line, plural
from reconcile.scoring.metrics import METRICS
from reconcile.suite.answer_documents import evidence, sentence
from reconcile.suite.probe import Probed

WIDTH: Final = 80
CANNOT_SAY: Final = "cannot say"


def probe_text(probed: Probed) -> str:
    """The whole result, at most 80 columns wide."""
    lines = [*wrap(sentence(probed), WIDTH), ""]
    answers = {code: one.answer or CANNOT_SAY for code, one in probed.findings.items()}
    widest = max(map(len, answers.values()))
    for code, one in probed.findings.items():
        lines += _wrapped_row((code.ljust(3), answers[code].ljust(widest)), evidence(one))
    if probed.borders:
        lines += ["", "Numbers at which its figures change:"]
        for border in probed.borders:
            lines += _wrapped_row((f"  {border.question}",), f"{border.title}: {border.words}")
    if probed.other:
        lines += ["", "Figures that mean something else than their names say, not used:"]
        for name, text, ours in probed.other:
            lines += _wrapped_row(
                ("  ",), f"{METRICS[name].title} {text}, where {METRICS[name].shown(ours)} is right"
            )
    for seen in probed.failures:
        lines += _wrapped_row(("",), f"No figures for {seen.file.case.has}: {seen.failure}")
    lines += ["", "`reconcile explain CODE` has the page of a question, with all its answers."]
    return "\n".join(lines) + "\n"


def _wrapped_row(cells: tuple[str, ...], text: str) -> Iterator[str]:
    """Cells, and a text that continues below itself."""
    start = "  ".join(cells) + "  " if cells[0] else ""
    for index, line in enumerate(wrap(text, WIDTH - len(start), break_on_hyphens=False) or [""]):
        yield ((start if not index else " " * len(start)) + line).rstrip()


def selfcheck_text(found: SelfCheck) -> str:
    """A line for every file, and under it every figure that differs."""
    lines = []
    for check in found.files:
        games = len(check.match.games)
        scope = f"{len(check.figures)} figures of the match and {plural(games, 'game')}"
        verdict = f"{len(check.wrong)} differ from" if check.wrong else "all equal to"
        lines.append(
            f"{one_line(Path(check.match.source.path).name)}: {scope}, {verdict} gnuBG {found.engine.version}'s own"
        )
        lines += [f"  {_where(figure)}, {figure.player}: {figure.name}: gnuBG {_shown(figure.gnubg)}, ours {_shown(figure.ours)}"
                  for figure in check.wrong]  # fmt: skip
    return "".join(f"{line}\n" for line in lines)


def _where(figure: Checked) -> str:
    return "match" if figure.game is None else f"game {figure.game}"


def _shown(number: float | None) -> str:
    return "none" if number is None else str(number) if isinstance(number, int) else f"{number:.7g}"
