"""BGBlitz's `.bgf`: the container, the decoder of its binary JSON, the replay of a game, and the match they hold."""

from reconcile.formats.bgblitz.container import recognises
from reconcile.formats.bgblitz.reader import read

__all__ = ["read", "recognises"]
