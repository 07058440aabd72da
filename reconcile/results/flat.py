"""A JSON result of this program, read again and flattened: every value under a key that is the same in every run.

Ledgers are left out: their rows follow from the figures, and there are many.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from reconcile.errors import UnreadableFile, last_part, reason_of
from reconcile.files.inputs import note
from reconcile.gap.bounds import Level
from reconcile.gap.verdict import UNGATED, PairVerdict, Verdict
from reconcile.scoring.metrics import METRICS, SHORT

if TYPE_CHECKING:
    from reconcile.results.models import comparison as pairs
    from reconcile.results.models import many
    from reconcile.results.models.changes import Kind
    from reconcile.results.models.pack import Validation
    from reconcile.results.models.shared import Finding
    from reconcile.results.models.statistics import Figures, Pool, Statistics

LARGEST: Final = 256 * 2**20
LONGEST_PLACE: Final = 100
KINDS: Final[dict[Kind, str]] = {
    "validation": "`validate --json`",
    "comparison": "`compare --json`",
    "folders": "`compare --json` of two folders",
    "several": "`compare --json` of more than two analyses",
    "statistics": "`stats --format json`",
}
VERDICTS: Final[tuple[Verdict, ...]] = ("within", "ungated", "incomplete", "open", "outside")
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
    level: Level | None
    verdict: Verdict
    steps: Mapping[str, float] = field(default_factory=dict)
    """Step of the bridge -> change, if the result has a bridge."""


@dataclass(frozen=True, slots=True)
class Result:
    """A flattened result; its values are added part by part."""

    kind: Kind
    name: str
    """The pack, or the two files."""
    verdict: PairVerdict | None = None
    """`None` for statistics, which judge nothing."""
    figures: dict[Key, Value] = field(default_factory=dict)
    findings: dict[tuple[str, str, str, str], tuple[str, str]] = field(default_factory=dict)
    """Match, what was judged, side, code -> title and evidence."""
    sources: dict[tuple[str, str, str, str], str] = field(default_factory=dict)
    """Match, what was judged, side, `tool`, `rules`, `met`, `table`, `level` or `sha256` -> value."""
    absent: dict[tuple[str, str], str] = field(default_factory=dict)
    """Match, what was not compared -> why."""

    def judged(
        self, match: str, suite: str, figures: Iterable[pairs.Figure], bridges: Iterable[pairs.Bridge] = (), *, gates: bool = True
    ) -> None:
        """Add reported figures, or those of a pair or a candidate."""
        steps = {
            (bridge["player"], bridge["metric"]): {step["code"]: step["change"] or 0.0 for step in bridge["steps"]} for bridge in bridges
        }
        for figure in figures:
            player, metric = figure["player"], figure["metric"]
            self.figures[match, suite, player, metric] = Value(
                left=figure["left"],
                right=figure["right"],
                gap=figure["gap"],
                tolerance=figure["tolerance"] if gates else None,
                level=figure["level"] if gates else None,
                verdict=figure["verdict"] if gates else UNGATED,
                steps=steps.get((player, metric), {}),
            )

    def pair(self, match: str, suite: str, pair: pairs.Comparison, *, gates: bool = True) -> None:
        """A comparison."""
        self.judged(match, suite, pair["figures"], pair.get("bridge", ()), gates=gates)
        self.side(match, suite, "left", pair["left"])
        self.side(match, suite, "right", pair["right"])
        self.source(match, suite, "", pair, "table")
        self.add_findings(match, suite, pair["findings"])

    def several(self, match: str, document: many.Many) -> None:
        """Several analyses of a match: what each says and the consensus, which nothing judges; the gaps between them follow."""
        suites: dict[str, Mapping[str, Mapping[str, float | None]]] = {"consensus": cast("Any", document["consensus"])}
        for index, side in enumerate(document["sides"]):
            suites[side["label"]] = cast("Any", side["figures"])
            self.side(match, side["label"], "", cast("Mapping[str, object]", side))
            self.add_findings(match, side["label"], side["findings"])
            outlier = [player for player, found in document["outlier"].items() if found is not None and found["side"] == index]
            self.sources[match, side["label"], "", "outlier"] = f"for {' and '.join(outlier) or 'nobody'}"
        for suite, players in suites.items():
            for player, values in players.items():
                for metric, value in values.items():
                    self.figures[match, suite, player, metric] = Value(value, None, None, None, None, UNGATED)

    def side(self, match: str, suite: str, side: str, facts: Mapping[str, object]) -> None:
        """Add where a side comes from."""
        self.source(match, suite, side, facts, "rules", "met", "level", "sha256")
        tool = facts["tool"], facts["tool_version"]
        self.sources[match, suite, side, "tool"] = " ".join(str(fact) for fact in tool if fact is not None)

    def source(self, match: str, suite: str, side: str, facts: Mapping[str, object], *names: str) -> None:
        """Add facts by their names."""
        self.sources.update({(match, suite, side, name): str(facts[name]) for name in names if facts[name] is not None})

    def not_compared(self, match: str, lines: Iterable[str]) -> None:
        """Add what could not be compared, which a document has as lines `WHAT: WHY`."""
        for line in lines:
            what, _, why = line.partition(": ")
            self.absent[match, what] = why

    def add_findings(self, match: str, suite: str, findings: Iterable[Finding]) -> None:
        """Add findings; several with the same code on one side become one."""
        for finding in findings:
            key = match, suite, finding["side"] or "", finding["code"]
            title, evidence = self.findings.get(key, (finding["title"], ""))
            self.findings[key] = title, "; ".join(filter(None, (evidence, finding["evidence"])))


def read_result(path: str) -> Result:
    """A result of `validate`, `compare` or `stats` in JSON; `-` is standard input. Raises `UnreadableFile`."""
    from pydantic import ConfigDict, TypeAdapter, ValidationError

    document = _document(path)
    kind, flat = _reader(document)
    try:
        # A list, because pydantic takes a configuration for anything but a bare TypedDict.
        [valid] = TypeAdapter[Any](kind, config=ConfigDict(strict=True, allow_inf_nan=False)).validate_python([document])
        return flat(valid)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(key) for key in first["loc"][1:] if isinstance(key, int) or key.isidentifier())[:LONGEST_PLACE]
        found = f"other content{place and f' at {place}'}: {first['msg'].lower()}"
    except OverflowError:
        found = "a number that is too large"
    raise UnreadableFile(f"expected {_expected()}, found {found}; write it again with this version", path)


def _expected() -> str:
    return "what " + ", ".join(list(KINDS.values())[:-1]) + f" or {list(KINDS.values())[-1]} wrote"


def _document(path: str) -> object:
    import sys

    note(path)
    try:
        if path == "-":
            content = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(path).open("rb") as file:
                content = file.read(LARGEST + 1)
    except OSError as error:
        raise UnreadableFile(f"cannot be read: {reason_of(error)}; check the path", path) from None
    if len(content) > LARGEST:
        raise UnreadableFile(f"expected at most {LARGEST >> 20} MB, found more; is it the right file?", path)
    try:
        document: object = json.loads(content, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise UnreadableFile(f"expected {_expected()}, found no such JSON; write it again", path) from None
    first = document[0] if isinstance(document, list) and document else document
    version = first.get("schema_version") if isinstance(first, dict) else None
    if version != 1 or isinstance(version, bool):
        raise UnreadableFile(f"expected {_expected()} with schema_version 1, found {str(version)[:20]}; write it with this version", path)
    return document


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _reader(document: object) -> tuple[Any, Callable[[Any], Result]]:
    """The type of a list of such documents, by the keys that only they have, and what flattens one."""
    from reconcile.results.models.comparison import Comparison
    from reconcile.results.models.many import Folders, Many, ManyFolders
    from reconcile.results.models.pack import Validation
    from reconcile.results.models.statistics import Pool, Statistics

    if not isinstance(document, dict):
        return list[list[Statistics]], _statistics
    if "consensus_rules" in document:
        return list[Many], _several
    if "outliers" in document:
        return list[ManyFolders], _several_folders
    if "matches" in document:
        return list[Validation], _validation
    if {"figures", "left"} <= document.keys():
        return list[Comparison], _comparison
    if "pairs" in document:
        return list[Folders], _folders
    return (list[Statistics], lambda one: _statistics([one])) if {"source", "rules"} <= document.keys() else (list[Pool], _pool)


def _comparison(document: pairs.Comparison) -> Result:
    build = Result("comparison", _sides(document), document["verdict"])
    build.pair("", "", document)
    return build


def _sides(pair: pairs.Comparison) -> str:
    return f"{last_part(pair['left']['path'])} against {last_part(pair['right']['path'])}"


def _validation(document: Validation) -> Result:
    build = Result("validation", document["pack"], document["verdict"])
    for match in document["matches"]:
        name, seen = match["id"], Counter[str]()
        for reported in match["reported"]:
            suite = _distinct(f"reported {reported['file']}", seen)
            build.judged(name, suite, reported["figures"])
            build.source(name, suite, "", reported, "rules", "table")
        for pair in match["pairs"]:
            build.pair(name, _distinct(_sides(pair), seen), pair, gates=pair["judged_by"] is not None)
        for candidate in match["candidates"]:
            suite = _distinct(" ".join(filter(None, ("candidate", candidate["name"], candidate["part"]))), seen)
            compared = candidate["comparison"]
            build.judged(name, suite, candidate["figures"], compared.get("bridge", ()) if compared else ())
            build.add_findings(name, suite, candidate["findings"])
            build.source(name, suite, "", {"version": None, **candidate}, "file", "rules", "table", "version")
        build.not_compared(name, match["not_compared"])
    return build


def _folders(document: many.Folders) -> Result:
    build = Result("folders", f"{last_part(document['left'])} against {last_part(document['right'])}", document["verdict"])
    for pair in document["pairs"]:
        match = f"{pair['left']} against {pair['right']}"
        if pair["comparison"] is None:
            build.absent[match, ""] = pair["reason"] or ""
        else:
            build.pair(match, "", pair["comparison"])
    for one in document["not_compared"]:
        build.absent[one["side"], one["file"]] = one["reason"]
    return build


def _several(document: many.Many) -> Result:
    build = Result("several", ", ".join(last_part(side["path"]) for side in document["sides"]))
    build.several("", document)
    return build


def _several_folders(document: many.ManyFolders) -> Result:
    build = Result("several", ", ".join(map(last_part, document["folders"])))
    for one in document["matches"]:
        match = ", ".join(one["files"])
        if one["analyses"] is None:
            build.absent[match, ""] = one["reason"] or ""
        else:
            build.several(match, one["analyses"])
    for left in document["not_compared"]:
        build.absent["", left["file"]] = left["reason"]
    return build


def _statistics(documents: Sequence[Statistics]) -> Result:
    seen = Counter[str]()
    names = [_distinct(last_part(document["source"]["path"]), seen) for document in documents]
    build = Result("statistics", ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else ""))
    for match, document in zip(names, documents, strict=True):
        build.side(match, "", "", {**document["source"], "rules": document["rules"], "met": document["met"], "level": None})
        build.add_findings(match, "", document["findings"])
        for player in document["players"]:
            _plain(build, match, "", player["name"], player)
            for game in player.get("games", ()):
                _plain(build, match, f"game {game['game']}", player["name"], game)
    return build


def _pool(document: Pool) -> Result:
    build = Result("statistics", "a pool")
    for player in document["players"]:
        _plain(build, "", f"rules {player['rules']}", player["name"], player)
    return build


def _plain(build: Result, match: str, suite: str, player: str, figures: Figures) -> None:
    """Figures that are not judged, nested by their names."""
    tree = cast("Mapping[str, float | Mapping[str, float | None] | None]", figures)
    for name in METRICS:
        group, _, key = name.partition(".")
        found = tree.get(group)
        if group not in tree or (isinstance(found, Mapping) and key not in found):
            continue  # a document of an earlier version, which had fewer figures
        value = found[key] if isinstance(found, Mapping) else found
        build.figures[match, suite, player, SHORT.get(name, name)] = Value(
            None if value is None else float(value), None, None, None, None, UNGATED
        )


def _distinct(name: str, seen: Counter[str]) -> str:
    seen[name] += 1
    return name if seen[name] == 1 else f"{name} ({seen[name]})"
