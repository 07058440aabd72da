"""The lines of gnuBG's text export: pages, turns, and the analysis printed below each.

    The score (after 1 game) is: Ann 0, Ben 2 (match to 3 points), Crawford game
    Move number 2:  Ben to play 65                   or `on roll, cube decision?`, or `doubles to 2`
     GNU Backgammon  Position ID: 0HPkATDgc/ABMA     the board of the player on roll
                     Match ID   : MAF3AAAAAAAE       cube, dice, score, who decides
    * Ben moves 24/13                                or `cannot move`, `doubles`, `accepts`, `rejects`
    Cube analysis                                    three equities, the best first, each with its distance from it
    Rolled 65 (+0.021):                              the luck of the roll where it was computed
    *    1. Cubeful 2-ply    24/13       Eq.: -0.163 at most five plays and the one made, the best first
    Ben wins 2 points

Every number has three decimals. A distance is printed by itself, so it is known better than the difference of two printed equities.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple, NoReturn

from reconcile.board.identifiers import CENTRED, match_id_fields
from reconcile.errors import UnreadableFile
from reconcile.files.limits import MOST_DECISIONS, MOST_GAMES

INFINITE: Final = float("inf")
LARGEST_EXPORT: Final = 32 * 2**20
"""Bytes of all pages of a match; a game takes 100,000."""
LONGEST_LINE: Final = 500
HEAD: Final = 2**16
"""Bytes in which a page must be recognisable."""
SCALE: Final = 1000
"""Equities are printed in thousandths."""
HALF_DIGIT: Final = 0.0005
"""Half of the last digit of an equity."""
HALF_PERCENT: Final = 0.0005
"""Half of the last digit of a share in percent."""
GRADES: Final = {"": (-INFINITE, 0.03), "doubtful": (0.03, 0.06), "bad": (0.06, 0.12), "very bad": (0.12, INFINITE)}
"""Errors by gnuBG's mark; where it was set to other borders, the printed numbers contradict these and stay as they are."""

FIRST_LINE: Final = re.compile(
    r"The score \(after (?P<before>\d{1,6}) games?\) is: (?P<one>.+) (?P<score1>\d{1,6}), (?P<two>.+) (?P<score2>\d{1,6})"
    r"(?: \(match to (?P<length>\d{1,6}) points?\))?(?P<state>, Crawford game|, post-Crawford play)?[ \t]*",
    re.ASCII,
)
_TURN: Final = re.compile(r"^Move number \d{1,9}: +", re.MULTILINE | re.ASCII)
_TITLE: Final = re.compile(r"(?:.* to play (?P<dice>[1-6]{2})|.* on roll, cube decision\?|.* doubles to \d{1,6})[ \t]*\n")
_IDS: Final = re.compile(r"^ GNU Backgammon +Position ID: (\S{1,40})[ \t]*\n +Match ID +: (\S{1,40})[ \t]*$", re.MULTILINE)
_DONE: Final = re.compile(
    r"^\* .*? (?P<what>moves (?P<play>(?:bar|\d)[^\n]{0,100}+)|cannot move|doubles|accepts|rejects)[ \t]*+$", re.MULTILINE
)
_CUBE_LEVEL: Final = re.compile(r"^(Rollout|(\d{1,2})-ply) cubeless equity ", re.MULTILINE | re.ASCII)
_CUBE: Final = re.compile(
    r"^[123]\. (No double|Double, take|Double, pass|No redouble|Redouble, take|Redouble, pass)"
    r" +([+-]\d{1,4}\.\d{3})(?: +\(([+-]\d{1,4}\.\d{3})\))?[ \t]*$",
    re.MULTILINE | re.ASCII,
)
_ROLLED: Final = re.compile(r"^Rolled [1-6]{2}(?: \(([+-]\d{1,4}\.\d{3})\))?:", re.MULTILINE)
_LUCK_MARK: Final = re.compile(r"^Alert: (very )?(un)?lucky roll!", re.MULTILINE)
_LISTED: Final = re.compile(
    r"^([* ]) +(?:(\d{1,5})\.|\?\? ) ([^\n]*)(?:\n +([01]\.\d{3}(?: -? ?[01]\.\d{3}){5}))?", re.MULTILINE | re.ASCII
)
_VALUED: Final = re.compile(
    r"(?P<level>\S+(?: \S+)*) {2,}(?P<play>(?:bar|\d)\S*(?: \S+)*) +Eq\.: +(?P<equity>[+-]\d{1,4}\.\d{3})"
    r"(?: +\((?P<less>[+-]\d{1,4}\.\d{3})\))?[ \t]*",
    re.ASCII,
)
_PERCENT: Final = re.compile(r"^Proper cube action: [^,\n]{1,40}, (take|pass|beaver) \((\d{1,3}\.\d)%\)", re.MULTILINE | re.ASCII)
_MARKED_PLAY: Final = re.compile(r"^Alert: (doubtful|bad|very bad) move", re.MULTILINE)
_MARKED_CUBE: Final = re.compile(r"^ \[(doubtful|bad|very bad)\]", re.MULTILINE)
_MISSED: Final = re.compile(r"^Alert: missed double", re.MULTILINE)
_RESULT: Final = re.compile(r"^(.+) wins (\d{1,6}) points?(?: and the match)?[ \t]*$", re.MULTILINE | re.ASCII)
_STATISTICS: Final = re.compile(r"^(?:Game|Match|Session) statistics", re.MULTILINE)
_FOOTER: Final = re.compile(r"^ by GNU Backgammon (\S{1,60})", re.MULTILINE)
_FACT: Final = re.compile(r"^(Event|Place|Round): (.{1,300})$", re.MULTILINE)


