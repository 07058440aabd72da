"""What questions and the views say of archives made by hand (`studies.yaml`)."""

import pytest
import yaml

from reconcile.corpus.query import QUESTIONS, answered, opened
from reconcile.match.names import NO_ALIASES, load_aliases
from reconcile.report.text.query import sentences
from tests.corpus.hand_made_corpus import analysis, corpus_of, fill, rows_of
from tests.support.tables import beside

LISTED = beside(__file__, "studies.yaml")
CASES = {claim: case for claim, case in LISTED.items() if "analyses" in case}


def repeated(rows):
    """Every row as often as it says."""
    for row in rows:
        yield from [{name: row[name] for name in row if name != "times"}] * row.get("times", 1)


def columns(answer, names):
    """The rows of an answer in some of its columns."""
    places = [answer.columns.index(name) for name in names.split(",")]
    return [[row[place] for place in places] for row in answer.rows]


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """An archive of nothing, opened once."""
    with opened(corpus_of(tmp_path_factory.mktemp("empty")), NO_ALIASES) as database:
        yield database


@pytest.fixture
def database(empty):
    """The same, empty again in the end."""
    empty.begin()
    yield empty
    empty.rollback()


@pytest.mark.parametrize("claim", CASES)
def test_a_study_of_a_hand_made_archive(claim, database, tmp_path):
    case, analyses = CASES[claim], []
    for row in repeated(case["analyses"]):
        more = {"decisions": [*repeated(row["decisions"])]} if "decisions" in row else {}
        analyses.append(analysis(**row | more))
    names = tmp_path / "names.yaml"
    names.write_text(yaml.safe_dump(case.get("aliases")), "utf-8")
    aliases = load_aliases(str(names)) if "aliases" in case else NO_ALIASES
    expected, said = case.get("expect", {}), case.get("said", {})
    fill(database, aliases, **rows_of(*analyses), questions=case.get("questions", ()))
    for asked, rows in case.get("ask", {}).items():
        assert [*map(list, answered(database, asked).rows)] == rows
    answers = {
        name: answered(database, QUESTIONS[name].sql)
        for name in {asked.partition(" ")[0] for asked in expected} | said.keys()
    }
    for asked, rows in expected.items():
        question, _, wanted = asked.partition(" ")
        assert columns(answers[question], wanted) == rows, asked
    for question, lines in said.items():
        every = sentences(question, answers[question])
        assert [line for line in every if line in lines] == lines
