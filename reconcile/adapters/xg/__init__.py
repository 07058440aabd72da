"""eXtreme Gammon's `.xg`: container, records, and the match they hold."""

from reconcile.adapters.xg.container import MAGIC
from reconcile.adapters.xg.reader import read

__all__ = ["MAGIC", "read"]
