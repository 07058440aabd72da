"""gnuBG's text export with its analysis, a page for every game: the lines of a page, the pages of a match, and the match they hold."""

from reconcile.adapters.gnubg_text.lines import looks_like_pages
from reconcile.adapters.gnubg_text.reader import read_pages

__all__ = ["looks_like_pages", "read_pages"]
