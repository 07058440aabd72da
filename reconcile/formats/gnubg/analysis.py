"""The numbers of gnuBG's analysis properties: `A` (alternatives), `DA` (cube), `LU` (luck), in all
their versions.

gnuBG reads an analysis number by number and uses 0 for every number from the first one that it
cannot read. Such a property is rejected here, even if the damage comes before the number that is
needed.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache

from reconcile.formats.common import NAN, UNKNOWN_CHANCES, Chances, Damaged
from reconcile.formats.gnubg.collection import Node, value
from reconcile.formats.gnubg.replay import LONGEST_PLAY
from reconcile.match.match import Evaluation, Level

NO_SCORE = -99999.0
"""gnuBG's score of a rolled-out alternative without a stored score."""
LARGEST = 1e6
"""No equity or luck is larger; gnuBG's `NO_SCORE` is smaller."""
VERSION = re.compile(rb"\s*ver [23] ")
"""The version of an analysis, which gnuBG reads to the blank behind it; known are 2 and 3."""
UNDERSCORE = ord("_")
DEPTH = re.compile(rb"\d{1,2}C?")
_CHANCES = rb"(?:\d{1,6}+\.\d++ ){5}"
_EQUITY = rb"-?\d{1,6}+\.\d++"
"""Never larger than `LARGEST`."""
_NOISE = rb"\d++\.\d++"
_EVALUATED = rb"((?:[a-z]{2}){0,4}+) E ver 3 (%b)(%b) (\d{1,2}C?) \d++ \d++ %b \d++" % (
    _CHANCES,
    _EQUITY,
    _NOISE,
)
EVALUATED = re.compile(_EVALUATED)
"""An evaluated alternative as gnuBG writes it: play, probabilities, score, depth, settings. Nearly
all have this form."""
SCORE = re.compile(rb" E ver 3 (?:[^ ]++ ){5}([^ ]++)")
"""The score of an alternative that has this form."""
LISTED = re.compile(rb"\d{1,9}+\]\[%b(?:\]|\Z)" % _EVALUATED)
"""The number of the play made and the first alternative of a list, evaluated."""
ALL_LISTED = re.compile(rb"\d{1,9}+(?:\]\[%b)*+" % _EVALUATED)
"""A list in which every alternative is."""
EVALUATED_CUBE = re.compile(
    rb"E ver 3 (\d{1,2}C?) \d++ %b \d++ %b%b (%b) %b%b (%b)"
    % (_NOISE, _CHANCES, _EQUITY, _EQUITY, _CHANCES, _EQUITY, _EQUITY)
)
"""The same of a cube: depth, settings; for no double, then for double and take, probabilities,
cubeless and cubeful value."""
OUTPUTS = 7
"""Five probabilities, cubeless and cubeful value; for no double, then for double and take."""


def number(text: bytes) -> float:
    """A number; NaN for an infinite one, which gnuBG writes if it computed none. Raises
    `Damaged`."""
    try:
        value = float(text)
    except ValueError:
        raise Damaged(f"expected a number, found {_shown(text)}") from None
    if UNDERSCORE in text:  # Python's own way to write a number
        raise Damaged(f"expected a number, found {_shown(text)}")
    if -LARGEST <= value <= LARGEST:
        return value
    if value - value != 0.0:
        return NAN
    raise Damaged(f"expected a number of at most {LARGEST:.0f}, found {_shown(text)}")


def _shown(text: bytes) -> str:
    return repr(text[:20].decode("ascii", "replace"))


def luck(text: bytes) -> float:
    """The value of `LU`; NaN for -inf, which gnuBG stores if it computed none, and 0 for an empty
    value as in gnuBG."""
    return 0.0 if not text or text.isspace() else number(text)


def mark(node: Node, seat: int) -> int:
    """How lucky a roll is marked for a player, 1 or 2, negative for unlucky; of two marks the last
    one counts."""
    key = next(key for key in reversed(node) if key in (b"GW", b"GB"))
    strength = 2 if value(node, key)[:1] == b"2" else 1
    return strength if (key == b"GB") == seat else -strength


def alternative(text: bytes) -> tuple[float, bytes, Chances]:
    """The ranking score (EMG) of an alternative of `A`, its depth as written (`2C`; `X` for a
    rollout) and its chances.

    The score is NaN if the play was listed without evaluation. Raises `Damaged`.
    """
    if evaluated := EVALUATED.fullmatch(text):
        _, chances, score, depth = evaluated.groups()
        return float(score), depth, tuple(map(float, chances.split()))
    fields = text.split()
    if len(fields) < 2:
        return NAN, b"", ()
    # gnuBG reads pairs of letters up to a blank, and takes any others for points, too.
    if len(fields[0]) > LONGEST_PLAY or len(fields[0]) % 2 or not text.startswith(fields[0] + b" "):
        raise Damaged(
            f"expected a play of at most {LONGEST_PLAY // 2} pairs of letters and a blank, found "
            f"{_shown(text)}"
        )
    if fields[1] == b"E":
        at = 9 if has_version(text[text.index(b"E") + 1 :]) else 7
        if len(fields) <= at + 1:
            raise Damaged(f"expected {at + 2} fields of an alternative, found {len(fields)}")
        return number(fields[at]), fields[at + 1], _chances(fields[at - 5 :])
    if fields[1] in (b"X", b"R"):  # a rollout, now and in old files
        chances = _chances(fields[fields.index(b"Output") + 1 :] if b"Output" in fields else [])
        return (_numbers(text, b"Score", 1)[0] if b"Score" in text else NO_SCORE), b"X", chances
    raise Damaged(f"expected an evaluation (E) or a rollout (X), found {_shown(fields[1])}")


