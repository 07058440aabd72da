"""What a study and the views say of archives made by hand (`studies.yaml`)."""

from collections.abc import Mapping
from dataclasses import asdict

import numpy as np
import pytest
import yaml

from reconcile.corpus import study as module
from reconcile.corpus.query import ask
from reconcile.match.aliases import load_aliases
from reconcile.report.forms import in_form
from reconcile.report.text.corpus import findings
from tests.support.hand_made_corpus import analysis, archive_of
from tests.support.long import long_but_first
from tests.support.tables import beside

LISTED = beside(__file__, "studies.yaml")
CASES = {claim: case for claim, case in LISTED.items() if "analyses" in case}


def at(place, path):
    """What a path leads to, of every item of a sequence, numbers rounded."""
    if isinstance(place, np.ndarray):
        return at(place.tolist(), path)
    if isinstance(place, list | tuple) and not hasattr(place, "_fields"):
        return [at(item, path) for item in place]
    if place is None or not path:
        fields = asdict(place) if hasattr(place, "__dataclass_fields__") else place
        if isinstance(fields, Mapping):
            return {name: at(value, "") for name, value in fields.items()}
        return round(fields, 4) if isinstance(fields, float) else fields
    names, _, rest = path.partition(".")
    read = place.get if isinstance(place, Mapping) else lambda name: getattr(place, name)
    row = [at(read(name), rest) for name in names.split(",")]
    return row if "," in names else row[0]


def repeated(rows):
    """Every row as often as it says."""
    for row in rows:
        yield from [{name: row[name] for name in row if name != "times"}] * row.get("times", 1)


@pytest.mark.parametrize("claim", long_but_first(CASES, 12))
def test_a_study_of_a_hand_made_archive(claim, tmp_path, monkeypatch):
    case, analyses = CASES[claim], []
    monkeypatch.setattr(module, "DISPUTES_SHOWN", case.get("shown", module.DISPUTES_SHOWN))
    for row in repeated(case["analyses"]):
        more = {"decisions": [*repeated(row["decisions"])]} if "decisions" in row else {}
        analyses.append(analysis(**row | more))
    names = tmp_path / "names.yaml"
    names.write_text(yaml.safe_dump(case.get("aliases", {"schema_version": 1})), "utf-8")
    corpus = archive_of(tmp_path / "tables", *analyses, questions=case.get("questions", ()))
    aliases = load_aliases(str(names))
    for asked, rows in case.get("ask", {}).items():
        assert [*map(list, ask(corpus, asked, aliases).rows)] == rows
    report = module.study(corpus, aliases)
    wanted = case.get("expect", {})
    assert {path: at(report, path) for path in wanted} == wanted
    lengths = case.get("lengths", {})
    assert {path: len(at(report, path)) for path in lengths} == lengths
    assert findings(report) == case.get("findings", findings(report))
    text, page = in_form(report, "text"), in_form(report, "html")
    for part in case.get("text", ()):
        assert part in text
        text = text.partition(part)[2]
    assert [page.count(part) for part in case.get("page", ())] == [1] * len(case.get("page", ()))
    assert [part for part in case.get("absent", ()) if part in page] == []