class Value(NamedTuple):
    """One printed equity, and what its distance from the best one can be."""

    equity: int
    """In thousandths, as printed."""
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
        """The same where the distance is known to be in this range too; a range that contradicts the printed digits is passed over."""
        low, high = max(self.low, low), min(self.high, high)
        return self._replace(low=low, high=high) if low <= high else self


class Listed(NamedTuple):
    """A play of the list below a roll."""

    made: bool
    index: int
    """Its place among all legal plays, from 1; 0 for a play made that is beyond those that gnuBG prints."""
    level: str
    play: str
    value: Value
    probabilities: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class State:
    """What a Match ID says."""

    cube: int
    owner: int
    """Seat, or -1 for a centred cube."""
    decider: int
    on_roll: int
    crawford: bool
    doubled: bool
    length: int
    score: tuple[int, int]
    jacoby: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn or cube action of a page, as printed."""

    text: str
    line: int
    title: str
    dice: tuple[int, int] | None
    position: str
    state: State
    what: str
    """`moves`, `cannot move`, `doubles`, `accepts`, `rejects`."""
    play: str


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

    @property
    def is_crawford(self) -> bool:
        """Whether its first line says so."""
        return "Crawford game" in self.state


def decoded(content: bytes) -> str:
    """The text of pages; gnuBG writes UTF-8 on most systems."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def first_line(content: bytes) -> re.Match[str] | None:
    """The first line of a page, if these bytes begin like one."""
    line = decoded(content[:HEAD]).lstrip().partition("\n")[0]
    return FIRST_LINE.fullmatch(line) if len(line) <= LONGEST_LINE else None


def looks_like_pages(content: bytes) -> bool:
    """Whether the text begins as a game of gnuBG's text export does: its score, then a board with its Position ID."""
    return first_line(content) is not None and b"GNU Backgammon  Position ID:" in content[:HEAD]


def pages_of(path: str, content: bytes) -> list[Page]:
    """The pages in a text, in its order. Raises `UnreadableFile` with the line that cannot be understood."""
    if len(content) > LARGEST_EXPORT:
        raise UnreadableFile(
            f"{path}: expected at most {LARGEST_EXPORT >> 20} MB of gnuBG's text, found {len(content) >> 20} MB; is it one match?"
        )
    text = decoded(content)
    starts = [found.start() for found in re.finditer(r"^The score \(after ", text, re.MULTILINE)]
    if len(starts) > MOST_GAMES:
        raise UnreadableFile(f"{path}: expected at most {MOST_GAMES} games, found {len(starts)}; is it one match?")
    reader = _Pages(path)
    line = 1 + text.count("\n", 0, starts[0]) if starts else 1
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        reader.page(text[start:end], line)
        line += text.count("\n", start, end)
    return reader.pages


