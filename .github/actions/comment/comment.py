"""Writes the result of a run as a comment on the pull request: one for each name, updated in place.

    python -I comment.py FOLDER

FOLDER is the artifact of the run that judged. It has `result.md`, the Markdown of that run, or if
there is no result `errors.txt`, what it printed for people. Whoever wrote the pull request can have
written both, so their text is all that is taken from there: no link is followed, and which pull
request it is, GitHub says by the commit of the run. The name is in NAME, the token in TOKEN;
everything else is in the variables that the runner sets. This never fails the job: where no comment
can be written, an annotation and the step summary say so.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

from reconcile.report.blocks import escape, fitted
from reconcile.report.ci import command
from reconcile.wording import one_line

LONGEST = 65_536
"""Characters of a comment; here of its UTF-8, which has no fewer."""
NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 ._]|-(?!-)){0,49}")
PATIENCE = 30.0
"""Seconds for an answer."""
A_PAGE, MOST_PAGES = 100, 50
MOST_READ = 1_000_000
"""Bytes of a file of the artifact."""


class NoComment(Exception):
    """Why there is no comment, and whether that is to be expected."""

    def __init__(self, reason: str, *, expected: bool = False) -> None:
        super().__init__(reason)
        self.expected = expected


def main(folder: Path, environment: Mapping[str, str]) -> None:
    """Write the comment, or say why there is none."""
    try:
        print(one_line(f"comment on the pull request: {_commented(folder, environment)}"))
    except NoComment as error:
        text = (
            f"No comment was written on the pull request: {error}. "
            "The result is in the summary of the step before."
        )
        print(command("notice" if error.expected else "warning", text, title="reconcile"))
        if summary := environment.get("GITHUB_STEP_SUMMARY"):
            with Path(summary).open("a", encoding="utf-8") as file:
                file.write(f"{escape(one_line(text))}\n")


def _commented(folder: Path, environment: Mapping[str, str]) -> str:
    """Write the comment anew or over the last one; returns its address."""
    name = environment["NAME"]
    if NAME.fullmatch(name) is None:
        raise NoComment(
            "comment: expected a name of letters, digits, blanks, dots and single hyphens, "
            "50 at most"
        )
    run = _run(environment)
    marker = f"<!-- reconcile: {name} -->"
    head, tail = f"{marker}\n\n", f"\n{_origin(run, environment)}\n"
    body = head + fitted(_markdown(folder), LONGEST - len((head + tail).encode())) + tail
    api = _Api(environment)
    number = _number(run, environment, api)
    comments = f"/repos/{environment['GITHUB_REPOSITORY']}/issues"
    for comment in api.pages(f"{comments}/{number}/comments"):
        if str(comment.get("body") or "").startswith(marker) and api.is_ours(
            comment.get("user") or {}
        ):
            return str(
                api.ask("PATCH", f"{comments}/comments/{int(comment['id'])}", body).get(
                    "html_url", "updated"
                )
            )
    return str(api.ask("POST", f"{comments}/{number}/comments", body).get("html_url", "written"))


def _run(environment: Mapping[str, str]) -> Mapping[str, Any]:
    """The run that judged, as GitHub describes it to the workflow that follows it."""
    try:
        run: Mapping[str, Any] = json.loads(
            Path(environment["GITHUB_EVENT_PATH"]).read_text("utf-8")
        )["workflow_run"]
    except (KeyError, OSError, ValueError):
        raise NoComment(
            "expected a workflow that runs on `workflow_run`, after the one that judges"
        ) from None
    if run.get("event") != "pull_request":
        raise NoComment("the run before is not of a pull request", expected=True)
    return run


def _number(run: Mapping[str, Any], environment: Mapping[str, str], api: _Api) -> int:
    """The open pull request whose last commit was judged, from a fork or not."""
    owner = ((run.get("head_repository") or {}).get("owner") or {}).get("login", "")
    head = quote(f"{owner}:{run.get('head_branch')}", safe="")
    for pull in api.ask(
        "GET", f"/repos/{environment['GITHUB_REPOSITORY']}/pulls?state=open&head={head}"
    ):
        if pull["head"]["sha"] == run["head_sha"]:
            return int(pull["number"])
    raise NoComment("no open pull request ends with the commit that was judged", expected=True)


def _markdown(folder: Path) -> str:
    """The result; without one the reason, so that no comment of an earlier run passes for this
    one's."""
    if (result := _text(folder, "result.md")) is not None:
        return result
    lines = (_text(folder, "errors.txt") or "").split("\n")
    reason = next(
        (line for line in reversed(lines) if line.startswith("reconcile: ")),
        "see the log of the run",
    )
    why = escape(one_line(reason.removeprefix("reconcile: ")))
    return f"## No verdict: nothing could be compared\n\n{why}\n"


def _text(folder: Path, name: str) -> str | None:
    """The beginning of a file of the artifact; `None` without one, or where a link leads out of
    its place."""
    path = folder / name
    if not path.is_file() or path.resolve() != folder.absolute() / name:
        return None
    with path.open("rb") as file:
        return file.read(MOST_READ).decode("utf-8", "replace")


def _origin(run: Mapping[str, Any], environment: Mapping[str, str]) -> str:
    """The run and the commit that the result is of."""
    address = "/".join(
        environment.get(f"GITHUB_{part}", "") for part in ("SERVER_URL", "REPOSITORY")
    )
    link = f"[The run]({address}/actions/runs/{run.get('id', '')})"
    return f"{link} of commit `{str(run['head_sha'])[:10]}`, with its summary and artifacts."


class _Api:
    """GitHub's REST interface, as far as comments need it."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.root = environment.get("GITHUB_API_URL") or "https://api.github.com"
        self.token = environment.get("TOKEN", "")
        self.login: str | None = None

    def ask(self, method: str, path: str, body: str | None = None) -> Any:
        """The answer to one request. Raises `NoComment`."""
        content = None if body is None else json.dumps({"body": body}).encode()
        # The address is the runner's own.
        request = Request(f"{self.root}{path}", content, method=method)  # noqa: S310
        request.add_unredirected_header("Authorization", f"Bearer {self.token}")
        for name, value in (
            ("Accept", "application/vnd.github+json"), ("Content-Type", "application/json"),
            ("User-Agent", "reconcile"), ("X-GitHub-Api-Version", "2022-11-28"),
        ):  # fmt: skip
            request.add_header(name, value)
        try:
            with urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                return json.load(answer)
        except HTTPError as error:
            refused = error.code in (401, 403, 404)
            why = " (the job needs `permissions: pull-requests: write`)" if refused else ""
            raise NoComment(
                f"GitHub answered {error.code} {error.reason}{why}", expected=refused
            ) from None
        except (OSError, ValueError) as error:
            raise NoComment(
                f"GitHub gave no answer: {str(error) or type(error).__name__}"
            ) from None

    def pages(self, path: str) -> Iterator[Any]:
        """Every comment, from the first."""
        for page in range(1, MOST_PAGES + 1):
            comments = self.ask("GET", f"{path}?per_page={A_PAGE}&page={page}")
            yield from comments
            if len(comments) < A_PAGE:
                return

    def is_ours(self, author: Mapping[str, Any]) -> bool:
        """Whether the token wrote a comment: of a token that is not a person's, whether a program
        did."""
        if self.login is None:
            try:
                self.login = str(self.ask("GET", "/user").get("login", ""))
            except NoComment:
                self.login = ""
        return author.get("login") == self.login if self.login else author.get("type") == "Bot"


if __name__ == "__main__":
    main(Path(sys.argv[1]), os.environ)
