"""Puts the sample report into the site when it is built, so that there is one file of it and no copy in `docs/`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """MkDocs asks this for the files of the site: those it found, and `sample.html`."""
    from mkdocs.structure.files import File

    report = Path(config.config_file_path).parent / "reports" / "sample.html"
    files.append(File.generated(config, "sample.html", abs_src_path=str(report)))
    return files
