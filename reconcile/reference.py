"""Reference packs: matches with the figures their own tools reported, judged against ours.

A pack is a folder with one folder per match, each with a `match.yaml`. Reported figures are written by people who read them in
the tool and never regenerated. A file that is not at hand is *not compared*, never passed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from reconcile.adapters import read_bytes, read_match
from reconcile.comparison import INCOMPLETE, OUTSIDE, WITHIN, Comparison, Figure, compare, judged
from reconcile.errors import InvalidConfiguration, NothingToCompare, UnknownName, UnreadableFile
from reconcile.figures import statistics
from reconcile.manifest import MANIFEST, Manifest, Pair, ReferenceFile, Reported, load_pack
from reconcile.match import Match
from reconcile.pairing import fold
from reconcile.tolerances import Tolerances, load_tolerances

DATA_VARIABLE: Final = "RECONCILE_DATA"
"""A folder where copies of files that are not bundled may lie; they are found by name and checked by SHA-256."""


@dataclass(frozen=True, slots=True)
class ReportedResult:
    """Reported figures of one file against ours."""

    file: str
    rules: str
    table: str
    source: str
    figures: tuple[Figure, ...]
    """`left` is what the tool reported, `right` is ours; in the order of the manifest."""
    entry: int
    """Which of the manifest's `reported` it is."""


@dataclass(frozen=True, slots=True)
class PairResult:
    """A pair of files compared."""

    pair: Pair
    comparison: Comparison
    gates: bool


@dataclass(frozen=True, slots=True)
class MatchResult:
    """Everything found for one reference match."""

    manifest: Manifest
    folder: Path
    reported: tuple[ReportedResult, ...]
    pairs: tuple[PairResult, ...]
    not_compared: tuple[str, ...]
    """Reasons, one for every file set or pair that could not be looked at."""

    @property
    def figures(self) -> Iterator[Figure]:
        """The figures that gate."""
        for reported in self.reported:
            yield from reported.figures
        for pair in self.pairs:
            if pair.gates:
                yield from pair.comparison.judged


@dataclass(frozen=True, slots=True)
class PackResult:
    """Everything found for a pack."""

    name: str
    matches: tuple[MatchResult, ...]

    @property
    def summary(self) -> dict[str, int]:
        """How many figures are within, outside, incomplete; how many parts were not compared."""
        verdicts = [figure.verdict for match in self.matches for figure in match.figures]
        return {
            "within": verdicts.count(WITHIN),
            "outside": verdicts.count(OUTSIDE),
            "incomplete": verdicts.count(INCOMPLETE),
            "not_compared": sum(len(match.not_compared) for match in self.matches),
        }

    @property
    def verdict(self) -> str:
        """`within` or `outside`."""
        failing = any(figure.verdict == OUTSIDE and figure.level == "error" for match in self.matches for figure in match.figures)
        return OUTSIDE if failing else WITHIN

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """0 within tolerance, 1 not; with `strict` incomplete figures and absent files fail, too, with `fail_on="warn"` level warn."""
        levels = ("error", "warn") if fail_on == "warn" else ("error",)
        failing = any(figure.verdict == OUTSIDE and figure.level in levels for match in self.matches for figure in match.figures)
        summary = self.summary
        return int(failing or (strict and summary["incomplete"] + summary["not_compared"] > 0))


def validate(pack: str | Path, tolerances: Tolerances | None = None) -> PackResult:
    """Judge every match of a pack, by default by the tolerances that come with the program.

    Raises `InvalidConfiguration` for a bad manifest, `UnreadableFile` for a bundled file that is missing, changed or unreadable,
    `NothingToCompare` when no figure could be judged.
    """
    folder = Path(pack)
    tolerances = tolerances or load_tolerances()
    matches = tuple(_validate_match(path, manifest, tolerances) for path, manifest in load_pack(folder))
    result = PackResult(folder.resolve().name, matches)
    if not any(figure.verdict in (WITHIN, OUTSIDE) for match in matches for figure in match.figures):
        raise NothingToCompare(f"{pack}: not one reported figure could be compared; fetch the files or add figures to the manifests")
    return result


