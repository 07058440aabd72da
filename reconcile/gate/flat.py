"""A JSON result of this program, read again and flattened: every value under a key that is the same in every run.

Ledgers are left out: their rows follow from the figures, and there are many.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from reconcile.document import HIDDEN, Count, Document, Key
from reconcile.errors import UnreadableFile, last_part
from reconcile.files.inputs import first_bytes
from reconcile.gap.bounds import Level
from reconcile.gap.verdict import UNGATED, PairVerdict, Verdict
from reconcile.gate.judged_figures import distinct
from reconcile.scoring.metrics import METRICS, short_metric

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from reconcile.gap.bridge import Bridge
    from reconcile.gap.verdict import Figure
    from reconcile.results.comparison import ComparisonDocument
    from reconcile.results.review import FoldersDocument, ManyFoldersDocument, ReviewDocument
    from reconcile.results.statistics import Figures, Pool, Statistics

Kind = Literal["validation", "comparison", "folders", "several", "statistics"]
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

Names = tuple[str, str, str, str]
"""Match, what was judged (a game, in statistics), player, metric."""


@dataclass(frozen=True, slots=True)
class Value(Document):
    """A figure in one result."""

    left: float | None
    """Left, or the tool's figure; for statistics, the figure."""
    right: float | None
    """Right, or ours."""
    gap: float | None
    """Right minus left."""
    tolerance: float | None
    """The tolerance; null if nothing judges it."""
    level: Level | None
    """Level of the tolerance."""
    verdict: Verdict
    """The verdict."""
    steps: Mapping[str, float] = field(default_factory=dict)
    """Its bridge, step code to change; empty if the result has none."""


@dataclass(frozen=True, slots=True)
class Result(Document):
    """One of the two results."""

    kind: Annotated[Kind, HIDDEN]
    name: str
    """The pack, or the files."""
    verdict: PairVerdict | None = None
    """Its verdict; null for statistics."""
    figures: Annotated[dict[Names, Value], Key(shown="size", kind=Count)] = field(
        default_factory=dict
    )
    """Its number of figures."""
    findings: Annotated[dict[Names, tuple[str, str]], HIDDEN] = field(default_factory=dict)
    """Match, what was judged, side, code -> title and evidence."""
    sources: Annotated[dict[Names, str], HIDDEN] = field(default_factory=dict)
    """Match, what was judged, side, `tool`, `rules`, `met`, `table`, `level` or `sha256` -> value."""
    absent: Annotated[dict[tuple[str, str], str], HIDDEN] = field(default_factory=dict)
    """Match, what was not compared -> why."""

    @property
    def size(self) -> int:
        """How many figures it has."""
        return len(self.figures)

    def judged(
        self,
        match: str,
        suite: str,
        figures: Iterable[Figure],
        bridges: Iterable[Bridge] = (),
        *,
        gates: bool = True,
    ) -> None:
        """Add reported figures, or those of a pair or a candidate."""
        steps = {
            (bridge.player, bridge.metric): {step.code: step.change or 0.0 for step in bridge.steps}
            for bridge in bridges
        }
        for one in figures:
            bound = (one.tolerance, one.level, one.verdict) if gates else (None, None, UNGATED)
            value = Value(
                one.left, one.right, one.gap, *bound, steps.get((one.player, one.metric), {})
            )
            self.figures[match, suite, one.player, one.metric] = value

    def pair(self, match: str, suite: str, pair: ComparisonDocument, *, gates: bool = True) -> None:
        """A comparison."""
        self.judged(match, suite, pair.figures, pair.bridge or (), gates=gates)
        self.side(match, suite, "left", pair.left)
        self.side(match, suite, "right", pair.right)
        self.source(match, suite, "", pair, "table")
        self.add_findings(match, suite, pair.findings)

    def several(self, match: str, document: ReviewDocument) -> None:
        """Several analyses of a match: what each says, which nothing judges; the gaps between them follow."""
        suites = {}
        for index, side in enumerate(document.sides):
            suites[side.label] = side.figures
            self.side(match, side.label, "", side)
            self.add_findings(match, side.label, side.findings)
            outlier = [
                player
                for player, found in document.outlier.items()
                if found is not None and found.side == index
            ]
            self.sources[match, side.label, "", "outlier"] = (
                f"for {' and '.join(outlier) or 'nobody'}"
            )
        for suite, players in suites.items():
            for player, values in players.items():
                for metric, value in values.items():
                    self.plain(match, suite, player, metric, value)

    def plain(self, match: str, suite: str, player: str, metric: str, value: float | None) -> None:
        """Add a figure that is not judged."""
        self.figures[match, suite, player, metric] = Value(value, None, None, None, None, UNGATED)

    def side(self, match: str, suite: str, side: str, source: Any, counted: object = None) -> None:
        """Add where a side comes from; `counted` has the rules and the table, where `source` has not."""
        self.source(match, suite, side, counted or source, "rules", "met", "level")
        self.source(match, suite, side, source, "sha256")
        self.sources[match, suite, side, "tool"] = " ".join(
            fact for fact in (source.tool, source.tool_version) if fact is not None
        )

    def source(self, match: str, suite: str, side: str, facts: object, *names: str) -> None:
        """Add facts by their names."""
        known = {name: getattr(facts, name, None) for name in names}
        self.sources.update(
            {
                (match, suite, side, name): str(fact)
                for name, fact in known.items()
                if fact is not None
            }
        )

    def add_findings(self, match: str, suite: str, findings: Iterable[Any]) -> None:
        """Add findings; several with the same code on one side become one."""
        for one in findings:
            key = match, suite, one.side or "", one.code
            title, evidence = self.findings.get(key, (one.title, ""))
            self.findings[key] = title, "; ".join(filter(None, (evidence, one.evidence)))


