"""A backgammon board as SVG, in the decider's view: the decider's home board is at the bottom
right. Colours belong to players.

A pure function of its arguments. Colours are custom properties of the page with a fallback, so that
a board can also be used alone; it has the same colours in dark and light surroundings, as a real
one would."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from reconcile.match.board.identifiers import from_xgid
from reconcile.match.board.position import BAR, CHECKERS, Counts, borne_off, counts, pip_count
from reconcile.report.html.charts import coordinate, picture, rect, text, texts

POINT: Final = 40.0
"""Width of a point."""
HIGH: Final = 192.0
"""Height of half a board: five checkers and a little air."""
RADIUS: Final = 18.5
SHOWN: Final = 5
"""Checkers drawn on a point; where there are more, a number on the last one shows how many."""
MARGIN: Final = 56.0
"""Width of the strip for the cube on the left and of the tray on the right."""
MIDDLE: Final = 46.0
"""Width of the bar."""
STRIP: Final = 30.0
"""Height of the lines of text above and below the board."""
NUMBERS: Final = 20.0
GAP: Final = 52.0
"""Height between the halves, where the dice lie."""

TOP: Final = STRIP + NUMBERS
BOTTOM: Final = TOP + 2 * HIGH + GAP
CENTRE: Final = TOP + HIGH + GAP / 2
LEFT: Final = MARGIN
BAR_X: Final = LEFT + 6 * POINT
RIGHT: Final = BAR_X + MIDDLE
TRAY: Final = RIGHT + 6 * POINT
WIDTH: Final = TRAY + MARGIN
HEIGHT: Final = BOTTOM + NUMBERS + STRIP

FELT, FRAME = "var(--board-felt,#e9e1cf)", "var(--board-frame,#5b4a3a)"
LIGHT_POINT, DARK_POINT = "var(--board-point-a,#cdb893)", "var(--board-point-b,#a8825a)"
INKS: Final = ("var(--board-light,#fffdf7)", "var(--board-dark,#2b2724)")
"""Of the first player's checkers and of the second's."""
INK = "#2b2724"
PALE = "#f6efe2"
PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
SIDES: Final = ("left", "right", "third", "fourth", "fifth", "sixth")
"""The styles of analyses, in order; after the last one they begin again."""


def board_svg(
    position: Sequence[int],
    *,
    dice: tuple[int, int] | None = None,
    cube: int = 1,
    owner: int = 0,
    offered: bool = False,
    away: tuple[int, int] | None = None,
    names: tuple[str, str] = ("", ""),
    checkers: int = CHECKERS,
    light: bool = True,
    key: str = "board",
    name: str = "Backgammon position",
    shared: bool = False,
) -> str:
    """The board with everything the decision depends on.

    `owner` is 1 for the decider, 0 for nobody, -1 for the opponent; `cube` is its value before a
    double that is `offered`. `names` are those of decider and opponent; `light` is whether the
    decider's checkers are. `key` makes ids unique on a page. A page with many boards has `SURFACE`
    and `POINT_NUMBERS` once: then the board is `shared` and only refers to them."""
    board, inks = counts(position), INKS if light else INKS[::-1]
    description = describe(
        board, dice=dice, cube=cube, owner=owner, offered=offered, away=away, checkers=checkers
    )
    centre = RIGHT + 3 * POINT
    shapes = [
        SHARED if shared else SURFACE + POINT_NUMBERS,
        _labels(board, away, names),
        *_stacks(board, inks),
        *_trays(board, checkers, inks),
        _cube(cube, owner, offered),
        *(_die(die, centre + x, inks) for die, x in zip(dice or (), (-24, 24), strict=False)),
    ]
    return picture(key, WIDTH, HEIGHT, name, description, *shapes, look="board")


def describe(
    board: Counts,
    *,
    dice: tuple[int, int] | None = None,
    cube: int = 1,
    owner: int = 0,
    offered: bool = False,
    away: tuple[int, int] | None = None,
    checkers: int = CHECKERS,
) -> str:
    """The same in words, for those who cannot see it."""
    own = ", ".join(
        f"{count} on {_place(place)}"
        for place, count in reversed(list(enumerate(board)))
        if count > 0
    )
    other = ", ".join(
        f"{-count} on {'the bar' if place == 0 else place}"
        for place, count in enumerate(board)
        if count < 0
    )
    off = [max(count, 0) for count in borne_off(board, checkers)]
    pips = pip_count(board)
    owner_words = {1: "the decider's", 0: "in the middle", -1: "the opponent's"}[owner]
    parts = [
        f"Decider, {pips[0]} pips: {own or 'no checkers'}{f', {off[0]} off' if off[0] else ''}",
        f"Opponent, {pips[1]} pips: {other or 'no checkers'}{f', {off[1]} off' if off[1] else ''}",
        f"Cube at {cube}, {owner_words}"
        + (f", a double to {2 * cube} is offered" if offered else ""),
    ]
    if away:
        parts.append(f"The decider needs {away[0]}, the opponent {away[1]}")
    if dice:
        parts.append(f"Dice {dice[0]} and {dice[1]}")
    return ". ".join(parts) + "."


def _place(place: int) -> str:
    return "the bar" if place == BAR else str(place)


def _x(place: int) -> float:
    """The middle of a point's column."""
    if place <= 6:
        column = RIGHT + (6 - place) * POINT
    elif place <= 12:
        column = LEFT + (12 - place) * POINT
    elif place <= 18:
        column = LEFT + (place - 13) * POINT
    else:
        column = RIGHT + (place - 19) * POINT
    return column + POINT / 2


