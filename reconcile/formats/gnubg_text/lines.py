"""The lines of gnuBG's text export: pages, turns, and the analysis printed below each.

    The score (after 1 game) is: Ann 0, Ben 2 (match to 3 points), Crawford game
    Move number 2:  Ben to play 65                   or `on roll, cube decision?`, or `doubles to 2`
     GNU Backgammon  Position ID: 0HPkATDgc/ABMA     the board of the player on roll
                     Match ID   : MAF3AAAAAAAE       cube, dice, score, who decides
    * Ben moves 24/13                                or `cannot move`, `doubles`, `accepts`,
      `rejects`
    Cube analysis                                    three equities, the best first, each with its
    distance from it Rolled 65 (+0.021):                              the luck of the roll where it
    was computed
    *    1. Cubeful 2-ply    24/13       Eq.: -0.163 at most five plays and the one made, the best
      first
    Ben wins 2 points

Every equity is rounded, by default to three decimals, and so is its distance from the best one, by
itself. With what else gnuBG prints about it (the share of wrong answers that would make a double
right, the mark of an error) a distance is known better than by either alone. With `set output mwc
on` the numbers of a match are its winning chances, in percent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from reconcile.files.limits import MOST_DECISIONS, MOST_GAMES
from reconcile.formats.rows import UNKNOWN_CHANCES, Chances
from reconcile.formats.values import (
    ONE_MATCH,
    Damaged,
    cut_short,
    in_utf8,
    name_in,
    with_line_feeds,
)
from reconcile.match.board.identifiers import match_id_fields

LONGEST_LINE = 500
BOM = b"\xef\xbb\xbf"
IN_CHANCES = re.compile(rb" MWC: | cubeless MWC ")
"""Of a text that prints chances instead of equities."""
HEAD = 2**16
"""Bytes in which a page must be recognisable."""

FIRST_LINE = re.compile(
    r"The score \(after (?P<before>\d{1,6}) games?\) is: (?P<one>.+) (?P<score1>\d{1,6}), "
    r"(?P<two>.+) (?P<score2>\d{1,6})"
    r"(?: \(match to (?P<length>\d{1,6}) points?\))?(?P<state>, Crawford game|, post-Crawford "
    r"play)?[ \t]*",
    re.ASCII,
)
_TURN = re.compile(r"^Move number \d{1,9}: +", re.MULTILINE | re.ASCII)
_TITLE = re.compile(
    r"(?:.* to play (?P<dice>[1-6]{2})|.* on roll, cube decision\?|.* doubles to \d{1,6})[ \t]*\n"
)
_IDS = re.compile(
    r"^ GNU Backgammon +Position ID: (\S{1,40})[ \t]*\n +Match ID +: (\S{1,40})[ \t]*$",
    re.MULTILINE,
)
_DONE = re.compile(
    r"^\* .*? (?P<what>moves (?P<play>(?:bar|\d)[^\n]{0,100}+)|cannot "
    r"move|doubles|accepts|rejects)[ \t]*+$",
    re.MULTILINE,
)
_RESULT = re.compile(
    r"^(.+) wins (\d{1,6}) points?(?: and the match)?[ \t]*$", re.MULTILINE | re.ASCII
)
_STATISTICS = re.compile(r"^(?:Game|Match|Session) statistics", re.MULTILINE)
_FOOTER = re.compile(r"^ by GNU Backgammon (\S{1,60})", re.MULTILINE)
_FACT = re.compile(r"^(Event|Place|Round|Comments): (.{1,300})$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn or cube action of a page, as printed."""

    text: str
    line: int
    dice: tuple[int, int] | None
    position: str
    state: dict[str, int]
    """The fields of the Match ID."""
    action: str
    """`moves`, `cannot move`, `doubles`, `accepts`, `rejects`."""
    play: str
    comment: str


@dataclass(frozen=True, slots=True)
class Page:
    """One game as printed."""

    line: int
    before: int
    """Games played before it."""
    players: tuple[str, str]
    score: tuple[int, int]
    length: int | None
    state: str
    turns: list[Turn]
    winner: str
    points: int
    version: str
    facts: dict[str, str]


def first_line(content: bytes) -> re.Match[str] | None:
    """The first line of a page, if these bytes begin like one."""
    # Only this line is decoded: further on, the bytes may end within a letter.
    raw = in_utf8(content[:HEAD]).removeprefix(BOM).lstrip(b"\r\n").partition(b"\n")[0]
    line = with_line_feeds(raw).partition("\n")[0]
    return FIRST_LINE.fullmatch(line) if len(line) <= LONGEST_LINE else None


def recognises(content: bytes) -> bool:
    """Whether the text begins as a game of gnuBG's text export does: its score, then a board with
    its Position ID."""
    return first_line(content) is not None and b"GNU Backgammon  Position ID:" in content[:HEAD]


