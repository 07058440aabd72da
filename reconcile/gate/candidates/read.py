"""Recognises a candidate by its content: files with decisions, listings, exports, positions, and the plain format."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeVar

from reconcile.errors import At, InvalidConfiguration, ReconcileError, UnreadableFile
from reconcile.files.inputs import first_bytes
from reconcile.files.limits import MOST_CLAIMS, MOST_ROWS
from reconcile.formats import (
    PROTECTED_MAGIC,
    STANDARD_INPUT,
    load_matches,
    read_match,
    reported_totals,
)
from reconcile.formats.interface import BLUNDERDB, HEAD, Format, format_of
from reconcile.gate.candidates.claims import Candidate, Claim, of_player, short, stated
from reconcile.match.match import Match

LARGEST: Final = 16 * 2**20
"""Limit for figures and exports; files with decisions have their own."""
Claims = TypeVar("Claims", bound=Sequence[object])
SAID: Final = (
    "expected a match (.xg, .sgf, .bgf, blunderDB database, OGXM document), gnuBG's or XG's statistics, an XG position, "
    "blunderDB's listing, decisions in JSON or CSV, or figures in "
    "YAML, JSON or CSV"
)


def read_candidates(
    given: Iterable[str], errors: dict[Path, ReconcileError] | None = None
) -> tuple[Candidate, ...]:
    """Everything in files and folders, without repetition: of gnuBG's exports, one file per game, only the statistics of the match.

    `-` is standard input. `FILE#MATCH` names the reference match of a file, `FILE#MATCH/PLAYER` its player as well; `FILE.db#ID` names a
    match inside a database. Raises `UnreadableFile`, `InvalidConfiguration` with one line; with `errors`, adds them there instead.
    """
    found: dict[tuple[str, str, str, int], Candidate] = {}
    for path, one, about in (file for text in given for file in _files(text)):
        try:
            candidate = _read_file(path, one, about)
        except ReconcileError as error:
            if errors is None:
                raise
            errors[path] = error
        else:
            key = (
                candidate.name,
                candidate.sha256,
                candidate.about,
                id(candidate) if candidate.matches else 0,
            )
            found.setdefault(key, candidate)
    return tuple(found.values())


def _files(given: str) -> Iterator[tuple[Path, str, str]]:
    """The files of a word: path, the path as given, and what is named after `#`. An empty folder is a path that cannot be read."""
    path, about = _split(given)
    if not (_exists(path) and path.is_dir()):
        yield path, given, about
        return
    files = sorted(one for one in path.iterdir() if one.is_file() and not one.name.startswith("."))
    yield from ((one, str(one), about) for one in files or [path])


def _split(given: str) -> tuple[Path, str]:
    """The file and the part after the last `#`, unless a file has that whole name."""
    path, mark, about = given.rpartition("#")
    if mark and path and not _exists(Path(given)):
        return Path(path), about
    return Path(given), ""


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # the name is too long or has a zero byte
        return False


def _read_file(path: Path, given: str, about: str) -> Candidate:
    if str(path) == STANDARD_INPUT:
        return _about(read_printed("standard input", _bytes(path, "standard input")), about)
    if _exists(path) and path.is_dir():
        raise UnreadableFile("expected a folder with candidates, found an empty one", path)
    if _exists(path) and not path.is_file():  # a pipe can be read only once
        return _about(read_printed(path.name, _bytes(path)), about)
    head = first_bytes(path, HEAD)
    form = _match_format(head)
    if form or head.startswith(PROTECTED_MAGIC):
        selects = form is not None and form.selects
        # For a file of several matches the part after `#` names one of its own.
        matches = tuple(load_matches(given if selects else path))
        if not matches:
            raise UnreadableFile("expected a database with matches, found none in it", path)
        kept = [_kept(match) for match in matches] if form is BLUNDERDB else []
        claims = tuple(claim for claim in kept if claim.figures)
        return Candidate(
            path.name,
            matches[0].source.sha256,
            claims,
            matches=matches,
            about="" if selects else about,
        )
    content = _bytes(path)
    text = _decoded(str(path), content)
    from reconcile.formats.printed.text import file_with, plain

    last, text = file_with(path, plain(text))
    candidate = read_text(str(last), text, content if last == path else _bytes(last))
    return _about(candidate, about)


def _kept(match: Match) -> Claim:
    """The figures that a database stores for a match: what its program shows, whatever its decisions sum to."""
    where = At(match.source.path)
    figures = [
        stated(where, player, metric, value)
        for player, kept in reported_totals(match.source.path).items()
        for metric, value in kept.items()
        if value is not None
    ]
    return Claim(where, tuple(figures), players=match.players, length=match.length, of=match)


def _match_format(content: bytes) -> Format | None:
    """The format that some bytes, or the first of a file, are of; `None` for one that a text of figures may look like."""
    form = format_of(content)
    return None if form is None or form.figures else form


def _bytes(path: Path, name: str = "") -> bytes:
    content = first_bytes(path, LARGEST + 1)
    if len(content) > LARGEST:
        raise UnreadableFile(
            f"expected figures, found more than {LARGEST >> 20} MB; is it the right file?",
            name or path,
        )
    return content


def _decoded(where: str, content: bytes) -> str:
    if not content.strip(b"\0 \t\r\n"):
        raise UnreadableFile(f"{SAID}, found {'only blanks' if content else 'nothing'}", where)
    from reconcile.formats.values import utf16

    if codec := utf16(content):
        return content.decode(codec, "replace")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnreadableFile(
            f"expected UTF-8, found byte 0x{content[error.start]:02x}; save the file in UTF-8",
            where,
            line,
        ) from None
    if "\0" in text:
        raise UnreadableFile(f"{SAID}, found binary data", where)
    return text


def read_printed(where: str, content: bytes) -> Candidate:
    """The same from the output of a program; `where` names it in messages."""
    if form := _match_format(content):
        if form is BLUNDERDB:
            raise UnreadableFile(
                "printed a database; make it print figures, or give the database with --candidate",
                where,
            )
        match = read_match(where, content)
        return Candidate(where, match.source.sha256, matches=(match,))
    from reconcile.formats.printed.text import plain

    return read_text(where, plain(_decoded(where, content)), content)


def read_text(where: str, text: str, content: bytes) -> Candidate:
    """A candidate from text. Raises `InvalidConfiguration`, `UnreadableFile` with one line."""
    from reconcile.formats.printed import is_printed
    from reconcile.gate.candidates import rows
    from reconcile.gate.candidates.listings import XGID, export_claims, positions

    name, digest = Path(where).name, sha256(content).hexdigest()
    if mark := rows.delimiter_of(text):
        return Candidate(
            name,
            digest,
            _limited(where, rows.claims_of_decisions(where, _table(where, text, mark))),
        )
    if is_printed(text):
        return Candidate(name, digest, export_claims(At(where), text))
    if XGID.search(text):
        return Candidate(name, digest, positions=positions(At(where), text))
    if text.lstrip()[:1] in ("{", "["):
        return _named(Candidate(name, digest, _limited(where, _json_claims(where, text))))
    header = [cell.strip().lower() for cell in next(csv.reader(text.splitlines()[:1]), [])]
    if "player" in header and len(header) > 1:
        return _named(Candidate(name, digest, _limited(where, _csv_claims(where, text))))
    from reconcile.formats.mat import recognises

    if recognises(content):
        match = read_match(where, content)
        return Candidate(name, digest, matches=(match,))
    if ":" in text and any(line.startswith("schema_version") for line in text.splitlines()):
        from reconcile.files.yaml_file import checked

        figures = checked(Path(where), content, rows.PlainFigures)
        return _named(Candidate(name, digest, _limited(where, rows.claims_of(where, figures))))
    raise UnreadableFile(f"{SAID}, found {short(text.strip()[:40])}", where)


def _named(candidate: Candidate) -> Candidate:
    """The same, under the name of the program if its figures name one."""
    programs = {claim.program for claim in candidate.claims}
    return (
        replace(candidate, name=next(iter(programs)) or candidate.name)
        if len(programs) == 1
        else candidate
    )


def _limited(where: str, claims: Claims) -> Claims:
    if len(claims) > MOST_CLAIMS:
        raise InvalidConfiguration(
            f"expected figures of at most {MOST_CLAIMS} matches, found {len(claims)}; split the file",
            where,
        )
    return claims


def _json_claims(where: str, text: str) -> tuple[Claim, ...]:
    from reconcile.gate.candidates import listings, rows

    try:
        tree = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise InvalidConfiguration(
            f"expected JSON: {error.msg.lower()}; correct the file", where, error.lineno
        ) from None
    except RecursionError:
        raise InvalidConfiguration(
            "expected JSON, found brackets nested too deep; is it the right file?", where
        ) from None
    except ValueError as error:
        raise InvalidConfiguration(
            f"expected JSON: {str(error)[:120]}; correct the file", where
        ) from None
    matches = tree.get("matches") if isinstance(tree, dict) else None
    if isinstance(matches, list):
        _limited(where, matches)
    if isinstance(tree, list) and len(tree) > MOST_ROWS:
        raise InvalidConfiguration(
            f"expected at most {MOST_ROWS} items, found {len(tree)}; split the file", where
        )
    if listings.is_statistics(tree):
        return listings.statistics_claims(At(where), tree)
    if listings.is_player_table(tree):
        return listings.player_claims(At(where), tree)
    if listings.is_own_statistics(tree):
        return listings.own_claims(At(where), tree)
    if rows.is_decision_list(tree):
        return rows.claims_of_decision_tree(where, tree)
    return rows.claims_of_tree(where, tree)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    tree = dict(pairs)
    if len(tree) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"{short(twice)} is given twice in one object")
    return tree


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is not a figure; write null for an unknown one")


def _csv_claims(where: str, text: str) -> tuple[Claim, ...]:
    from reconcile.gate.candidates import listings, rows

    table = _table(where, text)
    if listings.columns_of_players(list(table[0][2])):
        return listings.player_claims(At(where), [cells for _, _, cells in table])
    return rows.claims_of_figures(where, table)


def _table(where: str, text: str, delimiter: str = ",") -> list[tuple[int, At, Mapping[str, str]]]:
    """The rows below the header, each with its line. Raises `InvalidConfiguration`, also if there are none."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] = []
    found: list[tuple[int, At, Mapping[str, str]]] = []
    try:
        for cells in reader:
            if not any(map(str.strip, cells)):
                continue
            place = At(where, reader.line_num)
            if not header:
                header = [cell.strip().lower() for cell in cells]
                if len(set(header)) < len(header):
                    raise InvalidConfiguration(
                        f"a column is named twice; found {short(', '.join(header))}", where, 1
                    )
                continue
            if len(found) == MOST_ROWS:
                raise InvalidConfiguration(
                    f"expected at most {MOST_ROWS} lines, found more; split the file", where
                )
            if len(cells) != len(header):
                raise InvalidConfiguration(
                    f"expected {len(header)} cells, found {len(cells)}; correct the line", place
                )
            found.append(
                (reader.line_num, place, dict(zip(header, map(str.strip, cells), strict=True)))
            )
    except csv.Error as error:
        raise InvalidConfiguration(
            f"expected CSV: {error}; correct the line", where, reader.line_num
        ) from None
    if not found:
        raise InvalidConfiguration(
            "expected a line for every figure or decision, found only a header", where
        )
    return found


def _about(candidate: Candidate, about: str) -> Candidate:
    """The same, assigned to the reference match (and player) named after `#`."""
    if not about:
        return candidate
    match, _, player = about.partition("/")
    claims = tuple(replace(claim, match=match) for claim in candidate.claims)
    return replace(
        candidate,
        about=match,
        claims=tuple(of_player(claim, player) for claim in claims) if player else claims,
    )
