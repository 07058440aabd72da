"""Matches as rows of the tables: columns of many matches at once, since a match alone has only a
few hundred rows.

Every rule set scores all matches that are alike in one pass (`reconcile.scoring.score`).
Nothing in a row depends on the other matches. A column is an array of Arrow or of NumPy, where
NaN is null; `tables.yaml` has its type and its meaning.

Also what the matches of an archive are recognised by, what was played by whom, and who is who: the
person on every seat, under one name for all spellings.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from reconcile.corpus.tables import column_of, scored_schemas
from reconcile.gap.pairing import SHORTEST_PREFIX
from reconcile.match.board.position import KEY_BYTES, xgids
from reconcile.match.columns import Ints, Kind, Validity
from reconcile.match.match import Facts, Match
from reconcile.match.met import Met
from reconcile.match.names import Aliases, fold
from reconcile.match.values import Texts
from reconcile.rules.catalogue import Effect
from reconcile.rules.rulesets import Q16, QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.decisions import decision_table
from reconcile.scoring.figures import figures_of, point_factor, totals_of
from reconcile.scoring.grades import AT_THE_BORDER, ERROR, graded
from reconcile.scoring.open_rules import pr_ranges
from reconcile.scoring.pool import best_spelling
from reconcile.scoring.score import groups, joined, rescored, score, with_dead_cubes
from reconcile.scoring.statistics import Statistics, legal_plays, of_decisions, result_of, table_of
from reconcile.scoring.sums import EXPECTED, Numbers, Sums, Table, Totals, complete

if TYPE_CHECKING:
    import duckdb

OF_DECISIONS = (
    *("game", "turn", "seat", "cube", "away", "opponent_away", "luck"),
    *("equity_played", "equity_best", "chance_before", "chance_after"),
)
"""Columns of the table of decisions that the archive has as they are."""
CHANGED = ("pr", "decisions.counted")
"""The figures that a question is held against."""
Columns = dict[str, Any]


class ReadMatch(NamedTuple):
    """A match that was read."""

    match: Match
    sha256: str
    """Of its file."""
    fragment: str
    """The suffix after the file's name if the file has several matches."""
    identity: Identity

    @property
    def analysis_id(self) -> str:
        """The id of the analysis in the tables."""
        source, level = self.match.source, self.match.usual_level
        program = source.tool, source.tool_version, level and level.label
        stated = (self.sha256, self.fragment, self.identity.match_id, *program)
        return sha256(json.dumps(stated).encode()).hexdigest()


def number_of_analysis(analysis_id: str) -> int:
    """The number of an analysis in the tables: the first 63 bits of its id."""
    return int(analysis_id[:16], 16) >> 1


def rows_of(read: Sequence[ReadMatch], rules: Sequence[str]) -> Iterator[dict[str, pa.Table]]:
    """The rows of these matches in every table, in a part for each group of alike matches; in a
    part they are in order.

    Raises `UnreadableFile` if one of them cannot be scored.
    """
    wanted = scored_schemas(tuple(rules))
    for places in groups([each.match for each in read], [RULE_SETS[name] for name in rules]):
        rows = _Rows([read[place] for place in places], rules)
        tables = rows.matches, rows.players, rows.games, rows.questions, rows.decisions
        yield {
            name: rows.table(columns(), wanted[name])
            for name, columns in zip(wanted, tables, strict=True)
        }