def pages_of(content: bytes) -> list[Page]:
    """The pages in a text, in its order. Raises `Damaged` with the line that cannot be
    understood."""
    text = with_line_feeds(content)
    starts = [title.start() for title in re.finditer(r"^The score \(after ", text, re.MULTILINE)]
    if len(starts) > MOST_GAMES:
        raise Damaged(f"expected at most {MOST_GAMES} games, found {len(starts)}", ONE_MATCH)
    turns = len(_TURN.findall(text))
    if turns > MOST_DECISIONS:
        raise Damaged(f"expected at most {MOST_DECISIONS:,} turns, found {turns:,}", ONE_MATCH)
    pages = []
    line = 1 + text.count("\n", 0, starts[0]) if starts else 1
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        pages.append(_page(text[start:end], line))
        line += text.count("\n", start, end)
    return pages


def annotation(text: str) -> str:
    """What somebody wrote about a turn, from the text below it, which may end with the result of
    the game."""
    comment = text.partition("\nAnnotation:\n")[2].strip()
    before, _, last = comment.rpartition("\n")
    return before.strip() if _RESULT.fullmatch(last) else comment


def _page(text: str, line: int) -> Page:
    head, _, rest = text.partition("\n")
    first = FIRST_LINE.fullmatch(head) if len(head) <= LONGEST_LINE else None
    if first is None:
        raise Damaged(
            f"line {line}: expected the score as 'The score (after 1 game) is: Ann 0, Ben 2 "
            f"(match to 3 points)', found {cut_short(head, 60)!r}"
        )
    cuts = list(_TURN.finditer(rest))
    if not cuts:
        turns_below = "turns ('Move number 1:  NAME to play 51') below this line"
        raise Damaged(f"line {line}: expected {turns_below}, found none")
    over = _STATISTICS.search(rest, cuts[-1].end())
    end = over.start() if over else len(rest)
    turns, at, counted = [], 0, line + 1
    for cut, following in zip(cuts, [*(cut.start() for cut in cuts[1:]), end], strict=True):
        counted += rest.count("\n", at, cut.start())
        at = cut.start()
        turns.append(_turn(rest[cut.end() : following], counted))
    result = _RESULT.search(turns[-1].text[-LONGEST_LINE:])
    footer = _FOOTER.search(rest, end)
    head_text = rest[: cuts[0].start()]
    return Page(
        line=line,
        before=int(first["before"]),
        players=(name_in(first["one"]), name_in(first["two"])),
        score=(int(first["score1"]), int(first["score2"])),
        length=int(first["length"] or 0) or None,
        state=first["state"] or "",
        turns=turns,
        winner=name_in(result[1]) if result else "",
        points=int(result[2]) if result else 0,
        version=footer[1] if footer else "",
        facts={key: name_in(value) for key, value in _FACT.findall(head_text[: 20 * LONGEST_LINE])},
    )


def _turn(text: str, line: int) -> Turn:
    title = _TITLE.match(text)
    if title is None:
        shown = cut_short(text.partition("\n")[0], 60)
        raise Damaged(
            f"line {line}: expected 'NAME to play 51', 'on roll, cube decision?' or 'doubles "
            f"to 2' after the number of the move, found {shown!r}"
        )
    ids = _IDS.search(text)
    if ids is None:
        raise Damaged(
            f"line {line}: expected a Position ID and a Match ID below this line, found none"
        )
    done = _DONE.search(text, ids.end())
    if done is None:
        did = "what the player did ('* NAME moves 13/8') below this board"
        raise Damaged(f"line {line}: expected {did}, found no such line")
    dice = title["dice"]
    try:
        state = match_id_fields(ids[2])
    except ValueError as error:
        raise Damaged(f"line {line}: expected a Match ID below this line, found {error}") from None
    return Turn(
        text=text,
        line=line,
        dice=(int(dice[0]), int(dice[1])) if dice else None,
        position=ids[1],
        state=state,
        action=done["what"].partition(" ")[0] if done["play"] else done["what"],
        play=(done["play"] or "").strip(),
        comment=annotation(text[done.end() :]),
    )


