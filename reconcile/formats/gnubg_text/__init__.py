"""gnuBG's text export with its analysis, a page for every game: the lines of a page, the files of a
match, and here the match they hold.

A page prints board, cube, dice and score of every turn as Position ID and Match ID, so a turn is
read as it stands; following the plays only checks it. Who resigned is not printed: a game that ends
neither on the board nor with a pass was resigned.
"""

from __future__ import annotations

from functools import cache

from reconcile.formats.common import (
    NAN,
    NOBODY,
    ONE_MATCH,
    PLAY,
    Damaged,
    Recounted,
    analysed,
    cube_chances,
    cut_short,
    ended,
    missing_games,
)
from reconcile.formats.gnubg import analysis
from reconcile.formats.gnubg_text.lines import (
    IN_CHANCES,
    CubeValues,
    Listed,
    Page,
    Span,
    Turn,
    cube_values,
    listed_plays,
    luck,
    pages_of,
    printed_chances,
    recognises,
)
from reconcile.formats.mat import MadeRows, make_noted
from reconcile.match.board.play import Play, apply_play, count_legal_plays, parse_play
from reconcile.match.board.position import (
    CENTRED,
    STARTS,
    Counts,
    borne_off,
    checked,
    checkers_of,
    from_position_id,
    position_id,
    swap,
)
from reconcile.match.columns import (
    NO_MARK,
    UNKNOWN_COUNT,
    Cubes,
    Floats,
    Kind,
    Plays,
    Validity,
)
from reconcile.match.match import Candidate, Level, Match, Rules, Source
from reconcile.match.met import DEFAULT_MET, AnyMet, Met, load_met
from reconcile.match.met.equity import chances_after
from reconcile.match.tools import GNUBG

__all__ = ["read", "recognises"]


TOGETHER = "keep the pages of one match together"
MOST_SEQUENCES = 1_000_000
"""Sequences of moves tried in all pages to count the plays of forced rolls; a page of gnuBG needs a
hundred."""
Values = tuple[float, float, float, float, int]
"""No double, double/take, double/pass in the view of the player on roll, how far a distance between
two may be off, and the level."""
ANSWERS = {"accepts": Kind.TAKE, "rejects": Kind.PASS}
"""By gnuBG's words."""
PRECISION = 1e-4
"""Of an equity from single precision."""
UNKNOWN: Values = (NAN, NAN, NAN, 0.0, -1)


def level_of(printed: str) -> Level:
    """A level as in gnuBG's `.sgf`, where `Cubeful 2-ply` is `2C`."""
    word, _, depth = printed.partition(" ")
    plies = depth.removesuffix("-ply")
    written = {"Rollout": "X", "Cubeful": f"{plies}C", "Cubeless": plies}.get(word, "")
    return analysis.level(written.encode())


def legal_plays(listed: list[Listed]) -> int:
    """The fewest plays that a list allows: the one made has no number where it is beyond those that
    gnuBG prints."""
    return max(len(listed), *(play.place for play in listed))


