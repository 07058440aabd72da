"""gnuBG's own statistics beside ours, as text."""

from __future__ import annotations

from pathlib import Path

from reconcile.engines.selfcheck import SelfCheck
from reconcile.wording import one_line, plural


def selfcheck_text(checks: SelfCheck) -> str:
    """A line for every file, and under it every figure that differs."""
    lines = []
    for check in checks.files:
        games = plural(len(check.match.games), "game")
        scope = f"{len(check.figures)} figures of the match and {games}"
        verdict = f"{len(check.wrong)} differ from" if check.wrong else "all equal to"
        name = one_line(Path(check.match.source.path).name)
        lines.append(f"{name}: {scope}, {verdict} gnuBG {checks.engine.version}'s own")
        for figure in check.wrong:
            where = "match" if figure.game is None else f"game {figure.game}"
            values = f"gnuBG {_shown(figure.gnubg)}, ours {_shown(figure.ours)}"
            lines.append(f"  {where}, {figure.player}: {figure.name}: {values}")
    return "".join(f"{line}\n" for line in lines)


def _shown(number: float | None) -> str:
    if number is None:
        return "none"
    return str(number) if isinstance(number, int) else f"{number:.7g}"
