"""The pages of the documentation: fresh, complete, linked soundly, and true."""

from __future__ import annotations

import re
import struct
import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from docs import generate
from docs.making import built
from docs.making.open_points import open_cells
from reconcile import cli
from reconcile.cli.schemas import DOCUMENTS
from reconcile.formats import load_match
from reconcile.formats.xg import records
from reconcile.gap.bridge import CAUSES
from reconcile.infer.checks import CHECKS
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, rule_set
from reconcile.scoring.findings import FINDINGS
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import statistics
from tests.support.claims import some
from tests.support.data import PROJECT

DOCS = PROJECT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
WRITTEN = [path.relative_to(DOCS).as_posix() for path in PAGES]
SAMPLES = ("sample.html", "samples/one.html", "samples/three.html", "samples/player/index.html")
"""What the site has only when it is built."""


def text_of(name: str) -> str:
    return made_pages()[name] if name in made_pages() else (DOCS / name).read_text("utf-8")


@cache
def made_pages() -> dict[str, str]:
    """The pages that are made when the site is built."""
    return dict(built.pages())


@cache
def names() -> tuple[str, ...]:
    """Of all pages."""
    return (*WRITTEN, *made_pages())


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.DOTALL | re.MULTILINE)


def slug(heading: str) -> str:
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


@cache
def anchors(name: str) -> frozenset[str]:
    """Everything in a page that can be linked to."""
    return frozenset(headings(name))


def headings(name: str) -> list[str]:
    names = []
    for heading in re.findall(
        r"^#+ (.*)$",
        re.sub(r"^```.*?^```$", "", text_of(name), flags=re.DOTALL | re.MULTILINE),
        re.MULTILINE,
    ):
        anchor = re.search(r"\{#([^} ]+)\}$", heading)
        names.append(anchor[1] if anchor else slug(heading))
    return names + re.findall(r"\)\{#([^} ]+)\}", text_of(name))


# Fresh


def test_generated_pages_are_fresh() -> None:
    assert [path.relative_to(PROJECT).as_posix() for path in generate.stale()] == [], (
        "run `python -m docs.generate`"
    )


def test_every_marker_of_a_page_names_a_known_part_and_is_closed() -> None:
    used = []
    for name in names():
        opened = re.findall(r"<!-- part ([\w.-]+) -->", text_of(name))
        assert len(opened) == text_of(name).count("<!-- /part -->"), name
        used += opened
    assert sorted(used) == sorted(generate.PARTS)


@pytest.mark.parametrize(
    ("name", "seat"), [("match_with_comment.xg", 0), ("ronde1-UngerHarmand-FriebeJacobi-7pt.xg", 1)]
)
def test_prices_of_the_open_rule_are_measured_so_again(name: str, seat: int, data: Path) -> None:
    paths = sorted(data.rglob(name))
    if not paths:
        pytest.skip(f"{name} is not among the real matches")
    match, cells = load_match(paths[0]), []
    for answer in ("nd-positive", "minus-0.9", "all", "minus-0.5"):
        figures = statistics(match, rule_set("xg").switched("Q03", answer)).figures(seat)
        cells.append(f"{figures['decisions.double']}, {figures['pr']:.2f}")
    row = f"| `{name}` | {match.players[seat]} | {' | '.join(cells)} |"
    assert row in text_of("open-points.md")


# Complete


def test_every_code_command_and_document_has_an_anchor() -> None:
    named: dict[str, Iterable[str]] = {
        "rules.md": RULE_SETS,
        "findings.md": FINDINGS,
        "causes.md": CAUSES,
        "checks.md": CHECKS,
        "figures.md": METRICS,
    }
    named |= {"cli.md": cli.COMMANDS, "json.md": DOCUMENTS}
    named |= {f"questions/{code}.md": question.answers for code, question in QUESTIONS.items()}
    for name, codes in named.items():
        assert set(codes) <= anchors(name), name
    assert all(
        question.title in text_of(f"questions/{code}.md") for code, question in QUESTIONS.items()
    )


