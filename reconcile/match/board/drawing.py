"""A board as SVG in the decider's view: the decider's home board is at the bottom right. Colours
belong to players.

A pure function of its arguments. Colours are custom properties of a page with a fallback, so that a
board can also be used alone; it has the same colours in dark and light surroundings, as a real one
would."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from reconcile.language import LANGUAGES, joined, language, say
from reconcile.match.board.position import (
    BAR,
    CHECKERS,
    Counts,
    Situation,
    borne_off,
    counts,
    pip_count,
)

POINT = 40.0
"""Width of a point."""
HIGH = 192.0
"""Height of half a board: five checkers and a little air."""
RADIUS = 18.5
SHOWN = 5
"""Checkers drawn on a point; where there are more, a number on the last one shows how many."""
LEFT = 56.0
"""Width of the strip for the cube on the left and of the tray on the right."""
STRIP = 30.0
"""Height of the lines of text above and below the board; point numbers are within another 20."""
GAP = 52.0
"""Height between the halves, where the dice lie."""
TOP = STRIP + 20
BOTTOM = TOP + 2 * HIGH + GAP
CENTRE = TOP + HIGH + GAP / 2
BAR_X = LEFT + 6 * POINT
RIGHT = BAR_X + 46
TRAY = RIGHT + 6 * POINT
WIDTH = TRAY + LEFT
HEIGHT = BOTTOM + 20 + STRIP

INKS = ("var(--board-light,#fffdf7)", "var(--board-dark,#2b2724)")
"""Of the first player's checkers and of the second's."""
INK, PALE = "#2b2724", "#f6efe2"
PIPS = ("", "4", "08", "048", "0268", "02468", "012678")
"""By die the places of its pips, which are numbered from the top left, column by column."""
LONGEST = 30
"""Letters of a name."""


def board_svg(
    situation: Situation,
    names: tuple[str, str] = ("", ""),
    *,
    checkers: int = CHECKERS,
    light: bool = True,
    key: str = "board",
    name: str = "Backgammon position",
    shared: bool = False,
    tongue: str = LANGUAGES[0],
) -> str:
    """The board with everything the decision depends on.

    `names` are those of decider and opponent; `checkers` is how many each has; `light` is whether
    the decider's are. `key` makes ids unique on a page. A page with many boards has `SURFACE` and
    `POINT_NUMBERS` once: then the board is `shared` and only refers to them. Its words are in the
    language `tongue`."""
    board, inks = counts(situation.position), INKS if light else INKS[::-1]
    spoken = language(tongue).text
    name = spoken(name)
    key, words = escape(key), escape(spoken(describe(situation, checkers)))
    pips = [spoken(say("board.pips", n=number)) for number in pip_count(board)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" '
        f'aria-labelledby="{key}-t {key}-d" class="board"><title id="{key}-t">{escape(name)}'
        f'</title><desc id="{key}-d">{words}</desc>'
        f"{SHARED if shared else SURFACE + POINT_NUMBERS}{_labels(pips, situation.away, names)}"
        f"{''.join(_checkers(board, checkers, inks))}{_cube(situation)}"
        f"{''.join(_dice(situation.dice, inks))}</svg>"
    )


def describe(situation: Situation, checkers: int = CHECKERS) -> str:
    """The same in words, for those who cannot see it."""
    board, cube, away = counts(situation.position), situation.cube, situation.away
    sides = []
    for side, off in zip((1, -1), borne_off(board, checkers), strict=True):
        places = [
            say("board.on-bar", number=abs(count))
            if place in (0, BAR)
            else say("board.on-point", number=abs(count), point=place)
            for place, count in list(enumerate(board))[::-side]
            if count * side > 0
        ]
        borne = say("board.off", number=off) if off > 0 else ""
        sides.append(joined(", ", *(places or [say("board.none")]), borne))
    pips, (first, second) = pip_count(board), situation.dice
    owners = (
        say("board.cube-middle", cube=cube),
        say("board.cube-own", cube=cube),
        say("board.cube-other", cube=cube),
    )
    return joined(
        " ",
        say("board.decider", n=pips[0], places=sides[0]),
        say("board.opponent", n=pips[1], places=sides[1]),
        owners[situation.owner],
        say("board.offered", to=2 * cube) if situation.double_offered else "",
        say("board.needs", own=away[0], other=away[1]) if away else "",
        say("board.dice", one=first, two=second) if first else "",
    )


def _rect(x: float, y: float, width: float, height: float, look: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" {look}/>'


def _text(words: object, x: float, y: float, look: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}"{look}>{escape(str(words))}</text>'


def _spot(place: int, index: int = 0) -> tuple[float, float]:
    """Where the checker number `index` from the edge lies; on a bar, from the middle of the
    board."""
    level = 2 * RADIUS * min(index, SHOWN - 1)
    if place in (0, BAR):
        up = -1 if place == BAR else 1
        return BAR_X + 23, CENTRE + up * (GAP / 2 + RADIUS + level)
    column = abs(12.5 - place) - 0.5
    x = LEFT + (column + 0.5) * POINT + (RIGHT - BAR_X) * (column >= 6)
    return x, BOTTOM - RADIUS - 1 - level if place <= 12 else TOP + RADIUS + 1 + level


def _surface() -> str:
    paths = ["", ""]
    for place in range(1, 25):
        x, _ = _spot(place)
        edge, tip = (BOTTOM, BOTTOM - HIGH + 8) if place <= 12 else (TOP, TOP + HIGH - 8)
        paths[place % 2] += f"M{x - 19:g} {edge:g}L{x:g} {tip:g}L{x + 19:g} {edge:g}Z"
    felt = 'fill="var(--board-felt,#e9e1cf)"'
    tray = 'rx="3" fill="#000" opacity="0.25"'
    return (
        _rect(0, STRIP, WIDTH, HEIGHT - 2 * STRIP, 'rx="8" fill="var(--board-frame,#5b4a3a)"')
        + "".join(_rect(x, TOP, 6 * POINT, BOTTOM - TOP, felt) for x in (LEFT, RIGHT))
        + f'<path d="{paths[0]}" fill="var(--board-point-a,#cdb893)"/>'
        + f'<path d="{paths[1]}" fill="var(--board-point-b,#a8825a)"/>'
        + "".join(_rect(TRAY + 8, y, 40, HIGH, tray) for y in (TOP, BOTTOM - HIGH))
    )


SURFACE = _surface()
"""The board without a position."""
POINT_NUMBERS = (
    f'<g font-size="12" text-anchor="middle" fill="{PALE}">'
    + "".join(
        _text(place, _spot(place)[0], BOTTOM + 14 if place <= 12 else TOP - 6)
        for place in range(1, 25)
    )
    + "</g>"
)
"""Of its points, for the decider."""
SHARED = '<use href="#board-surface"/><use href="#board-numbers"/>'


def _labels(pips: Sequence[str], away: tuple[int, int] | None, names: tuple[str, str]) -> str:
    lines = ""
    for side, y in ((1, STRIP - 9), (0, HEIGHT - 9)):
        name = names[side]
        name = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
        score = f"{away[side]}-away" if away else ""
        lines += _text(", ".join(filter(None, (name, score))), 2, y)
        lines += _text(pips[side], WIDTH - 2, y, ' text-anchor="end"')
    look = 'font-size="16" font-weight="600" fill="currentColor" class="board-text"'
    return f"<g {look}>{lines}</g>"


def _checkers(board: Counts, checkers: int, inks: Sequence[str]) -> Iterator[str]:
    """Those on the board, then those borne off."""
    looks = [f'fill="{own}" stroke="{edge}"' for own, edge in (inks, inks[::-1])]
    for side, (sign, name) in enumerate(((1, "own"), (-1, "other"))):
        stacks = "".join(
            _stack(place, sign * count, inks[1 - side])
            for place, count in enumerate(board)
            if sign * count > 0
        )
        if stacks:
            yield f'<g {looks[side]} stroke-width="1.5" class="{name}">{stacks}</g>'
    for side, off in enumerate(borne_off(board, checkers)):
        bars = "".join(
            _rect(TRAY + 10, (BOTTOM - 12, TOP + 1.5)[side] + y, 36, 10.5, 'rx="2"')
            for y in ((12.5 if side else -12.5) * index for index in range(off))
        )
        if bars:
            yield f'<g {looks[side]} stroke-width="0.8" data-off="{off}">{bars}</g>'


def _stack(place: int, count: int, ink: str) -> str:
    spots = [_spot(place, index) for index in range(min(count, SHOWN))]
    shapes = "".join(f'<circle cx="{x:g}" cy="{y:g}" r="18"/>' for x, y in spots)
    if count > SHOWN:
        x, y = spots[-1]
        look = f' fill="{ink}" stroke="none" font-size="17" font-weight="700" text-anchor="middle"'
        shapes += _text(count, x, y + 6, look)
    return f'<g data-point="{place}" data-count="{count}">{shapes}</g>'


def _box(x: float, y: float, size: float, round_: int, fill: str, edge: str) -> str:
    look = f'rx="{round_}" fill="{fill}" stroke="{edge}" stroke-width="1.5"'
    return _rect(x - size / 2, y - size / 2, size, size, look)


def _cube(situation: Situation) -> str:
    value, owner = situation.cube, situation.owner
    shown = 64 if value == 1 and not owner else value
    x, y = LEFT / 2, (CENTRE, BOTTOM - 23, TOP + 23)[owner]
    if situation.double_offered:
        shown, x, y = 2 * value, LEFT + 3 * POINT, CENTRE
    size = (19, 15, 12)[(shown >= 100) + (shown >= 1000)]
    look = f' font-size="{size}" font-weight="700" text-anchor="middle" fill="{INK}"'
    return f'<g class="cube">{_box(x, y, 38, 6, PALE, INK)}{_text(shown, x, y + 6.5, look)}</g>'


def _dice(dice: tuple[int, int], inks: Sequence[str]) -> Iterator[str]:
    for die, x in zip(dice, (RIGHT + 3 * POINT - 24, RIGHT + 3 * POINT + 24), strict=True):
        if die:
            pips = "".join(
                f'<circle cx="{x + 10 * (pip // 3 - 1):g}" cy="{CENTRE + 10 * (pip % 3 - 1):g}" '
                f'r="3.6" fill="{inks[1]}"/>'
                for pip in map(int, PIPS[die])
            )
            yield f'<g class="die">{_box(x, CENTRE, 36, 7, *inks)}{pips}</g>'
