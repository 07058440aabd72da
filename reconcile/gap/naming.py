"""What the analyses of a match are called, each differently: their tools, with the level and a
number where that is not enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reconcile.language import say
from reconcile.match.match import Match
from reconcile.match.tools import short_name
from reconcile.rules.rulesets import RuleSet, own_rules
from reconcile.scoring.findings import main_level


def tool_name(match: Match) -> str:
    """The tool of a match, by its short name."""
    return short_name(match.source.tool)


def level_name(match: Match) -> str:
    """How deep most of a match is analysed, in the tool's words, of which `cubeful` goes without
    saying; empty where unknown."""
    level = main_level(match)
    return level.label.removesuffix(" cubeful") if level else ""


def with_level(tool: str, level: str) -> str:
    """`gnuBG 2-ply`; `XG Roller` is called so without its tool."""
    return level if level.startswith(tool) else f"{tool} {level}".strip()


def analysis_name(match: Match) -> str:
    """A tool with the level of its analysis."""
    return with_level(tool_name(match), level_name(match))


def under_rules(label: str, rules: RuleSet, match: Match, beside: Match | None = None) -> str:
    """What an analysis is called where its figures are shown: `XG under gnuBG's rules` where they
    are not counted by its tool's own rules."""
    own = own_rules(match, beside)
    return (
        label if rules.known_as == own.name else say("label.under", label=label, rules=rules.words)
    )


def pair_labels(tools: tuple[str, str], levels: tuple[str, str] = ("", "")) -> tuple[str, str]:
    """What two sides are called: the tool; where that is one, also the level; where that is one,
    the side."""
    left, right = tools
    if left != right:
        return left, right
    if all(levels) and levels[0] != levels[1]:
        return with_level(left, levels[0]), with_level(right, levels[1])
    return say("label.left", tool=left), say("label.right", tool=right)


def labels_of(matches: Sequence[Match]) -> tuple[str, ...]:
    """What the sides are called: the tool; where several have one, also the level; then a number,
    in the order of their paths."""
    names = _distinct(list(map(tool_name, matches)), list(map(analysis_name, matches)))
    places = [(match.source.path, match.source.sha256) for match in matches]
    order = sorted(range(len(matches)), key=places.__getitem__)
    numbered = list(names)
    for place, side in enumerate(order):
        number = sum(names[earlier] == names[side] for earlier in order[: place + 1])
        numbered[side] = f"{names[side]} ({number})"
    return tuple(_distinct(names, numbered))


def by_all(labels: Sequence[str], voters: Sequence[int], every: str = "") -> str:
    """Whose errors those are on which all agree: `every`, in words, or by name where not all
    analyses are held against each other."""
    if len(voters) == len(labels):
        return every or say("by.every")
    return say("by.labels", labels=tuple(labels[side] for side in voters))


def _distinct(names: Sequence[str], longer: Sequence[str]) -> list[str]:
    counts = Counter(names)
    return [long if counts[name] > 1 else name for name, long in zip(names, longer, strict=True)]
