"""The written model of an OGXM document (`keys.yaml`), to which every form is brought: the JSON of
the codec, GammonView's own JSON (`.gva`), and what GammonView adds to a document of version 1.

GammonView's two have equities (EMG) where the format has match winning chances. The codec is the
Python package `ogxm`, whose native code runs in a process of its own, bounded in time and size: a
damaged document can end no more than that process.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from struct import calcsize, iter_unpack, unpack_from
from struct import error as CutShort  # noqa: N812 - an exception
from urllib.parse import unquote

from reconcile.errors import MissingPackage, reason_of
from reconcile.files.limits import MOST_DECISIONS, MOST_GAMES
from reconcile.files.processes import Program, TooLate, TooMuch
from reconcile.files.yaml_file import read_tree
from reconcile.formats.common import Damaged, JsonObject, part, parts, shown
from reconcile.wording import printable

WORKER = Path(__file__).with_name("codec_worker.py")
LARGEST_DECODED = 96 * 2**20
"""Bytes of its JSON, which is ten times as long."""
SECONDS = 60.0
"""Three analyses of a match to seven take one."""
REFUSED = 3
"""The worker's exit code where the codec refuses what it was given."""


def decoded(content: bytes) -> JsonObject:
    """A document as the codec's JSON, or as GammonView's own.

    Raises `Damaged`, and `MissingPackage` where the package `ogxm` is not installed.
    """
    try:
        document = json.loads(content if content.startswith(b"{") else _json_of(content))
    except (ValueError, RecursionError) as error:
        raise _refused(str(error)) from None
    if type(document) is not dict:
        raise _refused("expected one match")
    return document


def _refused(reason: str) -> Damaged:
    return Damaged(f"damaged, {reason}", "save it again in the program that made it")


def _json_of(content: bytes) -> bytes:
    try:
        version("ogxm")
    except PackageNotFoundError:
        raise MissingPackage(
            "OGXM documents need the package ogxm; pip install 'gammon-reconcile[ogxm]'"
        ) from None
    words = [sys.executable, "-P", str(WORKER)]
    try:
        with Program(words, questions=[content], most=LARGEST_DECODED) as program:
            program.allow(SECONDS)
            converted = b"".join(program.output())
    except TooMuch:
        raise _refused(f"it unpacks to more than {LARGEST_DECODED >> 20} MB") from None
    except TooLate:
        raise _refused(f"the codec has not finished after {SECONDS:.0f} seconds") from None
    except OSError as error:
        raise _refused(f"the codec cannot be started: {reason_of(error)}") from None
    if program.code == REFUSED:
        raise _refused(printable(program.complaint.decode("utf-8", "replace").strip())[:200])
    if program.code != 0:
        raise _refused("the codec failed on it")
    return converted


MOST_ANALYSES = 64
EQUITY = "equity"
"""The unit of an analysis in GammonView's own forms, whatever is at stake."""
CUBELESS = "cubeless"
KEY = "x-gammonview-"
"""How the keys of GammonView's annotations begin."""
OF_ANALYSIS, ELSEWHERE, SITE = (f"{KEY}{name}" for name in ("analysis/", "decisions/", "site"))
RENAMED = {
    "beaver": "beavers",
    "raccoon": "raccoons",
    "crawford_before_start": "crawford_played_before_start",
}
WORDS = {
    "variant": ("backgammon", "nackgammon", "hypergammon", "longgammon"),
    "date_precision": ("day", "month", "year"),
    "initial_cube_owner": ("white", "black", "centred"),
    "cube_owner": ("white", "black"),
}
"""What GammonView writes as a number."""
MODES = {0x20: "rollout", 0x40: "database", 0x10: "truncated"}
"""Bits of a level in a document of version 1; the lowest four are its depth."""
MORE = {2: "4x", 3: ""}
"""What the records of GammonView's chunk have beside what is read, by the version of the chunk."""


@cache
def _tables() -> dict[str, dict[str, str]]:
    tree: dict[str, dict[str, str]] = read_tree(Path(__file__).with_name("keys.yaml"))
    return {
        noun: {key: use for use, keys in table.items() for key in keys.split()}
        for noun, table in tree.items()
    }


def left_out(document: JsonObject) -> list[str]:
    """The keys that are not read, and that no figure depends on. Raises `Damaged` for any other key
    that is not read."""
    tables, names = _tables(), dict[str, None]()

    def look(value: JsonObject, noun: str) -> None:
        for key, inner in value.items():
            use = tables[noun].get(key, "unknown")
            if use in tables:
                for each in inner if type(inner) is list else [inner]:
                    if type(each) is dict:
                        look(each, use)
            elif use == "left out" and inner:
                names[key if noun in ("match", "annotation") else f"{noun}.{key}"] = None
            elif use == "unknown" or (use == "zero" and inner):
                raise Damaged(
                    f"the key {key[:40]!r} in {noun!r} ({shown(inner)}) may change the figures and "
                    "has no meaning here"
                )

    look(document, "match")
    for key, value in annotated(document, ""):
        field = re.split("[/.~]", key.removeprefix(KEY))[0]
        look({field: value} if key.startswith(KEY) else {}, "annotation")
        names.update({} if key.startswith(KEY) else {"annotations": None})
    return list(names)


def annotated(document: JsonObject, start: str) -> Iterator[tuple[str, str]]:
    """Key and value of the annotations whose key begins so."""
    for annotation in parts(document, "annotations", MOST_DECISIONS, optional=True):
        key = str(annotation.get("key"))
        if key.startswith(start):
            yield key, str(annotation.get("value"))


