"""Write the generated pages of the documentation again.

    python -m docs.generate

They are made from the data that the program itself uses. What is only looked up is not stored: the
site makes it when it is built (`docs/making/built.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from docs.making import commands, formats, rules
from docs.making.checked import checked_page
from docs.making.reference import causes_page, checks_page, figures_page
from docs.making.schemas import json_index
from docs.making.suite import suite_page
from reconcile.rules.rulesets import QUESTIONS

DOCS = Path(__file__).parent

PAGES: dict[str, Callable[[], str]] = {
    "rules.md": rules.rules_page,
    "programs.md": rules.programs_page,
    "causes.md": causes_page,
    "checks.md": checks_page,
    "figures.md": figures_page,
    "open-points.md": rules.open_points_page,
    "checked.md": checked_page,
    "suite.md": suite_page,
    "cli.md": commands.commands_page,
    "json.md": json_index,
    "formats/xg-records.md": formats.records_page,
}


def fresh() -> dict[Path, str]:
    """Every generated file, as it should be now."""
    files = {DOCS / name: make() for name, make in PAGES.items()}
    files |= {
        DOCS / "questions" / f"{code}.md": rules.question_page(question)
        for code, question in QUESTIONS.items()
    }
    files[rules.EVIDENCE] = rules.evidence_json()
    return files


def stale() -> dict[Path, str | None]:
    """What the stale files should be; `None` for a page that is no longer generated."""
    files: dict[Path, str | None] = dict.fromkeys((DOCS / "questions").glob("*.md"))
    files |= fresh()
    return {
        path: text
        for path, text in sorted(files.items())
        if text is None or not path.exists() or path.read_text("utf-8") != text
    }


def main() -> None:
    """Write what is stale, and name it."""
    for path, text in stale().items():
        if text is None:
            path.unlink()
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
        print(path.relative_to(DOCS.parent))


if __name__ == "__main__":
    main()
