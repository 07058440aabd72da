"""What changed between two results of one command, as `reconcile diff --json` writes it: DeepDiff
over the figures of both, each with its match, its player and its verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Any, Literal, TypeAlias

from reconcile.document import HIDDEN, SCHEMA_VERSION, Count, Document, Key, Version
from reconcile.errors import NothingToCompare, UnreadableFile, last_part
from reconcile.files.json_file import read_document
from reconcile.gap.bounds import ROUNDING, BoundLevel
from reconcile.gap.verdict import OUTSIDE, UNGATED, Verdict
from reconcile.gate.pack_results import PackResult
from reconcile.results.comparison import ComparisonDocument, ManyFoldersDocument, ReviewDocument
from reconcile.results.statistics import Pool, Statistics
from reconcile.scoring.figures import METRICS, SHORT, short_metric

EXPECTED = "what `validate --json`, `compare --json` or `stats --format json` wrote"
MODELS: Mapping[str, Any] = {
    "disputes": ReviewDocument, "outliers": ManyFoldersDocument, "matches": PackResult,
    "figures": ComparisonDocument, "source": Statistics,
}  # fmt: skip
"""The types of results by the keys that only they have, of two the first; others are pools."""
ITEMS = {
    "matches": "{id}", "reported": "reported {file}", "pairs": "{left} against {right}",
    "candidates": "candidate {name} {part}", "games": "game {game}", "sides": "{label}",
    "players": "", "figures": "", "analyses": "",
}  # fmt: skip
"""What has figures, by key, and what an item of a list is called."""
VERDICTS = ("within", "ungated", "incomplete", "open", "outside")
"""From best to worst."""
ALL_NAMES = {*METRICS, *SHORT.values()}
Change = Literal["worse", "gone", "better", "new", "moved"]
Place: TypeAlias = tuple[str, str, str]
"""Match with what was judged in it, player, figure."""


@dataclass(frozen=True, slots=True)
class Figure(Document):
    """A figure in one result."""

    left: float | None
    """Left, or the tool's figure; for statistics, the figure."""
    right: float | None = None
    """Right, or ours; null for statistics."""
    verdict: Verdict = UNGATED
    """The verdict."""
    level: Annotated[BoundLevel | None, HIDDEN] = None


@dataclass(frozen=True, slots=True)
class Result(Document):
    """One of the two results."""

    figures: Annotated[Mapping[Place, Figure], Key(by=len, kind=Count)]
    """Its number of figures."""
    versions: Annotated[Mapping[str, str], HIDDEN]
    """By tool or program."""
    name: str
    """The pack, or the files."""
    kind: Annotated[object, HIDDEN] = None
    """The type of the document that it is."""


@dataclass(frozen=True, slots=True)
class ChangedFigure(Document):
    """A figure that changed."""

    match: str
    """The match, and what was judged in it; empty if the result is about one match."""
    player: str
    """The player."""
    figure: str
    """The figure's name, or a share of its gap, for example `pr@engine`."""
    change: Change
    """`worse`, `better`: the verdict is, or a new figure is out of tolerance; `moved`: only the
    numbers are others."""
    old: Figure | None
    """Before; null if it is new."""
    new: Figure | None
    """Now; null if it is gone."""

    def fails(self, fail_on: str = "error") -> bool:
        """Whether it makes the exit code 1: it is worse or gone, and judged by no bound of a lower
        level."""
        judged = self.new if self.new and self.new.verdict == OUTSIDE else self.old
        level = judged and judged.level
        return self.change in ("worse", "gone") and level in (None, "error", fail_on)


