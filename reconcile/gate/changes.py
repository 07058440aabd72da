"""What changed between two results of one command: DeepDiff over both, and what that means.

Bridges and ledgers are left out: they follow from the figures, and there are many.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, Final, Literal, get_args

from reconcile.document import HIDDEN, SCHEMA_VERSION, Count, Document, Key, Version
from reconcile.errors import NothingToCompare, UnreadableFile, last_part
from reconcile.files.inputs import first_bytes
from reconcile.gap.bounds import ROUNDING, BoundLevel
from reconcile.gap.verdict import UNGATED, PairVerdict, Verdict
from reconcile.scoring.metrics import METRICS, short_metric

LARGEST: Final = 256 * 2**20
EXPECTED: Final = "what `validate --json`, `compare --json` or `stats --format json` wrote"
VERDICTS: Final[tuple[Verdict, ...]] = ("within", "ungated", "incomplete", "open", "outside")
"""From best to worst."""
Change = Literal["worse", "waived", "better", "new", "gone", "moved", "bound"]
Path = tuple[str, ...]
"""Where something is in a result: match, what was judged in it, player, metric."""
NAMES: Final = {
    "matches": ("", "id", "files"),
    "reported": ("reported", "file"),
    "pairs": ("", "left", "right", "files"),
    "candidates": ("candidate", "name", "part"),
    "games": ("game", "game"),
    "figures": ("", "player"),
    "findings": ("", "side", "code"),
    "not_compared": ("not compared:", "what", "file"),
    "diagnosis": ("diagnosis of", "candidate"),
    "sides": ("", "label"),
    "players": ("", "name"),
    "": ("", "pack", "source", "left", "right", "sides"),
}
"""By the key of a list, a word for its items and the keys that name them; last a result itself."""
NUMBERED: Final = ("reported", "pairs", "candidates")
"""Lists whose items may have one name."""
FIELDS: Final = ("left", "right", "gap", "tolerance", "level", "verdict")


@dataclass(frozen=True, slots=True)
class Value(Document):
    """A figure in one result."""

    left: float | None
    """Left, or the tool's figure; for statistics, the figure."""
    right: float | None = None
    """Right, or ours."""
    gap: float | None = None
    """Right minus left."""
    tolerance: float | None = None
    """The tolerance; null if nothing judges it."""
    level: BoundLevel | None = None
    """Level of the tolerance."""
    verdict: Verdict = UNGATED
    """The verdict."""


@dataclass(frozen=True, slots=True)
class Result(Document):
    """One of the two results."""

    name: str
    """The pack, or the files."""
    verdict: PairVerdict | None
    """Its verdict; null for statistics."""
    figures: Annotated[dict[Path, Value], Key(shown="size", kind=Count)] = field(
        default_factory=dict
    )
    """Its number of figures."""
    facts: Annotated[dict[Path, str], HIDDEN] = field(default_factory=dict)
    kind: Annotated[str, HIDDEN] = ""
    """What tells results of two commands apart."""

    @property
    def size(self) -> int:
        """How many figures it has."""
        return len(self.figures)

    @property
    def places(self) -> set[Path]:
        """Where it has anything."""
        return {path[:end] for path in (*self.figures, *self.facts) for end in range(len(path))}


@dataclass(frozen=True, slots=True)
class ChangedFigure(Document):
    """A figure that changed."""

    where: Path
    """The match, what was judged in it and the player, as far as the result has them."""
    metric: str
    """The figure's name, or a share of its gap, for example `pr@engine`."""
    change: Change
    """`worse`, `better`: the verdict is; `waived`: it is better, and the gap as wide as before;
    `bound`: only the tolerance is another."""
    worse: bool
    """Whether it makes the exit code 1."""
    old: Value | None
    """Before; null if it is new."""
    new: Value | None
    """Now; null if it is gone."""
    fails_at: Annotated[BoundLevel | None, HIDDEN]
    """The level of a figure that got worse, is new and outside, or is gone and was within."""

    def fails(self, fail_on: str = "error") -> bool:
        """Whether it makes the exit code 1; with `warn` also by a bound of level warn."""
        return self.fails_at in ("error", fail_on)