class GameReader(Recounted):
    """Follows one page, turn by turn; every turn says cube and owner by itself."""

    rows: MadeRows

    def __init__(
        self, rows: MadeRows, game: int, page: Page, rules: Rules, met: Met | None
    ) -> None:
        first = page.turns[0].state
        super().__init__(
            rows, game, page.before + 1, page.score, page.length,
            crawford=bool(first["crawford"]) and page.length is not None,
            cube=1 << first["log_cube"] if first["owner"] == CENTRED else 1,
        )  # fmt: skip
        self.page, self.rules, self.met = page, rules, met
        self.beavered = False
        """Whether the cube was last turned by a beaver: gnuBG does not always print that player as
        its owner."""
        self.pending: Values | None = None
        self.follows: Counts | None = None
        """The board after the last play, in the view of the player on roll next."""

    def read(self) -> None:
        """Add the rows of the game."""
        for turn in self.page.turns:
            state = turn.state
            score = state["score0"], state["score1"]
            if (score, state["length"]) != (self.page.score, self.page.length or 0):
                raise Damaged(
                    f"line {turn.line}: expected the Match ID of a game at {self.page.score[0]}-"
                    f"{self.page.score[1]}, found another score or length"
                )
            board = self.position(turn)
            if self.follows is not None and board != self.follows:
                self.odd("the board does not follow from the play before it")
            self.follows = board
            self.cube = 1 << state["log_cube"]
            if not self.beavered:
                self.owner = NOBODY if state["owner"] == CENTRED else state["owner"]
                self.recount_owner = None
            try:
                self.read_turn(turn, board)
            except ValueError as error:
                found = f"found '{cut_short(str(error), 100)}'"
                printed = f"a play or cube analysis as gnuBG prints it, {found}"
                raise Damaged(f"line {turn.line}: expected {printed}") from None
        self.find_result()

    def read_turn(self, turn: Turn, board: Counts) -> None:
        """Add the rows of a turn; `board` is in the view of the player on roll."""
        seat = turn.state["turn"]
        if turn.action == "doubles":  # even below a roll: its play was illegal and left out
            self.read_double(turn, board, seat)
        elif kind := ANSWERS.get(turn.action):
            self.read_answer(turn, board, seat, kind)
        elif turn.dice is not None:
            self.read_roll(turn, board, seat)
        else:
            action = f"a cube action below a turn without dice, found {turn.action!r}"
            raise Damaged(
                f"line {turn.line}: expected {action}",
                "is it a position? It has no statistics, give the match that it is from",
            )
        if turn.comment:
            self.remark(turn.comment)

    def position(self, turn: Turn) -> Counts:
        """The board of a turn in the view of the player on roll."""
        try:
            return checked(from_position_id(turn.position))
        except ValueError as error:
            possible = f"a Position ID of a possible board, found {error}"
            raise Damaged(f"line {turn.line}: expected {possible}") from None

    def span(self, seat: int, cube: int) -> Span | None:
        """The chances at stake where the text prints chances; `None` where it prints equities."""
        if self.met is None or self.length is None:
            return None
        away = [self.length - points for points in self.score]
        power = cube.bit_length() - 1
        after = chances_after(self.met, away[0], away[1], self.crawford, power + 1)[0, :, power]
        return float(after[1 + seat]), float(after[3 * seat])

    def values(self, turn: Turn, sign: int) -> Values | None:
        """The cube analysis of a turn, in the view of the player on roll; `None` without one."""
        printed: CubeValues | None = cube_values(
            turn.text, self.span(turn.state["turn"], self.cube)
        )
        if printed is None:
            return None
        best = sign * printed.best
        # Below an answer the analysis is printed in the other player's view: signs change,
        # distances as well.
        no_double, take, passed = (
            best - sign * value.less
            for value in (printed.no_double, printed.double_take, printed.double_pass)
        )
        half = max(value.half for value in printed[:3])
        # In equity a pass is worth the cube itself.
        if abs(printed.double_pass.equity - sign) > printed.half + PRECISION:
            worth = f"found one of {sign * printed.double_pass.equity:+.3f}"
            by_table = f" by the table {self.met.name}" if self.met else ""
            raise Damaged(
                f"line {turn.line}: expected a pass worth the cube{by_table}, {worth}",
                "name gnuBG's table with --met" if self.met else "",
            )
        shift = 1 - passed
        depth = printed.level if printed.level == "Rollout" else f"Cubeful {printed.level}"
        level = self.rows.level(level_of(depth))
        return no_double + shift, take + shift, 1.0, half, level

    def read_double(self, turn: Turn, board: Counts, seat: int) -> None:
        """A double, or a beaver where one is pending."""
        if self.doubler == NOBODY:
            self.pending = self.values(turn, 1)
            self.double(seat, (*(self.pending or UNKNOWN), board, turn.text))
        else:
            self.double(seat, (*UNKNOWN, self.details(turn, board), ""))
            self.beavered = True

    def details(self, turn: Turn, board: Counts) -> Counts:
        """The board of an answer, which is printed in the view of the player on roll, in that of
        the player who decides."""
        return board if turn.state["turn"] == turn.state["on_roll"] else swap(board)

    def read_answer(self, turn: Turn, board: Counts, seat: int, kind: Kind) -> None:
        """A take or pass, scored with the analysis of the double, which is printed again below
        it."""
        if self.doubler == NOBODY:
            self.odd(f"{turn.action} without a double")
            return
        self.answer(
            seat,
            kind,
            (
                *(self.pending or self.values(turn, -1) or UNKNOWN),
                self.details(turn, board),
                turn.text,
            ),
        )
        if kind is Kind.TAKE and not self.beavers:
            self.beavered = False

    def read_roll(self, turn: Turn, board: Counts, seat: int) -> None:
        """A roll with its play, and before it the double that was not made."""
        assert turn.dice is not None
        rows, opening = self.rows, self.turn == 1 and board == STARTS[self.rules.variation]
        self.check_turn(seat)
        due = self.is_due(seat, opening=opening)
        values = None if self.acted == (self.turn, seat) else self.values(turn, 1)
        if due or values is not None:
            self.without_double(seat, (*(values or UNKNOWN), board, turn.text), expected=due)
        span = self.span(seat, self.cube)
        listed = listed_plays(turn.text, span)
        played = next((play for play in listed if play.is_played), None)
        gained, mark = luck(turn.text, span)
        level = rows.level(level_of(listed[0].level)) if listed else -1
        play, validity, legal = self.play(turn, board, listed)
        best = listed[0].value.equity if listed else NAN
        equities = [best - play.value.less for play in listed] or [NAN]
        self.roll(
            seat, turn.dice, validity, legal, bool(play),
            more=(
                best, best - played.value.less if played else NAN,
                max(equities), max(equities) - min(equities), played.value.half if played else 0.0,
                NAN if gained is None else gained, NO_MARK if gained is None else mark,
                level, board, play, turn.text,
            ),
        )  # fmt: skip

    def play(self, turn: Turn, board: Counts, listed: list[Listed]) -> tuple[Play, Validity, int]:
        """The play made, whether the dice allow it, and how many there are: exact for 0 and 1."""
        assert turn.dice is not None
        if not any(play.is_played for play in listed):
            played = make_noted(
                self.rows,
                self,
                board,
                turn.dice,
                turn.play,
                last=turn is self.page.turns[-1],
            )
            self.bound(turn)
            self.follows = swap(played.after)
            counted = played.legal if turn.play == "" else UNKNOWN_COUNT
            return played.play, played.validity, legal_plays(listed) if listed else counted
        play = parse_play(turn.play, turn.dice, board)
        self.follows = swap(apply_play(board, play))
        legal = legal_plays(listed)
        if (
            legal == 1
        ):  # another one may have been left out, if gnuBG was set to print one play only
            legal = count_legal_plays(board, *turn.dice, effort=self.rows.effort)
            self.bound(turn)
        return play, Validity.VALID, legal

    def bound(self, turn: Turn) -> None:
        """Stop a text whose rolls would take too long."""
        if self.rows.effort.tried > MOST_SEQUENCES:
            most = f"at most {MOST_SEQUENCES} ways to play all rolls up to here"
            raise Damaged(f"line {turn.line}: expected {most}, found more", ONE_MATCH)

    def find_result(self) -> None:
        """Winner and points as printed; resigned if the game ends neither on the board nor with a
        pass."""
        page = self.page
        if not page.winner:
            return
        if page.winner not in page.players:
            winner = f"{page.players[0]!r} or {page.players[1]!r} as the winner"
            raise Damaged(
                f"line {page.turns[-1].line}: expected {winner}, found "
                f"{cut_short(page.winner, 60)!r}"
            )
        self.winner = page.players.index(page.winner)
        passed = self.passed_by == 1 - self.winner
        self.points = self.capped(page.points, self.cube if passed else 3 * self.cube)
        checkers = checkers_of(self.rules.variation)
        left = self.follows is None or borne_off(swap(self.follows), checkers)[0] < checkers
        self.resigned = not passed and left