def _spot(place: int, index: int) -> tuple[float, float]:
    """Where the checker number `index` from the edge lies; on a bar, from the middle of the
    board."""
    step = 2 * RADIUS
    index = min(max(index, 0), SHOWN - 1)
    if place in (0, BAR):
        up = -1 if place == BAR else 1
        return BAR_X + MIDDLE / 2, CENTRE + up * (GAP / 2 + RADIUS + index * step)
    up = place <= 12
    return _x(place), BOTTOM - RADIUS - 1 - index * step if up else TOP + RADIUS + 1 + index * step


def _surface() -> str:
    frame = rect(0, STRIP, WIDTH, HEIGHT - 2 * STRIP, f'rx="8" fill="{FRAME}"')
    half, tray = 6 * POINT, 'rx="3" fill="#000" opacity="0.25"'
    halves = "".join(rect(x, TOP, half, BOTTOM - TOP, f'fill="{FELT}"') for x in (LEFT, RIGHT))
    paths: list[list[str]] = [[], []]
    for place in range(1, 25):
        x = _x(place) - POINT / 2
        edge, tip = (BOTTOM, BOTTOM - HIGH + 8) if place <= 12 else (TOP, TOP + HIGH - 8)
        paths[place % 2].append(
            f"M{x + 1:g} {edge:g}L{x + POINT / 2:g} {tip:g}L{x + POINT - 1:g} {edge:g}Z"
        )
    points = "".join(
        f'<path d="{"".join(path)}" fill="{fill}"/>'
        for path, fill in zip(paths, (LIGHT_POINT, DARK_POINT), strict=True)
    )
    trays = (rect(TRAY + 8, y, MARGIN - 16, HIGH, tray) for y in (TOP, BOTTOM - HIGH))
    return frame + halves + points + "".join(trays)


SURFACE: Final = _surface()
"""The board without a position."""
POINT_NUMBERS: Final = texts(
    f'font-size="12" text-anchor="middle" fill="{PALE}"',
    *(
        text(str(place), _x(place), BOTTOM + 14 if place <= 12 else TOP - 6)
        for place in range(1, 25)
    ),
)
"""Of its points, for the decider."""
SHARED: Final = '<use href="#board-surface"/><use href="#board-numbers"/>'