class _Rows:
    """Alike matches, scored under every rule set."""

    def __init__(self, read: Sequence[ReadMatch], rules: Sequence[str]) -> None:
        self.read, self.rules = read, rules
        self.each = [each.match for each in read]
        legal = np.concatenate([legal_plays(match.plays, match.source.path) for match in self.each])
        self.match = joined(self.each)
        asked = [RULE_SETS[name] for name in rules]
        if any(rule_set.value(Q16) for rule_set in asked):
            self.match = with_dead_cubes(self.match)  # so that every rule set has the same rows
        self.scored = [
            Statistics(score(self.match, rule_set, table_of(self.match, rule_set)), legal)
            for rule_set in asked
        ]
        sizes = np.array([len(match.games) for match in self.each])
        self.match_of_game = np.repeat(np.arange(len(read)), sizes)
        self.first_game = np.cumsum(sizes) - sizes
        self.one_point = np.array([match.length == 1 for match in self.each]).reshape(-1, 1)
        self.names = pa.array([name for match in self.each for name in match.names], pa.string())
        ids = [each.analysis_id for each in read]
        self.ids = {
            "match": pa.array([number_of_analysis(each) for each in ids], pa.int64()),
            "match_id": pa.array([each.identity.match_id for each in read], pa.string()),
            "analysis_id": pa.array(ids, pa.string()),
        }
        self.by_match: list[dict[str, Table]] = []
        self.by_game: list[dict[str, Table]] = []
        shared: dict[Met, Sums] = {}  # by match equity table what does not depend on the rules
        for statistics in self.scored:
            scored, games = statistics.scored, len(self.match_of_game)
            if scored.met not in shared:
                shared[scored.met] = Sums(games, *statistics.without_rules)
            own, rest = Sums(games, of_decisions(scored), graded(scored)), shared[scored.met]
            self.by_match.append(own.matches(self.first_game) | rest.matches(self.first_game))
            self.by_game.append(own.games | rest.games)

    def table(self, columns: Columns, schema: pa.Schema) -> pa.Table:
        """Columns as a table in the order of the matches; numbers are null where they are NaN."""
        owner = columns["owner"]
        columns |= {name: values.take(pa.array(owner)) for name, values in self.ids.items()}
        if "seat" in columns:
            columns["name"] = self.names.take(pa.array(2 * owner + columns["seat"]))
        arrays = []
        for each in schema:
            values = columns.pop(each.name)  # which needs its room no longer
            if isinstance(values, np.ndarray):
                values = pa.array(values, from_pandas=True).cast(each.type)
            arrays.append(values if isinstance(values, pa.Array) else pa.array(values, each.type))
        order = np.argsort(owner, kind="stable")
        return pa.table(arrays, schema).take(pa.array(order))

    def matches(self) -> Columns:
        """A row for every match."""
        totals = self.by_match[0]
        levels = [match.usual_level for match in self.each]
        parts = {
            name: np.stack([totals[f"{part} {name}"] for part in ("checker", "cube")])
            for name in ("analysed", "expected")
        }
        analysed, expected = (part.sum(axis=(0, 2)) for part in parts.values())
        shown = complete(*parts.values()).all(axis=(0, 2))
        of_source, of_match = ("format", "tool", "tool_version"), ("event", "date", "length")
        return Columns(
            owner=np.arange(len(self.read)),
            file=[each.fragment for each in self.read],
            sha256=[each.sha256 for each in self.read],
            transcript=[each.identity.transcript for each in self.read],
            rolls=[each.identity.rolls for each in self.read],
            alike=[each.identity.alike for each in self.read],
            **dict.fromkeys(("duplicate_of", "same_as", "twin_of"), [None] * len(self.read)),
            **{name: [getattr(match.source, name) for match in self.each] for name in of_source},
            **{f"player{seat}": [match.names[seat] for match in self.each] for seat in (0, 1)},
            **{name: [getattr(match, name) for match in self.each] for name in of_match},
            games=[len(match.games) for match in self.each],
            complete=[match.complete for match in self.each],
            level_name=[level and level.label for level in levels],
            lookahead=[level and level.lookahead for level in levels],
            analysed=analysed,
            expected=expected,
            fully_analysed=(analysed > 0) & shown,
        )

    # -- figures

    def players(self) -> Columns:
        """Figures per match, rule set and seat."""
        owners = np.arange(len(self.read))
        results = [result_of(match) for match in self.each]
        result = {
            name: np.array([np.broadcast_to(each[name], 2) for each in results])
            for name in results[0]
        }
        ratings = np.array([match.ratings for match in self.each], np.float64)
        more = []
        for statistics, sums in zip(self.scored, self.by_match, strict=True):
            totals = self._totals(statistics.rules, sums)
            ends = pr_ranges(statistics.scored, totals, self.first_game, self.one_point)
            more.append({"rating": ratings, "pr_low": ends[0], "pr_high": ends[1]})
        return self._owners(self.by_match, owners, more, **result)

    def games(self) -> Columns:
        """Figures per game, rule set and seat."""
        games = self.match.games
        winner, points, number = (
            column[:, np.newaxis] for column in (games.winner, games.points, games.number)
        )
        won = np.where(winner < 0, np.nan, np.where(winner == (0, 1), points, 0))
        more = [{"game": number, "won": won}] * len(self.rules)
        return self._owners(self.by_game, self.match_of_game, more)

    def _owners(
        self,
        sums: Sequence[Mapping[str, Table]],
        owners: Ints,
        more: Sequence[Mapping[str, Numbers]],
        **result: Table,
    ) -> Columns:
        """The columns of a table of figures, by rule set, seat and owner; `owners` has the match of
        each row of `sums`, `more` further columns, `result` is that of entire matches."""
        columns, size = defaultdict(list), len(owners)
        for statistics, totals, figures in zip(self.scored, sums, more, strict=True):
            rules = statistics.rules
            figures = {**figures, **figures_of(self._totals(rules, totals, owners, **result))}
            figures["moves_both"] = totals["moves"].sum(axis=1, keepdims=True)
            factor = point_factor(rules, self.one_point[owners])
            figures["rated_error"] = figures["equity_error.total"] * factor
            for part, expected in EXPECTED.items():
                figures[f"{part}_expected"] = totals[expected]
                figures[f"{part}_analysed"] = totals[f"{part} analysed"]
            for name, values in figures.items():
                columns[name].append(np.broadcast_to(values, (size, 2)).T)
        rule, seat, owner = (index.ravel() for index in np.indices((len(self.rules), 2, size)))
        return Columns(
            owner=owners[owner],
            seat=seat,
            rules=labelled(Texts(rule, self.rules)),
            **{
                column_of(name): np.array(values, np.float64).ravel()
                for name, values in columns.items()
            },
        )

    def _totals(
        self,
        rules: RuleSet,
        sums: Mapping[str, Table],
        owners: Ints | slice = slice(None),
        **result: Table,
    ) -> Totals:
        """Sums with what turns them into figures."""
        one_point = self.one_point[owners]
        return totals_of(sums, rules, is_money=self.match.is_money, one_point=one_point, **result)

    # -- questions

    def questions(self) -> Columns:
        """How much each question alone changes PR and the number of decisions from the first rule
        set towards the second."""
        here, before = self.scored[0].rules, self.by_match[0]
        there = RULE_SETS[self.rules[1]].for_match(self.match)[0] if len(self.rules) > 1 else here
        codes = [
            code
            for code, answer in here.answers.items()
            if answer != there.answers[code] and QUESTIONS[code].is_varied
        ]
        old = self._changed(here, before)
        changes = [self._switched(code, there.answers[code]) - old for code in codes]
        size = len(self.read)
        code, seat, owner = (index.ravel() for index in np.indices((len(codes), 2, size)))
        values = np.array(changes, np.float64).reshape(len(codes), 2, size, 2)[code, :, owner, seat]
        return Columns(
            owner=owner,
            seat=seat,
            question=labelled(Texts(code, codes)),
            **{
                side: labelled(Texts(code, [rules.answers[each] for each in codes]))
                for side, rules in (("from", here), ("to", there))
            },
            pr=values[:, 0],
            decisions=values[:, 1],
        )

    def _switched(self, code: str, answer: str) -> npt.NDArray[Any]:
        """PR and the number of decisions with another answer to one question."""
        first, question = self.scored[0], QUESTIONS[code]
        rules, sums = first.rules.switched(code, answer), self.by_match[0]
        if question.effect is Effect.DECISIONS and question.matters(self.match):
            again = of_decisions(rescored(first.scored, rules))
            sums = sums | Sums(len(self.match.games), again).matches(self.first_game)
        return self._changed(rules, sums)

    def _changed(self, rules: RuleSet, sums: Mapping[str, Table]) -> npt.NDArray[Any]:
        return np.array([*figures_of(self._totals(rules, sums), CHANGED).values()])

    # -- decisions

    def decisions(self) -> Columns:
        """Every play, cube decision and resignation."""
        facts, scored = Facts(self.match, self.each), [each.scored for each in self.scored]
        under = [decision_table(each, facts) for each in scored]
        table, played = under[0], under[0].texts("played")
        dice = np.where(facts.dice > 0, facts.dice, np.nan)
        rules: Columns = {}
        for name, each in zip(map(column_of, self.rules), under, strict=True):
            rules[f"counted_{name}"] = each["counted"]
            rules |= {f"error_{name}": each["error"], f"loss_{name}": each["error_mwc_percent"]}
        wrong = [each["error"] >= ERROR - AT_THE_BORDER for each in under]
        mistakes = np.flatnonzero(np.any(wrong, axis=0) & (facts.kind < Kind.RESIGN.value))
        xgid = np.full(len(facts), None, object)
        xgid[mistakes] = [each or None for each in facts.identified(xgids, mistakes)]
        equal = table["equity_played"] == table["equity_best"]
        # What a program charges is not best to it, whatever the equities say.
        equal[mistakes] = False
        return Columns(
            owner=facts.in_match,
            kind=labelled(table.texts("kind")),
            die1=dice[:, 0],
            die2=dice[:, 1],
            phase=labelled(table.texts("phase")),
            analysed=self.match.evaluated,
            position=pa.Array.from_buffers(
                pa.binary(KEY_BYTES), len(facts), [None, pa.py_buffer(facts.position_key)]
            ),
            key=facts.key,
            xgid=pa.array(xgid, pa.string()),
            action=labelled(_spaced(played)),
            best=labelled(_spaced(played.where(equal, table.texts("wanted")))),
            **{name: table[name] for name in OF_DECISIONS},
            **rules,
        )


