"""Transcripts in drawn layouts are read as gnuBG imports them: every board, every cube and every
result."""

import re

import pytest

from reconcile.formats import read_match
from reconcile.match.columns import Kind
from tests.oracles.transcripts import layout
from tests.support.gnubg import needs_gnubg, terminal
from tests.support.long import long_but_first
from tests.support.small_transcripts import cube_rows, game_rows, results

BATCH = 12
"""Layouts for one run of gnuBG."""
COMPLAINT = re.compile(r"Unrecogni[sz]ed|Invalid|Illegal position|No '\('")


def imported(layouts, folder):
    """The matches as gnuBG imports their transcripts, and what it says."""
    commands = []
    for at, drawn in enumerate(layouts):
        (folder / f"{at}.mat").write_bytes(drawn.for_gnubg)
        commands += [f'import mat "{folder / str(at)}.mat"', f'save match "{folder / str(at)}.sgf"']
        commands += ["new match 3", "y"]
    printed = terminal("set confirm new off\n" + "\n".join(commands) + "\n", folder)
    files = [(folder / f"{at}.sgf").read_bytes() for at in range(len(layouts))]
    return [read_match(f"{at}.sgf", content) for at, content in enumerate(files)], printed.decode()


def facts(match):
    """What both files must say: every roll with the boards around it, every cube, every result."""
    rules = match.length, match.rules.jacoby
    return rules, results(match), cube_rows(match), game_rows(match)


@needs_gnubg
@pytest.mark.parametrize("batch", long_but_first(range(30), 1, 15))
def test_layout_is_read_as_gnubg_imports_it(batch, tmp_path):
    layouts = [layout(seed) for seed in range(batch * BATCH, (batch + 1) * BATCH)]
    matches, printed = imported(layouts, tmp_path)
    assert not COMPLAINT.findall(printed)
    for drawn, match in zip(layouts, matches, strict=True):
        text = drawn.content.decode(drawn.choices["encoding"], "replace")
        assert facts(read_match("drawn.mat", drawn.content)) == facts(match), (drawn.choices, text)
        acts = sum(len(game.acts) for game in drawn.match.games)
        assert acts == len(match.plays) + sum(match.cubes.kind != Kind.NO_DOUBLE)
