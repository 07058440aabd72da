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

The files of one match as gnuBG names them: `X.txt` for its first game, then `X_002.txt`,
`X_003.txt` and so on.

A match read from them is their bytes one after the other, so whatever takes one file takes this,
and the pages may as well be put together by hand. Files belong together if their names say so and
their first lines agree: same players, same length, the game that the name says. A file of another
match is left alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from reconcile.files.inputs import head_of, opened
from reconcile.files.limits import MOST_DECISIONS, MOST_GAMES
from reconcile.formats.common import (
    ONE_MATCH,
    UNKNOWN_CHANCES,
    Chances,
    Damaged,
    cut_short,
    in_utf8,
    name_in,
    with_line_feeds,
)
from reconcile.formats.interface import GNUBG_TEXT
from reconcile.match.board.position import match_id_fields

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


TEXT = ".txt"
NAME = re.compile(r"(?P<stem>.+?)(?:_(?P<game>\d{3}))?", re.DOTALL | re.ASCII)
ENOUGH = 4096
"""Bytes of a file that have its first line."""
LAST = re.compile(rb"^(?:Match|Session) statistics\s*$", re.MULTILINE)
"""What the last page of a match has."""
MOST_HELD = 256 * 2**20
"""Bytes of pages kept until the last of their match is found in a stream; as many as five hundred
matches have."""

Head = Callable[[str], bytes]
"""The first bytes of a file by its name."""


def page_name(name: str) -> tuple[str, int]:
    """What the files of one match share in their names, and the number of the game; 0 if it cannot
    be a page."""
    if not name.lower().endswith(TEXT):
        return name, 0
    parts = NAME.fullmatch(name[: -len(TEXT)])
    return (parts["stem"], int(parts["game"] or 1)) if parts else (name, 0)


def together(names: Iterable[str], head: Head) -> dict[str, tuple[str, ...]]:
    """The other pages of every file that begins a match, by its name, in order; files without any
    are left out.

    Only files whose names leave it open are looked into.
    """
    sets: dict[str, dict[int, str]] = {}
    for name in names:
        stem, game = page_name(name)
        if game:
            sets.setdefault(stem, {})[game] = name
    pages: dict[str, tuple[str, ...]] = {}
    for numbered in sets.values():
        if len(numbered) > 1:
            games = sorted(numbered)
            fitting = _fitting([(game, head(numbered[game])) for game in games])
            if len(fitting) > 1:
                pages[numbered[fitting[0]]] = tuple(numbered[game] for game in fitting[1:])
    return pages


def _fitting(heads: list[tuple[int, bytes]]) -> list[int]:
    """The games whose first lines belong to the match of the first page among them."""
    fitting: list[int] = []
    match: tuple[str, str, str] | None = None
    for game, head in heads:
        line = first_line(head)
        if line is None or int(line["before"]) != game - 1:
            continue
        own = (line["one"], line["two"], line["length"] or "")
        if match in (None, own):
            match = own
            fitting.append(game)
    return fitting


def beside(path: str) -> tuple[str, ...]:
    """The other pages of a match in the folder of its first one; empty for any other file."""
    return together(_named_alike(path), lambda name: head_of(name, ENOUGH)).get(str(Path(path)), ())


def strangers(path: str) -> tuple[str, ...]:
    """Pages beside the first one of a match whose names are of the same match, but not their first
    lines."""
    if page_name(Path(path).name)[1] != 1:
        return ()
    own = beside(path)
    unlike = (page for page in _named_alike(path) if page not in own and page_name(page)[1] > 1)
    return tuple(
        Path(page).name for page in unlike if first_line(head_of(page, ENOUGH)) is not None
    )


def _named_alike(path: str) -> list[str]:
    """The files in the folder of a page that are named as pages of one match are, itself included,
    in order."""
    first = Path(path)
    stem, game = page_name(first.name)
    try:
        if not game or first_line(head_of(path, ENOUGH)) is None:
            return []
        with os.scandir(first.parent) as entries:
            return sorted(
                str(first.parent / entry.name)
                for entry in entries
                if page_name(entry.name)[0] == stem and entry.is_file()
            )
    except (OSError, ValueError):  # the name is too long or has a null character
        return []


def first_pages(paths: Sequence[str]) -> tuple[str, ...]:
    """Files without those that are read together with another of them."""
    if not any(page_name(path)[1] > 1 for path in paths):
        return tuple(paths)
    later_pages = {page for path in paths for page in beside(path)}
    return tuple(path for path in paths if str(Path(path)) not in later_pages)


def with_other_pages(path: str, content: bytes) -> bytes:
    """The bytes of a file and, if it is the first page of a match, those of the other pages beside
    it. Raises `OSError`."""
    return joined(chain([content], map(_bounded, beside(path))))


def _bounded(path: str) -> bytes:
    with opened(path) as file:
        return file.read(GNUBG_TEXT.largest + 1)


def joined(pages: Iterable[bytes]) -> bytes:
    """Pages as one text, each from the beginning of a line; those beyond what a match may have are
    cut off, which its reader reports."""
    parts: list[bytes] = []
    size = 0
    for page in pages:
        if parts and not parts[-1].endswith(b"\n"):
            parts.append(b"\n")
        page = in_utf8(page)
        parts.append(page.removeprefix(BOM) if parts else page)
        size += len(page)
        if size > GNUBG_TEXT.largest:
            break
    return b"".join(parts)


class Stream:
    """Pages that come in any order among other files: kept until those of a match are complete."""

    def __init__(self) -> None:
        self._held: dict[str, dict[int, tuple[str, bytes]]] = {}
        self._size = 0

    def add(self, name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
        """Files that are complete with this one, by the name of their first page: at once for
        whatever is no page."""
        stem, game = page_name(name)
        if not game or first_line(content[:ENOUGH]) is None:
            yield name, content
            return
        pages = self._held.setdefault(stem, {})
        if game in pages:
            yield name, content
            return
        pages[game] = name, content
        self._size += len(content)
        if len(pages) == (last := max(pages)) and LAST.search(pages[last][1]):
            yield from self._released(stem)
        while self._size > MOST_HELD:
            yield from self._released(next(iter(self._held)))

    def rest(self) -> Iterator[tuple[str, bytes]]:
        """What is left at the end, in the order in which it came."""
        for stem in list(self._held):
            yield from self._released(stem)

    def _released(self, stem: str) -> Iterator[tuple[str, bytes]]:
        pages = dict(sorted(self._held.pop(stem).items()))
        self._size -= sum(len(content) for _, content in pages.values())
        fitting = _fitting([(game, content[:ENOUGH]) for game, (_, content) in pages.items()])
        if fitting:
            yield pages[fitting[0]][0], joined(pages[game][1] for game in fitting)
        yield from (file for game, file in pages.items() if game not in fitting)
