"""The typed facts beside the sentences, held against the bridge and the ledger of the same document."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

Document = Mapping[str, Any]
SHARES = {"eng": "engine", "lis": "engine", "cov": "coverage", "rep": "reporting"}
SUM = 1e-9
PRINTED = 0.005
"""A part smaller than this is printed as 0.00."""


def explained(document: Document) -> Iterator[str]:
    """What is wrong with the explanation of a comparison whose ledger the document has."""
    players = [one["player"] for one in document["explanation"]]
    if players != list(dict.fromkeys(one["player"] for one in document["figures"])):
        yield f"explained are {players}"
    for one in document["explanation"]:
        yield from (f"explanation of {one['player']}: {wrong}" for wrong in _wrong(document, one))


def _wrong(document: Document, one: Document) -> Iterator[str]:
    key = one["metric"], one["player"]
    figures = {(figure["metric"], figure["player"]): figure for figure in document["figures"]}
    if one["metric"] != "pr" and None not in (
        figures["pr", one["player"]]["left"],
        figures["pr", one["player"]]["right"],
    ):
        yield f"{one['metric']} instead of PR, which is known"
    bridge = next(
        (step for step in document["bridge"] if (step["metric"], step["player"]) == key), None
    )
    if bridge is None:
        return  # a document without the bridge of checker PR
    if (one["from"], one["to"]) != (bridge["from"], bridge["to"]):
        yield f"from {one['from']} to {one['to']}, and the bridge from {bridge['from']} to {bridge['to']}"
    if not set(one["sentences"]) <= set(document["story"]):
        yield "sentences that the story does not have"
    if None in (one["from"], one["to"]):
        if one["parts"]:
            yield "parts of a gap that is unknown"
        return
    gap, parts = one["to"] - one["from"], {part["cause"]: part for part in one["parts"]}
    if len(parts) != len(one["parts"]):
        yield "a cause has two parts"
    if abs(sum(part["change"] for part in one["parts"]) - gap) > SUM:
        yield f"the parts add up to {sum(part['change'] for part in one['parts'])}, the gap is {gap}"
    if one["cause"] not in ("none", "incomplete") and one["parts"][0]["cause"] != one["cause"]:
        yield f"the cause is {one['cause']}, the first part {one['parts'][0]['cause']}"
    if one["cause"] == "none" and (abs(gap) > PRINTED + SUM and bridge["steps"]):
        yield f"no cause of a gap of {gap}"
    ledger = _ledger(document, key)
    engine = dict(ledger["engine"])
    for cause, part in parts.items():
        named = {
            (row["game"], row["turn"], row["kind"]): row["change"] for row in part["decisions"]
        }
        if cause == "reporting":
            wanted = sum(
                step["change"] for step in bridge["steps"] if step["code"].startswith("reported")
            )
            if named or part["count"] or abs(part["change"] - wanted) > SUM:
                yield f"reporting makes {wanted}"
            continue
        if cause != "rest" and (
            len(named) != part["count"] or abs(sum(named.values()) - part["change"]) > SUM
        ):
            yield f"{cause}: its decisions add up to {sum(named.values())}, not {part['change']}, or are not {part['count']}"
        for place, change in named.items():
            mine = ledger[
                "coverage" if cause == "coverage" else "engine" if cause == "decisions" else "rules"
            ].get(place, 0.0)
            # What the cap of a PR makes of a decision that is the same in both analyses stands with the rules.
            capped = engine.get(place, 0.0) if cause == "rules" else 0.0
            if abs(mine + capped - change) < abs(mine - change):
                del engine[place]
            else:
                capped = 0.0
            if abs(mine + capped - change) > SUM:
                yield f"{cause}: {place} makes {mine + capped} in the ledger, not {change}"
            if cause == "decisions":
                engine.pop(place, None)
    rest = parts.get("rest", {"count": 0, "change": 0.0})
    if bridge["steps"] and (
        len(engine) != rest["count"] or abs(sum(engine.values()) - rest["change"]) > SUM
    ):
        yield f"{len(engine)} decisions are left that make {sum(engine.values())}, not {rest['count']} that make {rest['change']}"


def _ledger(
    document: Document, key: tuple[str, str]
) -> Mapping[str, dict[tuple[int, int, str], float]]:
    """By share of the gap what each decision adds; those that add nothing are left out."""
    found: dict[str, dict[tuple[int, int, str], float]] = defaultdict(lambda: defaultdict(float))
    for row in document["ledger"]:
        if (row["metric"], row["player"]) == key:
            found[SHARES.get(row["step"][:3], "rules")][row["game"], row["turn"], row["kind"]] += (
                row["change"]
            )
    return defaultdict(
        dict,
        {
            share: {at: change for at, change in rows.items() if abs(change) > SUM**1.3}
            for share, rows in found.items()
        },
    )
