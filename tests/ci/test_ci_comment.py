"""The comment on a pull request: written once, updated in place, within GitHub's limit, and never
a reason for a job to fail."""

import io
import json
import runpy
from contextlib import redirect_stdout
from urllib.error import HTTPError
from urllib.parse import parse_qs

import pytest
from markdown_it import MarkdownIt

from tests.support.data import PROJECT

COMMENT = PROJECT / ".github" / "actions" / "comment" / "comment.py"
RESULT = """## pack: 35 of 36 figures within tolerance

| match | verdict |
| --- | --- |
| one | outside |

- **one**: outside
"""
BOT, MARY = {"login": "github-actions[bot]", "type": "Bot"}, {"login": "mary", "type": "User"}
LIMIT = 65_536
COMMIT = "0123456789abcdef"
RUN = {
    "id": 41,
    "event": "pull_request",
    "head_sha": COMMIT,
    "head_branch": "a#b",
    "head_repository": {"owner": {"login": "mary"}},
    "pull_requests": [],
}
"""Of the event of the workflow that follows, for a pull request from a fork: GitHub names none
there."""
API = "https://api.example"
COMMENTS = "/repos/us/prog/issues/7/comments"

if not COMMENT.is_file():
    pytest.skip("the action is not part of an unpacked archive", allow_module_level=True)


class GitHub:
    """Comments of pull request 7, as GitHub keeps them; called as `urlopen` is."""

    def __init__(self, folder):
        self.comments = []
        self.asked = []
        self.login = ""
        """Whose the token is; nobody's for that of a job."""
        self.pulls = [{"number": 7, "head": {"sha": COMMIT}}]
        self.refusal = 0
        """The status with which everything that writes is answered; -1 for no answer."""
        self.event = {"workflow_run": RUN}
        self.folder = folder
        self.notes = folder / "notes"
        self.notes.mkdir()
        self.script = runpy.run_path(str(COMMENT))
        self.script["main"].__globals__["urlopen"] = self

    def __call__(self, request, timeout):
        path = request.full_url.removeprefix(API)
        assert request.unredirected_hdrs["Authorization"] == "Bearer a-token"
        self.asked.append((request.get_method(), path))
        body = json.loads(request.data)["body"] if isinstance(request.data, bytes) else ""
        return io.BytesIO(json.dumps(self.answer(request.get_method(), path, body)).encode())

    def answer(self, method, path, body):
        place, _, query = path.partition("?")
        status = 403 if path == "/user" and not self.login else self.refusal * (method != "GET")
        if status < 0:
            raise OSError("nobody there")
        if status:
            raise HTTPError(path, status, "no", None, None)  # type: ignore[arg-type]
        if method == "GET":
            size, page = (int(parse_qs(query).get(name, "1")[0]) for name in ("per_page", "page"))
            start = size * (page - 1)
            answers = {"/user": {"login": self.login}, "/repos/us/prog/pulls": self.pulls}
            return (answers | {COMMENTS: self.comments[start : start + size]})[place]
        assert len(body) <= LIMIT
        if place == COMMENTS:
            self.post(body, {"login": self.login, "type": "User"} if self.login else BOT)
            return self.comments[-1]
        comment = self.comments[int(place.removeprefix("/repos/us/prog/issues/comments/"))]
        comment["body"] = body
        return comment

    def post(self, body, author):
        number = len(self.comments)
        link = f"https://github.com/c/{number}"
        self.comments.append({"id": number, "body": body, "user": author, "html_url": link})

    def commented(self, result=RESULT, name="statistics"):
        """Run the script on what the action gives it, and return what it prints."""
        (self.notes / "result.md").unlink(missing_ok=True)
        if result is not None:
            (self.notes / "result.md").write_text(result, "utf-8")
        return self.run(name)

    def run(self, name="statistics"):
        event, summary = (self.folder / name for name in ("event.json", "summary.md"))
        event.write_text(json.dumps(self.event), "utf-8")
        environment = {
            "NAME": name,
            "TOKEN": "a-token",
            "GITHUB_API_URL": API,
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_REPOSITORY": "us/prog",
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_STEP_SUMMARY": str(summary),
        }
        with redirect_stdout(io.StringIO()) as printed:
            self.script["main"](self.notes, environment)
        return printed.getvalue()

    @property
    def bodies(self):
        return [comment["body"] for comment in self.comments]


@pytest.fixture
def github(tmp_path):
    return GitHub(tmp_path)


def test_first_run_writes_a_comment_and_the_next_updates_it(github):
    github.post("Nice work", MARY)
    assert "https://github.com/c/1" in github.commented()
    assert github.bodies[1].startswith(f"<!-- reconcile: statistics -->\n\n{RESULT}")
    origin = "(https://github.com/us/prog/actions/runs/41) of commit `0123456789`"
    assert origin in github.bodies[1]
    assert ("GET", "/repos/us/prog/pulls?state=open&head=mary%3Aa%23b") in github.asked
    github.commented(RESULT.replace("35", "36"))
    assert len(github.comments) == 2
    assert "36 of 36" in github.bodies[1]
    assert not (github.folder / "summary.md").exists()
    tokens = MarkdownIt("commonmark").enable("table").parse(github.bodies[1])
    kinds = [token.type for token in tokens if token.level == 0]
    assert [kind.removesuffix("_open") for kind in kinds if not kind.endswith("_close")] == [
        "html_block",
        "heading",
        "table",
        "bullet_list",
        "paragraph",
    ]