def read(path: str, content: bytes, selector: str = "", met: AnyMet | None = None) -> Match:
    """Read the pages of one match, in one text; `met` is the table with which gnuBG printed chances
    instead of equities. Raises `Damaged` if a line of them cannot be understood."""
    return _Reader(path, content, DEFAULT_MET if met is None else met).match()


class _Reader:
    def __init__(self, path: str, content: bytes, met: AnyMet) -> None:
        self.path, self.content = path, content
        self.pages = sorted(pages_of(content), key=lambda page: page.before)
        self.check()
        first = self.pages[0]
        self.length, self.players = first.length, first.players
        self.rows = MadeRows()
        self.rules = self.read_rules()
        table = load_met(met) if IN_CHANCES.search(content) else None
        self.games = [
            GameReader(self.rows, number, page, self.rules, table)
            for number, page in enumerate(self.pages)
        ]
        for game in self.games:
            game.read()

    def check(self) -> None:
        """Check that the pages belong to one match."""
        first = self.pages[0]
        for page in self.pages:
            if (page.players, page.length) != (first.players, first.length):
                usual, names = (" and ".join(each.players) for each in (first, page))
                length = page.length or "any number of"
                raise Damaged(
                    f"line {page.line}: expected a game of {usual}, found one of {names} to "
                    f"{length} points",
                    TOGETHER,
                )

    def read_rules(self) -> Rules:
        """What the pages show of the rules of play."""
        first = self.pages[0].turns[0]
        variation = next(
            (name for name, board in STARTS.items() if position_id(board) == first.position),
            "backgammon",
        )
        at_match_point = [
            page
            for page in self.pages
            if page.length and page.length - 1 in page.score and page.length > 1
        ]
        money = self.pages[0].length is None
        return Rules(
            variation=variation,
            crawford=not money
            and (not at_match_point or any(page.state for page in at_match_point)),
            jacoby=money and not first.state["no_jacoby"],
            beavers=money
            and any(
                turn.action == "doubles" and turn.state["doubled"]
                for page in self.pages
                for turn in page.turns
            ),
        )

    def match(self) -> Match:
        versions = sorted({page.version for page in self.pages if page.version})
        return Match(
            source=Source(
                self.path, "gnubg-text", GNUBG.name, ", ".join(versions) or None, self.content
            ),
            players=self.players,
            rules=self.rules,
            plays=self.play_columns(),
            cubes=self.cube_columns(),
            cube_unit="emg",
            levels=tuple(self.rows.levels),
            notes=(
                *missing_games((page.before for page in self.pages), "at least ", "pages read"),
                *self.rows.notes(),
            ),
            event=self.pages[0].facts.get("Event", ""),
            round=self.pages[0].facts.get("Round", ""),
            place=self.pages[0].facts.get("Place", ""),
            comment=self.pages[0].facts.get("Comments", ""),
            comments=self.rows.comments,
            candidates=cache(self.candidates),
            **ended(self.games, self.length),
        )

    def play_columns(self) -> Plays:
        columns, _ = self.rows.play_columns(
            "best", "played", "highest", "spread", "half", "luck", "luck_mark", "level",
            "position", "play", "text",
        )  # fmt: skip
        evaluated = columns["best"] == columns["best"]
        columns["analysed"] = analysed(evaluated, columns["legal"] == 0, columns["game"])
        return Plays(len(self.rows.plays), columns)

    def cube_columns(self) -> Cubes:
        columns, rest = self.rows.cube_columns(
            "no_double", "double_take", "double_pass", "half", "level", "position", "text"
        )
        texts = rest["text"]

        def chances() -> Floats:
            """Printed once for every action, below an answer in the view of whoever answers."""
            return cube_chances([2 * (printed_chances(text),) for text in texts])

        analysed = columns["no_double"] == columns["no_double"]
        return Cubes(len(texts), {**columns, "analysed": analysed, "chances": chances})

    def candidates(self, row: int) -> tuple[Candidate, ...]:
        """The printed plays of a row of `plays`, best first; their equities are the best one less
        the distance, as in the columns."""
        row_of_play, candidates = self.rows.plays[row], []
        game, _, seat, *_, cube = row_of_play[:6]
        dice, best, (board, _, text) = row_of_play[3:5], row_of_play[len(PLAY)], row_of_play[-3:]
        for listed in listed_plays(text, self.games[game].span(seat, cube)):
            try:
                play = parse_play(listed.play, dice, board)
            except ValueError:
                play = ()
            candidates.append(
                Candidate(
                    play,
                    best - listed.value.less,
                    level_of(listed.level).label,
                    listed.probabilities,
                    listed.is_played,
                )
            )
        return tuple(candidates)
