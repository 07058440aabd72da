"""BGBlitz's `.bgf`: the container, the decoder of its binary JSON, the replay of a game, and the match they hold."""

from reconcile.adapters.bgblitz.container import looks_like_bgf
from reconcile.adapters.bgblitz.reader import read_bgf

__all__ = ["looks_like_bgf", "read_bgf"]