def _labels(board: Counts, away: tuple[int, int] | None, names: tuple[str, str]) -> str:
    pips = pip_count(board)
    lines = []
    for index, y in ((1, STRIP - 9), (0, HEIGHT - 9)):
        name = names[index] if len(names[index]) <= 30 else names[index][:29] + "…"
        score = f"{away[index]}-away" if away else ""
        lines.append(text(", ".join(filter(None, (name, score))), 2, y))
        lines.append(text(f"{pips[index]} pips", WIDTH - 2, y, 'text-anchor="end"'))
    look = 'font-size="16" font-weight="600" fill="currentColor" class="board-text"'
    return texts(look, *lines)


def _stacks(board: Counts, inks: Sequence[str]) -> Iterable[str]:
    for side, (fill, edge) in {"own": inks, "other": inks[::-1]}.items():
        stacks = "".join(
            _stack(place, abs(count), edge)
            for place, count in enumerate(board)
            if count and (count > 0) == (side == "own")
        )
        if stacks:
            yield f'<g fill="{fill}" stroke="{edge}" stroke-width="1.5" class="{side}">{stacks}</g>'


def _stack(place: int, count: int, ink: str) -> str:
    spots = [_spot(place, index) for index in range(min(count, SHOWN))]
    circles = "".join(
        f'<circle cx="{coordinate(x)}" cy="{coordinate(y)}" r="{RADIUS - 0.5:g}"/>'
        for x, y in spots
    )
    if count > SHOWN:
        circles += _number(
            count, spots[-1][0], spots[-1][1] + 6, f'fill="{ink}" stroke="none" font-size="17"'
        )
    return f'<g data-point="{place}" data-count="{count}">{circles}</g>'


def _number(number: int, x: float, y: float, more: str, after: str = "") -> str:
    bold = f'{more} font-weight="700" text-anchor="middle"{after}'
    return f'<text x="{coordinate(x)}" y="{coordinate(y)}" {bold}>{number}</text>'


def _trays(board: Counts, checkers: int, inks: Sequence[str]) -> Iterable[str]:
    sides = zip(borne_off(board, checkers), inks, inks[::-1], (-1, 1), strict=True)
    for count, fill, edge, up in sides:
        first = BOTTOM - 12 if up < 0 else TOP + 1.5
        bars = "".join(
            rect(TRAY + 10, first + up * index * 12.5, MARGIN - 20, 10.5, 'rx="2"')
            for index in range(count)
        )
        if bars:
            look = f'fill="{fill}" stroke="{edge}" stroke-width="0.8"'
            yield f'<g {look} data-off="{count}">{bars}</g>'


def _box(x: float, y: float, size: float, more: str) -> str:
    return rect(x - size / 2, y - size / 2, size, size, f'{more} stroke-width="1.5"')


def _cube(value: int, owner: int, offered: bool) -> str:
    shown, x, y = value, MARGIN / 2, (TOP + 23, CENTRE, BOTTOM - 23)[owner + 1]
    if offered:
        shown, x, y = 2 * value, LEFT + 3 * POINT, CENTRE
    elif value == 1 and owner == 0:
        shown = 64
    size = (19, 15, 12)[(shown >= 100) + (shown >= 1000)]
    box = _box(x, y, 38, f'rx="6" fill="{PALE}" stroke="{INK}"')
    number = _number(shown, x, y + 6.5, f'font-size="{size}"', f' fill="{INK}"')
    return f'<g class="cube">{box}{number}</g>'


def _die(die: int, x: float, inks: Sequence[str]) -> str:
    box = _box(x, CENTRE, 36, f'rx="7" fill="{inks[0]}" stroke="{inks[1]}"')
    pips = "".join(
        f'<circle cx="{x + 10 * across:g}" cy="{CENTRE + 10 * down:g}" r="3.6" fill="{inks[1]}"/>'
        for across, down in PIPS[die]
    )
    return f'<g class="die">{box}{pips}</g>'


def xgid_svg(xgid: str, key: str, name: str) -> str:
    """The board of an XGID, for a page, with its key there and its name."""
    situation = from_xgid(xgid)
    return board_svg(
        situation.position,
        dice=situation.dice if any(situation.dice) else None,
        cube=situation.cube,
        owner=situation.owner,
        offered=situation.double_offered,
        away=situation.away,
        key=key,
        name=name,
        shared=True,
    )
