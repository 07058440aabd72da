"""Sound files of every format, small ones first, to be damaged: bundled, real where they are at
hand, or made here."""

from __future__ import annotations

import json
import shlex
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Final

from reconcile.formats import read_match
from reconcile.gap.comparison import compare
from reconcile.match.match import Match
from reconcile.scoring.statistics import statistics
from tests.formats.kept_analysis import DOCUMENT
from tests.support import blunderdb_writer, small_bgf
from tests.support.data import PROJECT, matching
from tests.support.ogxm import small
from tests.support.pasted import SUMMARY

DAMAGED: Final = PROJECT / "tests" / "damaged"
PACK: Final = PROJECT / "reference_matches"
LARGEST_SEED: Final = 350_000
"""Bytes; what is longer only makes the same faults slower to find."""
MAT: Final = b""" 3 point match

 Game 1
 ann : 0                            ben : 0
  1)                                 31: 8/5 6/5
  2) 42: 8/4 6/4                     66: 24/18(2) 13/7(2)
  3)  Doubles => 2                    Takes
  4) 11: 8/7(2) 6/5(2)               21: 13/11 6/5
  5)  Doubles => 4                    Drops
      Wins 2 points
"""
START_KEY: Final = b"OAHDPAABDAOAHDPAABDA"
BENCHMARK: Final = b"s 2ply 0\nr 17\no %b 0.5 0.1 0 0.1 0\nc %b 50.1 49.2 ND\n" % (
    START_KEY,
    START_KEY,
)


def _files(*paths: Path) -> tuple[bytes, ...]:
    """Contents of the files that are not too large, small ones first, without what stands there
    twice."""
    contents = dict.fromkeys(
        path.read_bytes()
        for path in sorted(paths)
        if path.is_file() and path.stat().st_size < LARGEST_SEED
    )
    return tuple(sorted(filter(None, contents), key=len))


def verdicts() -> dict[str, str]:
    """The kept files and whether they are `read` or `refused`."""
    lines = (DAMAGED / "README.md").read_text("utf-8").splitlines()
    return {
        line.split("`")[1]: line.split("|")[2].strip() for line in lines if line.startswith("| `")
    }


def _worth_keeping(suffix: str) -> list[Path]:
    return [
        DAMAGED / name
        for name, verdict in verdicts().items()
        if verdict == "read" and name.endswith(suffix)
    ]


@cache
def ogxm_seeds() -> tuple[bytes, ...]:
    """What the codec makes of a document: by hand, with an analysis and without, and of
    GammonView."""
    from reconcile.formats.ogxm.codec import decoded

    bare = {name: value for name, value in small().items() if name != "analysis_info"}
    documents = sorted((PROJECT / "tests" / "formats" / "ogxm").glob("*.gvab"))
    foreign = [decoded("", path.read_bytes()) for path in documents]
    return tuple(json.dumps(document).encode() for document in (small(), bare, *foreign))


@cache
def sgf_seeds() -> tuple[bytes, ...]:
    """Without those that have a finding of their own, which would hide what another damage does."""
    files = [
        path
        for path in _worth_keeping(".sgf")
        if not any(note.code == "damaged-value" for note in read_match("", path.read_bytes()).notes)
    ]
    return _files(
        *PACK.glob("*/*.sgf"),
        *files,
        *matching("gnubg/*.sgf", "real/*_0ply.sgf", "gnubg-text/0-ply/*.sgf"),
    )


@cache
def xg_seeds() -> tuple[bytes, ...]:
    return _files(*PACK.glob("*/*.xg"), *matching("real/*.xg"))


@cache
def bgf_seeds() -> tuple[bytes, ...]:
    session = small_bgf.match(
        small_bgf.game(small_bgf.first_game(money=True), wonPoints=2), length=0
    )
    contents = (small_bgf.written(small_bgf.match()), small_bgf.written(session))
    return (*contents, *_files(*matching("bgblitz/bgf/*.bgf")))


@cache
def sound_match() -> Match:
    return read_match("sound", xg_seeds()[0])


@cache
def mat_seeds() -> tuple[bytes, ...]:
    return _files(*matching("real/*.mat", "real/*.txt", "damaged/*.mat")) or (MAT,)


@cache
def page_seeds() -> tuple[bytes, ...]:
    contents = Path(__file__).parents[1] / "formats" / "gnubg_text"
    content, two = (
        (contents / "evening.txt").read_bytes(),
        (contents / "evening_002.txt").read_bytes(),
    )
    return (two, content + two, *_files(*matching("gnubg-text/2-ply/match1151563*.txt")))