def labelled(texts: Texts) -> pa.Array:
    """A column of texts."""
    index = pa.array(texts.number.astype(np.int32), mask=texts.number < 0)
    return pa.array(texts.texts, pa.string()).take(index)


def _spaced(actions: Texts) -> Texts:
    """Cube actions as two words."""
    return Texts(actions.number, [text.replace("-", " ") for text in actions.texts])


# -- which match it is -----------------------------------------------------------------------------
#
# Two files are of one match if length, rolls, plays and cube actions are the same, and the players
# are, whatever case and accents their names have. Many abandoned matches have the same few rolls
# and plays; from `LONG` rolls on no two are so alike, so there names may differ, as tools cut and
# spell them. *Near twins* are long transcripts of the same players of which one is the beginning
# of the other, a partial save, or that differ by a single roll or in plays alone, as after a slip
# in writing them down. `assembly.sql` finds them.

LONG = 12
"""Rolls: fewer than one in a thousand billion pairs of games begin with the same ones."""
FIRST_LETTER = ord("0")
GAMES = "|"


class Identity(NamedTuple):
    """What a match is recognised by."""

    match_id: str
    """Digest of the transcript and of the players' folded names; empty without a roll."""
    transcript: str
    """Digest of length, rolls, plays and cube actions; the same whichever player is on seat 0."""
    rolls: str
    """A character a roll, a stroke between games."""
    alike: list[int]
    """Five numbers, 0 for none: the match and, of a long one, its transcript, of which the same
    match has one; and three pieces of its rolls with length and players. Whatever is wrong in one
    place, a near twin has one of the three."""


