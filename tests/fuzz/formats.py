"""Every format that the program reads: sound files, small ones first, the damage that fits them,
and the commands that are given the damaged ones."""

import gzip
import json
import shlex
import sqlite3
import sys
import tempfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from random import Random

import yaml

from reconcile.formats import load_match, read_match
from reconcile.formats.bgblitz import container
from reconcile.formats.ogxm.model import decoded
from reconcile.formats.xg.records import HEADER, HEADER_SIZE, RECORD_SIZE, TRAILER
from tests.fuzz import damage
from tests.fuzz.damage import BINARY, LINES, TEXT, Damage, values_bent
from tests.match.met.table_files import GOOD
from tests.support import blunderdb_writer, ogxm, small_bgf
from tests.support.command_line import PACK, SGF, XG, run
from tests.support.data import PROJECT, matching
from tests.support.pasted import SUMMARY
from tests.support.smile_writer import encode
from tests.support.tables import beside
from tests.support.xg_tampering import RECORDS, members_of, with_members

DAMAGED = PROJECT / "tests" / "damaged"
LARGEST_SEED = 350_000
"""Bytes; what is longer only makes the same faults slower to find."""
SEEDS = beside(__file__, "seeds.yaml")
"""Texts of some formats."""


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of input."""

    name: str
    share: int
    """Of the inputs of a run."""
    seeds: Callable[[], Sequence[bytes]]
    damages: Sequence[Damage]
    suffix: str
    """Ending of the file's name; `/` for a manifest in the folder of its match."""
    open: Callable[[bytes], bytes] = lambda seed: seed
    """Takes what is to be damaged out of a file."""
    wrap: Callable[[bytes, bytes], bytes] = lambda seed, content: content
    """Puts it back into the file that it was taken out of."""
    splice: int = 1
    """Bytes between which two files are cut and joined."""

    def sound(self, number):
        """The sound file of which the damaged one of a number is made."""
        return Random(f"{self.name} {number}").choice(self.seeds())

    def mutation(self, number):
        """The damaged file of a number: always the same bytes for the same sound files."""
        chance, seed = Random(f"damage {self.name} {number}"), self.sound(number)
        content = self.open(seed)
        if chance.randrange(8) == 0:
            other, step = self.open(chance.choice(self.seeds())), self.splice
            start, end = (chance.randrange(len(part)) for part in (content, other))
            content = content[: start // step * step] + other[end // step * step :]
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            content = chance.choice(self.damages)(content, chance) if content else content
        return self.wrap(seed, content)


def files(*patterns, bundled=""):
    """The bundled files of a pattern and the real ones of others that are not too large."""
    paths = [*(PACK.glob(bundled) if bundled else ()), *matching(*patterns)]
    contents = {path.read_bytes() for path in paths if path.stat().st_size < LARGEST_SEED}
    return sorted(filter(None, contents), key=lambda content: (len(content), content))


def texts(name):
    """The texts of a format."""
    return [text.encode() for text in SEEDS[name]]


def verdicts():
    """The files of `tests/damaged` and whether they are `read` or `refused`."""
    lines = (DAMAGED / "README.md").read_text("utf-8").splitlines()
    return {
        line.split("`")[1]: line.split("|")[2].strip() for line in lines if line.startswith("| `")
    }


@cache
def sgf():
    """Damaged ones too, without those that have a finding of their own, which would hide what
    another damage does."""
    names = [name for name, verdict in verdicts().items() if verdict == "read"]
    contents = [(DAMAGED / name).read_bytes() for name in names if name.endswith(".sgf")]
    plain = [
        content
        for content in contents
        if "damaged-value" not in [note.code for note in read_match("", content).notes]
    ]
    return files("gnubg/*.sgf", "real/*_0ply.sgf", bundled="*/*.sgf") + plain


@cache
def xg():
    return files("real/*.xg", bundled="*/*.xg")


def records(content):
    """The records of an `.xg` file, inflated."""
    return members_of(content)[RECORDS]


def resealed(content, changed):
    """An `.xg` file with other records."""
    return with_members(content, members_of(content) | {RECORDS: changed})


def checksum_fails(content):
    """Whether the trailer's checksum contradicts the members and registry of an `.xg` file, or has
    no room to be right."""
    if len(content) < HEADER_SIZE or not content.startswith(b"RGMH"):
        return True
    _, _, header_size, _, thumbnail = HEADER.unpack_from(content)
    body, trailer = content[header_size + thumbnail : -TRAILER.size], content[-TRAILER.size :]
    return zlib.crc32(body) != int.from_bytes(trailer[:4], "little")


@cache
def bgf():
    """Our own match and money session, then real ones."""
    session = small_bgf.game(small_bgf.first_game(money=True), wonPoints=2)
    small_matches = (small_bgf.match(), small_bgf.match(session, length=0))
    return [*map(small_bgf.written, small_matches), *files("bgblitz/bgf/*.bgf")]


def unpacked(content):
    """The object of a `.bgf` file, decompressed."""
    return gzip.decompress(content.partition(b"\n")[2])


def repacked(content, changed):
    """A `.bgf` file with another object, compressed under its true checksum."""
    return content.partition(b"\n")[0] + b"\n" + gzip.compress(changed, 1, mtime=0)


def bgf_object(content):
    return container.decode(content) if content.startswith(b":)") else json.loads(content)


@cache
def gnubg_text():
    folder = PROJECT / "tests" / "formats" / "gnubg_text"
    first, second = ((folder / f"evening{page}.txt").read_bytes() for page in ("", "_002"))
    return [second, first + second, *files("gnubg-text/2-ply/match1151563*.txt")]


@cache
def blunderdb():
    """Databases of a short match in several schemas."""
    path = PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
    with tempfile.TemporaryDirectory() as folder:
        return [
            blunderdb_writer.write(Path(folder) / "a.db", [load_match(path)], schema).read_bytes()
            for schema in (blunderdb_writer.PER_MOVE, "2.31.0", "2.20.0")
        ]


def rows_changed(content, chance):
    """Odd values in the tables of a sound database; rows lost and assigned to others."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        try:
            connection.deserialize(content)
            connection.execute("PRAGMA ignore_check_constraints = ON")
            query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
            tables = [name for (name,) in connection.execute(query)]
            for _ in range(chance.choice((1, 1, 2, 5))):
                table = chance.choice([*tables, "move", "move", "position", "game"])
                columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
                column = chance.choice(columns)
                first, second = chance.sample(range(20), 2)
                row = f"(SELECT rowid FROM {table} LIMIT 1 OFFSET {{}})"
                copied = f"(SELECT {column} FROM {table} WHERE rowid = {row.format(second)})"
                change, where = f"UPDATE OR IGNORE {table} SET {column} =", row.format(first)
                statement = chance.choice(
                    (
                        f"{change} :odd WHERE rowid = {where}",
                        f"{change} :odd",
                        f"{change} {copied} WHERE rowid = {where}",
                        f"DELETE FROM {table} WHERE rowid = {where}",
                    )
                )
                connection.execute(statement, {"odd": chance.choice(damage.ODD["cells"])})
            return connection.serialize()
        except (sqlite3.Error, OverflowError, ValueError, UnicodeError):
            return content


@cache
def documents_of_ogxm():
    """What the codec makes of a document: by hand, and of GammonView."""
    paths = sorted((PROJECT / "tests" / "formats" / "ogxm").glob("*.gvab"))
    documents = [ogxm.small(), *(decoded(path.read_bytes()) for path in paths)]
    return [json.dumps(document).encode() for document in documents]


def encoded(seed, content):
    """A document as the codec writes it, if it does."""
    try:
        return ogxm.encode(json.loads(content))
    except Exception:  # whatever the codec raises
        return content


def outputs(*commands):
    """What commands print."""
    harness = shlex.join([sys.executable, str(PROJECT / "harnesses" / "reconcile_harness.py")])
    places = {"XG": XG, "SGF": SGF, "PACK": str(PACK / "gnubg-3pt-2ply"), "HARNESS": harness}
    lines = [[places.get(word, word) for word in command.split()] for command in commands]
    return [run(*words).stdout_bytes for words in lines]


@cache
def result():
    """A document of each command that `diff` reads."""
    return outputs(
        "stats XG --format json",
        "compare XG SGF --quiet --json -",
        "validate PACK --quiet --json -",
    )


@cache
def suite():
    """The run of our own harness on a few cases."""
    return outputs("suite run --harness HARNESS --only count-two --json - --quiet")


JSON = values_bent(json.loads, lambda tree: json.dumps(tree).encode())
YAML = values_bent(yaml.safe_load, lambda tree: yaml.safe_dump(tree, allow_unicode=True).encode())


def formats():
    """All of them."""
    transcripts, documents = (*LINES, *[damage.MAT] * 3), (*LINES, *[JSON] * 4)
    record, smile = damage.sized(RECORD_SIZE), values_bent(bgf_object, encode)
    real = partial(files, "real/*.mat", "real/*.txt", "damaged/*.mat")
    yield Format("sgf", 30, sgf, damage.SGF, ".sgf")
    yield Format("xg", 12, xg, BINARY, ".xg")
    xg_records = Format("xg records", 20, xg, (*BINARY, record, record), ".xg")
    yield replace(xg_records, open=records, wrap=resealed, splice=RECORD_SIZE)
    yield Format("bgf", 4, bgf, damage.ANYWHERE, ".bgf")
    for name, damages in (("bgf values", (*TEXT, *BINARY)), ("bgf object", [smile])):
        yield replace(Format(name, 8, bgf, damages, ".bgf"), open=unpacked, wrap=repacked)
    yield Format("mat", 10, lambda: real() or texts("mat"), transcripts, ".mat")
    yield Format("gnubg text", 6, gnubg_text, LINES, ".txt")
    rows = (*[rows_changed] * 6, *BINARY, damage.sized(4096))
    yield Format("blunderdb", 8, blunderdb, rows, ".db")
    if find_spec("ogxm") is not None:
        bent = Format("ogxm", 6, documents_of_ogxm, (*TEXT, *[JSON] * 9), ".ogxm")
        yield replace(bent, wrap=encoded)
    yield Format("page", 3, sgf, damage.SGF, ".sgf")
    summary = SUMMARY.replace("Ann", "Nora Lindqvist").replace("Ben", "Tomas Beck").encode()
    yield Format("pasted", 5, lambda: [summary], (*LINES, damage.grown), ".txt")
    yield Format("candidates", 5, partial(texts, "candidates"), documents, ".json")
    yield Format("benchmark", 4, partial(texts, "benchmark"), LINES, ".bm")
    yield Format("result", 4, result, documents, ".json")
    yield Format("suite", 2, suite, documents, ".json")
    for name, contents in {
        "manifest": [(PACK / "gnubg-3pt-2ply" / "match.yaml").read_bytes()],
        "tolerances": [(PROJECT / "tolerances.yaml").read_bytes()],
        "aliases": texts("aliases"),
        "rules": texts("rules"),
    }.items():
        suffix = "/" if name == "manifest" else ".yaml"
        yield Format(name, 4, partial(list, contents), (*LINES, *[YAML] * 6), suffix)
    yield Format("met", 4, lambda: [GOOD.encode()], LINES, ".xml")