@cache
def database_seeds() -> tuple[bytes, ...]:
    """Databases of one or two short matches in several schemas."""
    values = [
        read_match("three", (PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf").read_bytes()),
        read_match("sound", xg_seeds()[0]),
    ]
    contents = []
    with tempfile.TemporaryDirectory() as folder:
        for number, schema in enumerate((blunderdb_writer.PER_MOVE, "2.31.0", "2.20.0")):
            for matches in (values[:1], values):
                path = blunderdb_writer.write(
                    Path(folder) / f"{number}-{len(matches)}.db", matches, schema
                )
                contents.append(path.read_bytes())
    return tuple(contents)


@cache
def benchmark_seeds() -> tuple[bytes, ...]:
    import gzip

    plain = _files(*matching("benchmark/*.bm")) or (BENCHMARK,)
    return (*plain, *(gzip.compress(content, mtime=0) for content in plain))


@cache
def pasted_seeds() -> tuple[bytes, ...]:
    texts = matching("gnubg/*.stats.txt", "gnubg-text/?-ply/*_004.txt")
    return (SUMMARY.encode(), *_files(*(path for path in texts if "unanalysed" not in path.name)))


@cache
def candidate_seeds() -> tuple[bytes, ...]:
    """Candidates in each form: figures and decisions, each in JSON and CSV, and a match."""
    figures: dict[str, dict[str, Any]] = {
        "Ann": {"snowie_er": 21.08, "decisions": 110, "pr": 3.5},
        "Bén": {"snowie_er": "5.56", "decisions": 120, "pr": None},
    }
    tree = {
        "schema_version": 1,
        "program": "p",
        "matches": [
            {"match": "one", "analysis": "xg", "players": figures},
            {"players": figures},
        ],
    }
    table = "match,player,metric,figure\n" + "".join(
        f"one,{name},{metric},{'' if value is None else value}\n"
        for name, values in figures.items()
        for metric, value in values.items()
    )
    rows: list[dict[str, Any]] = [
        {"game": 1, "turn": 2, "player": "Ann", "kind": "no-double", "counted": 1, "error": "0.0"},
        {"game": 1, "turn": 2, "player": "Ann", "kind": "play", "counted": 1, "error": "0.023"},
        {"game": 1, "turn": 3, "player": "Bén", "kind": "play", "counted": 0, "error": ""},
    ]
    decisions = {"schema_version": 1, "program": "p", "match": "one", "decisions": rows}
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    texts = (
        table,
        json.dumps(tree, indent=1, ensure_ascii=False),
        "\n".join(lines) + "\n",
        json.dumps(decisions, indent=1, ensure_ascii=False),
    )
    return (*(text.encode() for text in texts), mat_seeds()[0])


@cache
def result_seeds() -> tuple[bytes, ...]:
    from reconcile.document import dumps
    from reconcile.gate.validate import validate
    from reconcile.results.comparison import comparison_document
    from reconcile.results.statistics import statistics_document

    match = sound_match()
    other = read_match("other", next(PACK.glob("demonstration/*.sgf")).read_bytes())
    contents = (
        statistics_document(statistics(match, "xg")),
        comparison_document(compare(match, other)),
        validate(PACK / "gnubg-3pt-2ply"),
    )
    return tuple(dumps(document).encode() for document in contents)


@cache
def manifest_seeds() -> tuple[bytes, ...]:
    return _files(*PACK.glob("*/match.yaml"))


@cache
def tolerance_seeds() -> tuple[bytes, ...]:
    return _files(PROJECT / "tolerances.yaml")


@cache
def met_seeds() -> tuple[bytes, ...]:
    file = json.loads(
        (PROJECT / "reconcile" / "match" / "met" / "tables" / "woolsey.json").read_text("utf-8")
    )
    rows = [
        "<row>" + "".join(f"<me>{chance}</me>" for chance in listed[:7]) + "</row>"
        for listed in file["pre_crawford"][:7]
    ]
    row = (
        "<row>"
        + "".join(f"<me>{chance}</me>" for chance in file["post_crawford"]["both"][:7])
        + "</row>"
    )
    table = (
        f"<?xml "
        f'version="1.0"?><met><info><name>n</name><length>7</length></info><pre-crawford-table '
        f'type="explicit">{"".join(rows)}'
    )
    post = (
        f'</pre-crawford-table><post-crawford-table player="both" '
        f'type="explicit">{row}</post-crawford-table></met>'
    )
    return (table.encode() + post.encode(),)


@cache
def analysis_seeds() -> tuple[bytes, ...]:
    return (json.dumps(DOCUMENT).encode(),)


@cache
def suite_seeds() -> tuple[bytes, ...]:
    """The run of our own harness on a few cases."""
    from reconcile.document import dumps
    from reconcile.suite.documents import document_of
    from reconcile.suite.run import run

    harness = shlex.join([sys.executable, str(PROJECT / "harnesses" / "reconcile_harness.py")])
    return (dumps(document_of(run(harness=harness, only="count-two"))).encode(),)