class _Pages:
    def __init__(self, path: str) -> None:
        self.path = path
        self.pages: list[Page] = []
        self.turns = 0

    def bad(self, line: int, expected: str, found: str, advice: str = "export the match again from gnuBG") -> NoReturn:
        found = found if len(found) <= 60 else found[:57] + "..."
        raise UnreadableFile(f"{self.path}: line {line}: expected {expected}, found {found!r}; {advice}")

    def page(self, text: str, line: int) -> None:
        head, _, rest = text.partition("\n")
        found = FIRST_LINE.fullmatch(head) if len(head) <= LONGEST_LINE else None
        if found is None:
            self.bad(line, "the score as 'The score (after 1 game) is: Ann 0, Ben 2 (match to 3 points)'", head)
        cuts = list(_TURN.finditer(rest))
        over = _STATISTICS.search(rest, cuts[-1].end() if cuts else 0)
        end = over.start() if over else len(rest)
        turns, at, counted = [], 0, line + 1
        for cut, following in zip(cuts, [*(cut.start() for cut in cuts[1:]), end], strict=True):
            counted += rest.count("\n", at, cut.start())
            at = cut.start()
            turns.append(self.turn(rest[cut.end() : following], counted))
        last = turns[-1].text if turns else rest[:end]
        result = _RESULT.search(last[-LONGEST_LINE:])
        footer = _FOOTER.search(rest, end)
        head_text = rest[: cuts[0].start() if cuts else end]
        self.pages.append(
            Page(
                line=line,
                before=int(found["before"]),
                players=(shown(found["one"]), shown(found["two"])),
                score=(int(found["score1"]), int(found["score2"])),
                length=int(found["length"] or 0) or None,
                state=found["state"] or "",
                turns=turns,
                winner=shown(result[1]) if result else "",
                points=int(result[2]) if result else 0,
                version=footer[1] if footer else "",
                facts={key: shown(value) for key, value in _FACT.findall(head_text[: 20 * LONGEST_LINE])},
            )
        )

    def turn(self, text: str, line: int) -> Turn:
        self.turns += 1
        if self.turns > MOST_DECISIONS:
            self.bad(line, f"at most {MOST_DECISIONS:,} turns", "more", "is it one match?")
        title = _TITLE.match(text)
        if title is None:
            self.bad(
                line, "'NAME to play 51', 'on roll, cube decision?' or 'doubles to 2' after the number of the move", text.partition("\n")[0]
            )
        ids = _IDS.search(text)
        if ids is None:
            self.bad(line, "a Position ID and a Match ID below this line", "none")
        done = _DONE.search(text, ids.end())
        if done is None:
            self.bad(line, "what the player did ('* NAME moves 13/8') below this board", "no such line")
        dice = title["dice"]
        return Turn(
            text=text,
            line=line,
            title=title[0].strip(),
            dice=(int(dice[0]), int(dice[1])) if dice else None,
            position=ids[1],
            state=self.state(line, ids[2]),
            what=done["what"].partition(" ")[0] if done["play"] else done["what"],
            play=(done["play"] or "").strip(),
        )

    def state(self, line: int, text: str) -> State:
        try:
            said = match_id_fields(text)
        except ValueError as error:
            self.bad(line, "a Match ID below this line", str(error))
        return State(
            cube=1 << said["log_cube"],
            owner=-1 if said["owner"] == CENTRED else said["owner"],
            decider=said["turn"],
            on_roll=said["on_roll"],
            crawford=bool(said["crawford"]),
            doubled=bool(said["doubled"]),
            length=said["length"],
            score=(said["score0"], said["score1"]),
            jacoby=not said["no_jacoby"],
        )


def shown(text: str) -> str:
    """A name without what does not print."""
    return "".join(letter for letter in text if letter.isprintable()).strip()


def thousandths(text: str) -> int:
    """A printed number in its last digits."""
    return int(text.replace(".", ""))


