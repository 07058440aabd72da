"""The document of a whole match: the published schema holds for it, and it says what the columns
say."""

import json
from itertools import pairwise

import numpy as np
import pytest

from reconcile.cli.schemas import schema_of
from reconcile.document import dumps
from reconcile.errors import ReconcileError
from reconcile.formats import load_match, read_match
from reconcile.match.board.identifiers import from_xgid
from reconcile.match.board.play import apply_play, parse_play
from reconcile.match.columns import Kind
from reconcile.results.match import match_document
from tests.support import data as real
from tests.support.claims import some
from tests.support.gnubg_ids import from_gnubg_id
from tests.support.schemas import faults
from tests.support.tables import cases_of

TRANSCRIPT = b"""\
0 point match

 Game 1
 Ann : 0                        Ben : 0
  1) 31: 8/5 6/5                 64: 24/14
  2)  Doubles => 2                Beavers => 4
  3) 51: 13/7                    66: ????
      Wins 8 points
"""


def fits(document):
    return faults("match", document) == []


def document_of(match):
    """The document as any reader has it, without its types."""
    return json.loads(dumps(match_document(match)))


def objects(schema):
    if isinstance(schema, dict):
        if "properties" in schema and "required" in schema:
            yield schema
        for value in schema.values():
            yield from objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from objects(value)


def test_schema_is_closed_and_every_key_is_always_there():
    result = list(objects(schema_of("match")))
    assert len(result) > 5
    for schema in result:
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])


SOME = real.cases("real/test.xg", "gnubg/m13*.sgf", "gnubg/m49*.sgf", short=1)
OTHERS = real.cases(
    "real/test.[mst]??",
    "gnubg/m1[45]*.sgf",
    "gnubg/m22*.sgf",
    "gnubg/m44*.sgf",
    "gnubg/m5[39]*.sgf",
    short=0,
)


@pytest.mark.parametrize("path", [*SOME, *OTHERS])
def test_document_of_a_file(path):
    """It keeps to the schema, tells every row once and in order with the numbers of the file, and
    its identifiers can be read back."""
    match = load_match(path)
    document = document_of(match)
    assert fits(document)
    assert_every_row_is_told_once_and_in_order(match, document["decisions"])
    assert_numbers_are_those_of_the_file(match, document["decisions"])
    assert_identifiers_and_plays_can_be_read_back(match, document["decisions"])


@pytest.mark.parametrize(
    "path", real.cases("damaged/r[34]*.sgf", "damaged/illegal*", short=3, most=6)
)
def test_document_of_an_odd_file_keeps_to_the_schema(path):
    try:
        match = load_match(path)
    except ReconcileError as refused:
        pytest.skip(f"refused: {refused}")
    assert fits(document_of(match))


def assert_every_row_is_told_once_and_in_order(match, decisions):
    kinds = [decision["kind"] for decision in decisions]
    assert kinds.count("play") == len(match.plays)
    kinds_elsewhere = [*match.cubes.kind.tolist(), *match.resignations.kind.tolist()]
    for kind in set(Kind) - {Kind.PLAY}:
        assert kinds.count(kind.label) == kinds_elsewhere.count(kind)
    places = [(decision["game"], decision["turn"] or 10_000) for decision in decisions]
    assert places == sorted(places)
    turn = [decision["kind"] for decision in decisions if decision["turn"] is not None]
    assert all(
        before != "play" or after in ("play", "no-double", "double")
        for before, after in pairwise(turn)
    )


def assert_numbers_are_those_of_the_file(match, decisions):
    plays = [decision for decision in decisions if decision["kind"] == "play"]
    for name, key in (("luck", "luck"), ("stored_error", "error"), ("best", ""), ("played", "")):
        values = [play[key] if key else play["equities"][name] for play in plays]
        expected = getattr(match.plays, name).astype(float)
        np.testing.assert_array_equal(np.array(values, float), expected, name)


def assert_identifiers_and_plays_can_be_read_back(match, decisions):
    plays = 0
    for decision in some(decisions):
        if decision["xgid"] is None:  # of a resignation, and of the answer to a beaver
            continue
        for situation in (from_xgid(decision["xgid"]), from_gnubg_id(decision["gnubg_id"])):
            assert list(situation.position) == decision["position"]
            assert (situation.cube, situation.owner) == (decision["cube"], decision["owner"])
            assert list(situation.away or ()) == (decision["away"] or [])
            assert situation.double_offered == (decision["kind"] in ("take", "pass", "beaver"))
        if decision["kind"] == "play":
            play, position = match.plays.play[plays], decision["position"]
            # Others are noted as illegal.
            if decision["play"] is not None and all(end < start for start, end in play):
                read = parse_play(decision["play"], tuple(decision["dice"]), position)
                assert apply_play(position, read) == apply_play(position, play)
            plays += 1


@pytest.mark.parametrize(
    ("kind", "wrong"), cases_of(__file__, "schema_refuses_what_a_decision_cannot_have"), ids=str
)
def test_schema_refuses_what_a_decision_of_the_kind_cannot_have(kind, wrong):
    document = document_of(read_match("evening.mat", TRANSCRIPT))
    decision = next(each for each in document["decisions"] if each["kind"] == kind)
    decision.update(wrong)
    assert not fits(document)


def test_what_is_unknown_is_null():
    document = document_of(read_match("evening.mat", TRANSCRIPT))
    assert fits(document)
    assert document["match"]["length"] is None
    assert document["source"]["tool_version"] is None
    assert document["games"][0] == {
        "game": 1, "score": [0, 0], "crawford": False, "winner": "Ann", "points": 8,
        "resigned": True, "automatic_doubles": 0,
    }  # fmt: skip
    for decision in document["decisions"]:
        assert {decision[name] for name in ("away", "error", "level")} == {None}
        assert not decision["analysed"]
    assert document["decisions"][0]["equities"] == {"unit": "emg", "best": None, "played": None}


def test_order_and_owner_around_a_beaver():
    decisions = document_of(read_match("evening.mat", TRANSCRIPT))["decisions"]
    names = "turn", "player", "kind", "cube", "owner"
    places = [tuple(decision[name] for name in names) for decision in decisions]
    assert places == cases_of(__file__, "order_and_owner_around_a_beaver")
    assert [decision["xgid"] is None for decision in decisions[3:7]] == [False, False, True, False]
    assert decisions[8]["play"] is None
    assert decisions[8]["validity"] == "unplayed"
