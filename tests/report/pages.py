"""Pages of every kind that the report makes, each rendered once, when a test asks for it."""

import atexit
import shutil
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from reconcile.gap.folders import compare_folder
from reconcile.gate.pack_results import pack_result
from reconcile.gate.validate import validate
from reconcile.infer.investigation import investigate
from reconcile.match.match import Level
from reconcile.report.html.page import comparison_page, folder_pages, investigation_page, many_page
from reconcile.report.text.pack import pack_pages
from tests.report import samples
from tests.report.markup import Page
from tests.support.command_line import PACK as PACKS
from tests.support.command_line import SGF, XG
from tests.support.hand_made import match_of as hand_made
from tests.support.hand_made import plays
from tests.support.packs import respell
from tests.support.several import analyses_of


def rendered(comparison):
    return comparison_page(samples.walked(comparison))


@cache
def judged_pack():
    """A pack of four matches: within, out of tolerance, absent, explained; two with markup in their
    texts."""
    folder = Path(mkdtemp(prefix="reconcile-tests-"))
    atexit.register(shutil.rmtree, folder)
    explained = {"left": "xg", "right": "gnubg", "judged_by": "documented"}
    for name, source, changes in (
        ("one", "gnubg-11pt-cube-rich", {"title": "A & <b>B</b>"}),
        ("two", "demonstration", {"pairs": [explained]}),
        ("three", "charlot", {}),
        ("four", "demonstration", {"provenance": "made up <here> for a test, 2026-11-22"}),
    ):
        shutil.copytree(PACKS / source, folder / name)
        respell(folder / name, id=name, **changes)
    return validate(folder)


@cache
def pack():
    """The pages of a pack by the names of their files."""
    return pack_pages(judged_pack())


@cache
def investigated(name):
    """What an investigation of the demonstration finds; of `resigned`, of a match made by hand."""
    match = samples.matches()[0]
    if name == "hostile":
        return investigate(
            replace(match, players=samples.HOSTILE), samples.HOSTILE[1], {"pr": "3.30"}
        )
    figures = {
        "explained": {"pr": "7.09", "decisions": "105"},
        "exact": {"pr": "7.16"},
        "nothing fits": {"pr": "99.99"},
    }
    if name in figures:
        return samples.nora(**figures[name])
    resigned = hand_made(plays(), None, 0.2, tool="GNU Backgammon")
    resigned = replace(resigned, levels=(Level("2-ply", 2),))
    return investigate(resigned, "Ann", {"equity_error": "0.300"})


INVESTIGATED = ("explained", "exact", "nothing fits", "hostile", "resigned")


def investigation(name):
    notes = ("Pasted <b>figures</b>.",) if name == "hostile" else ()
    return lambda: investigation_page(investigated(name), notes=notes)


class Pages(Mapping[str, str]):
    """Pages by what is special about them."""

    def __init__(self, makers):
        self.makers = {name: cache(page) for name, page in makers.items()}

    def __getitem__(self, name):
        return self.makers[name]()

    def __iter__(self):
        return iter(self.makers)

    def __len__(self):
        return len(self.makers)


PAGES = Pages(
    {
        "whole": lambda: rendered(samples.demonstration()),
        "bare": lambda: comparison_page(samples.walked(samples.unsaid(), ())),
        "hostile": lambda: rendered(samples.hostile()),
        "pack": lambda: pack()["index.html"],
        "match": lambda: pack()["two.html"],
        "explained match": lambda: pack()["four.html"],
        "several": lambda: many_page(analyses_of(XG, SGF, XG)),
        "folders of several": lambda: folder_pages(compare_folder(str(PACKS)))["index.html"],
        "empty pack": lambda: pack_pages(pack_result("pack", ()))["index.html"],
        **{f"investigation {name}": investigation(name) for name in INVESTIGATED},
    }
)


@cache
def parsed(name):
    """A page taken apart."""
    return Page(PAGES[name])