INFINITE = float("inf")
HALF_PERCENT = 0.0005
"""Half of the last digit of a share in percent."""
FEWEST_DIGITS = 0.06
"""The largest half of a last digit (EMG) with which errors can be told from one another."""
GRADES = {
    "": (-INFINITE, 0.03),
    "doubtful": (0.03, 0.06),
    "bad": (0.06, 0.12),
    "very bad": (0.12, INFINITE),
}
"""Errors by gnuBG's mark; where it was set to other borders, the printed numbers contradict these
and stay as they are."""
_NUMBER = r"[+-]?\d{1,4}(?:\.\d{1,6})?%?"
_CHANCES = r"[01](?:\.\d{1,6})?(?:[ -]+[01](?:\.\d{1,6})?){5}"
_CUBE_LEVEL = re.compile(
    r"^(Rollout|(\d{1,2})-ply) cubeless (?:equity|MWC) ", re.MULTILINE | re.ASCII
)
_CUBE_CHANCES = re.compile(
    rf"^[^\n]* cubeless (?:equity|MWC) [^\n]*\n +({_CHANCES})$", re.MULTILINE | re.ASCII
)
_CUBE = re.compile(
    r"^[123]\. (No double|Double, take|Double, pass|No redouble|Redouble, take|Redouble, pass)"
    rf" +({_NUMBER})(?: +\( *({_NUMBER})\))?[ \t]*$",
    re.MULTILINE | re.ASCII,
)
_PERCENT = re.compile(
    r"^Proper cube action: [^,\n]{1,40}, (take|pass|beaver) \((\d{1,3}\.\d)%\)",
    re.MULTILINE | re.ASCII,
)
_ROLLED = re.compile(r"^Rolled [1-6]{2}(?: \(([+-]\d{1,4}\.\d{3}%?)\))?:", re.MULTILINE)
_LUCK_MARK = re.compile(r"^Alert: (very )?(un)?lucky roll!", re.MULTILINE)
_LISTED = re.compile(
    rf"^([* ]) +(?:(\d{{1,5}})\.|\?\? ) ([^\n]*)(?:\n +({_CHANCES}))?", re.MULTILINE | re.ASCII
)
_VALUED = re.compile(
    r"(?P<level>\S+(?: \S+)*) {2,}(?P<play>(?:bar|\d)\S*(?: \S+)*) +(?:Eq\.|MWC): "
    rf"+(?P<equity>{_NUMBER})(?: +\( *(?P<less>{_NUMBER})\))?[ \t]*",
    re.ASCII,
)
_MARKED_PLAY = re.compile(r"^Alert: (doubtful|bad|very bad) move", re.MULTILINE)
_MARKED_CUBE = re.compile(r"^ \[(doubtful|bad|very bad)\]", re.MULTILINE)
_MISSED = re.compile(r"^Alert: missed double", re.MULTILINE)


Span = tuple[float, float]
"""The match winning chances after losing and after winning the cube, in the view of a player."""


class Unit(NamedTuple):
    """What the last digit of a printed number is worth (EMG)."""

    per_equity: float
    """So many are an equity of 1."""
    at_zero: float = 0.0
    """So many are printed for an equity of 0."""

    def equity(self, printed: str) -> float:
        """A printed number as an equity."""
        return (digits(printed) - self.at_zero) / self.per_equity

    @property
    def half(self) -> float:
        """How far rounding can move a number."""
        return 0.5 / self.per_equity


def unit_of(printed: str, span: Span | None) -> Unit:
    """The unit of a printed number: an equity, or a chance in percent. Raises `ValueError` for a
    chance where no match is at stake, and for too few digits."""
    decimals = len(printed.rstrip("%").partition(".")[2])
    unit = Unit(10**decimals)
    if printed.endswith("%"):
        if span is None or span[0] >= span[1]:
            raise ValueError(f"{printed}, a match winning chance")
        chance = 50 * 10**decimals
        unit = Unit(chance * (span[1] - span[0]), chance * (span[1] + span[0]))
    if unit.half > FEWEST_DIGITS:
        raise ValueError(f"{printed}, too few digits ('set output digits 3')")
    return unit


class Value(NamedTuple):
    """One printed equity, and what its distance from the best one can be."""

    equity: float
    """As printed (EMG)."""
    low: float
    """The smallest distance: the best one less this one (EMG)."""
    high: float

    @property
    def less(self) -> float:
        """The distance: the middle of what is possible."""
        return (self.low + self.high) / 2

    @property
    def half(self) -> float:
        """How far the true distance can be from that; 0 for the best one itself."""
        return (self.high - self.low) / 2

    def within(self, low: float, high: float) -> Value:
        """The same where the distance is known to be in this range too; a range that contradicts
        the printed digits is passed over."""
        low, high = max(self.low, low), min(self.high, high)
        return self._replace(low=low, high=high) if low <= high else self


class Listed(NamedTuple):
    """A play of the list below a roll."""

    is_played: bool
    place: int
    """Its place among all legal plays, from 1; 0 for a play made that is beyond those that gnuBG
    prints."""
    level: str
    play: str
    value: Value
    probabilities: Chances


def digits(printed: str) -> int:
    """A printed number in its last digits."""
    return int(printed.rstrip("%").replace(".", ""))


