"""Texts of the page of a match, measured in a browser: none is over another, none is cut."""

from pathlib import Path
from typing import Any

import pytest

from reconcile.gap.review import review
from tests.report.open_pages import opened
from tests.support.command_line import PACK, SGF, XG
from tests.support.data import label, matching
from tests.support.loaded import loaded
from tests.support.long import long_but_first

WIDTHS = (390, 1280, 1920)
MEASURED = """() => {
  const faults = [], decision = document.getElementById('decision');
  const shown = (node) => {
    const one = node.parentElement;
    return node.textContent.trim() && !one.closest('.unseen, title, desc') && one.checkVisibility();
  };
  const rooms = (one) => {
    const found = [];
    for (let room = one; room; room = room.parentElement) {
      if (room.matches('svg') || getComputedStyle(room).overflow !== 'visible') found.push(room);
    }
    return found.map((room) => room.getBoundingClientRect());
  };
  const texts = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!shown(node)) continue;
      const range = document.createRange(), around = rooms(node.parentElement);
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        if (box.width > 1) found.push({ box, text: node.textContent.trim(), around });
      }
    }
    return found;
  };
  const over = (one, other) => Math.min(
    Math.min(one.right, other.right) - Math.max(one.left, other.left),
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));
  const measure = (root, where) => {
    const all = texts(root).sort((one, other) => one.box.top - other.box.top);
    all.forEach((one, index) => {
      const { box, text } = one;
      if (box.left < -1 || box.right > innerWidth + 1 || one.around.some((room) =>
        box.left < room.left - 1 || box.right > room.right + 1 || box.top < room.top - 3 ||
        box.bottom > room.bottom + 3)) faults.push(`${where}: ${text} is cut`);
      for (let next = index + 1; next < all.length && all[next].box.top < box.bottom; next += 1) {
        const far = over(box, all[next].box);
        if (far > 1.5) faults.push(`${where}: ${text} over ${all[next].text} by ${far.toFixed(1)}`);
      }
    });
  };
  const press = (key) => document.body.dispatchEvent(
    new KeyboardEvent('keydown', { key, shiftKey: true, bubbles: true }));
  measure(document.getElementById('curve'), 'curve');
  press('Home');
  for (let last = ''; location.hash !== last; press('ArrowRight')) {
    last = location.hash;
    measure(decision, last);
  }
  return faults;
}"""
"""Of every decision, and of the curve. The heights of lines reach over each other by a little."""


def analyses():
    """Of bundled matches, and of those that `RECONCILE_DATA` has: two programs, money, three."""
    files: list[list[Any]] = [[XG, SGF], [XG], [XG, SGF, XG]]
    files += [[path] for path in sorted(PACK.glob("gnubg-*/*.sgf"))]
    files += [[path] for path in matching("gnubg/m09*.sgf", "gnubg/m55*.sgf")]
    for path in matching("real/*.xg"):
        files.append([path, *sorted(path.parent.glob(f"{path.stem}*ply.sgf"))[:1]])
    return [pytest.param(each, id="-".join(map(label, map(Path, each)))) for each in files]


@pytest.mark.parametrize("width", long_but_first(WIDTHS, 2, 2))
@pytest.mark.parametrize("files", long_but_first(analyses(), 0, 1))
def test_no_text_is_printed_over_another_or_cut(browser, tmp_path, files, width):
    many = review(*map(loaded, map(str, files)))
    page = opened(browser, many, tmp_path, viewport={"width": width, "height": 900})
    assert page.evaluate(MEASURED) == []