def _validate_match(folder: Path, manifest: Manifest, tolerances: Tolerances) -> MatchResult:
    loaded: dict[str, Match] = {}
    absent: dict[str, str] = {}
    for key, file in manifest.files.items():
        path = _find(folder, file)
        if path is None:
            absent[key] = f"{file.name} is not here; it is public at {file.url}"
            continue
        content = _checked(path, file)
        loaded[key] = read_match(str(path), content)
    not_compared = []
    reported = []
    for index, entry in enumerate(manifest.reported):
        if entry.file in absent:
            not_compared.append(f"reported figures of {entry.file}: {absent[entry.file]}")
        else:
            with _named(folder):
                reported.append(_reported(folder, loaded[entry.file], entry, index, tolerances))
    pairs = []
    for pair in manifest.pairs:
        lacking = [absent[side] for side in (pair.left, pair.right) if side in absent]
        if lacking:
            not_compared.append(f"{pair.left} against {pair.right}: {'; '.join(lacking)}")
            continue
        table = pair.judged_by or "documented"
        try:
            with _named(folder):
                comparison = compare(loaded[pair.left], loaded[pair.right], tolerances, table=table)
        except NothingToCompare as error:
            not_compared.append(f"{pair.left} against {pair.right}: {error}")
            continue
        pairs.append(PairResult(pair, comparison, pair.judged_by is not None))
    return MatchResult(manifest, folder, tuple(reported), tuple(pairs), tuple(not_compared))


@contextmanager
def _named(folder: Path) -> Iterator[None]:
    """A name that a manifest gives and nobody knows is told with the manifest."""
    try:
        yield
    except UnknownName as error:
        raise InvalidConfiguration(f"{folder / MANIFEST}: {error}; correct the file") from None


def _find(folder: Path, file: ReferenceFile) -> Path | None:
    """The file in the pack, or a copy of it under `RECONCILE_DATA`; `None` where it is nowhere."""
    if file.bundled:
        path = folder / file.name
        if not path.resolve().is_relative_to(folder.resolve()):
            raise InvalidConfiguration(f"{path}: expected a file inside the pack, found a link out of it")
        return path
    copies = os.environ.get(DATA_VARIABLE)
    if not copies:
        return None
    found = sorted(Path(copies).glob(f"**/{_literal(file.name)}"))
    return next((path for path in found if path.stat().st_size == file.bytes and _digest(path) == file.sha256), None)


def _literal(name: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _checked(path: Path, file: ReferenceFile) -> bytes:
    content = read_bytes(str(path))
    digest = sha256(content).hexdigest()
    if digest != file.sha256:
        raise UnreadableFile(
            f"{path}: expected SHA-256 {file.sha256}, found {digest}; the file was changed, restore it or correct the manifest"
        )
    return content


def _reported(folder: Path, match: Match, entry: Reported, index: int, tolerances: Tolerances) -> ReportedResult:
    scored = statistics(match, entry.rules, entry.met)
    table = tolerances.table(entry.table)
    figures = []
    for name, printed in entry.players.items():
        seat = _seat(folder, match, name, entry.by_seat)
        ours = scored.figures(seat)
        for key, text in printed.items():
            tolerance = table.of(key)
            if tolerance is None:
                raise InvalidConfiguration(f"{folder / MANIFEST}: {key}: table {entry.table!r} has no tolerance for it")
            figure = Figure(key, match.players[seat], float(text), ours[key], None, None, None, "ungated")
            figures.append(judged(figure, table))
    return ReportedResult(entry.file, entry.rules, entry.table, entry.source, tuple(figures), index)


def _seat(folder: Path, match: Match, name: str, by_seat: bool) -> int:
    if by_seat and name in ("1", "2"):
        return int(name) - 1
    seats: Iterable[int] = (seat for seat in (0, 1) if fold(match.players[seat]) == fold(name))
    seat = next(iter(seats), None)
    if seat is None:
        raise InvalidConfiguration(
            f"{folder / MANIFEST}: players: no {name!r} in {Path(match.source.path).name}, "
            f"found {match.players[0]!r} and {match.players[1]!r}"
        )
    return seat
