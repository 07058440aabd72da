"""A judged pack of reference matches, its badge and the measurement of its gaps, as documents."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from reconcile.results.models.comparison import Comparison, Figure, Metric
from reconcile.results.models.decisions import ListedDecisions, PooledLists
from reconcile.results.models.investigation import Diagnosis
from reconcile.results.models.shared import Count, Finding, Positive, Sha256, Text, Version

Written = Annotated[str, Field(min_length=10)]


class Package(TypedDict):
    """A source distribution on a package index, and the member of it that is the file."""

    name: str
    """Its name on the index."""
    version: str
    """Its version."""
    sha256: Sha256
    """SHA-256 of the archive."""
    bytes: Positive
    """Size of the archive."""
    member: str
    """The file's name in the archive."""
    licence: str
    """Name in the archive of the licence's text."""


class PackFile(TypedDict):
    """A file of a match, from the manifest."""

    handle: str
    """Its name in reported figures and pairs."""
    name: Text
    """Its name, without a path."""
    sha256: Sha256
    """SHA-256 of its bytes."""
    bytes: Positive
    """Its size."""
    url: str | None
    """Its public address; null if it has none."""
    bundled: bool
    """Whether it is bundled with the pack."""
    tool: str
    """The program that made it."""
    tool_version: str | None
    """Version of that program; null if unknown."""
    level: str | None
    """How it was analysed, in words; null if unknown."""
    package: Package | None
    """The package that it is taken from; null if it is none."""


class Reported(TypedDict):
    """A tool's figures for a file, on the left, and ours, on the right."""

    file: str
    """Handle of the file in the manifest."""
    rules: str
    """The rule set of our figures."""
    table: str
    """The tolerance table."""
    source: Written
    """Who read the figures, where and when."""
    figures: Annotated[list[Figure], Field(min_length=1)]
    """The figures."""


class Pair(Comparison):
    """A comparison and its tolerance table."""

    judged_by: str | None
    """A tolerance table; null for a pair that is explained, not judged."""


class Candidate(TypedDict):
    """The figures of a program under test, on the right, and the reference, on the left: the figure its tool reported, otherwise ours."""

    name: Text
    """Name of the program if its output names it, otherwise of the file or the command."""
    version: NotRequired[str | None]
    """Version of the program; null if it does not say. Missing in results of older versions."""
    part: str
    """The part of the match it is about, for example one decision; empty for all of it."""
    file: Text
    """Handle of the file in the manifest that it was compared with."""
    rules: str
    """The rule set of those figures on the left that are ours."""
    table: Text
    """The tolerance table."""
    figures: Annotated[list[Figure], Field(min_length=1)]
    """Its figures, including those without a tolerance."""
    reported: Annotated[list[bool], Field(min_length=1)]
    """For each figure, in order, whether the left one was reported by the tool; otherwise it is ours."""
    comparison: Comparison | None
    """The same with bridges and ledger; null if there are none.

    If the candidate has only totals, the bridge goes through the closest rule set and ends with the step `reported-right`.
    """
    findings: list[Finding]
    """Findings about it, above all which rules give its figures."""
    decisions: NotRequired[ListedDecisions]
    """Its decisions, where it lists them."""


class ReferenceMatch(TypedDict):
    """One reference match."""

    id: Annotated[str, Field(pattern="^[a-z0-9][a-z0-9-]*$")]
    """Name of its folder."""
    title: str
    """Players, length, occasion."""
    synthetic: bool
    """True if the match was not analysed by the tools named in its files."""
    licence: Text
    """The licence under which the files may be shared."""
    provenance: Written
    """Who made the match, where and when."""
    files: Annotated[list[PackFile], Field(min_length=1)]
    """The files of the match."""
    reported: list[Reported]
    """Figures that tools showed, compared with ours."""
    pairs: list[Pair]
    """Pairs of files, compared."""
    candidates: list[Candidate]
    """The output of a program under test for the match, compared with a file of it."""
    not_compared: list[Text]
    """Reasons why parts could not be compared."""
    findings: list[Finding]
    """Findings about its reported figures and its pairs."""


class Summary(TypedDict):
    """Judged figures by verdict, and parts whose files are missing."""

    within: Count
    """Within tolerance."""
    outside: Count
    """Out of tolerance."""
    open: NotRequired[Count]
    """Those whose range, since a rule is not known, reaches across the bound; absent in older results."""
    incomplete: Count
    """Not judged because the analysis is incomplete."""
    not_compared: Count
    """Sets of reported figures and pairs that could not be compared."""
    given: NotRequired[Count]
    """Figures that the program under test gives; absent, as the two below, in results of version 0.1."""
    given_judged: NotRequired[Count]
    """Those of them that were judged."""
    unjudged: NotRequired[Count]
    """Those of them that nothing bounds."""


class Unjudged(TypedDict):
    """A figure that the program under test gives and that no tolerance bounds."""

    match: str
    """Id of the match."""
    candidate: Text
    """Name of the file or program."""
    part: str
    """The part of the match it is about; empty for all of it."""
    player: Text
    """Whose figure it is."""
    metric: Metric
    """The name of the figure."""
    given: float
    """Its value, in the unit of the metric."""
    reason: Text
    """Why it is not judged."""


class Validation(TypedDict):
    """What `reconcile validate --json` writes: a pack of reference matches, judged."""

    schema_version: Version
    pack: Text
    """Name of the pack's folder."""
    verdict: Literal["within", "outside"]
    """`outside` if a judged figure of level `error` is out of tolerance, or something could not be read or run."""
    summary: Summary
    """Judged figures by verdict, and parts whose files are missing."""
    errors: NotRequired[list[Text]]
    """What could not be read or run, one line each: matches, files of candidates, runs of a program; absent in results of version 0.1."""
    findings: list[Finding]
    """About the tolerances: bounds far too wide, and exceptions that apply to nothing that was judged."""
    diagnosis: NotRequired[list[Diagnosis]]
    """What each program under test does, by all its matches; absent in results of version 0.1."""
    unjudged: NotRequired[list[Unjudged]]
    """Every figure that the program under test gives and that no tolerance bounds; absent in results of version 0.1."""
    decision_lists: NotRequired[list[PooledLists]]
    """What the programs show that list their decisions, over all matches; absent without one."""
    matches: Annotated[list[ReferenceMatch], Field(min_length=1)]
    """Every match of the pack, by id."""
    not_compared: list[Text]
    """Reasons, one for every part of a candidate that belongs to no match of the pack."""


class Badge(TypedDict):
    """What `reconcile validate --badge` writes: the verdict of a pack, for shields.io's endpoint badge."""

    schemaVersion: Literal[1]
    """Version of shields.io's format."""
    label: Literal["reconcile"]
    """The left text."""
    message: Text
    """The right text: how many figures are out of tolerance or within, and how many were not judged."""
    color: Literal["brightgreen", "green", "yellow", "red"]
    """Bright green if every figure was judged and is within tolerance, green if some were not judged, yellow with warnings, red out of
    tolerance."""
    isError: bool
    """Whether a figure of level `error` is out of tolerance."""
