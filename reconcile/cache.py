"""Where results that took long are kept from one run to the next: files that may be deleted at any time."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

VARIABLE: Final = "RECONCILE_CACHE"
"""Environment variable with the folder to use instead of the system's own."""


def cache_folder() -> Path:
    """The folder of `RECONCILE_CACHE`, or `reconcile` where the system keeps such files; it need not exist."""
    given = os.environ.get(VARIABLE)
    if given:
        return Path(given)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "reconcile" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "reconcile"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "reconcile"
