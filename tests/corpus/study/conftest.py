"""An archive of real matches from three tools, for what a study says of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from reconcile.corpus.assembly import Corpus


@pytest.fixture(scope="session")
def real_files(data: Path) -> list[Path]:
    """Ten matches: four by XG and gnuBG at two levels, six by XG and BGBlitz, all as
    transcripts, too."""
    return sorted(
        path
        for folder in ("real", "bgblitz")
        for path in (data / folder).rglob("*")
        if path.suffix in (".xg", ".sgf", ".bgf", ".mat")
    )


@pytest.fixture(scope="session")
def real(real_files: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Their tables."""
    from reconcile.corpus.run import build

    return build([str(path) for path in real_files], tmp_path_factory.mktemp("real"), jobs=1)
