"""`reconcile exercises`: which decisions become exercises, the page, the deck, the text that other
programs read."""

import json
import re
import sqlite3
import sys
from io import BytesIO
from zipfile import ZipFile

import numpy as np
import pytest

from benchmarks.peers import ankigammon_reads
from reconcile import load_match, statistics
from reconcile.cli.exercises import PHASES as OFFERED
from reconcile.exercises.cards import exercises_page, xg_text
from reconcile.exercises.exercise import Wanted, exercises
from reconcile.language import language
from reconcile.match.board.play import play_text
from reconcile.match.board.position import PHASES, from_xgid
from reconcile.match.columns import Kind
from tests.support.claims import some
from tests.support.command_line import SGF, WITHIN, XG, refused, run
from tests.support.data import cases, matching

PAIR = [str(XG), str(SGF)]


@pytest.fixture(scope="module")
def nora():
    return exercises(PAIR, "nora", Wanted())


@pytest.mark.parametrize("path", PAIR, ids=["xg", "sgf"])
def test_every_decision_that_costs_as_much_as_an_error_is_one_exercise(path):
    table = statistics(load_match(path)).decisions().to_frame()
    mine = table[table.player.str.startswith("Nora") & (table.error.round(5) >= 0.02)]
    of_kind = {"no-double": "double", "pass": "take"}
    charged = zip(mine.game, mine.turn, mine.kind.replace(of_kind), strict=True)
    several = exercises([path], "nora", Wanted())
    asked = [(each.decision.game, each.decision.turn, each.kind) for each in several.exercises]
    assert sorted(asked) == sorted(charged)
    assert several.matches == 1


def test_those_that_every_analysis_charges_and_those_of_one_program_are_fewer(nora):
    agreed = exercises(PAIR, "nora", Wanted(everywhere=True)).exercises
    by_xg = exercises(PAIR, "nora", Wanted(program="xg")).exercises
    assert 0 < len(agreed) < len(by_xg) < len(nora.exercises)
    assert all(answer.error >= 0.02 for each in agreed for answer in each.answers)
    assert {answer.program for each in by_xg for answer in each.answers} == {"XG"}


def test_kind_phase_score_and_size_choose(nora):
    for wanted, fits in (
        (Wanted(kinds=frozenset({"double"}), least=0.01), lambda each: each.kind == "double"),
        (Wanted(phases=frozenset({"contact"})), lambda each: each.phase == "contact"),
        (Wanted(score=(5, 6)), lambda each: each.decision.away == (5, 6)),
        (Wanted(least=0.08), lambda each: each.cost >= 0.08),
    ):
        chosen = exercises(PAIR, "nora", wanted).exercises
        if wanted.least >= 0.02:
            assert list(map(xg_text, chosen)) == list(map(xg_text, filter(fits, nora.exercises)))
        assert all(map(fits, some(list(chosen))))


def test_the_text_has_the_candidates_of_the_analysis_that_charges_the_cost(nora):
    plays = [each for each in nora.exercises if each.kind == "play"]
    lost = [re.findall(r"\((-\d\.\d+)\)", xg_text(each)) for each in plays]
    assert all(f"{-each.cost:.3f}" in found for each, found in zip(plays, lost, strict=True))
    assert len({each.charged_by.program for each in plays}) == len(PAIR)


def test_the_command_offers_every_phase():
    assert OFFERED == PHASES


def test_the_deck_has_a_card_and_a_picture_for_each_and_is_the_same_every_time(nora, tmp_path):
    pytest.importorskip("genanki", reason="genanki is not installed (extra `anki`)")
    written = []
    for name in ("one.apkg", "two.apkg"):
        result = run("exercises", *PAIR, "--player", "nora", "--anki", tmp_path / name)
        assert result.exit_code == WITHIN
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1]
    with ZipFile(BytesIO(written[0])) as deck:
        media = json.loads(deck.read("media"))
        (tmp_path / "notes").write_bytes(deck.read("collection.anki2"))
        pictures = {name: deck.read(number) for number, name in media.items()}
    notes = sqlite3.connect(tmp_path / "notes").execute("select guid, flds from notes").fetchall()
    assert len(notes) == len({guid for guid, _ in notes}) == len(nora.exercises)
    for _, fields in notes:
        asked, board, answer, _ = fields.split("\x1f")
        assert pictures[board.removeprefix('<img src="').removesuffix('">')].startswith(b"<svg")
        assert "to play" in asked or "?" in asked
        assert "you lose" in answer


