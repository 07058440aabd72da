"""The comment on a pull request: written once, updated in place, within GitHub's limit, and never
a reason for a job to fail."""

from __future__ import annotations

import io
import json
import runpy
import threading
from collections.abc import Iterator
from contextlib import redirect_stdout
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from tests.support.data import PROJECT
from tests.support.long import long_but_first

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

if not COMMENT.is_file():
    pytest.skip("the action is not part of an unpacked archive", allow_module_level=True)

SCRIPT = runpy.run_path(str(COMMENT))


class GitHub:
    """Comments of pull request 7, as GitHub keeps them."""

    def __init__(self) -> None:
        self.comments: list[dict[str, Any]] = []
        self.asked: list[tuple[str, str]] = []
        self.login: str | None = None
        """Whose the token is; nobody's for that of a job."""
        self.pulls = [{"number": 7, "head": {"sha": COMMIT}}]
        self.refusal = 0
        """The status with which everything that writes is answered."""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                content = json.loads(self.rfile.read(length)) if length else None
                assert self.headers["Authorization"] == "Bearer a-token"
                outer.asked.append((self.command, self.path))
                status, document = outer.answer(self.command, self.path, content)
                body = json.dumps(document).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PATCH = answer  # noqa: N815  # named by the library

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()

    def answer(self, method: str, path: str, content: Any) -> tuple[int, Any]:
        if path == "/user":
            return (
                (200, {"login": self.login})
                if self.login
                else (403, {"message": "Resource not accessible by integration"})
            )
        if method != "GET" and self.refusal:
            return self.refusal, {"message": "no"}
        there, _, query = path.partition("?")
        if method == "GET" and there == "/repos/us/prog/pulls":
            assert query == "state=open&head=mary%3Aa%23b"
            return 200, self.pulls
        if method == "GET" and there == "/repos/us/prog/issues/7/comments":
            wanted = dict(part.split("=") for part in query.split("&"))
            start = (int(wanted["page"]) - 1) * int(wanted["per_page"])
            return 200, self.comments[start : start + int(wanted["per_page"])]
        assert len(content["body"]) <= LIMIT
        if method == "POST" and there == "/repos/us/prog/issues/7/comments":
            author = {"login": self.login, "type": "User"} if self.login else BOT
            built = {
                "id": len(self.comments),
                "user": author,
                "html_url": f"https://github.com/c/{len(self.comments)}",
            }
            self.comments.append(built | content)
            return 201, self.comments[-1]
        number = int(there.removeprefix("/repos/us/prog/issues/comments/"))
        assert method == "PATCH"
        self.comments[number] |= content
        return 200, self.comments[number]

    def post(self, body: str, author: dict[str, str]) -> None:
        self.comments.append({"id": len(self.comments), "body": body, "user": author})


@pytest.fixture
def github() -> Iterator[GitHub]:
    service = GitHub()
    yield service
    service.server.shutdown()
    service.server.server_close()


