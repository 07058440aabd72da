"""gnuBG's text export with its analysis, a page for every game: the lines of a page, the pages of a match, and the match they hold."""

from reconcile.formats.gnubg_text.lines import recognises
from reconcile.formats.gnubg_text.reader import read

__all__ = ["read", "recognises"]
