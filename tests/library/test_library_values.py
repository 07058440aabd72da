"""Results are values: two loads of one file are equal, and they survive pickling, copying, threads
and other processes."""

import copy
import json
import pickle
import re
import shlex
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from io import BytesIO, StringIO
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import reconcile
from reconcile import ReconcileError, load_match
from reconcile.errors import InvalidArgument
from reconcile.gate.manifest import Candidates
from reconcile.report.decision_files import decisions_content
from reconcile.report.forms import in_form
from reconcile.scoring.figures import metric
from tests.support import blunderdb_writer, small_bgf
from tests.support.command_line import PACK
from tests.support.data import PROJECT
from tests.support.loaded import DEMONSTRATION, loaded
from tests.support.long import long_but_first
from tests.support.small_transcripts import SHORT

SAMPLES: dict[str, Callable[[Path], bytes]] = {
    "mat": lambda _: SHORT.encode(),
    "xg": lambda _: DEMONSTRATION.with_suffix(".xg").read_bytes(),
    "gnubg": lambda _: DEMONSTRATION.with_suffix(".sgf").read_bytes(),
    "gnubg_text": lambda _: (PROJECT / "tests/formats/gnubg_text/evening.txt").read_bytes(),
    "ogxm": lambda _: (PROJECT / "tests/formats/ogxm/demonstration.gvab").read_bytes(),
    "bgblitz": lambda _: small_bgf.written(small_bgf.match()),
    "blunderdb": lambda folder: blunderdb_writer.write(
        folder / "one.db", [loaded(DEMONSTRATION.with_suffix(".xg"))]
    ).read_bytes(),
}


SMALL = PACK / "gnubg-3pt-2ply"


@pytest.fixture(params=long_but_first(SAMPLES, 3))
def sample(request, tmp_path):
    if request.param == "ogxm":
        pytest.importorskip("ogxm")
    return SAMPLES[request.param](tmp_path)


def everything(match):
    """What a match has, the candidates of every play among it."""
    rows = range(len(match.plays))
    return [match, *map(match.candidates, rows), *map(match.first_candidate, rows)]


def test_match_of_every_format_is_equal_whatever_it_is_read_from_and_after_copying_and_pickling(
    sample, tmp_path
):
    path = tmp_path / "sample"
    path.write_bytes(sample)
    expected = load_match(path)
    with path.open("rb") as stream:
        assert load_match(stream) == expected
    again = load_match(BytesIO(sample), name=str(path))
    assert again == load_match(bytearray(sample), name=str(path)) == expected
    assert load_match(BytesIO(sample)).source.path.partition("#")[0] == "match"
    for other in (pickle.loads(pickle.dumps(again)), copy.copy(again), copy.deepcopy(again)):
        assert everything(other) == everything(expected)
        assert hash(other) == hash(expected)


@pytest.fixture(scope="module")
def pair():
    """A small match, and the same with other luck."""
    match = load_match(reconcile.samples()["alice-bob-3pt-2ply.sgf"])
    return match, replace(match, plays=match.plays.replaced(luck=match.plays.luck + 1))


def test_every_result_is_equal_after_pickling_and_differs_from_another(pair, tmp_path):
    """Whatever has been made of it already."""
    left, right = pair
    rows = tmp_path / "rows.csv"
    rows.write_text(decisions_content(reconcile.statistics(left), "csv"))
    made: list[tuple[Callable[[], Any], Any]] = [
        (lambda: reconcile.statistics(left), reconcile.statistics(left, "xg")),
        (
            lambda: reconcile.investigate(left, "Alice", {"pr": "31.7"}),
            reconcile.investigate(left, "Bob", {"pr": "31.7"}),
        ),
        (lambda: reconcile.review(left, right), reconcile.review(right, left)),
        (
            lambda: reconcile.compare(left, right),
            reconcile.compare(left, right, right_rules="bgblitz"),
        ),
        (
            lambda: reconcile.validate(SMALL, candidates=[rows, next(SMALL.glob("*.sgf"))]),
            reconcile.validate(SMALL),
        ),
    ]
    for make, other in made:
        actual: Any = make()
        in_form(actual, "json")
        again = pickle.loads(pickle.dumps(actual))
        assert actual.to_frame().equals(again.to_frame())
        assert copy.copy(actual) == copy.deepcopy(actual) == again == actual == make() != other
    for part in (reconcile.statistics(left).rules, reconcile.statistics(left).scored.met):
        assert pickle.loads(pickle.dumps(part)) == part
    for result in (reconcile.statistics(left), reconcile.compare(left, right)):
        with pytest.raises(TypeError, match="unhashable"):
            hash(result)


