"""Every format that the program reads: the damage that fits it, and how it is read to the last
figure."""

from __future__ import annotations

import gzip
import json
import math
import sqlite3
import tempfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

import yaml

from engine_benchmark.reader import Contents, read_benchmark
from reconcile.engines.analysis import read_back
from reconcile.engines.record import game_record, renamed
from reconcile.errors import ReconcileError, UnreadableFile
from reconcile.files.aliases import load_aliases
from reconcile.files.yaml_file import checked
from reconcile.formats import ogxm, read_match
from reconcile.formats.bgblitz import container
from reconcile.formats.blunderdb import open_bytes, read_all
from reconcile.formats.mat.writer import differences, transcript
from reconcile.formats.printed import read_pasted
from reconcile.formats.xg import records as at
from reconcile.formats.xg.container import HEADER, HEADER_SIZE, TRAILER, archive, open_archive
from reconcile.gap.comparison import compare
from reconcile.gap.tolerance_file import ToleranceFile
from reconcile.gate.candidates.read import read_candidates
from reconcile.gate.changes import Result, changes, read_result
from reconcile.gate.manifest import Manifest
from reconcile.match.match import Match
from reconcile.match.met import load_met
from reconcile.match.tools import ANALYSERS
from reconcile.report import blocks
from reconcile.report.markdown import markdown
from reconcile.report.text.changes import changes_blocks
from reconcile.rules.rulesets import rule_set
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import statistics
from reconcile.suite.documents import read_run
from tests.fuzz import asked, damage
from tests.fuzz.damage import Damage
from tests.fuzz.seeds import (
    analysis_seeds,
    benchmark_seeds,
    bgf_seeds,
    candidate_seeds,
    database_seeds,
    manifest_seeds,
    mat_seeds,
    met_seeds,
    ogxm_seeds,
    page_seeds,
    pasted_seeds,
    result_seeds,
    sgf_seeds,
    sound_match,
    suite_seeds,
    tolerance_seeds,
    xg_seeds,
)
from tests.support.smile_writer import encode

