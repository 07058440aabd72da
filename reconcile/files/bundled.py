"""The data bundled with the program, in a checkout or inside the package: tolerances, reference matches, the job for GitLab."""

from __future__ import annotations

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
