"""gnuBG's own statistics beside ours, as text."""

from __future__ import annotations

from pathlib import Path

from reconcile.engines.selfcheck import Checked, SelfCheck
from reconcile.files.wording import one_line, plural


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