RECORDS: Final = "temp.xg"
MOST_MATCHES: Final = 3
ALIASES: Final = (
    b'schema_version: 1\nplayers:\n  Nora: [Nora Lindqvist, "N. L."]\nnamesakes: '
    b"{Nora: {Ann: {event: Open}}}\n"
)
RULES: Final = (
    b"schema_version: 1\nname: ours\nextends: xg\ntitle: Ours\nversion: "
    b"'1'\nanswers: {Q01: gnubg}\nevidence: {Q01: seen}\n"
)
THOROUGH: Final = 10
"""One input of so many is also compared with a sound file, converted and listed."""


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of input."""

    name: str
    seeds: Callable[[], tuple[bytes, ...]]
    damages: tuple[Damage, ...]
    read: Callable[[bytes, bool], object]
    """Reads bytes to the last figure, the thorough way or not. Raises nothing but
    `ReconcileError`."""
    share: int
    """Of the inputs of a run."""
    splice: int = 1
    """Bytes between which two files are cut and joined."""
    refuses: Callable[[bytes], bool] = lambda content: False
    """Whether bytes contradict themselves so that reading them at all would be a bug."""
    wrap: Callable[[bytes, bytes], bytes] = lambda seed, content: content
    """Puts what was damaged back into the file that it was taken out of."""
    open: Callable[[bytes], bytes] = lambda seed: seed
    """Takes what is to be damaged out of a file."""

    def sound(self, number: int) -> bytes:
        """The sound file that the damaged one of a number is made of."""
        return Random(f"{self.name} {number}").choice(self.seeds())

    def mutation(self, number: int) -> bytes:
        """The damaged file of a number: always the same bytes for the same sound files."""
        chance, seeds = Random(f"{self.name} {number}"), self.seeds()
        seed = chance.choice(seeds)
        content = self.open(seed)
        if chance.randrange(8) == 0:
            content = damage.spliced(content, self.open(chance.choice(seeds)), chance, self.splice)
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            content = chance.choice(self.damages)(content, chance) if content else content
        return self.wrap(seed, content)


# -- matches --


def score_match(
    content: bytes,
    thorough: bool,
    name: str = "fuzzed",
    sound: Callable[[], Match] | None = None,
    reader: Callable[[], Match] | None = None,
) -> Match:
    """Read a match and everything that is computed of it."""
    match = reader() if reader else read_match(name, content)
    for table in (match.games, match.plays, match.cubes, match.resignations):
        assert {len(getattr(table, column)) for column in table.names()} <= {len(table)}
    assert abs(match.plays.position).max(initial=0) <= 15
    assert match.away.shape == (len(match.games), 2)
    for rules in (tool.rules for tool in ANALYSERS.values()):
        computed = statistics(match, rules)
        for seat in (0, 1):
            for metric, figure in computed.figures(seat).items():
                assert figure is None or math.isfinite(figure), f"{name}: {metric} is {figure}"
        findings_of(computed)
    if thorough:
        list(match.decisions())
        _allowed(lambda: game_record(match))
        if sound is not None:
            _allowed(lambda: compare(sound(), match))
    return match


def _allowed(work: Callable[[], object]) -> None:
    """A second use of a match that was read may be refused; the match was read all the same."""
    try:
        work()
    except ReconcileError:
        return


def checksum_fails(content: bytes) -> bool:
    """Whether the trailer's checksum contradicts the members and registry of an `.xg` file, or has
    no room to be right."""
    if len(content) < HEADER_SIZE or not content.startswith(b"RGMH"):
        return True
    _, _, header_size, _, thumbnail = HEADER.unpack_from(content)
    body, trailer = content[header_size + thumbnail : -TRAILER.size], content[-TRAILER.size :]
    return zlib.crc32(body) != int.from_bytes(trailer[:4], "little")


MAT_WORDS: Final = (
    *b") : => * (4) 25 0/ /0 11: 66: ???? bar/24 5/off(4) \xff \0".split(),
    *(b"\n", b" ", b" Game 1\n", b" Beavers => 4", b" Doubles => 2", b" Takes", b" Drops"),
    *(b" Wins 3 points", b" 0 point match\n", b"A : 0  B : 0\n"),
)
"""Of transcripts."""


def records(content: bytes) -> bytes:
    """The records of an `.xg` file, inflated."""
    return bytes(open_archive("seed.xg", content).read(RECORDS))


def resealed(content: bytes, changed: bytes) -> bytes:
    """An `.xg` file with other records under true sizes and checksums: damage that the container
    cannot notice."""
    opened = open_archive("seed.xg", content)
    members = {
        name: changed if name == RECORDS else bytes(opened.read(name)) for name in opened.members
    }
    return content[: HEADER_SIZE + HEADER.unpack_from(content)[-1]] + archive(members)


def unpacked(content: bytes) -> bytes:
    """The object of a `.bgf` file, decompressed."""
    return gzip.decompress(content.partition(b"\n")[2])


def of_bgf(content: bytes) -> Any:
    """The object itself."""
    return container.decode(content) if content.startswith(b":)") else json.loads(content)


def repacked(content: bytes, changed: bytes) -> bytes:
    """A `.bgf` file with another object, compressed under its true checksum."""
    return content.partition(b"\n")[0] + b"\n" + gzip.compress(changed, 1, mtime=0)


# -- databases --


ODD_VALUES: Final = (
    *(None, "", -1, 0, 1, 2, 7, 25, 99, 2**31, -(2**63), 2**63 - 1, 1e308, -1e308, float("inf")),
    *(5e-324, -0.0, b"", b"\xff", b"\0" * 28, b"\x0f" * 28, "9" * 5000, "\ud7ff" * 50, "\0"),
    *("nan", "x", "[", "{}", "24/18 13/11", "8/5(9)", "bar/off", '{"board":{"points":[]}}'),
)


def values_changed(content: bytes, chance: Random) -> bytes:
    """Odd values in the tables of a sound database; rows lost, doubled and told to belong to
    others."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        connection.deserialize(content)
        tables = [
            name
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
            )
        ]
        for _ in range(chance.choice((1, 1, 2, 5))):
            table = chance.choice([*tables, "move", "move", "position", "game"])
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            (last,) = connection.execute(f"SELECT MAX(rowid) FROM {table}").fetchone()
            if not columns or not last:
                continue
            column, row = chance.choice(columns), chance.randrange(last) + 1
            where = chance.choice((f"rowid = {row}", f"rowid = {row}", "1"))
            other = f"(SELECT {column} FROM {table} WHERE rowid = {chance.randrange(last) + 1})"
            statement, values = chance.choice(
                (
                    (
                        f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {where}",
                        (chance.choice(ODD_VALUES),),
                    ),
                    (f"UPDATE OR IGNORE {table} SET {column} = {other} WHERE {where}", ()),
                    (f"DELETE FROM {table} WHERE {where}", ()),
                )
            )
            connection.execute("PRAGMA ignore_check_constraints = ON")
            connection.execute(statement, values)
        return connection.serialize()
    except (sqlite3.Error, OverflowError, ValueError, UnicodeError):
        return content
    finally:
        connection.close()