@dataclass(frozen=True, slots=True)
class ChangedFact(Document):
    """A finding, a source, a diagnosis or a part that was not compared: new, gone or changed."""

    where: Path
    """The match, what was judged in it, and what it is."""
    old: str | None
    """Before; null if it is new."""
    new: str | None
    """Now; null if it is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes(Document):
    """What `reconcile diff --json` writes: what changed between two results of one command."""

    schema_version: Version = SCHEMA_VERSION
    old: Result
    """The old one."""
    new: Result
    """The new one."""
    worse: bool
    """Whether a verdict got worse at level `error`: the exit code is 1."""
    figures: tuple[ChangedFigure, ...]
    """Figures that changed, those first that make the exit code 1."""
    facts: tuple[ChangedFact, ...]
    """Everything else that changed."""

    def exit_code(self, *, fail_on: str = "error") -> int:
        """1 when a verdict got worse, otherwise 0."""
        return int(any(figure.fails(fail_on) for figure in self.figures))


def changes(old: Result, new: Result) -> Changes:
    """What changed from one result to another of the same command.

    Raises `NothingToCompare` if the commands differ, or the results have no figure in common.
    """
    if old.kind != new.kind:
        wrong = f"expected two results of one command, found {old.name} and {new.name} of two"
        raise NothingToCompare(f"{wrong}; name two of one kind")
    if not old.figures.keys() & new.figures.keys():
        remedy = "name two results for the same matches and players"
        raise NothingToCompare(f"{old.name} and {new.name} have no figure in common; {remedy}")
    figures = [
        _changed(path, old.figures.get(path), new.figures.get(path))
        for path in _differing(old.figures, new.figures)
    ]
    order = get_args(Change)
    figures.sort(key=lambda figure: (not figure.worse, order.index(figure.change)))
    places = old.places & new.places  # of a part that is new or gone its figures say enough
    facts = tuple(
        ChangedFact(path, old.facts.get(path), new.facts.get(path))
        for path in _differing(old.facts, new.facts)
        if path[:-1] in places
    )
    worse = any(figure.worse for figure in figures)
    return Changes(old=old, new=new, worse=worse, figures=tuple(figures), facts=facts)


def _differing(old: Mapping[Path, Any], new: Mapping[Path, Any]) -> list[Path]:
    """Where two results differ by more than rounding."""
    from deepdiff import DeepDiff  # 0.3 s to import

    paths = [path for path in old.keys() | new.keys() if old.get(path) != new.get(path)]
    before, after = (
        {path: asdict(entry) if isinstance(entry, Value) else entry for path, entry in side.items()}
        for side in ({path: side[path] for path in paths if path in side} for side in (old, new))
    )
    # DeepDiff is to descend into everything, also where little is the same.
    options: dict[str, Any] = {"math_epsilon": ROUNDING, "threshold_to_diff_deeper": 0}
    diff = DeepDiff(before, after, view="tree", **options)
    levels = (level for levels in diff.values() for level in levels)
    return sorted({level.path(output_format="list")[0] for level in levels})


def _changed(path: Path, old: Value | None, new: Value | None) -> ChangedFigure:
    """A figure before and now, and the level at which the change fails."""
    change: Change = "new" if old is None else "gone"
    blamed = new if new is not None and new.verdict == "outside" else old
    fails = new is blamed if old is None else old.verdict == "within"
    if old is not None and new is not None:
        ranks = VERDICTS.index(old.verdict), VERDICTS.index(new.verdict)
        fails = ranks[1] > ranks[0]
        sides = [(each.left, each.right, each.gap) for each in (old, new)]
        change = "moved" if sides[0] != sides[1] else "bound"
        if fails:
            change = "worse"
        elif ranks[1] < ranks[0]:
            # A gap that was too wide may still be by what was allowed then.
            gap, allowed = abs(new.gap or 0.0), (old.tolerance or 0.0) + ROUNDING
            is_waived = ranks[0] >= VERDICTS.index("open") and gap > allowed
            change = "waived" if is_waived else "better"
    level = blamed.level if fails and blamed is not None else None
    return ChangedFigure(path[:-1], path[-1], change, level == "error", old, new, level)


def read_result(path: str) -> Result:
    """A JSON result of a command; `-` is standard input. Raises `UnreadableFile`."""
    from pydantic import TypeAdapter, ValidationError

    from reconcile.files.yaml_file import complaint

    content, wrong = first_bytes(path, LARGEST + 1), "no such JSON"
    if len(content) > LARGEST:
        wrong = f"more than {LARGEST >> 20} MB"
    else:
        try:
            tree = json.loads(content)
            model = _model(tree)
            TypeAdapter[Any](model).validate_json(content, strict=True)
            return _result(tree, str(model))
        except ValidationError as error:
            keys, message = complaint(error)
            wrong = f"other content at {'.'.join(map(str, keys))[:100]}: {message}"
        except (ValueError, RecursionError, OverflowError, AttributeError, TypeError):
            pass
    raise UnreadableFile(f"expected {EXPECTED}, found {wrong}; write it with this version", path)


def _model(tree: Any) -> Any:
    """The type of a document, by the keys that only it has."""
    from reconcile.gate.pack_results import PackResult
    from reconcile.results.comparison import ComparisonDocument
    from reconcile.results.review import FoldersDocument, ManyFoldersDocument, ReviewDocument
    from reconcile.results.statistics import Pool, Statistics

    if isinstance(tree, list) and tree:
        return list[Statistics]
    models = {
        "disputes": ReviewDocument,
        "outliers": ManyFoldersDocument,
        "matches": PackResult,
        "figures": ComparisonDocument,
        "pairs": FoldersDocument,
        "source": Statistics,
    }
    return next((model for key, model in models.items() if key in dict(tree)), Pool)


def _result(tree: Any, kind: str) -> Result:
    """A document, flattened."""
    documents = tree if isinstance(tree, list) else [tree]
    names = [_name("", document) for document in documents]
    result = Result(", ".join(names[:3]) or "a pool", documents[0].get("verdict"), kind=kind)
    for document, name in zip(documents, names, strict=True):
        path = _free((name,), result.places) if "source" in document else ()
        for place, leaf in _leaves(document, path, gates=True):
            if isinstance(leaf, Value):
                result.figures[place] = leaf
            else:
                earlier = result.facts.get(place)
                result.facts[place] = f"{earlier}; {leaf}" if earlier else leaf
    return result


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


def _free(path: Path, places: set[Path]) -> Path:
    """The path, with a number if there is something at it already."""
    number, free = 1, path
    while free in places:
        number += 1
        free = (*path[:-1], f"{path[-1]} ({number})")
    return free


def _leaves(
    node: Any, path: Path, *, gates: bool, key: str = ""
) -> Iterator[tuple[Path, Value | str]]:
    """The figures and texts at a place; `key` is that of a list, and what does not gate has no
    verdict."""
    if isinstance(node, list) and key in NAMES:
        places: set[Path] = set()
        for item in (item for item in node if isinstance(item, dict)):
            place = (*path, _name(key, item))
            place = _free(place, places) if key in NUMBERED else place
            places.add(place)
            yield from _leaves(item, place, gates=gates)
    elif isinstance(node, dict) and "gap" in node:
        if "verdict" in node:  # those of games follow
            fields = FIELDS[: 6 if gates else 3]
            yield (*path, node["metric"]), Value(*(node[name] for name in fields))
    elif isinstance(node, dict) and (text := node.get("sentence") or node.get("why")):
        yield path, text  # of a diagnosis, a part
    elif isinstance(node, dict) and "evidence" in node:
        yield path, f"{node['title']}: {node['evidence']}"
    elif isinstance(node, dict):
        gates = gates and node.get("judged_by", "") is not None
        for name, value in node.items():
            group = ".".join((*path[-1:], name))
            below = (*path[:-1], group) if group in METRICS else (*path, name)
            if name == "outlier":
                for player, far in value.items():
                    label = node["sides"][far["side"]]["label"] if far else "nobody"
                    yield (*path, f"outlier for {player}"), label
            # What is compared with a candidate follows from its figures.
            elif name not in ("path", "verdict") and not (
                name == "comparison" and "figures" in node
            ):
                place = path if name in (*NAMES, "analyses") else below
                yield from _leaves(value, place, gates=gates, key=name)
    elif path[-1:] and path[-1] in METRICS and (node is None or isinstance(node, int | float)):
        yield (*path[:-1], short_metric(path[-1])), Value(node)
    elif isinstance(node, str):
        yield path, node
