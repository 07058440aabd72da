"""The result of `reconcile selfcheck`: as text only the differences, as a document every figure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reconcile.engines.selfcheck import FAULTS, Checked, SelfCheck
from reconcile.files.wording import one_line, plural
from reconcile.results.documents import SCHEMA_VERSION, source_document

if TYPE_CHECKING:
    from reconcile.results.models.engines import SelfCheck as SelfCheckDocument


def selfcheck_text(checks: Sequence[SelfCheck]) -> str:
    """A line for every file, and under it every figure that differs."""
    lines = []
    for check in checks:
        games = len(check.match.games)
        scope = f"{len(check.figures)} figures of the match and {plural(games, 'game')}"
        verdict = f"{len(check.wrong)} differ from" if check.wrong else "all equal to"
        lines.append(f"{one_line(Path(check.match.source.path).name)}: {scope}, {verdict} gnuBG {check.program.version}'s own")
        lines += [f"  {_where(figure)}, {figure.player}: {figure.name}: gnuBG {_shown(figure.gnubg)}, ours {_shown(figure.ours)}"
                  for figure in check.wrong]  # fmt: skip
    return "".join(f"{line}\n" for line in lines)


def selfcheck_document(checks: Sequence[SelfCheck]) -> SelfCheckDocument:
    """Every figure of every file, as `reconcile/schemas/selfcheck.schema.json` describes it."""
    return {
        "schema_version": SCHEMA_VERSION,
        "verdict": "outside" if any(check.wrong for check in checks) else "within",
        "engine": {"name": "gnubg", "version": checks[0].program.version},
        "known_faults": list(FAULTS),
        "files": [
            {
                "source": source_document(check.match.source),
                "verdict": "outside" if check.wrong else "within",
                "figures": [
                    {"game": figure.game, "player": figure.player, "name": figure.name, "gnubg": figure.gnubg, "ours": figure.ours,
                     "agrees": figure.agrees}
                    for figure in check.figures
                ],
            }
            for check in checks
        ],
    }  # fmt: skip


def _where(figure: Checked) -> str:
    return "match" if figure.game is None else f"game {figure.game}"


def _shown(number: float | None) -> str:
    return "none" if number is None else str(number) if isinstance(number, int) else f"{number:.7g}"
