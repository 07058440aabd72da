"""The programs whose files and figures are compared: their names, the rules each counts by, and
whom each seats at the top."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Side = Literal["left", "right"]
"""Which of two files is meant."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A program that writes analysed matches."""

    name: str
    """As `Source.tool` has it."""
    short: str
    """As reports print it."""
    key: str
    """As manifests, candidate files and rule sets write it."""
    rules: str
    """The rule set it counts by; of a program that counts nothing itself, the one used where no
    other is asked for."""
    earlier_rules: tuple[tuple[int, ...], str] | None = None
    """The first version that counts so, and the rule set of those before it."""
    analyses: bool = True
    """Whether it analyses matches itself, rather than keeping the analyses of others."""
    counts: bool = True
    """Whether it has statistics of its own; a comparison counts one that has none by the rules of
    the other file."""


XG = Tool("eXtreme Gammon", "XG", "xg", "xg")
GNUBG = Tool("GNU Backgammon", "gnuBG", "gnubg", "gnubg")
BGBLITZ = Tool("BGBlitz", "BGBlitz", "bgblitz", "bgblitz")
BLUNDERDB = Tool(
    "blunderDB", "blunderDB", "blunderdb", "blunderdb-2026", ((2, 37), "blunderdb"), analyses=False
)
"""Its migration to schema 2.37 recounts every decision of a database."""
BGSAGE = Tool("Open Sage", "Open Sage", "bgsage", "gnubg", counts=False)
"""The engine of the package `bgsage`, which evaluates positions and adds nothing up."""

GAMMONVIEW = Tool("GammonView", "GammonView", "gammonview", "gammonview", analyses=False)
"""It keeps analyses of XG and BGBlitz, and those that it makes with `bgsage`; all count by its own
rules."""

TOOLS: Mapping[str, Tool] = MappingProxyType(
    {tool.name: tool for tool in (XG, GNUBG, BGBLITZ, BLUNDERDB, BGSAGE, GAMMONVIEW)}
)
"""Every program by its name."""
ANALYSERS: Mapping[str, Tool] = MappingProxyType(
    {tool.key: tool for tool in TOOLS.values() if tool.analyses and tool.counts}
)
"""The programs that analyse matches and count their errors, by key."""
SECOND_PLAYER_ON_TOP = ("xg",)
"""Formats whose program shows seat 1 at the top; the others show seat 0 there."""


def analyser(tool: str) -> Tool | None:
    """A program that analyses matches and counts their errors, by its name; `None` for any
    other."""
    program = TOOLS.get(tool)
    return program if program and program.key in ANALYSERS else None


def short_name(tool: str) -> str:
    """What reports call a program; its own name where it is not one of ours."""
    return TOOLS[tool].short if tool in TOOLS else tool
