"""The folder that keeps slow results and downloaded files between runs; its content may be deleted at any time."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

CACHE_VARIABLE: Final = "RECONCILE_CACHE"
"""Environment variable with the folder to use instead of the system's own."""


def cache_folder() -> Path:
    """The folder of `RECONCILE_CACHE`, or `reconcile` in the system's cache folder; it need not exist."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("reconcile", appauthor=False)
