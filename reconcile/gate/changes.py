"""What changed between two results of one command: DeepDiff over their figures and their texts.
Bridges and ledgers are left out: they follow from the figures, and there are many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final, get_args

from reconcile.errors import NothingToCompare, UnreadableFile, last_part
from reconcile.files.json_file import read_document
from reconcile.gap.bounds import ROUNDING
from reconcile.gate.pack_results import PackResult
from reconcile.results.changes import (
    FIELDS,
    NO_FIGURE,
    Change,
    ChangedFact,
    ChangedFigure,
    Changes,
    Figure,
    Place,
    Result,
)
from reconcile.results.comparison import ComparisonDocument
from reconcile.results.review import FoldersDocument, ManyFoldersDocument, ReviewDocument
from reconcile.results.statistics import Pool, Statistics
from reconcile.scoring.metrics import METRICS, short_metric

EXPECTED: Final = "what `validate --json`, `compare --json` or `stats --format json` wrote"
MODELS: Final[Mapping[str, Any]] = {
    "disputes": ReviewDocument, "outliers": ManyFoldersDocument, "matches": PackResult,
    "figures": ComparisonDocument, "pairs": FoldersDocument, "source": Statistics,
}  # fmt: skip
"""The types of results by the keys that only they have, of two the first; others are pools."""
NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("", "pack", "source", "left", "right", "sides"), "matches": ("", "id", "files"),
    "reported": ("reported", "file"), "pairs": ("", "left", "right", "files"),
    "candidates": ("candidate", "name", "part"), "games": ("game", "game"),
    "figures": ("", "player"), "players": ("", "name"), "sides": ("", "label"),
    "findings": ("", "side", "code"), "diagnosis": ("diagnosis of", "candidate"),
    "not_compared": ("not compared:", "what", "file"),
}  # fmt: skip
"""By the key of a list, a word for its items and the keys that name them; first a result itself."""
VERDICTS: Final = ("within", "ungated", "incomplete", "open", "outside")
"""From best to worst."""


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
        _changed(place, old.figures.get(place), new.figures.get(place))
        for place in _differing(old.figures, new.figures)
    ]
    figures.sort(key=lambda figure: (not figure.worse, get_args(Change).index(figure.change)))
    parts, new_parts = (
        {place[:end] for place in (*side.figures, *side.facts) for end in range(len(place))}
        for side in (old, new)
    )
    facts = tuple(
        ChangedFact(place, old.facts.get(place), new.facts.get(place))
        for place in _differing(old.facts, new.facts)
        if place[:-1] in parts & new_parts
    )
    worse = any(figure.worse for figure in figures)
    return Changes(old=old, new=new, worse=worse, figures=tuple(figures), facts=facts)


def _differing(old: Mapping[Place, Any], new: Mapping[Place, Any]) -> list[Place]:
    """Where two results differ by more than rounding."""
    from deepdiff import DeepDiff  # 0.3 s to import

    before, after = (
        {place: leaf for place, leaf in side.items() if other.get(place) != leaf}
        for side, other in ((old, new), (new, old))
    )
    # DeepDiff is to descend into everything, also where little is the same.
    options: dict[str, Any] = {"math_epsilon": ROUNDING, "threshold_to_diff_deeper": 0}
    levels = DeepDiff(before, after, view="tree", **options).values()
    return sorted({level.path(output_format="list")[0] for level in chain(*levels)})


def _changed(place: Place, old: Figure | None, new: Figure | None) -> ChangedFigure:
    """A figure before and now, and the level at which the change fails."""
    change: Change = "moved"
    if old is None or new is None:
        blamed, change, failing = (old, "gone", "within") if old else (new, "new", "outside")
        fails = blamed is not None and blamed["verdict"] == failing
    else:
        blamed = new if new["verdict"] == "outside" else old
        before, after = (VERDICTS.index(each["verdict"]) for each in (old, new))
        fails = after > before
        if fails:
            change = "worse"
        elif after < before:
            # A gap that was too wide may still be by what was allowed then.
            is_wide = abs(new["gap"] or 0.0) > (old["tolerance"] or 0.0) + ROUNDING
            change = "waived" if before >= VERDICTS.index("open") and is_wide else "better"
        elif all(old[name] == new[name] for name in ("left", "right", "gap")):
            change = "bound"
    level = blamed["level"] if fails and blamed else None
    return ChangedFigure(place[:-1], place[-1], change, level == "error", old, new, level)


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
    documents = tree if isinstance(tree, list) else [tree]
    name = ", ".join([_name("", each) for each in documents][:3]) or "a pool"
    leaves = dict(_leaves(documents if "source" in documents[0] else tree, (), ""))
    facts = {place: leaf for place, leaf in leaves.items() if isinstance(leaf, str)}
    figures = {place: leaf for place, leaf in leaves.items() if not isinstance(leaf, str)}
    return Result(name, documents[0].get("verdict"), figures, facts, type(checked))


def _name(key: str, item: Mapping[str, Any]) -> str:
    """What an item of a list is called."""
    word, *keys = NAMES[key]
    texts = []
    for value in (item[name] for name in keys if item.get(name)):
        parts = value if isinstance(value, list) else [value]
        paths = (part.get("path") if isinstance(part, dict) else str(part) for part in parts)
        texts.append(", ".join(last_part(path) for path in paths if path))
    between = " against " if "right" in keys else " "
    return " ".join(filter(None, (word, between.join(filter(None, texts)))))


def _leaves(
    node: Any, place: Place, key: str, *, gates: bool = True
) -> Iterator[tuple[Place, Figure | str]]:
    """The figures and texts below a place; `key` is that of a list, and what does not gate has no
    verdict."""
    if isinstance(node, list):
        earlier: Counter[str] = Counter()
        for item in (item for item in node if key in NAMES and isinstance(item, dict)):
            name = _name(key, item)
            earlier[name] += key != "figures"  # a player has many
            number = f" ({earlier[name]})" if earlier[name] > 1 else ""
            yield from _leaves(item, (*place, name + number), "", gates=gates)
    elif isinstance(node, str):
        yield place, node
    elif not isinstance(node, dict):
        for end in (1, 2):
            if (name := ".".join(place[-end:])) in METRICS:
                yield (*place[:-end], short_metric(name)), {**NO_FIGURE, "left": node}
    elif "gap" in node and "verdict" in node:
        shown = {name: node[name] for name in FIELDS if gates or name in ("left", "right", "gap")}
        yield (*place, node["metric"]), {**NO_FIGURE, **shown}
    elif text := node.get("sentence") or node.get("why"):
        yield place, text  # of a diagnosis, a part
    elif "evidence" in node:
        yield place, f"{node['title']}: {node['evidence']}"
    elif "gap" not in node:  # those of games follow
        gates = gates and node.get("judged_by", "") is not None
        for name, value in node.items():
            if name == "outlier":
                for player, far in value.items():
                    label = node["sides"][far["side"]]["label"] if far else "nobody"
                    yield (*place, f"outlier for {player}"), label
            # What is compared with a candidate follows from its figures.
            elif name not in ("path", "verdict", "comparison" if "figures" in node else ""):
                inner = place if name in (*NAMES, "analyses") else (*place, name)
                yield from _leaves(value, inner, name, gates=gates)