def own_items(document: JsonObject, name: str) -> dict[str, str]:
    """What GammonView keeps of an analysis beside the format's own, by item; empty of another
    program's."""
    pieces = dict(annotated(document, OF_ANALYSIS + name))  # `key`, `key~1` to `key~10`
    value = "".join(pieces[key] for key in sorted(pieces, key=lambda key: (len(key), key)))
    items = (item.partition("=") for item in value.partition(":")[2].split(";") if item)
    return {key: unquote(text) for key, _, text in items}


@lru_cache(maxsize=2)
def document_of(content: bytes) -> JsonObject:
    """A document in the words of the codec; not to be changed, since it is kept for its next
    analysis. Raises `Damaged`, `MissingPackage`."""
    document = decoded(content)
    if content.startswith(b"{"):
        return _of_json(document)
    if content[4:6] == b"\1\0":
        try:
            _add_chunks(document, content)
        except (CutShort, LookupError, ValueError):
            raise Damaged("what GammonView added to version 1 is cut short") from None
    return document


def blocks(document: JsonObject) -> list[JsonObject]:
    """What is said of each analysis."""
    if "analyses_info" in document:
        return parts(document, "analyses_info", MOST_ANALYSES)
    block = part(document, "analysis_info")
    return [] if block is None else [block]


def of_block(value: JsonObject, index: int) -> JsonObject | None:
    """What one analysis says of an action; `None` if nothing."""
    if "analyses" not in value:
        return part(value, "analysis") if index == 0 else None
    listed = parts(value, "analyses", MOST_ANALYSES)
    return next((each for each in listed if each.get("analysis_index") == index), None)


def unit_of(stated: object) -> str:
    """The unit of an analysis or a decision in GammonView's JSON, where the number names the unit
    that the file would have."""
    return EQUITY if stated in (None, 1, 2) else CUBELESS


def _of_json(document: JsonObject) -> JsonObject:
    """GammonView's own JSON in the words of the codec."""
    document = {RENAMED.get(key, key): value for key, value in document.items()}
    if "score_start" in document:
        start = document.pop("score_start")
        if type(start) is not list or len(start) != 2:
            raise Damaged(f"expected score_start to be two numbers, found {shown(start)}")
        document["white_score_start"], document["black_score_start"] = start
    games = parts(document, "games", MOST_GAMES)
    plies = [ply for game in games for ply in parts(game, "plies", MOST_DECISIONS)]
    for value in (document, *games, *plies):
        for key in WORDS.keys() & value.keys():
            at = value[key]
            value[key] = WORDS[key][at] if at in range(len(WORDS[key])) else shown(at)
    for info in blocks(document):
        info["currency"] = unit_of(info.get("currency"))
    return document


def _add_chunks(document: JsonObject, content: bytes) -> None:
    """Lay over a document of version 1 what GammonView wrote: luck, illegal plays, levels, and the
    limit of the cube where the codec sees a score."""
    added: list[dict[bytes, bytes]] = []
    at = 20
    while len(content) - at > 8:
        name, size = unpack_from("<4sI", content, at)
        if name == b"ANAL":
            added.append({})
        if added:
            added[-1][name] = content[at + 12 : at + 12 + size]
        at += 12 + size
    if not any(b"GVAN" in chunks for chunks in added):
        return
    document["cube_limit"] = document.pop("white_score_start", 0)
    for key in ("black_score_start", "white_score", "black_score"):
        document.pop(key, None)
    for index, (info, chunks) in enumerate(zip(blocks(document), added, strict=False)):
        if b"GVAN" in chunks:
            info["currency"] = EQUITY
            _add_block(document["games"], info, index, chunks)


def _add_block(
    games: list[JsonObject], info: JsonObject, index: int, chunks: dict[bytes, bytes]
) -> None:
    """What GammonView adds to one analysis: a record for each roll, candidate and cube decision."""
    content, at = chunks[b"GVAN"], 4
    version, base, sections = content[:3]
    info["eval_level"] = _mode(base)
    rolls = [*iter_unpack("<BH14xB2x", chunks.get(b"EVAL", b""))]

    def analysis_of(game: int, ply: int) -> JsonObject:
        return of_block(games[game]["plies"][ply], index) or {}

    if sections & 1:
        record = f"<Bh{MORE[version]}"
        of_rolls = content[at : at + calcsize(record) * len(rolls)]
        at += len(of_rolls)
        for (game, ply, _), (flags, luck) in zip(rolls, iter_unpack(record, of_rolls), strict=True):
            analysis_of(game, ply).update(
                ({"luck": luck / 1e4} if flags & 2 else {}), illegal_move=bool(flags & 4)
            )
    for game, ply, number in rolls if sections & 2 else []:
        plays = analysis_of(game, ply).get("alternatives", [])
        for play, level in zip(plays, content[at : at + number], strict=True):
            play["eval_level"] = _mode(level or base)
        at += number
    of_cubes = iter_unpack(f"<xB{MORE[version]}", content[at:] if sections & 4 else b"")
    cubes = iter_unpack("<BHB24x", chunks.get(b"CUBE", b""))
    for (game, ply, kind), (level,) in zip(cubes, of_cubes, strict=False):
        analysis = analysis_of(game, ply)
        for key in ("cube_decision", "missed_double"):
            value = analysis.get(key, {}) if kind > 1 else analysis
            value["eval_level"] = _mode(level or base)


def _mode(code: int) -> str:
    """A level of version 1 in GammonView's words."""
    word = next((word for bit, word in MODES.items() if code & bit), "")
    return f"{word}{code & 15 or ''}" if word else f"{code & 15}ply"