def identity(match: Match) -> Identity:
    """What this match is recognised by. Rolls that were not played are left out, since not every
    format keeps them."""
    plays, cubes, games = match.plays, match.cubes, match.games
    played = plays.validity != Validity.UNPLAYED.value
    if not played.any():
        return Identity("", "", "", [0] * 5)
    first = int(plays.player[played][0])
    low, high = np.sort(plays.dice[played], axis=1).T.astype(np.int64)
    side = plays.player[played] != first
    turned = cubes.kind >= Kind.DOUBLE.value
    actions = (
        games.number[cubes.game[turned]],
        cubes.turn[turned],
        cubes.player[turned] != first,
        cubes.kind[turned],
    )
    parts = (
        np.array([match.length or 0]),
        np.stack((games.number[plays.game[played]], side, low, high), axis=1),
        plays.position[played],
        np.stack(actions, axis=1),
    )
    transcript = sha256(
        b"".join(np.int32(len(part)).tobytes() + part.astype("<i4").tobytes() for part in parts)
    ).hexdigest()
    codes = FIRST_LETTER + (low - 1) * 12 + (high - 1) * 2 + side
    letters = codes.astype(np.uint8).tobytes().decode("latin-1")
    ends = np.flatnonzero(np.diff(plays.game[played])) + 1
    starts = pairwise((0, *ends.tolist(), len(letters)))
    rolls = GAMES.join(letters[start:end] for start, end in starts)
    names = [fold(match.names[seat]) for seat in (first, 1 - first)]
    match_id = sha256("\n".join((transcript, *names)).encode()).hexdigest()
    alike = [number_of(match_id), 0, 0, 0, 0]
    if len(letters) >= LONG:
        pieces = rolls[:LONG], rolls[LONG : 2 * LONG], rolls[-LONG:]
        who = f"{match.length} {sorted(names)}"
        near = (f"{place} {piece} {who}" for place, piece in enumerate(pieces))
        alike = [alike[0], *map(number_of, (transcript, *near))]
    return Identity(match_id, transcript, rolls, alike)