def value(equity: str, less: str | None, best: int) -> Value:
    """A printed equity; `best` is the printed best one in thousandths.

    Both equities and their distance are rounded each by itself, so that the difference of the two narrows the distance.
    """
    own = thousandths(equity)
    apart = (best - own) / SCALE
    if less is None:
        return Value(own, apart, apart)
    printed = -thousandths(less) / SCALE
    return Value(own, printed - HALF_DIGIT, printed + HALF_DIGIT).within(apart - 2 * HALF_DIGIT, apart + 2 * HALF_DIGIT)


def grade(text: str, pattern: re.Pattern[str]) -> tuple[float, float]:
    """The range of an error by the mark that gnuBG printed, or did not print, with its own borders."""
    found = pattern.search(text)
    return GRADES[found[1] if found else ""]


def listed_plays(text: str) -> list[Listed]:
    """The plays below a roll, the best first; empty without an analysis. Raises `ValueError` with the line that cannot be read."""
    rolled = _ROLLED.search(text)
    found: list[Listed] = []
    best = 0
    for one in _LISTED.finditer(text, rolled.end()) if rolled else ():
        line = one[3]
        valued = _VALUED.fullmatch(line) if len(line) <= LONGEST_LINE else None
        if valued is None:
            raise ValueError(one[0].partition("\n")[0])
        if not found:
            best = thousandths(valued["equity"])
        chances = tuple(float(part) for part in one[4].replace("-", " ").split()) if one[4] else ()
        # Printed as win, win gammon, win backgammon - lose, lose gammon, lose backgammon.
        chances = (*chances[:3], *chances[4:]) if len(chances) == 6 else ()
        number = value(valued["equity"], valued["less"], best) if found else Value(best, 0.0, 0.0)
        if one[1] == "*" and found:
            number = number.within(*grade(text, _MARKED_PLAY))
        found.append(Listed(one[1] == "*", int(one[2] or 0), valued["level"], valued["play"].strip(), number, chances))
    return found


def luck(text: str) -> tuple[float | None, int]:
    """The luck of a roll (EMG), `None` if none was computed, and its mark from -2 to 2."""
    rolled = _ROLLED.search(text)
    if rolled is None or rolled[1] is None:
        return None, 0
    mark = _LUCK_MARK.search(text, 0, rolled.start())
    return float(rolled[1]), 0 if mark is None else (2 if mark[1] else 1) * (-1 if mark[2] else 1)


class CubeValues(NamedTuple):
    """The three equities of a cube analysis in the view that is printed, and the level."""

    no_double: Value
    double_take: Value
    double_pass: Value
    level: str
    best: int


def cube_values(text: str) -> CubeValues | None:
    """The cube analysis of a turn; `None` without one. Raises `ValueError` with what cannot be read."""
    at = text.find("\nCube analysis\n")
    if at < 0:
        return None
    rolled = _ROLLED.search(text, at)
    end = rolled.start() if rolled else len(text)
    head = _CUBE_LEVEL.search(text, at, end)
    lines = _CUBE.findall(text, at, end)
    kinds = ["no" if name.startswith("No") else "take" if name.endswith("take") else "pass" for name, _, _ in lines]
    if head is None or sorted(kinds) != ["no", "pass", "take"] or lines[0][2] or not all(less for *_, less in lines[1:]):
        raise ValueError("three equities of a cube analysis")
    best = thousandths(lines[0][1])
    by_kind = {kind: value(equity, less or None, best) for kind, (_, equity, less) in zip(kinds, lines, strict=True)}
    percent = _PERCENT.search(text, at, end)
    if kinds[0] == "no" and percent:
        # The share of wrong answers that would make the double right: its cost, over what such an answer gains.
        answer = "pass" if percent[1] == "pass" else "take"
        gain = abs(by_kind["pass"].equity - by_kind["take"].equity) / SCALE
        share = float(percent[2]) / 100
        by_kind[answer] = by_kind[answer].within((share - HALF_PERCENT) * (gain - HALF_DIGIT), (share + HALF_PERCENT) * (gain + HALF_DIGIT))
    if kinds[0] != "no" and _MISSED.search(text, 0, at):
        by_kind["no"] = by_kind["no"].within(*grade(text[:at], _MARKED_CUBE))
    return CubeValues(by_kind["no"], by_kind["take"], by_kind["pass"], head[1], best)
