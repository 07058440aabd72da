"""Packs whose files are somewhere else, for the tests of `fetch`."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from reconcile.cli import main
from reconcile.files.bundled import bundled
from reconcile.gate.manifest import MANIFEST

MATCH = bundled("reference_matches") / "gnubg-3pt-2ply"
CONTENT = (MATCH / "alice-bob-3pt-2ply.sgf").read_bytes()
FETCHED, FAILED = 0, 2


def pack_of(folder: Path, url: str, *more: tuple[str, str]) -> Path:
    """A pack of one match whose file is somewhere else; `more` are names and addresses of further
    files of the same content."""
    text = (MATCH / MANIFEST).read_text("utf-8")
    text = text.replace("    url: null", f'    url: "{url}"').replace(
        "bundled: true", "bundled: false"
    )
    entry = text[text.index("  gnubg:") : text.index("reported:")]
    for number, (name, address) in enumerate(more):
        other = (
            entry.replace("  gnubg:", f"  more{number}:")
            .replace("alice-bob-3pt-2ply.sgf", name)
            .replace(url, address)
        )
        text = text.replace("reported:", other + "reported:", 1)
    home = folder / "pack" / MATCH.name
    home.mkdir(parents=True)
    (home / MANIFEST).write_text(text, "utf-8")
    return folder / "pack"


def run(pack: Path, *arguments: str) -> Result:
    return CliRunner().invoke(
        main,
        ["fetch", str(pack), *arguments],
        prog_name="reconcile",
        catch_exceptions=False,
    )
