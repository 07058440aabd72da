"""The page of the data that come with the program: matches, tolerances, match equity tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from docs.making.markdown import code, heading, page, table
from reconcile.gap.bounds import Table, Tolerance
from reconcile.gap.tolerances import DEFAULT_TABLE, load_tolerances
from reconcile.gate.manifest import Manifest, ReferenceFile, load_pack
from reconcile.match.met import DEFAULT_MET, equity_tables, load_met
from reconcile.scoring.figures import METRICS
from reconcile.wording import plural

PACK = Path(__file__).parents[2] / "reference_matches"
TEXT = """\
The reference matches of the program's own [pack](packs.md), its [tables of \
tolerances](tolerances.md), and the [match equity tables](match-equity.md) that `--met` names."""


def bundled_page() -> str:
    """Everything that is bundled as data."""
    manifests = [manifest for _, manifest in load_pack(PACK)]
    return page(
        "What comes with the program",
        TEXT,
        heading(2, "Reference matches", "matches"),
        table(("match", "what", "files", "judged", "what it proves"), map(_match, manifests)),
        heading(2, "Tables of tolerances", "tolerances"),
        table(("table", "for", "allowed"), _tolerances()),
        heading(2, "Match equity tables", "tables"),
        table(("name", "title", "lists", ""), map(_equities, equity_tables())),
    )


def _match(manifest: Manifest) -> tuple[str, ...]:
    """Its files, what it is judged by, and what it proves."""
    files = ", ".join(f"{code(name)} ({_origin(file)})" for name, file in manifest.files.items())
    return code(manifest.id), manifest.title, files, _judged(manifest), manifest.proves


def _origin(file: ReferenceFile) -> str:
    if file.bundled:
        return "bundled"
    return f"from {PurePosixPath(file.archive.url).name}" if file.archive else "public address"


def _judged(manifest: Manifest) -> str:
    """How many figures of which file by which table, and what is only shown."""
    parts = []
    for entry in manifest.reported:
        figures = plural(sum(map(len, entry.players.values())), "figure")
        by = f" by {code(entry.table)}" if entry.table else " listed, not judged"
        parts.append(f"{figures} of {code(entry.file)}{by}")
    for pair in manifest.pairs:
        by = f"by {code(pair.judged_by)}" if pair.judged_by else "explained"
        parts.append(f"{code(pair.left)} against {code(pair.right)} {by}")
    return "; ".join(parts)


def _tolerances() -> Iterator[tuple[str, ...]]:
    """Every table with what it is for and how far a figure may be off."""
    for name, bounds in load_tolerances().tables.items():
        used = " (of `compare`)" if name == DEFAULT_TABLE else ""
        yield f"{code(name)}{used}", bounds.title, "; ".join(_allowed(bounds))


def _allowed(bounds: Table) -> Iterator[str]:
    """The figures with the same bound, and that bound."""
    groups: dict[str, list[str]] = {}
    for name, entry in bounds.entries.items():
        groups.setdefault(_bound(entry), []).append(code(name))
    for bound, names in groups.items():
        yield f"{'every figure' if len(names) == len(METRICS) else ', '.join(names)}: {bound}"


def _bound(entry: Tolerance) -> str:
    if entry.within is not None:
        return "as printed"
    return f"{entry.abs:g}" if entry.abs is not None else f"{entry.rel:g} of it"


def _equities(name: str) -> tuple[str, ...]:
    """A match equity table, and up to which score it lists chances."""
    met = load_met(name)
    length = met.explicit_length
    listed = "parameters only" if length is None else f"{length} points"
    default = "default" if name == DEFAULT_MET else ""
    return code(name), met.title, listed, default