def test_run_of_the_suite_is_equal_after_pickling_and_differs_from_another():
    harness = shlex.join([sys.executable, str(PROJECT / "harnesses" / "reconcile_harness.py")])
    first, other = (reconcile.run_suite(harness=harness, only=only) for only in ("cap-pr", "cap-"))
    again = pickle.loads(pickle.dumps(first))
    assert copy.deepcopy(first) == again == first != other


def rates(match, rules):
    actual = reconcile.statistics(match, rules)
    return [
        actual.figures(seat)[name]
        for seat in (0, 1)
        for name in ("pr", "luck.equity", "decisions.counted")
    ]


@pytest.mark.long
def test_threads_and_processes_share_a_match(pair):
    match = load_match(DEMONSTRATION.with_suffix(".sgf"))  # none of its columns has been made
    rules = ["xg", "gnubg", "bgblitz", "gammonview"] * 2
    with ThreadPoolExecutor(8) as threads:
        in_threads = list(threads.map(partial(rates, match), rules))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        in_processes = list(processes.map(partial(rates, match), rules))
        assert processes.submit(reconcile.compare, *pair).result() == reconcile.compare(*pair)
    assert in_threads == in_processes == [rates(match, name) for name in rules]


@pytest.mark.parametrize("wrong", [None, 7, ["a.xg"], "text".__iter__(), open])
def test_anything_else_is_refused_with_what_is_expected(wrong):
    words = r"^path: expected a path, bytes, or a stream opened for reading bytes, found "
    with pytest.raises(InvalidArgument, match=words):
        load_match(wrong)


def test_stream_of_text_and_damaged_bytes_are_refused():
    text: Any = StringIO("(;GM[6])")
    with pytest.raises(ReconcileError, match="a stream opened for reading bytes"):
        load_match(text)
    with pytest.raises(ReconcileError, match=r"^half: "):
        load_match(DEMONSTRATION.with_suffix(".xg").read_bytes()[:500], name="half")


def test_page_of_a_pack_is_one_file_with_a_section_for_each_match_that_is_not_quiet(tmp_path):
    path = tmp_path / "a.json"
    players = {"Alice m26": {"pr": "1.00"}}
    path.write_text(json.dumps({"schema_version": 1, "matches": [{"players": players}]}))
    page = reconcile.to_html(reconcile.validate(SMALL, candidates=[path]))
    links, keys = (re.findall(f' {name}="([^"]*)"', page) for name in ("href", "id"))
    assert {link[1:] for link in links if link.startswith("#")} <= {*keys}
    assert not [link for link in links if link.endswith(".html")]
    assert (len(keys), "gnubg-3pt-2ply" in keys) == (len({*keys}), True)


def test_a_total_has_its_short_name_wherever_figures_are_named(pair):
    left, _ = pair
    figures = reconcile.statistics(left).figures(0)
    bounds = reconcile.load_tolerances().table("documented")
    for short in ("mwc_loss_percent", "decisions", "equity_error"):
        name = metric(short).name
        assert figures[short] == figures[name]
        assert bounds.of(short) == bounds.of(name)
        declared = Candidates.model_validate({"figures": [short], "digits": {short: 2}})
        assert (declared.figures, [*declared.digits]) == ((name,), [name])
