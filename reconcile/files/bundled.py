"""Where the program's own data are, and where slow results and downloads are kept between runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from reconcile.errors import InvalidConfiguration

_INSTALLED: Final = Path(__file__).parents[1] / "data"
_CHECKOUT: Final = Path(__file__).parents[2]


def bundled(name: str) -> Path:
    """The path of a bundled file or folder. Raises `InvalidConfiguration` if the installation lacks it."""
    for folder in (_INSTALLED, _CHECKOUT):
        if (folder / name).exists():
            return folder / name
    raise InvalidConfiguration(f"{name}: expected beside the package, found nothing; install gammon-reconcile again or name a path")


CACHE_VARIABLE: Final = "RECONCILE_CACHE"
"""Environment variable with the folder to use instead of the system's own."""


def cache_folder() -> Path:
    """The folder of `RECONCILE_CACHE`, or `reconcile` in the system's cache folder; it need not exist."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("reconcile", appauthor=False)
