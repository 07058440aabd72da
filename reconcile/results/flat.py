"""A JSON result of this program, read again and flattened: every value under a key that is the same in every run.

Ledgers are left out: their rows follow from the figures, and there are many.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from reconcile.errors import UnreadableFile
from reconcile.scoring.metrics import METRICS, SHORT

LARGEST: Final = 256 * 2**20
KINDS: Final = {
    "validation": "`validate --json`",
    "comparison": "`compare --json`",
    "folders": "`compare --json` of two folders",
    "statistics": "`stats --format json`",
}
VERDICTS: Final = ("within", "ungated", "incomplete", "outside")
"""From best to worst."""

Key = tuple[str, str, str, str]
"""Match, what was judged (a game, in statistics), player, metric."""


@dataclass(frozen=True, slots=True)
class Value:
    """A figure in one result."""

    left: float | None
    right: float | None
    gap: float | None
    tolerance: float | None
    level: str | None
    verdict: str
    steps: Mapping[str, float] = field(default_factory=dict)
    """Step of the bridge -> change, if the result has a bridge."""


@dataclass(frozen=True, slots=True)
class Result:
    """A flattened result."""

    kind: str
    name: str
    """The pack, or the two files."""
    verdict: str | None
    """`None` for statistics, which judge nothing."""
    figures: dict[Key, Value]
    findings: dict[tuple[str, str, str, str], tuple[str, str]]
    """Match, what was judged, side, code -> title and evidence."""
    sources: dict[tuple[str, str, str, str], str]
    """Match, what was judged, side, `tool`, `rules`, `met`, `table`, `level` or `sha256` -> value."""
    absent: dict[tuple[str, str], str]
    """Match, what was not compared -> why."""


def read_result(path: str) -> Result:
    """A result of `validate`, `compare` or `stats` in JSON; `-` is standard input. Raises `UnreadableFile`."""
    document = _document(path)
    try:
        return _result(document)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError):
        raise UnreadableFile(f"{path}: expected {_expected()}, found other content; write it again with this version") from None


def _expected() -> str:
    return "what " + ", ".join(list(KINDS.values())[:-1]) + f" or {list(KINDS.values())[-1]} wrote"


def _document(path: str) -> Any:
    import sys

    try:
        if path == "-":
            content = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(path).open("rb") as file:
                content = file.read(LARGEST + 1)
    except OSError as error:
        raise UnreadableFile(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}; check the path") from None
    if len(content) > LARGEST:
        raise UnreadableFile(f"{path}: expected at most {LARGEST >> 20} MB, found more; is it the right file?")
    try:
        document = json.loads(content, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise UnreadableFile(f"{path}: expected {_expected()}, found no such JSON; write it again") from None
    first = document[0] if isinstance(document, list) and document else document
    version = first.get("schema_version") if isinstance(first, dict) else None
    if version != 1 or isinstance(version, bool):
        raise UnreadableFile(f"{path}: expected {_expected()} with schema_version 1, found {str(version)[:20]}; write it with this version")
    return document


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


@dataclass(slots=True)
class _Builder:
    figures: dict[Key, Value] = field(default_factory=dict)
    findings: dict[tuple[str, str, str, str], tuple[str, str]] = field(default_factory=dict)
    sources: dict[tuple[str, str, str, str], str] = field(default_factory=dict)
    absent: dict[tuple[str, str], str] = field(default_factory=dict)

    def result(self, kind: str, name: str, verdict: str | None) -> Result:
        return Result(kind, name, verdict, self.figures, self.findings, self.sources, self.absent)

    def judged(self, match: str, suite: str, part: Mapping[str, Any], *, gates: bool = True) -> None:
        """Add reported figures, or those of a pair or a candidate."""
        steps: dict[tuple[str, str], dict[str, float]] = {}
        for bridge in part.get("bridge", ()):
            found = {_text(step["code"]): _number(step["change"]) or 0.0 for step in bridge["steps"]}
            steps[_text(bridge["player"]), _text(bridge["metric"])] = found
        for figure in part["figures"]:
            player, metric = _text(figure["player"]), _metric(figure["metric"])
            verdict = _text(figure["verdict"]) if gates else "ungated"
            if verdict not in VERDICTS:
                raise ValueError(verdict)
            self.figures[match, suite, player, metric] = Value(
                left=_number(figure["left"]),
                right=_number(figure["right"]),
                gap=_number(figure["gap"]),
                tolerance=_number(figure["tolerance"]) if gates else None,
                level=None if figure["level"] is None or not gates else _text(figure["level"]),
                verdict=verdict,
                steps=steps.get((player, metric), {}),
            )

    def pair(self, match: str, suite: str, pair: Mapping[str, Any], *, gates: bool = True) -> None:
        """A comparison."""
        self.judged(match, suite, pair, gates=gates)
        for side in ("left", "right"):
            self.side(match, suite, side, pair[side])
        self.source(match, suite, "", "table", pair["table"])
        self.add_findings(match, suite, pair["findings"])

    def side(self, match: str, suite: str, side: str, facts: Mapping[str, Any]) -> None:
        for name in ("rules", "met", "level", "sha256"):
            self.source(match, suite, side, name, facts.get(name))
        self.source(
            match, suite, side, "tool", " ".join(_text(facts[name]) for name in ("tool", "tool_version") if facts[name] is not None)
        )

    def source(self, match: str, suite: str, side: str, name: str, value: Any) -> None:
        if value is not None:
            self.sources[match, suite, side, name] = _text(value)

    def not_compared(self, match: str, reason: Any) -> None:
        what, _, why = _text(reason).partition(": ")
        self.absent[match, what] = why

    def add_findings(self, match: str, suite: str, findings: Iterable[Mapping[str, Any]]) -> None:
        """Add findings; several with the same code on one side become one."""
        for finding in findings:
            key = match, suite, _text(finding["side"] or ""), _text(finding["code"])
            title, evidence = self.findings.get(key, (_text(finding["title"]), ""))
            self.findings[key] = title, "; ".join(filter(None, (evidence, _text(finding["evidence"]))))


def _result(document: Any) -> Result:
    if isinstance(document, list):
        return _statistics(document)
    if "matches" in document:
        return _validation(document)
    if "figures" in document and "left" in document:
        build = _Builder()
        build.pair("", "", document)
        return build.result(
            "comparison", " against ".join(_name(document[side]["path"]) for side in ("left", "right")), document["verdict"]
        )
    if "pairs" in document:
        return _folders(document)
    if "source" in document and "rules" in document:
        return _statistics([document])
    return _pool(document)


def _validation(document: Mapping[str, Any]) -> Result:
    build = _Builder()
    for match in document["matches"]:
        name, seen = _text(match["id"]), Counter[str]()
        for reported in match["reported"]:
            suite = _distinct(f"reported {_text(reported['file'])}", seen)
            build.judged(name, suite, reported)
            for fact in ("rules", "table"):
                build.source(name, suite, "", fact, reported[fact])
        for pair in match["pairs"]:
            suite = _distinct(" against ".join(_name(pair[side]["path"]) for side in ("left", "right")), seen)
            build.pair(name, suite, pair, gates=pair["judged_by"] is not None)
        for candidate in match.get("candidates", ()):
            suite = _distinct(" ".join(filter(None, ("candidate", _text(candidate["name"]), _text(candidate["part"])))), seen)
            walked = (candidate["comparison"] or {}).get("bridge", ())
            build.judged(name, suite, {**candidate, "bridge": walked})
            build.add_findings(name, suite, candidate["findings"])
            for fact in ("file", "rules", "table"):
                build.source(name, suite, "", fact, candidate[fact])
        for reason in match["not_compared"]:
            what, _, why = _text(reason).partition(": ")
            build.absent[name, what] = why
    return build.result("validation", _text(document["pack"]), _text(document["verdict"]))


def _folders(document: Mapping[str, Any]) -> Result:
    build = _Builder()
    for pair in document["pairs"]:
        match = f"{_text(pair['left'])} against {_text(pair['right'])}"
        if pair["comparison"] is None:
            build.absent[match, ""] = _text(pair["reason"])
        else:
            build.pair(match, "", pair["comparison"])
    for one in document["not_compared"]:
        build.absent[_text(one["side"]), _text(one["file"])] = _text(one["reason"])
    return build.result("folders", f"{_name(document['left'])} against {_name(document['right'])}", _text(document["verdict"]))


def _statistics(documents: Iterable[Mapping[str, Any]]) -> Result:
    build, seen, names = _Builder(), Counter[str](), []
    for document in documents:
        match = _distinct(_name(document["source"]["path"]), seen)
        names.append(match)
        build.side(match, "", "", document["source"] | {"rules": document["rules"], "met": document["met"]})
        build.add_findings(match, "", document["findings"])
        for player in document["players"]:
            _plain(build, match, "", _text(player["name"]), player)
            for game in player.get("games", ()):
                _plain(build, match, f"game {game['game']}", _text(player["name"]), game)
    return build.result("statistics", ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else ""), None)


def _pool(document: Mapping[str, Any]) -> Result:
    build = _Builder()
    for player in document["players"]:
        name, rules = _text(player["name"]), _text(player["rules"])
        _plain(build, "", f"rules {rules}", name, player)
    return build.result("statistics", "a pool", None)


def _plain(build: _Builder, match: str, suite: str, player: str, figures: Mapping[str, Any]) -> None:
    """Figures that are not judged, nested by their names."""
    for name in METRICS:
        group, _, key = name.partition(".")
        if not key:
            value = figures[group]
        elif key in (found := figures.get(group, {})):
            value = found[key]
        else:  # a document of an earlier version, which had fewer figures
            continue
        build.figures[match, suite, player, SHORT.get(name, name)] = Value(_number(value), None, None, None, None, "ungated")


def _distinct(name: str, seen: Counter[str]) -> str:
    seen[name] += 1
    return name if seen[name] == 1 else f"{name} ({seen[name]})"


def _name(path: Any) -> str:
    """The last part of a path, with the separators of any system."""
    return _text(path).replace("\\", "/").rstrip("/").rpartition("/")[2]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _metric(value: Any) -> str:
    plain, _, _ = _text(value).partition("@")
    if plain not in METRICS and plain not in SHORT.values():
        raise ValueError(value)
    return _text(value)


def _number(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(value)
    if not math.isfinite(found := float(value)):
        raise ValueError(value)
    return found