# -- figures, settings, results --


def read_file(read: Callable[[str], object], suffix: str) -> Callable[[bytes, bool], object]:
    """For a reader that opens its file itself."""

    def through(content: bytes, thorough: bool) -> object:
        with tempfile.NamedTemporaryFile(suffix=suffix) as file:
            file.write(content)
            file.flush()
            return read(file.name)

    return through


def _benchmark(path: str) -> list[Any]:
    return list(read_benchmark(path, Contents(path)))


def changed_from(path: str) -> None:
    """What `reconcile diff` says of a result and the same one damaged."""
    new = read_result(path)
    old = flat_result(new.kind)
    if old is not None and old.figures.keys() & new.figures.keys():
        results = changes(old, new)
        assert blocks.text(changes_blocks(results)).endswith("\n")
        assert markdown(changes_blocks(results)).endswith("\n")


@cache
def flat_result(kind: str) -> Result | None:
    """The sound result of a kind."""
    with tempfile.TemporaryDirectory() as folder:
        for number, seed in enumerate(result_seeds()):
            path = Path(folder) / f"{number}.json"
            path.write_bytes(seed)
            if (results := read_result(str(path))).kind == kind:
                return results
    return None


TEXT: Final = (
    *damage.ANYWHERE,
    damage.digits_changed,
    damage.numbers_replaced,
    damage.numbers_replaced,
)
LINES: Final = (*TEXT, damage.of_pieces(damage.split_before(b"\n")))


