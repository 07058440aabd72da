"""Writes the result of a run as a comment on the pull request: one comment for each name, updated in place.

    python -I comment.py FOLDER

FOLDER has `result.md`, the Markdown of the run, or if there is no result `errors.txt`, what the run printed for people. The name is in
NAME, the token in TOKEN; everything else is in the variables that the runner sets. This never fails the job: where no comment can be
written, as on a pull request from a fork, whose token can only read, an annotation and the step summary say so.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from reconcile.files.wording import one_line
from reconcile.report.ci.github import command
from reconcile.report.markdown import escape, fitted

LONGEST: Final = 65_536
"""Characters of a comment; here of its UTF-8, which has no fewer."""
NAME: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 ._]|-(?!-)){0,49}")
PATIENCE: Final = 30.0
"""Seconds for an answer."""
A_PAGE, MOST_PAGES = 100, 50


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
        text = f"No comment was written on the pull request: {error}. The result is in the summary of the step before."
        print(command("notice" if error.expected else "warning", text, title="reconcile"))
        if summary := environment.get("GITHUB_STEP_SUMMARY"):
            with Path(summary).open("a", encoding="utf-8") as file:
                file.write(f"{escape(one_line(text))}\n")


def _commented(folder: Path, environment: Mapping[str, str]) -> str:
    """Write the comment anew or over the last one; returns its address."""
    name = environment["NAME"]
    if NAME.fullmatch(name) is None:
        raise NoComment("comment: expected a name of letters, digits, blanks, dots and single hyphens, 50 at most")
    event = _event(environment)
    number = (event.get("pull_request") or {}).get("number")
    if number is None:
        raise NoComment("this run is not of a pull request", expected=True)
    marker = f"<!-- reconcile: {name} -->"
    head, tail = f"{marker}\n\n", f"\n{_origin(event, environment)}\n"
    body = head + fitted(_markdown(folder), LONGEST - len((head + tail).encode())) + tail
    api = _Api(environment)
    comments = f"/repos/{environment['GITHUB_REPOSITORY']}/issues"
    for comment in api.pages(f"{comments}/{int(number)}/comments"):
        if str(comment.get("body") or "").startswith(marker) and api.is_ours(comment.get("user") or {}):
            return str(api.ask("PATCH", f"{comments}/comments/{int(comment['id'])}", body).get("html_url", "updated"))
    return str(api.ask("POST", f"{comments}/{int(number)}/comments", body).get("html_url", "written"))


def _event(environment: Mapping[str, str]) -> Any:
    try:
        return json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_text("utf-8"))
    except (KeyError, OSError, ValueError):
        raise NoComment("the runner does not say what the run is about") from None


def _markdown(folder: Path) -> str:
    """The result; without one the reason, so that no comment of an earlier run passes for this one's."""
    result, errors = folder / "result.md", folder / "errors.txt"
    if result.is_file():
        return result.read_text("utf-8")
    said = errors.read_text("utf-8", "replace").split("\n") if errors.is_file() else []
    reason = next((line for line in reversed(said) if line.startswith("reconcile: ")), "see the log of the run")
    return f"## No verdict: nothing could be compared\n\n{escape(one_line(reason.removeprefix('reconcile: ')))}\n"


def _origin(event: Any, environment: Mapping[str, str]) -> str:
    """The run and the commit that the result is of."""
    commit = str(((event.get("pull_request") or {}).get("head") or {}).get("sha") or environment.get("GITHUB_SHA", ""))[:10]
    address = "/".join(environment.get(f"GITHUB_{part}", "") for part in ("SERVER_URL", "REPOSITORY"))
    return f"[The run]({address}/actions/runs/{environment.get('GITHUB_RUN_ID', '')}) of commit `{commit}`, with its summary and artifacts."


class _Api:
    """GitHub's REST interface, as far as comments need it."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.root = environment.get("GITHUB_API_URL") or "https://api.github.com"
        self.token = environment.get("TOKEN", "")
        self.login: str | None = None

    def ask(self, method: str, path: str, body: str | None = None) -> Any:
        """The answer to one request. Raises `NoComment`."""
        content = None if body is None else json.dumps({"body": body}).encode()
        request = Request(f"{self.root}{path}", content, method=method)  # noqa: S310  # the runner's own address
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
            why = " (a token from a fork can only read; otherwise the job needs `permissions: pull-requests: write`)" if refused else ""
            raise NoComment(f"GitHub answered {error.code} {error.reason}{why}", expected=refused) from None
        except (OSError, ValueError) as error:
            raise NoComment(f"GitHub gave no answer: {str(error) or type(error).__name__}") from None

    def pages(self, path: str) -> Iterator[Any]:
        """Every comment, from the first."""
        for page in range(1, MOST_PAGES + 1):
            found = self.ask("GET", f"{path}?per_page={A_PAGE}&page={page}")
            yield from found
            if len(found) < A_PAGE:
                return

    def is_ours(self, author: Mapping[str, Any]) -> bool:
        """Whether the token wrote a comment: of a token that is not a person's, whether a program did."""
        if self.login is None:
            try:
                self.login = str(self.ask("GET", "/user").get("login", ""))
            except NoComment:
                self.login = ""
        return author.get("login") == self.login if self.login else author.get("type") == "Bot"


if __name__ == "__main__":
    main(Path(sys.argv[1]), os.environ)
