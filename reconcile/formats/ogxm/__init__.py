"""OGXM, the match format of HedgeHog and OpenGammon: a transcript and any number of analyses of it in one document.

The Python package `ogxm` reads and writes the bytes; here its JSON becomes one match for each analysis. Which unit an equity has, the
analysis states itself (`currency`); one that leaves it open is refused.
"""

from __future__ import annotations

from reconcile.formats.ogxm.codec import MAGIC
from reconcile.formats.ogxm.reader import read, read_all

__all__ = ["MAGIC", "read", "read_all"]