def read_result(path: str) -> Result:
    """A result of `validate`, `compare` or `stats` in JSON; `-` is standard input. Raises `UnreadableFile`."""
    from pydantic import ValidationError

    from reconcile.files.yaml_file import expectation

    content, document = _document(path)
    kind, flat = _reader(document)
    try:
        return flat(_adapter(kind).validate_json(content, strict=True))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(
            str(key) for key in first["loc"] if isinstance(key, int) or key.isidentifier()
        )[:LONGEST_PLACE]
        found = f"other content{place and f' at {place}'}: {expectation(first['msg'])}"
    except OverflowError:
        found = "a number that is too large"
    raise UnreadableFile(
        f"expected {_expected()}, found {found}; write it again with this version", path
    )


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    """What reads documents of a type: slower to make than to use, and two results are mostly of one type."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def _expected() -> str:
    return "what " + ", ".join(list(KINDS.values())[:-1]) + f" or {list(KINDS.values())[-1]} wrote"


def _document(path: str) -> tuple[bytes, object]:
    content = first_bytes(path, LARGEST + 1)
    if len(content) > LARGEST:
        raise UnreadableFile(
            f"expected at most {LARGEST >> 20} MB, found more; is it the right file?", path
        )
    try:
        document: object = json.loads(content, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise UnreadableFile(
            f"expected {_expected()}, found no such JSON; write it again", path
        ) from None
    first = document[0] if isinstance(document, list) and document else document
    version = first.get("schema_version") if isinstance(first, dict) else None
    if version != 1 or isinstance(version, bool):
        found = "no schema_version" if version is None else str(version)[:20]
        raise UnreadableFile(
            f"expected {_expected()} with schema_version 1, found {found}; write it with this version",
            path,
        )
    return content, document


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _reader(document: object) -> tuple[Any, Callable[[Any], Result]]:
    """The type of such a document, by the keys that only it has, and what flattens one."""
    from reconcile.gate.pack_results import PackResult
    from reconcile.results.comparison import ComparisonDocument
    from reconcile.results.review import FoldersDocument, ManyFoldersDocument, ReviewDocument
    from reconcile.results.statistics import Pool, Statistics

    if not isinstance(document, dict):
        return list[Statistics], _statistics
    if "disputes" in document:
        return ReviewDocument, _several
    if "outliers" in document:
        return ManyFoldersDocument, _several_folders
    if "matches" in document:
        return PackResult, _validation
    if {"figures", "left"} <= document.keys():
        return ComparisonDocument, _comparison
    if "pairs" in document:
        return FoldersDocument, _folders
    return (
        (Statistics, lambda one: _statistics([one]))
        if {"source", "rules"} <= document.keys()
        else (Pool, _pool)
    )


def _comparison(document: ComparisonDocument) -> Result:
    build = Result("comparison", _sides(document), document.verdict)
    build.pair("", "", document)
    return build


def _sides(pair: ComparisonDocument) -> str:
    return f"{last_part(pair.left.path)} against {last_part(pair.right.path)}"


def _validation(document: Any) -> Result:
    """A `PackResult`, of which pairs and comparisons are read back as they were written."""
    build = Result("validation", document.name, document.verdict)
    for match in document.matches:
        name, seen = match.id, Counter[str]()
        for reported in match.reported:
            suite = distinct(f"reported {reported.file}", seen)
            build.judged(name, suite, reported.figures)
            build.source(name, suite, "", reported, "rules", "table")
        for pair in match.pairs:
            build.pair(name, distinct(_sides(pair), seen), pair, gates=pair.judged_by is not None)
        for candidate in match.candidates:
            suite = distinct(candidate.suite, seen)
            build.judged(
                name,
                suite,
                candidate.figures,
                candidate.comparison.bridge or () if candidate.comparison else (),
            )
            build.add_findings(name, suite, candidate.findings)
            build.source(name, suite, "", candidate, "file", "rules", "table", "version")
        for one in match.not_compared:
            what, why = (
                (one, "") if isinstance(one, str) else (one.what, one.why)
            )  # a line in a document of an earlier version
            build.absent[name, what] = why
    return build


def _folders(document: FoldersDocument) -> Result:
    build = Result(
        "folders",
        f"{last_part(document.left)} against {last_part(document.right)}",
        document.verdict,
    )
    for pair in document.pairs:
        match = f"{pair.left} against {pair.right}"
        if pair.comparison is None:
            build.absent[match, ""] = pair.reason or ""
        else:
            build.pair(match, "", pair.comparison)
    for one in document.not_compared:
        build.absent[one.side or "", one.name] = one.reason
    return build


def _several(document: ReviewDocument) -> Result:
    build = Result("several", ", ".join(last_part(side.path) for side in document.sides))
    build.several("", document)
    return build


def _several_folders(document: ManyFoldersDocument) -> Result:
    build = Result("several", ", ".join(map(last_part, document.folders)))
    for one in document.matches:
        match = ", ".join(one.files)
        if one.analyses is None:
            build.absent[match, ""] = one.reason or ""
        else:
            build.several(match, one.analyses)
    for left in document.not_compared:
        build.absent["", left.name] = left.reason
    return build


def _statistics(documents: Sequence[Statistics]) -> Result:
    seen = Counter[str]()
    names = [distinct(last_part(document.source.path), seen) for document in documents]
    build = Result(
        "statistics",
        ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else ""),
    )
    for match, document in zip(names, documents, strict=True):
        build.side(match, "", "", document.source, document)
        build.add_findings(match, "", document.findings)
        for player in document.players:
            _plain(build, match, "", player.name, player)
            for game in player.games or ():
                _plain(build, match, f"game {game.game}", player.name, game)
    return build


def _pool(document: Pool) -> Result:
    build = Result("statistics", "a pool")
    for player in document.players:
        _plain(build, "", f"rules {player.rules}", player.name, player)
    return build


def _plain(build: Result, match: str, suite: str, player: str, figures: Figures) -> None:
    """Figures that are not judged, nested by their names."""
    from reconcile.results.statistics import ABSENT

    for name in METRICS:
        group, _, key = name.partition(".")
        value = getattr(figures, group)
        if key:
            value = getattr(value, key, ABSENT)
        if value == value:  # a document of an earlier version had fewer figures
            build.plain(
                match, suite, player, short_metric(name), None if value is None else float(value)
            )