def has_version(text: bytes) -> bool:
    """Whether an evaluation (the text after its `E`) begins with a version; only old ones do not.
    Raises `Damaged` for an unknown one."""
    if b"ver" not in text:
        return False
    if not VERSION.match(text):
        raise Damaged("expected version 2 or 3 of an analysis, found another")
    return True


def _numbers(text: bytes, keyword: bytes, count: int) -> list[float]:
    """A given number of numbers of a rollout behind a keyword and a blank, which gnuBG skips
    whatever it is."""
    _, _, after = text.partition(keyword)
    fields = after.split(None, count)[:count] if after[:1] == b" " else []
    if len(fields) < count:
        raise Damaged(f"expected {count} numbers of a rollout, found {len(fields)}")
    return [*map(number, fields)]


@lru_cache(maxsize=64)
def level(depth: bytes) -> Level:
    """The level of a depth as written: `2C` is gnuBG's 2-ply, cubeful, which looks two plies
    ahead."""
    if depth == b"X":
        return Level("rollout", None)
    plies = depth.rstrip(b"C")
    if not plies.isdigit() or len(plies) > 2:
        return Level("unknown level", None)
    return Level(
        f"{int(plies)}-ply {'cubeful' if depth.endswith(b'C') else 'cubeless'}", float(plies)
    )


def cube(text: bytes) -> tuple[float, float, bytes] | None:
    """The cubeful values of no double and of double/take, and the depth; `None` without an
    analysis.

    Winning chances of the match in match play, equities at the current cube in money, both the
    doubler's. Raises `Damaged`.
    """
    if evaluated := EVALUATED_CUBE.fullmatch(text):
        no_double, double_take, depth = float(evaluated[2]), float(evaluated[3]), evaluated[1]
    elif (outputs := _cube_outputs(text)) is not None:
        numbers, depth = outputs
        no_double, double_take = numbers[OUTPUTS - 1], numbers[-1]
    else:
        return None
    if not (no_double - no_double == 0.0 == double_take - double_take):
        return None
    return no_double, double_take, depth


def cube_chances(text: bytes) -> tuple[Chances, Chances]:
    """The doubler's chances without a double, and with one that is taken; NaN where there are
    none."""
    with suppress(Damaged):
        if (outputs := _cube_outputs(text)) is not None:
            return tuple(outputs[0][:5]), tuple(outputs[0][OUTPUTS:][:5])
    return UNKNOWN_CHANCES, UNKNOWN_CHANCES


def _chances(fields: list[bytes]) -> Chances:
    return tuple(map(number, fields[:5]))


def _cube_outputs(text: bytes) -> tuple[list[float], bytes] | None:
    """The outputs without a double, then with one that is taken, and the depth; `None` without an
    analysis."""
    if text[:1] == b"E":
        return _evaluated(text)
    if text[:2] in (b"X ", b"R "):
        return [*_outputs(text, b"NoDouble"), *_outputs(text, b"DoubleTake")], b"X"
    return None


def _evaluated(text: bytes) -> tuple[list[float], bytes]:
    """The outputs and the depth of `E`: a version, the settings of the evaluation, and the
    numbers."""
    fields, old = text.split(), not has_version(text[1:])
    first = 9 if old else 7 + (fields[2:3] == [b"2"])
    last = first + 2 * OUTPUTS
    if len(fields) < last or fields[0] != b"E":
        raise Damaged(f"expected {last} numbers of a cube analysis, found {len(fields)}")
    depth, noise = (5, first - 1) if old else (3, first - 2)
    settings = fields[depth + 1 : noise] + fields[noise + 1 : first]
    if not DEPTH.fullmatch(fields[depth]) or not all(map(bytes.isdigit, settings)):
        raise Damaged(
            "expected the settings of a cube analysis, found "
            f"{_shown(b' '.join(fields[depth:first]))}"
        )
    numbers = [*map(number, fields[1:5] * old + fields[noise : noise + 1] + fields[first:last])]
    return numbers[-2 * OUTPUTS :], fields[depth]


def _outputs(text: bytes, keyword: bytes) -> list[float]:
    """Seven numbers of a rollout: five chances, the cubeless and the cubeful value."""
    _, present, after = text.partition(keyword)
    outputs = _numbers(after, b"Output", OUTPUTS) if present and b"Output" in after else [NAN]
    if outputs[-1] != outputs[-1]:
        raise Damaged(f"expected seven outputs after {keyword.decode()}")
    return outputs


def evaluation(text: bytes) -> Evaluation:
    """What is said of an alternative of `A`."""
    equity, depth, chances = alternative(text)
    return equity if equity == equity else None, level(depth).label, chances