def formats() -> Iterator[Format]:
    """All of them."""
    nodes, games = (
        damage.of_pieces(damage.split_before(b";")),
        damage.of_pieces(damage.split_before(b"(;")),
    )
    properties = damage.of_pieces(damage.split_before(b"["))
    match = partial(score_match, sound=sound_match)
    yield Format(
        "sgf", sgf_seeds, (*TEXT, *damage.GENTLE, nodes, nodes, games, properties), match, 30
    )
    yield Format(
        "xg",
        xg_seeds,
        (*damage.ANYWHERE, damage.numbers_written),
        match,
        12,
        refuses=checksum_fails,
    )
    yield Format(
        "xg records",
        xg_seeds,
        (
            *damage.ANYWHERE,
            damage.numbers_written,
            damage.numbers_written,
            damage.of_pieces(damage.of_size(at.RECORD_SIZE)),
        ),
        match,
        20,
        splice=at.RECORD_SIZE,
        wrap=resealed,
        open=records,
    )
    yield Format("bgf", bgf_seeds, damage.ANYWHERE, match, 4)
    yield Format(
        "bgf values",
        bgf_seeds,
        (*TEXT, damage.numbers_written),
        match,
        8,
        wrap=repacked,
        open=unpacked,
    )
    yield Format(
        "bgf object",
        lambda: bgf_seeds()[:4],
        (damage.values_bent(of_bgf, encode),),
        match,
        8,
        wrap=repacked,
        open=unpacked,
    )
    words = damage.words_put(MAT_WORDS)
    yield Format("mat", mat_seeds, (*LINES, words, words, words), match, 10)
    yield Format("gnubg text", page_seeds, LINES, match, 6)
    pages = damage.of_pieces(damage.of_size(4096))
    yield Format(
        "blunderdb",
        database_seeds,
        (*(values_changed,) * 6, *damage.ANYWHERE, damage.numbers_written, pages),
        _database,
        8,
    )
    yield Format(
        "pasted", pasted_seeds, LINES, lambda content, thorough: read_pasted("pasted", content), 5
    )
    trees = damage.values_bent(json.loads, lambda tree: json.dumps(tree).encode())
    yield Format(
        "candidates",
        candidate_seeds,
        (*LINES, trees, trees),
        read_file(lambda path: read_candidates([path]), ""),
        5,
    )
    if find_spec("ogxm") is not None:
        yield Format("ogxm", ogxm_seeds, (*TEXT, *(trees,) * 4), past_the_codec, 6)
    yield Format("benchmark", benchmark_seeds, LINES, read_file(_benchmark, ".bm"), 4)
    settings = (
        *LINES,
        damage.values_bent(
            yaml.safe_load, lambda tree: yaml.safe_dump(tree, allow_unicode=True).encode()
        ),
    )
    yield Format(
        "manifest",
        manifest_seeds,
        settings,
        lambda content, thorough: checked(Path("match.yaml"), content, Manifest),
        2,
    )
    yield Format(
        "tolerances",
        tolerance_seeds,
        settings,
        lambda content, thorough: checked(Path("t.yaml"), content, ToleranceFile),
        1,
    )
    yield Format("aliases", lambda: (ALIASES,), settings, read_file(load_aliases, ".yaml"), 1)
    yield Format("rules", lambda: (RULES,), settings, read_file(rule_set, ".yaml"), 1)
    yield Format(
        "result", result_seeds, (*LINES, *(trees,) * 4), read_file(changed_from, ".json"), 4
    )
    yield Format("met", met_seeds, LINES, read_file(load_met, ".xml"), 1)
    yield Format("kept analysis", analysis_seeds, (trees,), match, 2)
    yield Format("suite", suite_seeds, (*LINES, *(trees,) * 4), read_file(read_run, ".json"), 2)
    for name in ("mat", "sgf"):
        seeds, damages = (mat_seeds, (*LINES, words)) if name == "mat" else (sgf_seeds, TEXT)
        yield Format(f"analysed {name}", seeds, damages, as_analysed, 3)
    yield Format("request", sgf_seeds, (*TEXT, nodes), asked.request, 3)


def everything() -> Iterator[Format]:
    """All of them, and the same files given to commands."""
    kinds = {kind.name: kind for kind in formats()}
    yield from kinds.values()
    for form in asked.ASKED:
        if form in kinds:
            yield replace(kinds[form], name=f"command {form}", read=asked.command(form), share=4)


def as_analysed(content: bytes, thorough: bool) -> None:
    """The writing half of `analyse`: the record that an engine is given, and what is read back."""
    match = read_match("fuzzed", content)
    record = game_record(match).encode()
    changes = tuple(differences(match, read_match("record.sgf", record)))
    content = renamed(record, match.players)
    back = read_back(match, content, "analysed", "gnubg:0", changes, from_cache=False)
    assert back.match.players == match.players
    transcript(back.match)


def past_the_codec(content: bytes, thorough: bool) -> list[Match]:
    """Every analysis of a document whose form the codec has not checked; it is native code in a
    process of its own."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise UnreadableFile("no document", "fuzzed")
    with patch.object(ogxm, "decoded", lambda path, content: document):
        results = []
        for number in range(1, len(ogxm.read_all("fuzzed", content)) + 1):
            read = partial(ogxm.read, "fuzzed", content, str(number))
            results.append(score_match(content, thorough, reader=read))
        return results


def _database(content: bytes, thorough: bool) -> list[Match]:
    """The first few matches of a database; the sound ones hold no more than two."""
    read = []
    with open_bytes("fuzzed.db", content) as database:
        for match in islice(read_all(database), MOST_MATCHES):
            for rules in ("xg", "gnubg"):
                _allowed(partial(statistics, match, rules))
            if thorough:
                list(match.decisions())
            read.append(match)
    return read
