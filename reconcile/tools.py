"""The programs whose files and figures are compared: the rule set of each, and the player it shows at the top."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

OWN_RULES: Final[Mapping[str, str]] = MappingProxyType({"eXtreme Gammon": "xg", "GNU Backgammon": "gnubg", "blunderDB": "blunderdb-2026"})
"""The rule set of each tool."""
EARLIER_RULES: Final = {"blunderDB": ((2, 37), "blunderdb")}
"""The rule set of a tool's earlier versions, and the first version that counts differently: blunderDB's migration to schema 2.37 recounts
every decision of a database."""
SECOND_PLAYER_ON_TOP: Final = ("xg",)
"""Formats whose tool shows seat 1 at the top; the others show seat 0 there."""
