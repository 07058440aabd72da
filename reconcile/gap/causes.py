"""Why a decision moves a figure: every cause has a code, a title and a page, read from `causes.md` beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from reconcile.files.pages import Page, read_pages
from reconcile.rules.catalogue import Effect
from reconcile.rules.rulesets import QUESTIONS

_CONVERSIONS: Final = {
    "Q09": "conversion.one-point-factor",
    "Q10": "conversion.response-cube",
    "Q11": "conversion.met",
    "Q13": "conversion.cap",
}
RULE_CAUSES: Final[Mapping[str, str]] = MappingProxyType(
    {code: _CONVERSIONS.get(code, f"rule.{code}") for code, question in QUESTIONS.items() if question.effect is not Effect.NAMES}
)
"""Question -> cause of the steps that switch it."""


def _of_rule(code: str) -> Page:
    """The page of the steps that switch a question."""
    page = f"The two rule sets answer {code} differently. `reconcile explain {code}` has the answers."
    return Page(RULE_CAUSES[code], QUESTIONS[code].title, page)


CAUSES: Final[Mapping[str, Page]] = MappingProxyType(
    {**{cause: _of_rule(code) for code, cause in RULE_CAUSES.items()}, **read_pages(Path(__file__).with_name("causes.md"))}
)
