"""GNU Backgammon's `.sgf`: the container, the replay of a game, and the match they hold."""

from reconcile.formats.gnubg.reader import read

__all__ = ["read"]
