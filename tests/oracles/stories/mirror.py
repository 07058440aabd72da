"""The law of the mirror: two files compared the other way round give the same, with the sides exchanged."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from tests.oracles.stories.compared import CLOSE, Compared, Document, share
from tests.oracles.stories.forms import MINUS, OPPOSITE, PLACES, Form, Said, first_that_matches
from tests.oracles.stories.judge import Fault

Books = dict[tuple[Any, ...], float | None]
SIDED = re.compile(r"\b(left|right)\b")
OF_THE_MATCH = ("usual_gap", "open_rule", "seats", "shallow", "not_the_same_match")
UNSEEN = 1e-7
"""A change smaller than this is rounding in the last digits of what a file keeps."""


def mirror_faults(
    name: str, there: Compared, back: Compared, forms: tuple[Form, ...]
) -> Iterator[Fault]:
    """Where the second document is not the mirror image of the first."""
    names = dict(zip(back.names.players, _in_order(there, back), strict=True))
    for what, one, other in (
        ("figures", figures(there.document, {}, 1), figures(back.document, names, -1)),
        ("bridges", bridges(there.document, {}, 1), bridges(back.document, names, -1)),
        ("ledger", ledger(there.document, {}, 1), ledger(back.document, names, -1)),
    ):
        for key in sorted(one.keys() | other.keys(), key=repr):
            here, back_there = one.get(key), other.get(key)
            if not _equal(here, back_there):
                yield Fault(
                    name, f"{what} {key}", f"{here} one way, mirrored {back_there} the other"
                )
                break
    one_way, other_way = (
        atoms(there, forms, {}, turned=False),
        atoms(back, forms, names, turned=True),
    )
    if one_way != other_way:
        lost, gained = (
            [one for one in one_way if one not in other_way],
            [one for one in other_way if one not in one_way],
        )
        yield Fault(
            name,
            " ".join(there.document["story"]),
            f"the other way round: {' '.join(back.document['story'])}: {lost} against {gained}",
        )


def _in_order(there: Compared, back: Compared) -> list[str]:
    """The left names of the first document for the left names of the second."""
    left, right = (there.document[side]["players"] for side in ("left", "right"))
    if left[0] == left[1]:
        return list(there.names.players)
    forth = dict(zip(right, left, strict=True))
    return [forth[name] for name in back.document["left"]["players"]]


def _equal(one: float | None, other: float | None) -> bool:
    return (abs((one or 0.0) - (other or 0.0)) <= UNSEEN and (one is None) == (other is None)) or (
        None in (one, other) and abs(one or other or 0.0) <= UNSEEN
    )


def figures(document: Document, names: dict[str, str], sign: int) -> Books:
    """Every figure with its gap, of the match and of every game."""
    found: Books = {}
    sides = ("left", "right") if sign > 0 else ("right", "left")
    for where in (document, *document["games"]):
        for one in where["figures"]:
            key = where.get("game", 0), one["metric"], names.get(one["player"], one["player"])
            left, right = (one[side] for side in sides)
            found |= {
                (*key, "left"): left,
                (*key, "right"): right,
                (*key, "gap"): _signed(one["gap"], sign),
            }
            for side, mirrored in zip(sides, ("left", "right"), strict=True):
                for number, end in enumerate(one.get(f"{side}_range", ())):
                    found[*key, mirrored, number] = end
    return found


def _signed(value: float | None, sign: int) -> float | None:
    return None if value is None else sign * value


def bridges(document: Document, names: dict[str, str], sign: int) -> Books:
    """Every share of every gap, of the match and of every game."""
    found: Books = {}
    for where in (document, *document["games"]):
        for one in where.get("bridge", ()):
            key = where.get("game", 0), one["metric"], names.get(one["player"], one["player"])
            sums: dict[str, float] = defaultdict(float)
            for step in one["steps"]:
                code = share(step["code"]) if share(step["code"]) != "rules" else step["code"]
                sums[code] += sign * step["change"]
            found |= {(*key, code): change for code, change in sums.items()}
            found[*key, "steps"] = float(bool(one["steps"]))
    return found


def ledger(document: Document, names: dict[str, str], sign: int) -> Books:
    """Every decision's part in every cause of every gap, of the match and of every game."""
    found: dict[tuple[Any, ...], float] = defaultdict(float)
    for where in (document, *document["games"]):
        for row in where.get("ledger", ()):
            player, decider = (names.get(row[who], row[who]) for who in ("player", "decider"))
            place = (
                row["game"],
                row["turn"] if document["transcript"]["same"] else 0,
                row["kind"],
                decider,
            )
            found[where.get("game", 0), row["metric"], player, *place, row["cause"]] += (
                sign * row["change"]
            )
    return {key: change for key, change in found.items() if abs(change) > CLOSE}


def atoms(
    facts: Compared, forms: tuple[Form, ...], names: dict[str, str], *, turned: bool
) -> list[str]:
    """What all sentences say, clause by clause and sorted, with the sides exchanged where `turned`."""
    found, player = [], ""
    for sentence in facts.document["story"]:
        said = first_that_matches(sentence, forms, facts.names)
        if said is None:
            continue
        if said.form.name in OF_THE_MATCH:
            player = ""
        elif said.has("player"):
            player = said.places["player"] or ""
        found += [
            f"{names.get(player, player)}: {one}"
            for one in _said(said, facts, names, turned=turned)
        ]
    return sorted(found)


def _said(said: Said, facts: Compared, names: dict[str, str], *, turned: bool) -> list[str]:
    """The sentence, and its clauses."""
    kinds = {
        found[1]: found[2]
        for found in PLACES.finditer(said.form.pattern.replace("[[", "").replace("]]", ""))
        if found[1]
    }
    places = []
    for place, text in said.places.items():
        if text is None or place in ("clauses", "verb", "other"):
            continue
        kind = kinds.get(place, "")
        name, value = place, text
        if kind in ("side", "Side"):
            value = _side(text, facts, turned=turned, other=place == "who")
        elif kind == "player" or place == "player":
            value = names.get(text, text)
        elif turned and kind == "signed":
            value = text.replace("+", "?").replace(MINUS, "+").replace("?", MINUS)
        elif turned and kind == "text":
            value = SIDED.sub(lambda word: OPPOSITE[word[1]], text)
        elif turned and text.strip() in OPPOSITE and not SIDED.fullmatch(text):
            value = text.replace(text.strip(), OPPOSITE[text.strip()])
        value = value.replace("fewer", "less")
        if (
            kind == "place" and not facts.document["transcript"]["same"]
        ):  # each file has its own turns
            value = value.partition(",")[0]
        if turned and (beginning := re.match(r"left|right", place)):
            name = OPPOSITE[beginning[0]] + place[beginning.end() :]
        places.append(f"{name}={value.removeprefix('calls it ').strip()}")
    inner = [one for clause in said.clauses for one in _said(clause, facts, names, turned=turned)]
    if said.form.name in ("the_other_parts",):
        return inner
    return [f"{said.form.name.removesuffix('_and_why')} {sorted(places)} {sorted(inner)}"]


def _side(text: str, facts: Compared, *, turned: bool, other: bool) -> str:
    """Which of the two files is named: the first or the second of the one way; `other` is a place where it is always the right one."""
    index = next(number for number, one in enumerate(facts.sides) if text.lower() == one.lower())
    if other:
        return "right" if index == 1 else "left"
    return str(1 - index if turned else index)
