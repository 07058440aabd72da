"""The bundled reference matches, and what each of them proves."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Final

from docs.making.markdown import code, table
from reconcile.gate.manifest import Manifest, ReferenceFile, load_pack
from reconcile.wording import plural

PROJECT: Final = Path(__file__).parents[2]
PACK: Final = PROJECT / "reference_matches"


def pack_matches() -> str:
    """Every match of the pack: its files, what it is judged by, and what it proves."""
    rows = []
    for _, manifest in load_pack(PACK):
        files = ", ".join(
            f"{code(handle)} ({_origin(file)})" for handle, file in manifest.files.items()
        )
        rows.append((code(manifest.id), manifest.title, files, _judged(manifest), manifest.proves))
    return table(["match", "what", "files", "judged", "what it proves"], rows)


def _origin(file: ReferenceFile) -> str:
    if file.bundled:
        return "bundled"
    return f"from {PurePosixPath(file.archive.url).name}" if file.archive else "public address"


def _judged(manifest: Manifest) -> str:
    """How many figures of which file by which table, and what is only shown."""
    parts = []
    for entry in manifest.reported:
        figures = sum(map(len, entry.players.values()))
        subject = f"{plural(figures, 'figure')} of {code(entry.file)}"
        parts.append(
            f"{subject} by {code(entry.table)}" if entry.table else f"{subject} listed, not judged"
        )
    for pair in manifest.pairs:
        by = f"by {code(pair.judged_by)}" if pair.judged_by else "explained"
        parts.append(f"{code(pair.left)} against {code(pair.right)} {by}")
    return "; ".join(parts)
