"""Every look has the words of the blocks, and none has markup that came with a name."""

import re
from html import unescape

import pytest

from reconcile.gap.rows import Line, Rows
from reconcile.report.blocks import (
    Block,
    Bullets,
    Command,
    Folded,
    Heading,
    Item,
    Marked,
    Picture,
    Sentences,
    Table,
    Title,
    Verdict,
    first,
    markdown,
    terminal,
    text,
)
from reconcile.report.html.look import page
from tests.report.ci.outputs import obeyed
from tests.report.markup import Page, assert_usable
from tests.report.samples import Terminal

EVIL = "<b onclick=x>Bö & Söhne</b>\x1b]0;t\x07 \x9b2J\u202e"
BLOCKS: list[Block] = [
    Heading(Marked(f"Report of {EVIL}", "within")),
    Verdict("Within tolerance", "All 12 figures agree", "within"),
    Rows("Ann: PR 5.00, 6.00", [Line("+0.75", "play, game 1", "XG 0.1"), Line("+0.25", "rest")]),
    Sentences(["See `reconcile explain Q01` for XGID=-a-B--C-:0:0:1:31:0:0:3:7:10."]),
    Heading("Second part", "second"),
    Table(
        ("Player", "PR", "Verdict"),
        [
            (EVIL, "7.25", Marked("outside", "outside", "of 0.1")),
            ("Ben", "3.5", "within"),
        ],
        right=(1,),
        title="Figures",
    ),
    Bullets([Item("an entry", ["below it"], Marked("warning", "warning")), EVIL], "List", more=3),
    first(["one", "two", "three"], 2, "Beginning"),
    Picture("A chart", lambda: '<svg role="img"><title>A chart</title></svg>', "Its caption"),
]
DOCUMENTS: list[Block] = [
    Folded("Folded away", [Table(("Case",), [[Marked("c1", link="#second")]])], "folded"),
    Command("reconcile stats 'a b.xg'"),
]
WORDS = (
    "Report of", "All 12 figures agree", "PR 5.00, 6.00", "+0.75", "play, game 1", "XG 0.1",
    "reconcile explain Q01", "Second part", "Figures", "7.25", "outside", "of 0.1", "an entry",
    "below it", "and 3 more", "Beginning (2 of 3)", "two", "Its caption",
)  # fmt: skip
ALONE = ("Folded away", "c1", "stats 'a b.xg'")


def in_colour(blocks):
    stream = Terminal()
    terminal(blocks, stream)
    return stream.plain


LOOKS = {"text": text, "terminal": in_colour, "markdown": markdown, "html": page}


@pytest.mark.parametrize("look", LOOKS)
def test_look_has_every_word_in_one_order_and_what_only_a_document_shows(look):
    said, place = LOOKS[look]([*BLOCKS, *DOCUMENTS]), 0
    if look == "html":
        said = Page(said).root.text
    assert look in ("markdown", "html") or obeyed(said) == set()
    said = re.sub(r"[`*]|</?(details|summary)>", "", said).replace("\\", "")
    for words in WORDS:
        place = said.find(words, place)
        assert place >= 0, words
    assert all((words in unescape(said)) is (look in ("markdown", "html")) for words in ALONE)
    assert "three" not in said


def test_title_is_a_document_s_alone():
    blocks: list[Block] = [Title("A report"), Sentences(["Said."])]
    assert text(blocks).strip() == in_colour(blocks).strip() == "Said."
    assert markdown(blocks).startswith("### A report\n")
    assert "<h1>A report</h1>" in page(blocks)


def test_page_is_sound_and_a_name_is_no_markup():
    source = page([*BLOCKS, *DOCUMENTS])
    tree = Page(source)
    assert_usable(source, tree)
    assert not [element for element in tree.find("b") if element.get("onclick")]
    assert tree.by_id("second").name == "h2"
    assert {element.get("data-copy") for element in tree.find("button")} == {
        "reconcile explain Q01", "XGID=-a-B--C-:0:0:1:31:0:0:3:7:10", "reconcile stats 'a b.xg'",
    }  # fmt: skip
