"""The pages of the documentation: fresh, complete, and true."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

import pytest

from docs import generate
from docs.making import built
from reconcile import cli
from reconcile.cli.schemas import DOCUMENTS
from reconcile.formats import load_match
from reconcile.gap.walk import CAUSES
from reconcile.infer.reported import CHECKS
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, rule_set
from reconcile.scoring.figures import METRICS
from reconcile.scoring.findings import FINDINGS
from reconcile.scoring.statistics import statistics
from tests.support.claims import some
from tests.support.data import PROJECT

DOCS = PROJECT / "docs"
WRITTEN = [path.relative_to(DOCS).as_posix() for path in sorted(DOCS.rglob("*.md"))]
BLOCK = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


@cache
def pages():
    """The text of every page, of those too that are made when the site is built."""
    return {name: (DOCS / name).read_text("utf-8") for name in WRITTEN} | dict(built.pages())


@cache
def anchors(name):
    """Everything in a page that can be linked to."""
    names = []
    for heading in re.findall(r"^#+ (.*)$", BLOCK.sub("", pages()[name]), re.MULTILINE):
        anchor = re.search(r"\{#([^} ]+)\}$", heading)
        plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode("ascii")
        slug = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())
        names.append(anchor[1] if anchor else slug)
    return names + re.findall(r"\)\{#([^} ]+)\}", pages()[name])


# Fresh


def test_generated_pages_are_fresh():
    stale = [path.relative_to(PROJECT).as_posix() for path in generate.stale()]
    assert stale == [], "run `python -m docs.generate`"


@pytest.mark.parametrize(
    ("name", "seat"),
    [
        ("match_with_comment.xg", 0),
        ("ronde1-UngerHarmand-FriebeJacobi-7pt.xg", 1),
        ("MYdvw1qGuyaRUH__.xg", None),
        ("UL-CV6F9jMM-E1Pu.xg", 0),
        ("UL-CV6F9jMM-E1Pu.xg", 1),
    ],
)
def test_prices_of_the_open_rule_are_measured_so_again(name, seat, data):
    paths = sorted(data.rglob(name))
    if not paths:
        pytest.skip(f"{name} is not among the real matches")
    match, cells = load_match(paths[0]), []
    seat = match.players.index("Jade1") if seat is None else seat
    for answer in ("nd-positive", "minus-0.9", "all", "minus-0.5"):
        figures = statistics(match, rule_set("xg").switched("Q03", answer)).figures(seat)
        cells.append(f"{figures['decisions.double']}, {figures['pr']:.2f}")
    row = f"| `{name}` | {match.players[seat]} | {' | '.join(cells)} |"
    assert row in pages()["open-points.md"]


# Complete


def test_every_code_command_and_document_has_an_anchor():
    named: dict[str, Iterable[str]] = {
        "programs.md": RULE_SETS,
        "findings.md": FINDINGS,
        "causes.md": CAUSES,
        "checks.md": CHECKS,
        "figures.md": METRICS,
        "cli.md": cli.COMMANDS,
        "json.md": DOCUMENTS,
    }
    named |= {f"questions/{code}.md": question.answers for code, question in QUESTIONS.items()}
    for name, codes in named.items():
        assert set(codes) <= set(anchors(name)), name
    for code, question in QUESTIONS.items():
        assert question.title in pages()[f"questions/{code}.md"]


def test_figure_that_is_explained_has_what_counts_and_where_it_ends():
    """Every figure has its page in `figures.md`; these have more to say."""
    text = pages()["statistics.md"] + pages()["luck.md"]
    sections = re.split(r"^##+ ", text, flags=re.MULTILINE)
    figures = [section for section in sections if "**Unit:**" in section]
    assert len(figures) >= 8
    for section in figures:
        for word in ("What counts", "How to read it", "Limits", "XG and gnuBG"):
            assert f"**{word}:**" in section, section.partition("\n")[0]


def test_every_page_is_in_the_navigation():
    site = (PROJECT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    listed = [name for name in pages() if not name.startswith(("questions/", "json/"))]
    assert sorted(re.findall(r"[\w/-]+\.md", site)) == sorted(listed)


# The same everywhere; the strict build of the site checks its links


@pytest.mark.parametrize("name", [*WRITTEN, "made with the site"])
def test_page_begins_with_a_sentence_and_fetches_nothing(name):
    for page in [name] if name in WRITTEN else some(pages().keys() - {*WRITTEN}):
        assert_sound(page)


def assert_sound(name):
    text = pages()[name]
    plain = re.sub(r"`[^`\n]*`", "", BLOCK.sub("", text))
    assert re.findall(r"<(?:script|img|iframe|link|style|object)\b", plain) == []
    title, first, *_ = [part for part in text.split("\n\n") if not part.startswith("<!--")]
    assert title.startswith("# ")
    sentence = " ".join(first.split())
    assert name == "changelog.md" or re.match(r"[A-Z“*`.][^|]{80,}$", sentence), first