def number_of(text: str) -> int:
    """A whole number from 0 to 2**63 that no other text is expected to have."""
    return int.from_bytes(sha256(text.encode()).digest()[:8]) >> 1


# -- who is who ------------------------------------------------------------------------------------
#
# Names are compared folded (case, accents, underscores, blanks) and by the user's aliases. A name
# that a tool cut is joined to the full one where a transcript proves it: two files of one
# transcript, the same player, one name beginning with the other. A beginning that is proved for
# two different persons is left alone.

SIDES = """
create temp table if not exists sides as
with several as (
    select match, same_as from matches where duplicate_of is null and rolls <> ''
    qualify count(*) over (partition by same_as) > 1
), first as (
    select match, arg_min(seat, game * 4 + turn) as seat
    from decisions semi join several using (match) where turn <= 2 and kind = 'play' group by match
)
select match, same_as, s.seat::tinyint as seat, (s.seat <> first.seat)::tinyint as side
from first join several using (match), (values (0), (1)) s(seat)
"""
"""Of analyses of one transcript, the side of each seat by who rolled first: tools seat the players
differently."""
CUT_NAMES = """
select distinct a.name, b.name
from sides s join sides t on s.same_as = t.same_as and s.side = t.side and s.match < t.match
join players a on a.match = s.match and a.seat = s.seat
join players b on b.match = t.match and b.seat = t.seat
where a.name <> b.name
"""
NAMED = """
create temp table named as select match, seat::tinyint as seat, name, person from spellings join (
    select match, unnest([0, 1]) as seat, unnest([player0, player1]) as name from matches
) using (name)
"""
SHARED_NAMES = """
select match, seat, name, coalesce(event, ''), file, day from (
    select *, min(date) over (partition by same_as) as day, unnest([0, 1]) as seat,
        unnest([player0, player1]) as name from matches)
where list_contains(?, name)
"""


def name_persons(database: duckdb.DuckDBPyConnection, aliases: Aliases) -> None:
    """Create `named`, the name and the person on every seat of a match, where namesakes are those
    that the file of aliases separates."""
    database.execute(SIDES)
    used = dict(
        database.execute("select name, count(distinct match) from players group by name").fetchall()
    )
    variants = {fold(name): group[0] for group in aliases.groups for name in group}
    folded = {name: fold(variants.get(fold(name), name)) for name in sorted(used)}
    longer: dict[str, set[str]] = defaultdict(set)
    for pair in database.execute(CUT_NAMES).fetchall():
        short, long = sorted((folded[name] for name in pair), key=len)
        if len(short) >= SHORTEST_PREFIX and short not in variants and long.startswith(short):
            longer[short] |= {long} - {short}
    groups: dict[str, list[str]] = defaultdict(list)
    for name, key in folded.items():
        groups[_full_name(key, longer)].append(name)
    persons = {
        name: variants.get(key) or best_spelling(names, used)
        for key, names in groups.items()
        for name in names
    }
    database.execute("create temp table spellings (name varchar, person varchar)")
    columns = [[*persons], [*persons.values()]]
    named = "insert into spellings select unnest(?::varchar[]), unnest(?::varchar[])"
    database.execute(named, columns)
    database.execute(NAMED)
    shared = [name for name in persons if aliases.shared(name)]
    for match, seat, name, *where in database.execute(SHARED_NAMES, [shared]).fetchall():
        if (person := aliases.person(name, *where)) != aliases.chosen(name):
            database.execute(
                "update named set person = ? where match = ? and seat = ?", [person, match, seat]
            )


def _full_name(name: str, longer: Mapping[str, set[str]]) -> str:
    """The full name of one that was cut; the name itself if two persons share it as a beginning."""
    longest = max(longer.get(name, ()), key=lambda full: (len(full), full), default="")
    if not longest or not all(longest.startswith(full) for full in longer[name]):
        return name
    return _full_name(longest, longer)  # which may be cut in another transcript; names only grow