def test_a_deck_without_its_package_is_refused_with_the_way_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "genanki", None)
    line = refused("exercises", *PAIR, "--player", "nora", "--anki", tmp_path / "deck.apkg")
    assert "pip install 'gammon-reconcile[anki]'" in line
    assert not (tmp_path / "deck.apkg").exists()


@pytest.mark.parametrize("path", cases("xg-text/*_EN.txt"))
def test_score_board_pips_and_cube_are_what_xg_copies(path):
    from reconcile.exercises import cards as form

    lines = path.read_text("utf-8-sig").splitlines()
    situation = from_xgid(lines[0])
    ours = [form._stand(situation), *form._board(situation)]
    ours += [form._pips(situation), form._cube(situation)]
    assert ours == [line.rstrip() for line in lines[3 : 3 + len(ours)]]


@pytest.mark.long
def test_ankigammon_reads_position_score_candidates_and_equities_from_the_text():
    paths = matching("real/*.xg", "bgblitz/xg/*.xg") or PAIR[:1]
    players = {name for path in paths for name in load_match(path).players}
    every = [
        each
        for player in sorted(players)
        for each in exercises(list(map(str, paths)), player, Wanted(least=0.002)).exercises
        if each.decision.player == player
    ]
    read = ankigammon_reads("\n".join(map(xg_text, every)))
    assert len(read) == len(every) >= (200 if len(paths) > 1 else 10)
    for theirs, each in zip(read, every, strict=True):
        situation, answer = each.situation, each.charged_by
        assert [-count for count in theirs["points"]] == list(situation.position)
        assert (theirs["roller"], theirs["cube"]) == ("O", situation.cube)
        assert theirs["length"] == (situation.length or 0)
        assert theirs["crawford"] is situation.crawford
        owner = {1: "O_OWNS", 0: "CENTERED", -1: "X_OWNS"}[situation.owner]
        assert theirs["owner"] == owner
        moves = {notation: equity for notation, equity, _, _ in theirs["moves"]}
        if each.kind == "play":
            known = [one for one in answer.candidates if one.equity is not None]
            said = {play_text(each.decision.position, one.play): one.equity or 0.0 for one in known}
            assert sorted(theirs["dice"]) == sorted(situation.dice)
        else:
            verb = "Double" if situation.owner == 0 else "Redouble"
            names = f"No {verb}/Take", f"{verb}/Take", f"{verb}/Pass"
            said = dict(zip(names, answer.cube or (), strict=True))
            moves = {name: moves[name] for name in names}
        assert moves.keys() == said.keys()
        assert np.allclose([moves[name] for name in said], list(said.values()), rtol=0, atol=5.1e-4)


def test_an_answer_to_a_double_has_the_chances_of_who_doubled():
    match, taken = load_match(str(XG)), 0
    first = len(match.plays)
    cubes = map(match.decision, range(first, first + len(match.cubes)))
    doubles = {(one.game, one.turn): one.chances[0] for one in cubes if one.kind is Kind.DOUBLE}
    for player in ("nora", "tomas"):
        for each in exercises(PAIR[:1], player, Wanted(least=0.0)).exercises:
            if each.kind == "take" and each.charged_by.chances:
                expected = doubles[each.decision.game, each.decision.turn]
                assert np.allclose(each.charged_by.chances, expected, rtol=0, atol=1e-6)
                taken += 1
    assert taken > 1


def test_the_page_says_nothing_of_its_own_in_english_when_asked_in_german(nora):
    english = (forms for key, forms in language().messages.items() if key.startswith("exercise."))
    pieces = {
        piece.strip()
        for forms in english
        for form in forms
        for piece in re.split(r"\{\w+\}", form)
        if len(piece.split()) > 1
    }
    assert len(pieces) > 8
    page, other = exercises_page(nora), exercises_page(nora, "de")
    assert any(piece in page for piece in pieces)
    assert not [piece for piece in pieces if piece in other]