@dataclass(frozen=True, slots=True)
class ChangedVersion(Document):
    """A tool or a program with another version."""

    tool: str
    """Its name."""
    old: str
    """Before; more than one are in a row."""
    new: str
    """Now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes(Document):
    """What `reconcile diff --json` writes: what changed between two results of one command."""

    schema_version: Version = SCHEMA_VERSION
    old: Result
    """The old one."""
    new: Result
    """The new one."""
    worse: bool
    """Whether a figure got worse at level `error`, or is gone: the exit code is 1."""
    versions: tuple[ChangedVersion, ...]
    """Tools and programs with another version."""
    figures: tuple[ChangedFigure, ...]
    """Figures that changed, those first that make the exit code 1."""

    def exit_code(self, *, fail_on: str = "error") -> int:
        """1 when a figure got worse or is gone, otherwise 0."""
        return int(any(figure.fails(fail_on) for figure in self.figures))


def changes(old: Result, new: Result) -> Changes:
    """What changed from one result to another. Raises `NothingToCompare` if the commands differ, or
    the results have no figure in common."""
    wrong = ""
    if not old.figures.keys() & new.figures.keys():
        wrong = "have no figure in common; name two results for the same matches and players"
    if old.kind != new.kind:
        wrong = "are not two results of one command; name two of one kind"
    if wrong:
        raise NothingToCompare(f"{old.name} and {new.name} {wrong}")
    figures = [
        ChangedFigure(*place, _change(*both), *both)
        for place in _differing(old.figures, new.figures)
        for both in [(old.figures.get(place), new.figures.get(place))]
    ]
    figures.sort(key=lambda figure: (not figure.fails(), figure.change not in ("worse", "gone")))
    versions = tuple(
        ChangedVersion(tool, old.versions[tool], new.versions[tool])
        for tool in sorted(old.versions.keys() & new.versions.keys())
        if old.versions[tool] != new.versions[tool]
    )
    worse = any(figure.fails() for figure in figures)
    return Changes(old=old, new=new, worse=worse, versions=versions, figures=tuple(figures))


def _differing(old: Mapping[Place, Figure], new: Mapping[Place, Figure]) -> list[Place]:
    """Where two results differ by more than rounding."""
    from deepdiff import DeepDiff  # 0.3 s to import

    before, after = (
        {
            place: (figure.left, figure.right, figure.verdict)
            for place, figure in side.items()
            if other.get(place) != figure
        }
        for side, other in ((old, new), (new, old))
    )
    # DeepDiff is to descend into everything, also where little is the same.
    options: dict[str, Any] = {"math_epsilon": ROUNDING, "threshold_to_diff_deeper": 0}
    levels = DeepDiff(before, after, view="tree", **options).values()
    return sorted({level.path(output_format="list")[0] for level in chain(*levels)})


def _change(old: Figure | None, new: Figure | None) -> Change:
    if new is None:
        return "gone"
    if old is None:
        return "worse" if new.verdict == OUTSIDE else "new"
    before, after = VERDICTS.index(old.verdict), VERDICTS.index(new.verdict)
    if before == after:
        return "moved"
    return "worse" if after > before else "better"


def read_result(path: str) -> Result:
    """A JSON result of a command; `-` is standard input. Raises `UnreadableFile`."""

    def model_of(tree: Any) -> Any:
        if "cases" in tree:
            remedy = "two results of the suite are compared by `reconcile suite matrix OLD NEW`"
            raise UnreadableFile(f"expected {EXPECTED}; {remedy}", path)
        if isinstance(tree, list) and tree:
            return list[Statistics]
        return next((model for key, model in MODELS.items() if key in dict(tree)), Pool)

    tree, checked = read_document(path, model_of, EXPECTED)
    figures: dict[Place, Figure] = {}
    times = Counter[Place]()
    for place, figure in _figures(tree, ""):
        times[place] += 1
        number = f" ({times[place]})" if times[place] > 1 else ""
        figures[f"{place[0]}{number}", *place[1:]] = figure
    versions: dict[str, set[str]] = {}
    for tool, version in _versions(tree):
        versions.setdefault(tool, set()).add(version)
    shown = {tool: ", ".join(sorted(several)) for tool, several in versions.items()}
    name = tree["pack"] if isinstance(tree, dict) and "pack" in tree else last_part(path)
    return Result(figures, shown, name, type(checked))


def _figures(node: Any, match: str, *, gates: bool = True) -> Iterator[tuple[Place, Figure]]:
    """The figures below a place; what does not gate has no verdict."""
    if isinstance(node, list):
        for item in node:
            yield from _figures(item, last_part(item["source"]["path"]))
        return
    if "metric" in node:
        judged = (node["verdict"], node["level"]) if gates else ()
        place = match, node["player"], node["metric"]
        yield place, Figure(node["left"], node["right"], *judged)
        return
    gates = gates and node.get("judged_by", "") is not None
    for key, value in node.items():
        if key == "figures" and isinstance(value, dict):
            for name, figures in value.items():
                yield from _numbers(figures, match, name)
            continue
        items = value if isinstance(value, list) else [value]
        for item in (item for item in items if key in ITEMS and isinstance(item, dict)):
            if key == "players":
                yield from _numbers(item, item.get("rules", match), item["name"])
            elif key != "games":  # those of a comparison follow from its figures
                yield from _figures(item, _within(match, key, item), gates=gates)


def _numbers(
    node: Mapping[str, Any], match: str, player: str, before: str = ""
) -> Iterator[tuple[Place, Figure]]:
    """The known figures of a player, and those of every game; `before` begins their names."""
    for key, value in node.items():
        if key == "games" and isinstance(value, list):
            for game in value:
                yield from _numbers(game, _within(match, key, game), player)
        elif isinstance(value, dict) and not before:
            yield from _numbers(value, match, player, f"{key}.")
        elif value is not None and before + key in ALL_NAMES:
            yield (match, player, short_metric(before + key)), Figure(value)


def _within(match: str, key: str, item: Mapping[str, Any]) -> str:
    """What an item of a list is called, after the match that it is about."""
    words = " ".join(ITEMS[key].format_map({**item, **_names(item)}).split())
    return ", ".join(filter(None, (match, words)))


def _names(item: Mapping[str, Any]) -> dict[str, str]:
    """Of what names an item, a file by its last part, and several in a row."""
    names = {}
    for key in {"id", "left", "right", "part"}:
        value = item.get(key, item.get("files", "") if key == "id" else "")
        parts = value if isinstance(value, list) else [value]
        paths = (part["path"] if isinstance(part, dict) else str(part) for part in parts)
        names[key] = ", ".join(map(last_part, paths))
    return names


def _versions(node: Any) -> Iterator[tuple[str, str]]:
    """Every tool and program below a place with its version."""
    if isinstance(node, dict):
        for tool, version in (("tool", "tool_version"), ("name", "version")):
            if node.get(tool) and node.get(version):
                yield node[tool], node[version]
    for part in node.values() if isinstance(node, dict) else node:
        if isinstance(part, (dict, list)):
            yield from _versions(part)
