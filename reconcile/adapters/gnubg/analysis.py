"""The numbers of gnuBG's analysis properties: `A` (alternatives), `DA` (cube), `LU` (luck), in all their versions."""

from __future__ import annotations

from typing import Final

from reconcile.match import Candidate, Level

NO_SCORE: Final = -99999.0
"""gnuBG's score of a rolled-out alternative that carries none."""
LARGEST: Final = 1e6
"""No equity or luck is larger; gnuBG's `NO_SCORE` is smaller."""
LAST_OF_ALTERNATIVE: Final = 11
"""Fields of an evaluated alternative up to its depth; what follows are the settings of the evaluation."""
CUBE_NUMBERS: Final = 14
"""Five probabilities, cubeless and cubeful value; for no double, then for double and take."""
NAN: Final = float("nan")


class Damaged(ValueError):
    """A number of an analysis is missing or is none."""


def number(text: bytes) -> float:
    """A number; NaN for an infinite one, which is how gnuBG writes that it computed none. Raises `Damaged`."""
    try:
        value = float(text)
    except ValueError:
        raise Damaged(f"expected a number, found {text[:20].decode('ascii', 'replace')!r}") from None
    if -LARGEST <= value <= LARGEST:
        return value
    if value - value != 0.0:
        return NAN
    raise Damaged(f"expected a number of at most {LARGEST:.0f}, found {text[:20].decode('ascii', 'replace')!r}")


def luck(text: bytes) -> float:
    """The value of `LU`; NaN where gnuBG stored that it computed none (-inf), 0 for an empty value as in gnuBG."""
    return number(text) if text.strip() else 0.0


def is_rollout(fields: list[bytes]) -> bool:
    """Whether an analysis is a rollout (`X`, in old files `R`)."""
    return fields[0] in (b"X", b"R")


def alternative(text: bytes) -> tuple[float, bytes]:
    """The ranking score (EMG) of an alternative of `A` and its depth as written (`2C`; `X` for a rollout).

    The score is NaN where the play was listed without evaluation. Raises `Damaged`.
    """
    fields = text.split(None, LAST_OF_ALTERNATIVE) if b" E " in text else text.split()
    if len(fields) < 2:
        return NAN, b""
    if fields[1] == b"E":
        at = 9 if fields[2:3] == [b"ver"] else 7
        if len(fields) <= at + 1:
            raise Damaged(f"expected {at + 2} fields of an alternative, found {len(fields)}")
        return number(fields[at]), fields[at + 1]
    if is_rollout(fields[1:]):
        return _after(fields, b"Score", 1, NO_SCORE), b"X"
    return NAN, b""


def level(depth: bytes) -> Level:
    """The level of a depth as written: `2C` is gnuBG's 2-ply, cubeful, which looks two plies ahead."""
    if depth == b"X":
        return Level("rollout", None)
    plies = depth.rstrip(b"C")
    if not plies.isdigit() or len(plies) > 2:
        return Level("unknown level", None)
    return Level(f"{int(plies)}-ply {'cubeful' if depth.endswith(b'C') else 'cubeless'}", float(plies))


def _after(fields: list[bytes], keyword: bytes, steps: int, default: float) -> float:
    try:
        return number(fields[fields.index(keyword) + steps])
    except (ValueError, IndexError) as error:
        if isinstance(error, Damaged):
            raise
        return default


def cube(text: bytes) -> tuple[float, float, bytes] | None:
    """The cubeful values of no double and of double and take, and the depth; `None` without an analysis.

    Winning chances of the match in match play, equities at the current cube in money, both the doubler's. Raises `Damaged`.
    """
    fields = text.split()
    if not fields:
        return None
    if fields[0] == b"E":
        old = fields[1:2] != [b"ver"]
        expected = 9 + CUBE_NUMBERS if old else 7 + CUBE_NUMBERS + (fields[2:3] == [b"2"])
        if len(fields) < expected:
            raise Damaged(f"expected {expected} numbers of a cube analysis, found {len(fields)}")
        no_double, double_take = number(fields[expected - 8]), number(fields[expected - 1])
        plies = fields[5] if old else fields[3]
    elif is_rollout(fields):
        no_double, double_take = _outputs(fields, b"NoDouble"), _outputs(fields, b"DoubleTake")
        plies = b"X"
    else:
        return None
    if not (no_double - no_double == 0.0 == double_take - double_take):
        return None
    return no_double, double_take, plies


def _outputs(fields: list[bytes], keyword: bytes) -> float:
    value = _after(fields, keyword, 8, NAN)  # keyword, "Output", seven numbers
    if value != value:
        raise Damaged(f"expected seven outputs after {keyword.decode()}")
    return value


def candidate(text: bytes, play: tuple[tuple[int, int], ...], made: bool) -> Candidate:
    """An alternative of `A` in full."""
    fields = text.split()
    equity, depth = alternative(text)
    probabilities: tuple[float, ...] = ()
    if fields[1:2] == [b"E"]:
        at = 4 if fields[2:3] == [b"ver"] else 2
        probabilities = tuple(number(part) for part in fields[at : at + 5])
    elif b"Output" in fields:
        at = fields.index(b"Output") + 1
        probabilities = tuple(number(part) for part in fields[at : at + 5])
    return Candidate(play, equity if equity == equity else None, level(depth).label, probabilities, made)
