"""Several archives that are asked together answer as one of all their files."""

import shutil

import pytest

from reconcile.corpus.query import QUESTIONS, about, answered, ask, opened
from reconcile.errors import InvalidConfiguration
from reconcile.match.names import NO_ALIASES
from tests.corpus.corpus_folder import make
from tests.support.command_line import run


@pytest.fixture(scope="module")
def archives(matches_of_corpus, corpus, tmp_path_factory):
    """One of all files, and two of them: both have one file, and analyses of one match by two
    tools, one of them twice."""
    folder, whole = tmp_path_factory.mktemp("several"), matches_of_corpus
    files = sorted(path for path in whole.rglob("*") if path.is_file())
    for name, some in (("left", files[::2] + files[1:2]), ("right", files[1::2])):
        for path in some:
            target = folder / name / path.relative_to(whole)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    return [corpus, *(make(folder / name, folder / f"{name}-tables") for name in ("left", "right"))]


@pytest.fixture(scope="module")
def databases(archives):
    """One database over all files, and one over both parts, each asked about Nora."""
    whole, left, right = archives
    with opened(whole, NO_ALIASES) as one, opened(left, NO_ALIASES, also=[right]) as two:
        for database in (one, two):
            about(database, "Nora Lindqvist")
        yield one, two


def shown(answer):
    """The rows without where the files are, and which number a match has, in no order."""
    places = [
        place
        for place, name in enumerate(answer.columns)
        if not name.endswith("file")
        and name not in ("_played", "first", "files", "without_match", "unread")
    ]
    return sorted(str([row[place] for place in places]) for row in answer.rows)


@pytest.mark.parametrize("name", [name for name in QUESTIONS if name not in ("left_out", "unread")])
def test_a_question_to_two_archives_has_the_answer_of_one(name, databases):
    one, two = (answered(database, QUESTIONS[name].sql) for database in databases)
    assert shown(two) == shown(one)


def test_the_command_asks_several(archives):
    _, left, right = archives
    asked = run("corpus-query", str(left.folder), "contents", "--also", str(right.folder))
    assert asked.stdout.startswith(f"{archives[0].played} matches in ")


def test_archives_of_other_rules_are_refused(archives):
    _, left, right = archives
    other = right._replace(rules=("xg",))
    with pytest.raises(InvalidConfiguration, match=r"expected the rule sets of .*; found xg; make"):
        ask(left, "select 1", also=[other])