def value(equity: str, less: str | None, best: str, unit: Unit) -> Value:
    """A printed equity; `best` is the printed best one.

    Both equities and their distance are rounded each by itself, so that the difference of the two
    narrows the distance.
    """
    own = unit.equity(equity)
    apart = (digits(best) - digits(equity)) / unit.per_equity
    if less is None:
        return Value(own, apart, apart)
    printed = -digits(less) / unit.per_equity
    return Value(own, printed - unit.half, printed + unit.half).within(
        apart - 2 * unit.half, apart + 2 * unit.half
    )


def grade(text: str, pattern: re.Pattern[str]) -> tuple[float, float]:
    """The range of an error by the mark that gnuBG printed, or did not print, with its own
    borders."""
    mark = pattern.search(text)
    return GRADES[mark[1] if mark else ""]


def listed_plays(text: str, span: Span | None) -> list[Listed]:
    """The plays below a roll, the best first; empty without an analysis. Raises `ValueError` with
    the line that cannot be read."""
    rolled = _ROLLED.search(text)
    listed: list[Listed] = []
    best = ""
    for match in _LISTED.finditer(text, rolled.end()) if rolled else ():
        line = match[3]
        valued = _VALUED.fullmatch(line) if len(line) <= LONGEST_LINE else None
        if valued is None:
            raise ValueError(match[0].partition("\n")[0])
        best = best or valued["equity"]
        unit = unit_of(best, span)
        chances = _five_chances(match[4]) if match[4] else ()
        number = value(valued["equity"], valued["less"] if listed else None, best, unit)
        if match[1] == "*" and listed:
            number = number.within(*grade(text, _MARKED_PLAY))
        listed.append(
            Listed(
                match[1] == "*",
                int(match[2] or 0),
                valued["level"],
                valued["play"].strip(),
                number,
                chances,
            )
        )
    return listed


def _five_chances(printed: str) -> Chances:
    """From win, win gammon, win backgammon - lose, lose gammon, lose backgammon."""
    chances = tuple(map(float, printed.replace("-", " ").split()))
    return (*chances[:3], *chances[4:])


def printed_chances(text: str) -> Chances:
    """The chances below a cube analysis; NaN where none are printed."""
    at = text.find("\nCube analysis\n")
    line = _CUBE_CHANCES.search(text, at) if at >= 0 else None
    return _five_chances(line[1]) if line else UNKNOWN_CHANCES


def luck(text: str, span: Span | None) -> tuple[float | None, int]:
    """The luck of a roll (EMG), `None` if none was computed, and its mark from -2 to 2."""
    rolled = _ROLLED.search(text)
    if rolled is None or rolled[1] is None:
        return None, 0
    mark = _LUCK_MARK.search(text, 0, rolled.start())
    gained = digits(rolled[1]) / unit_of(rolled[1], span).per_equity
    return gained, 0 if mark is None else (2 if mark[1] else 1) * (-1 if mark[2] else 1)


class CubeValues(NamedTuple):
    """The three equities of a cube analysis in the view that is printed, and the level."""

    no_double: Value
    double_take: Value
    double_pass: Value
    level: str
    best: float
    half: float
    """How far rounding can move an equity."""


def cube_values(text: str, span: Span | None) -> CubeValues | None:
    """The cube analysis of a turn; `None` without one. Raises `ValueError` with what cannot be
    read."""
    at = text.find("\nCube analysis\n")
    if at < 0:
        return None
    rolled = _ROLLED.search(text, at)
    end = rolled.start() if rolled else len(text)
    head = _CUBE_LEVEL.search(text, at, end)
    lines = _CUBE.findall(text, at, end)
    kinds = ["no" if name.startswith("No") else name.rpartition(" ")[2] for name, _, _ in lines]
    if (
        head is None
        or sorted(kinds) != ["no", "pass", "take"]
        or lines[0][2]
        or not all(less for *_, less in lines[1:])
    ):
        raise ValueError("three equities of a cube analysis")
    best = lines[0][1]
    unit = unit_of(best, span)
    by_kind = {
        kind: value(equity, less or None, best, unit)
        for kind, (_, equity, less) in zip(kinds, lines, strict=True)
    }
    percent = _PERCENT.search(text, at, end)
    if kinds[0] == "no" and percent:
        # The share of wrong answers that would make the double right: its cost, over what such an
        # answer gains.
        answer = "pass" if percent[1] == "pass" else "take"
        gain = abs(by_kind["pass"].equity - by_kind["take"].equity)
        share = float(percent[2]) / 100
        by_kind[answer] = by_kind[answer].within(
            (share - HALF_PERCENT) * (gain - unit.half),
            (share + HALF_PERCENT) * (gain + unit.half),
        )
    if kinds[0] != "no" and _MISSED.search(text, 0, at):
        by_kind["no"] = by_kind["no"].within(*grade(text[:at], _MARKED_CUBE))
    return CubeValues(
        *(by_kind["no"], by_kind["take"], by_kind["pass"]), head[1], unit.equity(best), unit.half
    )