def test_every_figure_is_explained() -> None:
    text = text_of("statistics.md") + text_of("luck.md")
    for name in METRICS:
        group, _, key = name.partition(".")
        assert f"`{name}`" in text or (f"`{group}." in text and f"`.{key}`" in text), name


def test_every_statistic_says_what_counts_how_to_read_it_and_where_it_ends() -> None:
    sections = re.split(r"^##+ ", text_of("statistics.md") + text_of("luck.md"), flags=re.MULTILINE)
    figures = [section for section in sections if "**Unit:**" in section]
    assert len(figures) >= 8
    for section in figures:
        for word in ("What counts", "How to read it", "Limits", "XG and gnuBG"):
            assert f"**{word}:**" in section, section.partition("\n")[0]


def test_everything_open_is_listed_and_nothing_else_is_said_to_be() -> None:
    cells = {f"{name}-{question}" for name, question in open_cells()}
    assert cells == {
        f"{name}-{code}"
        for name, rules in RULE_SETS.items()
        for code, cell in rules.evidence.items()
        if cell.open
    }
    assert {point for point in anchors("open-points.md") if re.search(r"-Q\d\d$", point)} == cells
    settled = {
        f"{name}-{code}"
        for name, rules in RULE_SETS.items()
        for code, cell in rules.evidence.items()
        if cell.settled_by
    }
    weak = {
        f"{name}-{code}"
        for name, rules in RULE_SETS.items()
        for code, cell in rules.evidence.items()
        if cell.answer and not cell.open
    }
    assert settled <= cells | weak


@pytest.mark.parametrize("record", ["MATCH_HEADER", "GAME_HEADER", "CUBE", "MOVE", "GAME_FOOTER"])
def test_every_field_of_a_record_is_listed_with_its_offset(record: str) -> None:
    fields: records.Layout = getattr(records, f"{record}_LAYOUT")
    text = text_of("formats/xg-records.md")
    for name, (form, offset) in some(fields.items()):
        size = struct.calcsize(f"<{records.struct_form(form)}")
        assert re.search(rf"^\| {offset} \| {size} \| [^|]+ \| `{name}` \|", text, re.MULTILINE), (
            name
        )


def test_every_page_is_in_the_navigation() -> None:
    site = (PROJECT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    listed = [name for name in names() if not name.startswith(("questions/", "json/"))]
    assert sorted(re.findall(r"[\w/-]+\.md", site)) == sorted(listed)


# Linked, and the same everywhere

LINK = re.compile(r"(?<!!)\[(?:[^\[\]]|\\.|\[[^\]]*\])*\]\(([^)\s]+)\)")


@pytest.mark.parametrize("name", [*WRITTEN, "made with the site"])
def test_page_begins_with_a_sentence_and_links_soundly_and_fetches_nothing(name: str) -> None:
    for page in [name] if name in WRITTEN else some(made_pages()):
        assert_sound(page)


def assert_sound(name: str) -> None:
    text, page = text_of(name), DOCS / name
    assert sorted(headings(name)) == sorted(set(headings(name))), "two headings share an anchor"
    for target in LINK.findall(text):
        path, _, anchor = target.partition("#")
        if target.startswith("https://") or path in SAMPLES:
            continue
        led = page.parent.joinpath(path).resolve() if path else page
        place = led.relative_to(DOCS).as_posix()
        assert place in names() if led.suffix == ".md" else led.is_file(), target
        assert not anchor or anchor in anchors(place), target
    assert (
        re.findall(
            r"(?<![\w./:-])/(?:home|root|Users|work|opt|mnt|srv|tmp|var)/[\w.-]+"
            r"|[A-Z]:\\\w+|file://",
            text,
        )
        == []
    )
    assert re.findall(r"<(?:script|img|iframe|link|style|object)\b", without_code(text)) == []
    for target in re.findall(r"!\[[^\]]*\]\(([^)]*)\)", without_code(text)):
        assert page.parent.joinpath(target.partition("#")[0]).is_file(), target
    title, first, *_ = [part for part in text.split("\n\n") if not part.startswith("<!--")]
    assert title.startswith("# ")
    assert name == "changelog.md" or re.match(r"[A-Z“*`.][^|]{80,}$", " ".join(first.split())), (
        first
    )