def variables(folder: Path, github: GitHub) -> dict[str, str]:
    """What the action and its runner set."""
    return {
        "NAME": "statistics",
        "TOKEN": "a-token",
        "GITHUB_API_URL": f"http://127.0.0.1:{github.server.server_port}",
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "us/prog",
        "GITHUB_RUN_ID": "42",
        "GITHUB_EVENT_PATH": str(folder / "event.json"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
    }


def commented(
    folder: Path,
    github: GitHub,
    *,
    name: str = "statistics",
    result: str | None = RESULT,
    errors: str = "",
    **more: str,
) -> str:
    """Run the script on what the action gives it, and return what it prints."""
    notes = folder / "notes"
    notes.mkdir(exist_ok=True)
    (notes / "result.md").unlink(missing_ok=True)
    if result is not None:
        (notes / "result.md").write_text(result, "utf-8")
    (notes / "errors.txt").write_text(errors, "utf-8")
    event = folder / "event.json"
    if not event.exists():
        event.write_text(json.dumps({"workflow_run": RUN}), "utf-8")
    with redirect_stdout(io.StringIO()) as printed:
        SCRIPT["main"](notes, variables(folder, github) | {"NAME": name} | more)
    return printed.getvalue()


def test_first_run_writes_a_comment_and_the_next_updates_it(github: GitHub, tmp_path: Path) -> None:
    github.post("Nice work", MARY)
    assert "https://github.com/c/1" in commented(tmp_path, github)
    assert github.comments[1]["body"].startswith(f"<!-- reconcile: statistics -->\n\n{RESULT}")
    assert (
        "(https://github.com/us/prog/actions/runs/41) of commit `0123456789`"
        in github.comments[1]["body"]
    )
    commented(tmp_path, github, result=RESULT.replace("35", "36"))
    assert len(github.comments) == 2
    assert "36 of 36" in github.comments[1]["body"]
    assert not (tmp_path / "summary.md").exists()
    tokens = MarkdownIt("commonmark").enable("table").parse(github.comments[1]["body"])
    kinds = [
        token.type for token in tokens if token.level == 0 and not token.type.endswith("_close")
    ]
    assert kinds == [
        "html_block",
        "heading_open",
        "table_open",
        "bullet_list_open",
        "paragraph_open",
    ]


def test_each_name_has_its_comment(github: GitHub, tmp_path: Path) -> None:
    for name in ("one", "two", "one"):
        commented(tmp_path, github, name=name)
    assert [comment["body"].split(" -->")[0] for comment in github.comments] == [
        "<!-- reconcile: one",
        "<!-- reconcile: two",
    ]


def test_comment_is_found_behind_many_others(github: GitHub, tmp_path: Path) -> None:
    for number in range(230):
        github.post(f"remark {number}", MARY)
    commented(tmp_path, github)
    commented(tmp_path, github)
    assert len(github.comments) == 231


@pytest.mark.parametrize("login", [None, "robin"])
def test_comment_of_somebody_else_is_left_alone(
    github: GitHub, tmp_path: Path, login: str | None
) -> None:
    github.login = login
    github.post("<!-- reconcile: statistics -->\nmine", MARY)
    github.post("see <!-- reconcile: statistics -->", BOT)
    for _ in range(2):
        commented(tmp_path, github)
    assert [comment["body"][:40] for comment in github.comments[:2]] == [
        "<!-- reconcile: statistics -->\nmine",
        "see <!-- reconcile: statistics -->",
    ]
    assert len(github.comments) == 3


def test_long_result_is_cut_at_the_end_of_each_part(github: GitHub, tmp_path: Path) -> None:
    rows = "".join(f"| match 🎲 {number} | outside |\n" for number in range(9000))
    commented(tmp_path, github, result=RESULT.replace("| one | outside |\n", rows))
    body = github.comments[0]["body"]
    assert LIMIT * 0.9 < len(body.encode("utf-8")) <= LIMIT
    assert "| match 🎲 0 | outside |" in body
    assert "- **one**: outside" in body
    assert "more lines not shown here" in body
    assert "actions/runs/41" in body


@pytest.mark.parametrize("status", [401, 403, 404])
def test_token_that_can_only_read_is_a_notice_and_a_line_of_the_summary(
    github: GitHub, tmp_path: Path, status: int
) -> None:
    github.refusal = status
    (tmp_path / "summary.md").write_text("before\n", "utf-8")
    words = commented(tmp_path, github)
    assert words.startswith("::notice title=reconcile::No comment was written on the pull request")
    assert "permissions: pull-requests: write" in words
    before, line = (tmp_path / "summary.md").read_text("utf-8").splitlines()
    assert before == "before"
    assert line.startswith("No comment was written")
    assert words.count("\n") == 1


def test_other_refusal_and_a_service_that_does_not_answer_are_warnings(
    github: GitHub, tmp_path: Path
) -> None:
    for github.refusal in (422, 500):
        assert commented(tmp_path, github).startswith("::warning title=reconcile::")
    words = commented(tmp_path, github, GITHUB_API_URL="http://127.0.0.1:9")
    assert words.startswith("::warning title=reconcile::")
    assert "gave no answer" in words


@pytest.mark.parametrize(
    ("event", "why", "level"),
    [
        ({"workflow_run": RUN | {"event": "push"}}, "not of a pull request", "notice"),
        ({"pull_request": {"number": 7}}, "a workflow that runs on `workflow_run`", "warning"),
    ],
)
def test_run_that_is_of_no_pull_request_writes_none(
    github: GitHub, tmp_path: Path, event: Any, why: str, level: str
) -> None:
    (tmp_path / "event.json").write_text(json.dumps(event), "utf-8")
    words = commented(tmp_path, github)
    assert why in words
    assert words.startswith(f"::{level} ")
    assert github.asked == []


def test_pull_request_is_the_one_whose_last_commit_was_judged(
    github: GitHub, tmp_path: Path
) -> None:
    """Whatever the artifact says, and whatever was pushed after the run began."""
    github.pulls = [
        {"number": 6, "head": {"sha": "f" * 16}},
        {"number": 7, "head": {"sha": COMMIT}},
    ]
    commented(tmp_path, github)
    assert [path for method, path in github.asked if method == "POST"] == [
        "/repos/us/prog/issues/7/comments"
    ]
    github.pulls[1]["head"] = {"sha": "e" * 16}
    assert "no open pull request ends with the commit" in commented(
        tmp_path, github, result="## newer\n"
    )
    assert [method for method, _ in github.asked if method == "PATCH"] == []


def test_link_in_the_artifact_is_not_followed(github: GitHub, tmp_path: Path) -> None:
    """Such as one to `/proc/self/environ`, which has the token."""
    (tmp_path / "secret").write_text("## the secret\n", "utf-8")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "result.md").symlink_to(tmp_path / "secret")
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"workflow_run": RUN}), "utf-8")
    (tmp_path / "notes" / "errors.txt").write_text("", "utf-8")
    with redirect_stdout(io.StringIO()):
        SCRIPT["main"](tmp_path / "notes", variables(tmp_path, github))
    (comment,) = github.comments
    assert "secret" not in comment["body"]
    assert "## No verdict" in comment["body"]


def test_file_of_the_artifact_is_read_up_to_a_bound(github: GitHub, tmp_path: Path) -> None:
    commented(tmp_path, github, result="## long\n\n" + "x\n" * 2_000_000)
    assert len(github.comments[0]["body"]) <= LIMIT
    assert SCRIPT["_text"](tmp_path / "notes", "result.md") == "## long\n\n" + "x\n" * 499_995 + "x"


def test_run_without_a_result_replaces_the_last_one_by_its_reason(
    github: GitHub, tmp_path: Path
) -> None:
    commented(tmp_path, github)
    errors = (
        "wrote nothing\nreconcile: pack/one/match.yaml:6: licence: expected text, found @mary <b>\n"
    )
    commented(tmp_path, github, result=None, errors=errors)
    (comment,) = github.comments
    assert "within tolerance" not in comment["body"]
    assert "## No verdict" in comment["body"]
    assert "match.yaml:6: licence: expected text, found &#64;mary &lt;b&gt;" in comment["body"]


@pytest.mark.parametrize("name", long_but_first(["a-->b", "a\nb", "--", "", "x" * 51, "ä"], 2))
def test_name_that_would_end_the_marker_is_refused(
    github: GitHub, tmp_path: Path, name: str
) -> None:
    words = commented(tmp_path, github, name=name)
    assert words.startswith("::warning ")
    assert words.count("\n") == 1
    assert github.asked == []
