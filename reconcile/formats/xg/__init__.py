"""eXtreme Gammon's `.xg`: container, records, and the match they hold."""

from reconcile.formats.xg.container import MAGIC
from reconcile.formats.xg.reader import read

__all__ = ["MAGIC", "read"]
