"""What changed between two results of one command: DeepDiff over both, and what that means.

Bridges and ledgers are left out: they follow from the figures, and there are many.
"""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from dataclasses import asdict, dataclass, field
from itertools import chain, count
from typing import Annotated, Any, Final, Literal, get_args

from reconcile.document import HIDDEN, SCHEMA_VERSION, Count, Document, Key, Version
from reconcile.errors import NothingToCompare, UnreadableFile, last_part
from reconcile.files.inputs import first_bytes
from reconcile.gap.bounds import ROUNDING, Level
from reconcile.gap.verdict import UNGATED, PairVerdict, Verdict
from reconcile.scoring.metrics import METRICS, short_metric

LARGEST: Final = 256 * 2**20
LONGEST_PLACE: Final = 100
EXPECTED: Final = "what `validate --json`, `compare --json` or `stats --format json` wrote"
VERDICTS: Final[tuple[Verdict, ...]] = ("within", "ungated", "incomplete", "open", "outside")
"""From best to worst."""
Change = Literal["worse", "waived", "better", "new", "gone", "moved", "bound"]
Path = tuple[str, ...]
"""Where something is in a result: match, what was judged in it, player, metric."""
NAMES: Final = {
    "matches": ("", "id"),
    "reported": ("reported", "file"),
    "pairs": ("", "left", "right"),
    "candidates": ("candidate", "name", "part"),
    "games": ("game", "game"),
    "figures": ("", "player"),
    "findings": ("", "side"),
    "not_compared": ("not compared:", "what", "file"),
    "diagnosis": ("diagnosis of", "candidate"),
    "sides": ("", "label"),
    "players": ("", "name"),
}
"""By the key of a list, what its items are called."""


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
    level: Level | None = None
    """Level of the tolerance."""
    verdict: Verdict = UNGATED
    """The verdict."""

    @property
    def rank(self) -> int:
        """The larger the worse."""
        return VERDICTS.index(self.verdict)


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
    fails_at: Annotated[Level | None, HIDDEN]
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
        raise NothingToCompare(
            f"expected two results of one command, found {old.name} and {new.name} of two; "
            "name two of one kind"
        )
    if not old.figures.keys() & new.figures.keys():
        raise NothingToCompare(
            f"{old.name} and {new.name} have no figure in common; name two results for the same "
            "matches and players"
        )
    figures = [
        _changed(path, fields, old.figures.get(path), new.figures.get(path))
        for path, fields in _differing(old.figures, new.figures).items()
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


def _differing(old: Mapping[Path, Any], new: Mapping[Path, Any]) -> dict[Path, set[str]]:
    """Where two results differ by more than rounding, sorted, with the names of what differs."""
    from deepdiff import DeepDiff  # 0.3 s to import

    paths = [path for path in old.keys() | new.keys() if old.get(path) != new.get(path)]
    before, after = (
        {
            path: asdict(value) if isinstance(value, Value) else value
            for path in paths
            if (value := side.get(path)) is not None
        }
        for side in (old, new)
    )
    # DeepDiff is to descend into everything, also where little is the same.
    options: dict[str, Any] = {"math_epsilon": ROUNDING, "threshold_to_diff_deeper": 0}
    diff = DeepDiff(before, after, view="tree", **options)
    differing: dict[Path, set[str]] = {}
    for level in (level for levels in diff.values() for level in levels):
        path, *names = level.path(output_format="list")
        differing.setdefault(path, set()).update(names)
    return dict(sorted(differing.items()))


def _changed(path: Path, fields: set[str], old: Value | None, new: Value | None) -> ChangedFigure:
    """A figure before and now, and the level at which the change fails."""
    is_outside = new is not None and new.verdict == "outside"
    change: Change = "new" if old is None else "gone"
    fails = is_outside if old is None else old.verdict == "within"
    if old is not None and new is not None:
        fails = new.rank > old.rank
        change = "moved" if fields & {"left", "right", "gap"} else "bound"
        if new.rank != old.rank:
            # A gap that was too wide may still be by what was allowed then.
            gap, allowed = abs(new.gap or 0.0), (old.tolerance or 0.0) + ROUNDING
            is_waived = old.rank >= VERDICTS.index("open") and gap > allowed
            change = "waived" if is_waived else "better"
        if fails:
            change = "worse"
    blamed = new if is_outside else old
    level = blamed.level if fails and blamed is not None else None
    return ChangedFigure(path[:-1], path[-1], change, level == "error", old, new, level)


def read_result(path: str) -> Result:
    """A JSON result of a command; `-` is standard input. Raises `UnreadableFile`."""
    from pydantic import TypeAdapter, ValidationError

    from reconcile.files.yaml_file import expectation

    content = first_bytes(path, LARGEST + 1)
    if len(content) > LARGEST:
        wrong = f"expected at most {LARGEST >> 20} MB, found more; is it the right file?"
        raise UnreadableFile(wrong, path)
    try:
        tree = json.loads(content, parse_constant=_no_number)
    except (ValueError, RecursionError):
        wrong = f"expected {EXPECTED}, found no such JSON; write it again"
        raise UnreadableFile(wrong, path) from None
    first = tree[0] if isinstance(tree, list) and tree else tree
    version = first.get("schema_version") if isinstance(first, dict) else None
    wrong = "no schema_version 1"
    if version == 1 and not isinstance(version, bool):
        try:
            model = _model(tree)
            TypeAdapter[Any](model).validate_json(content, strict=True)
            return _result(tree, str(model))
        except ValidationError as error:
            fault = error.errors(include_url=False, include_input=False)[0]
            keys = (str(key) for key in fault["loc"] if isinstance(key, int) or key.isidentifier())
            place = ".".join(keys)[:LONGEST_PLACE]
            wrong = f"other content{place and f' at {place}'}: {expectation(fault['msg'])}"
        except OverflowError:
            wrong = "a number that is too large"
    raise UnreadableFile(f"expected {EXPECTED}, found {wrong}; write it with this version", path)


def _no_number(constant: str) -> None:
    raise ValueError(constant)


def _model(tree: Any) -> Any:
    """The type of a document, by the keys that only it has."""
    from reconcile.gate.pack_results import PackResult
    from reconcile.results.comparison import ComparisonDocument
    from reconcile.results.review import FoldersDocument, ManyFoldersDocument, ReviewDocument
    from reconcile.results.statistics import Pool, Statistics

    if isinstance(tree, list):
        return list[Statistics]
    models = {
        "disputes": ReviewDocument,
        "outliers": ManyFoldersDocument,
        "matches": PackResult,
        "figures": ComparisonDocument,
        "pairs": FoldersDocument,
        "source": Statistics,
    }
    return next((model for key, model in models.items() if key in tree), Pool)


def _result(tree: Any, kind: str) -> Result:
    """A document, flattened."""
    documents = tree if isinstance(tree, list) else [tree]
    keys = ("", "pack", "source", "left", "right", "sides")
    names = [_name(keys, document) for document in documents]
    result = Result(", ".join(names[:3]) or "a pool", documents[0].get("verdict"), kind=kind)
    for document, name in zip(documents, names, strict=True):
        path = _unique((name,), result.places) if "source" in document else ()
        _flatten(document, path, result)
    return result


def _name(form: tuple[str, ...], item: Mapping[str, Any]) -> str:
    """What an item is called, by those of its keys that say it."""
    word, *keys = form
    values = (item[key] for key in keys if item.get(key))
    texts = [
        last_part(value["path"] if isinstance(value, dict) else str(value)) for value in values
    ]
    return " ".join(filter(None, (word, (" against " if "right" in keys else " ").join(texts))))


def _files_of(item: Mapping[str, Any]) -> str:
    """The names of the files of a match in two folders, which has no name of its own."""
    return ", ".join(last_part(file) for file in item.get("files", ()) if isinstance(file, str))


def _unique(path: Path, places: Container[Path]) -> Path:
    """The path, with a number if there is something at it already."""
    numbers = (f"{path[-1]} ({number})" for number in count(2))
    names = chain(path[-1:], numbers)
    return next(place for name in names if (place := (*path[:-1], name)) not in places)


def _flatten(node: Any, path: Path, result: Result, key: str = "", *, gates: bool = True) -> None:
    """Add what is at a path; `key` is that of a list, and what does not gate has no verdict."""
    if isinstance(node, list) and key in NAMES:
        places: set[Path] = set()
        for item in (item for item in node if isinstance(item, dict)):
            place = (*path, _name(NAMES[key], item) or _files_of(item))
            place = _unique(place, places) if key in NUMBERED else place
            places.add(place)
            _flatten(item, place, result, gates=gates)
    elif isinstance(node, dict) and "gap" in node:
        if "verdict" in node:  # those of games follow
            values = [node[name] for name in FIELDS[: 6 if gates else 3]]
            result.figures[*path, node["metric"]] = Value(*values)
    elif isinstance(node, dict) and (
        text := node.get("sentence") or node.get("why")
    ):  # of a part, a diagnosis
        result.facts[path] = text
    elif isinstance(node, dict) and "evidence" in node:
        place = (*path[:-1], f"{path[-1]} {node['code']}".strip())
        texts = result.facts.get(place), f"{node['title']}: {node['evidence']}"
        result.facts[place] = "; ".join(filter(None, texts))
    elif isinstance(node, dict):
        gates = gates and node.get("judged_by", "") is not None
        for name, value in node.items():
            group = ".".join((*path[-1:], name))
            below = (*path[:-1], group) if group in METRICS else (*path, name)
            if name == "outlier":
                _add_outliers(value, node["sides"], path, result)
            # What is compared with a candidate follows from its figures.
            elif name not in ("path", "verdict") and (name, "figures" in node) != (
                "comparison",
                True,
            ):
                place = path if name in (*NAMES, "analyses") else below
                _flatten(value, place, result, name, gates=gates)
    elif path[-1:] and path[-1] in METRICS and (node is None or isinstance(node, int | float)):
        result.figures[*path[:-1], short_metric(path[-1])] = Value(node)
    elif isinstance(node, str):
        result.facts[path] = node


def _add_outliers(outliers: Any, sides: Any, path: Path, result: Result) -> None:
    for player, far in outliers.items():
        label = sides[far["side"]]["label"] if far else "nobody"
        result.facts[*path, f"outlier for {player}"] = label
