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

`analysis` reads what is printed below a turn.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NoReturn

from reconcile.errors import UnreadableFile
from reconcile.files.limits import MOST_DECISIONS, MOST_GAMES
from reconcile.formats.values import check_size, cut_short, in_utf8, name_in, with_line_feeds
from reconcile.match.board.identifiers import match_id_fields

LARGEST_EXPORT: Final = 32 * 2**20
"""Bytes of all pages of a match; a game takes 100,000."""
LONGEST_LINE: Final = 500
BOM: Final = b"\xef\xbb\xbf"
ADVICE: Final = "export the match again from gnuBG, in English"
IN_CHANCES: Final = re.compile(rb" MWC: | cubeless MWC ")
"""Of a text that prints chances instead of equities."""
HEAD: Final = 2**16
"""Bytes in which a page must be recognisable."""

FIRST_LINE: Final = re.compile(
    r"The score \(after (?P<before>\d{1,6}) games?\) is: (?P<one>.+) (?P<score1>\d{1,6}), "
    r"(?P<two>.+) (?P<score2>\d{1,6})"
    r"(?: \(match to (?P<length>\d{1,6}) points?\))?(?P<state>, Crawford game|, post-Crawford "
    r"play)?[ \t]*",
    re.ASCII,
)
_TURN: Final = re.compile(r"^Move number \d{1,9}: +", re.MULTILINE | re.ASCII)
_TITLE: Final = re.compile(
    r"(?:.* to play (?P<dice>[1-6]{2})|.* on roll, cube decision\?|.* doubles to \d{1,6})[ \t]*\n"
)
_IDS: Final = re.compile(
    r"^ GNU Backgammon +Position ID: (\S{1,40})[ \t]*\n +Match ID +: (\S{1,40})[ \t]*$",
    re.MULTILINE,
)
_DONE: Final = re.compile(
    r"^\* .*? (?P<what>moves (?P<play>(?:bar|\d)[^\n]{0,100}+)|cannot "
    r"move|doubles|accepts|rejects)[ \t]*+$",
    re.MULTILINE,
)
_RESULT: Final = re.compile(
    r"^(.+) wins (\d{1,6}) points?(?: and the match)?[ \t]*$", re.MULTILINE | re.ASCII
)
_STATISTICS: Final = re.compile(r"^(?:Game|Match|Session) statistics", re.MULTILINE)
_FOOTER: Final = re.compile(r"^ by GNU Backgammon (\S{1,60})", re.MULTILINE)
_FACT: Final = re.compile(r"^(Event|Place|Round|Comments): (.{1,300})$", re.MULTILINE)


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


def pages_of(path: str, content: bytes) -> list[Page]:
    """The pages in a text, in its order. Raises `UnreadableFile` with the line that cannot be
    understood."""
    check_size(path, content, LARGEST_EXPORT, "a text of gnuBG")
    text = with_line_feeds(content)
    starts = [title.start() for title in re.finditer(r"^The score \(after ", text, re.MULTILINE)]
    if len(starts) > MOST_GAMES:
        raise UnreadableFile(
            f"expected at most {MOST_GAMES} games, found {len(starts)}; is it one match?", path
        )
    reader = _Pages(path)
    line = 1 + text.count("\n", 0, starts[0]) if starts else 1
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        reader.page(text[start:end], line)
        line += text.count("\n", start, end)
    return reader.pages


def annotation(text: str) -> str:
    """What somebody wrote about a turn, from the text below it, which may end with the result of
    the game."""
    comment = text.partition("\nAnnotation:\n")[2].strip()
    before, _, last = comment.rpartition("\n")
    return before.strip() if _RESULT.fullmatch(last) else comment


class _Pages:
    def __init__(self, path: str) -> None:
        self.path = path
        self.pages: list[Page] = []
        self.turns = 0

    def bad(
        self,
        line: int,
        expected: str,
        content: str,
        advice: str = ADVICE,
    ) -> NoReturn:
        raise UnreadableFile(
            f"line {line}: expected {expected}, found {cut_short(content, 60)!r}; {advice}",
            self.path,
        )

    def page(self, text: str, line: int) -> None:
        head, _, rest = text.partition("\n")
        first = FIRST_LINE.fullmatch(head) if len(head) <= LONGEST_LINE else None
        if first is None:
            self.bad(
                line,
                "the score as 'The score (after 1 game) is: Ann 0, Ben 2 (match to 3 points)'",
                head,
            )
        cuts = list(_TURN.finditer(rest))
        if not cuts:
            self.bad(line, "turns ('Move number 1:  NAME to play 51') below this line", "none")
        over = _STATISTICS.search(rest, cuts[-1].end())
        end = over.start() if over else len(rest)
        turns, at, counted = [], 0, line + 1
        for cut, following in zip(cuts, [*(cut.start() for cut in cuts[1:]), end], strict=True):
            counted += rest.count("\n", at, cut.start())
            at = cut.start()
            turns.append(self.turn(rest[cut.end() : following], counted))
        result = _RESULT.search(turns[-1].text[-LONGEST_LINE:])
        footer = _FOOTER.search(rest, end)
        head_text = rest[: cuts[0].start()]
        self.pages.append(
            Page(
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
                facts={
                    key: name_in(value)
                    for key, value in _FACT.findall(head_text[: 20 * LONGEST_LINE])
                },
            )
        )

    def turn(self, text: str, line: int) -> Turn:
        self.turns += 1
        if self.turns > MOST_DECISIONS:
            self.bad(line, f"at most {MOST_DECISIONS:,} turns", "more", "is it one match?")
        title = _TITLE.match(text)
        if title is None:
            self.bad(
                line,
                "'NAME to play 51', 'on roll, cube decision?' or 'doubles to 2' after the number "
                "of the move",
                text.partition("\n")[0],
            )
        ids = _IDS.search(text)
        if ids is None:
            self.bad(line, "a Position ID and a Match ID below this line", "none")
        done = _DONE.search(text, ids.end())
        if done is None:
            self.bad(
                line, "what the player did ('* NAME moves 13/8') below this board", "no such line"
            )
        dice = title["dice"]
        return Turn(
            text=text,
            line=line,
            dice=(int(dice[0]), int(dice[1])) if dice else None,
            position=ids[1],
            state=self.state(line, ids[2]),
            action=done["what"].partition(" ")[0] if done["play"] else done["what"],
            play=(done["play"] or "").strip(),
            comment=annotation(text[done.end() :]),
        )

    def state(self, line: int, text: str) -> dict[str, int]:
        try:
            return match_id_fields(text)
        except ValueError as error:
            self.bad(line, "a Match ID below this line", str(error))
