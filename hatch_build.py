"""Addresses in the metadata of the package: those of the repository, from the one constant that
names it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PAGES = {
    "Documentation": "blob/{ref}/docs/index.md",
    "Changelog": "blob/{ref}/CHANGELOG.md",
    "Issues": "issues",
    "Source": "tree/{ref}",
}
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)[^)\s]+(?=\))")
"""Where a link in Markdown leads, if that is a file of the repository."""
PICTURE = re.compile(r'(?<=src=")[^":]+(?=")|(?<=srcset=")[^":]+(?=")')
"""A picture of the repository."""


def described(root: Path) -> dict[str, Any]:
    """What `pyproject.toml` leaves to this file: the README, and if the repository is named the
    addresses.

    An index of packages shows the README away from the repository, so its links lead there; without
    a name they stay as they are.
    """
    constants = dict(
        re.findall(
            r'^(__version__|REPOSITORY) = "(.*)"$',
            (root / "reconcile/version.py").read_text("utf-8"),
            re.MULTILINE,
        )
    )
    readme = (root / "README.md").read_text("utf-8")
    at, ref = constants["REPOSITORY"], f"v{constants['__version__']}"
    if not at:
        return {"readme": {"content-type": "text/markdown", "text": readme}}

    readme = LINK.sub(rf"{at}/blob/{ref}/\g<0>", PICTURE.sub(rf"{at}/raw/{ref}/\g<0>", readme))
    urls = {
        "Homepage": at,
        **{name: f"{at}/{path.format(ref=ref)}" for name, path in PAGES.items()},
    }
    return {"readme": {"content-type": "text/markdown", "text": readme}, "urls": urls}


class Addresses(MetadataHookInterface):
    """What hatchling asks when it writes the metadata."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill the fields that `pyproject.toml` calls dynamic."""
        metadata.update(described(Path(self.root)))