def test_each_name_has_its_comment_which_is_found_behind_many_remarks(github):
    for number in range(230):
        github.post(f"remark {number}", MARY)
    for name in ("one", "two", "one"):
        github.commented(name=name)
    heads = [body.split(" -->")[0] for body in github.bodies[230:]]
    assert heads == ["<!-- reconcile: one", "<!-- reconcile: two"]


@pytest.mark.parametrize("login", ["", "robin"])
def test_comment_of_somebody_else_is_left_alone(github, login):
    github.login = login
    remarks = ["<!-- reconcile: statistics -->\nmine", "see <!-- reconcile: statistics -->"]
    github.post(remarks[0], MARY)
    github.post(remarks[1], BOT)
    for _ in range(2):
        github.commented()
    assert github.bodies[:2] == remarks
    assert len(github.comments) == 3


def test_long_result_is_cut_at_the_end_of_each_part(github):
    rows = "".join(f"| match 🎲 {number} | outside |\n" for number in range(9000))
    github.commented(RESULT.replace("| one | outside |\n", rows))
    (body,) = github.bodies
    assert LIMIT * 0.9 < len(body.encode("utf-8")) <= LIMIT
    words = (
        "| match 🎲 0 | outside |",
        "- **one**: outside",
        "more lines not shown here",
        "runs/41",
    )
    assert all(word in body for word in words)


@pytest.mark.parametrize(
    ("change", "level", "why"),
    [
        *(({"refusal": code}, "notice", "pull-requests: write") for code in (401, 403, 404)),
        *(({"refusal": code}, "warning", f"answered {code}") for code in (422, 500)),
        ({"refusal": -1}, "warning", "gave no answer: nobody there"),
        ({"event": {"workflow_run": RUN | {"event": "push"}}}, "notice", "not of a pull request"),
        ({"event": {"pull_request": {"number": 7}}}, "warning", "runs on `workflow_run`"),
        ({"pulls": []}, "notice", "no open pull request ends with the commit"),
        *(({"name": name}, "warning", "a name of letters") for name in ("a-->b", "a\nb", "--", "")),
        *(({"name": name}, "warning", "a name of letters") for name in ("x" * 51, "ä")),
    ],
)
def test_where_none_can_be_written_an_annotation_and_the_summary_say_so(github, change, level, why):
    (github.folder / "summary.md").write_text("before\n", "utf-8")
    for key, value in change.items():
        setattr(github, key, value)
    words = github.commented(name=change.get("name", "statistics"))
    assert words.startswith(
        f"::{level} title=reconcile::No comment was written on the pull request"
    )
    assert words.count("\n") == 1
    assert why in words
    before, line = (github.folder / "summary.md").read_text("utf-8").splitlines()
    assert (before, line[:22]) == ("before", "No comment was written")
    assert github.comments == []
    assert github.asked == [] or not change.keys() & {"event", "name"}


def test_pull_request_is_the_one_whose_last_commit_was_judged(github):
    """Whatever the artifact says, and whatever was pushed after the run began."""
    github.pulls.insert(0, {"number": 6, "head": {"sha": "f" * 16}})
    github.commented()
    assert [path for method, path in github.asked if method == "POST"] == [COMMENTS]
    github.pulls[1]["head"] = {"sha": "e" * 16}
    github.commented("## newer\n")
    assert [method for method, _ in github.asked if method == "PATCH"] == []


def test_link_in_the_artifact_is_not_followed(github):
    """Such as one to `/proc/self/environ`, which has the token."""
    (github.folder / "secret").write_text("## the secret\n", "utf-8")
    (github.notes / "result.md").symlink_to(github.folder / "secret")
    (github.notes / "errors.txt").write_text("", "utf-8")
    github.run()
    (body,) = github.bodies
    assert "secret" not in body
    assert "## No verdict" in body


def test_file_of_the_artifact_is_read_up_to_a_bound(github):
    github.commented("## long\n\n" + "x\n" * 2_000_000)
    assert len(github.bodies[0]) <= LIMIT
    text = github.script["_text"](github.notes, "result.md")
    assert text == "## long\n\n" + "x\n" * 499_995 + "x"


def test_run_without_a_result_replaces_the_last_one_by_its_reason(github):
    github.commented()
    errors = "reconcile: pack/one/match.yaml:6: licence: expected text, found @mary <b>\n"
    (github.notes / "errors.txt").write_text(f"wrote nothing\n{errors}", "utf-8")
    github.commented(None)
    (body,) = github.bodies
    assert "within tolerance" not in body
    assert "## No verdict" in body
    assert "match.yaml:6: licence: expected text, found &#64;mary &lt;b&gt;" in body
