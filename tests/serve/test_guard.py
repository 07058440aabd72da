"""What does not come from our own page is refused before anything is read, and a browser may do
little with an answer."""

import asyncio
import base64
import hashlib
import re
from functools import partial

import pytest
import uvicorn
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Scope

from reconcile.report.html.many import many_page
from reconcile.serve import guard, server
from reconcile.serve.guard import HEADERS, Guard
from reconcile.serve.pages import (
    LARGEST_UPLOAD,
    Job,
    Session,
    named_page,
    result_page,
    start_page,
)
from reconcile.serve.work import Result, Task
from tests.support.command_line import XG
from tests.support.data import PROJECT
from tests.support.served import form
from tests.support.several import analyses_of

MATCH = next((PROJECT / "reference_matches" / "demonstration").glob("*.xg"))
PATHS = ["/", "/open", "/api/compare", "/explain/Q02", "/results/x", "/nothing"]
QUERIES = (
    "",
    "?token=wrong",
    "?token=a&token=b",
    "?token={token}&token={token}",
    "?token=%00",
    "?" + "a=1&" * 60,
)


@pytest.mark.parametrize("query", QUERIES)
def test_every_address_needs_the_token_once(page, query):
    for path in PATHS:
        address = path + query.format(token=page.token)
        refused = page.ask("GET", address)
        assert (refused.status, page.ask("POST", address).status) == (403, 403)
        assert refused.headers["content-security-policy"] == HEADERS["content-security-policy"]
        assert page.token not in refused.text


def test_another_host_is_refused_and_no_answer_permits_other_sites(page):
    for hosts in ("evil.example", f"127.0.0.1:{page.port}\r\nHost: evil.example"):
        head = f"GET /?token={page.token} HTTP/1.1\r\nHost: {hosts}\r\nConnection: close\r\n\r\n"
        assert page.raw(head.encode()).startswith((b"HTTP/1.1 421", b"HTTP/1.1 400"))
    headers = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    asking = page.ask("OPTIONS", page.path("/api/stats"), headers=headers)
    assert asking.status == 403
    assert not any(name.startswith("access-control-") for name in asking.headers)


def test_a_page_may_run_and_wear_only_what_is_in_it(page):
    for path in ("/", "/explain/Q02", "/examples/two-programs", "/nothing"):
        headers = page.get(path).headers
        policy = dict(re.findall(r"([a-z-]+) ([^;]+)", headers["content-security-policy"]))
        assert policy["default-src"] == "'none'"
        assert not re.search("unsafe|[*]", policy["script-src"] + policy["style-src"])
        names = ("x-content-type-options", "cache-control", "x-frame-options")
        assert [headers[name] for name in names] == ["nosniff", "no-store", "DENY"]


START = (
    b"--boundary-of-the-form\r\n"
    b'Content-Disposition: form-data; name="files"; filename="x.xg"\r\n\r\n'
)
KIND = form([], {})[1]


def test_what_is_too_large_is_refused_whether_it_says_so_or_not(page):
    """With a length, and as a body in pieces, without one."""
    refused = page.post("/open", [("large.xg", bytes(LARGEST_UPLOAD + 2**20))])
    assert refused.status == 413
    assert "more than 32 MB" in refused.text
    piece = b"%x\r\n%s\r\n" % (2**20, bytes(2**20))
    head = (
        f"POST {page.path('/api/stats')} HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\n"
        f"Transfer-Encoding: chunked\r\nContent-Type: {KIND}\r\nConnection: close\r\n\r\n"
    )
    body = b"%x\r\n%s\r\n" % (len(START), START) + piece * 34 + b"0\r\n\r\n"
    answer = page.raw(head.encode() + body)
    assert answer.startswith(b"HTTP/1.1 413"), answer[:200]


UNNAMED = b"--boundary-of-the-form\r\nContent-Disposition: form-data\r\n\r\nx\r\n"
BROKEN = {
    "no form": (b"{}", "application/json"),
    "no boundary": (b"--x\r\n", "multipart/form-data"),
    "cut": (START + b"half", KIND),
    "no name": (UNNAMED + b"--boundary-of-the-form--\r\n", KIND),
    "nothing": (b"", KIND),
    "many fields": (form([], {f"f{n}": "x" for n in range(100)})[0], KIND),
    "a long field": (form([], {"paste": "x" * 2**19})[0], KIND),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_form_is_refused(page, name):
    body, kind = BROKEN[name]
    answer = page.ask("POST", page.path("/api/stats"), body, {"Content-Type": kind})
    assert answer.status in (400, 415, 422), answer.text
    assert '{"error": ' in answer.text


NO_REQUESTS = [
    b"\x16\x03\x01\x02\x00",
    b"GET / HTTP/9.9\r\n\r\n",
    b"\r\n" * 9 + b"\0" * 99 + b"\r\n\r\n",
    b"GET /" + b"a" * 200_000,
]


@pytest.mark.parametrize("sent", NO_REQUESTS, ids=range(len(NO_REQUESTS)))
def test_what_is_no_request_does_no_harm(page, sent):
    answer = page.raw(sent)
    assert answer == b"" or answer.startswith((b"HTTP/1.1 4",))
    assert page.get("/").status == 200


def test_a_connection_that_says_nothing_or_half_a_head_is_closed(
    monkeypatch,
):
    """Not one that waits for a long answer."""
    monkeypatch.setattr(server, "HEADERS_WITHIN", 0.05)

    async def app(scope, receive, send):
        await asyncio.sleep(0.2)  # longer than a head may take
        await Response()(scope, receive, send)

    async def answered(sent):
        config = uvicorn.Config(app, ws="none", log_config=None, access_log=False)
        config.load()
        state, loop = uvicorn.server.ServerState(), asyncio.get_running_loop()
        protocol = partial(server.Prompt, config, state, {})
        async with await loop.create_server(protocol, server.LOCAL, 0) as listening:
            port = listening.sockets[0].getsockname()[1]
            reader, writer = await asyncio.open_connection(server.LOCAL, port)
            writer.write(sent)
            answer = await asyncio.wait_for(reader.read(), 30)
            writer.close()
            return answer

    complete = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    answers = [asyncio.run(answered(sent)) for sent in (b"", b"GET / HT", complete)]
    assert (answers[:2], answers[2][:12]) == ([b"", b""], b"HTTP/1.1 200")


# -- the guard itself, asked without a server that may refuse first -------------------------------

TOKEN = "right"
Pair = tuple[bytes, bytes]


def asked(*headers, port=80, name="", query=TOKEN):
    """The status of an answer: 200 where the request is passed on."""
    sent: list[Message] = []

    async def receive():
        return {"type": "http.request"}

    async def send(message):
        sent.append(message)

    scope: Scope = {"type": "http", "scheme": "http", "path": "/", "headers": list(headers)}
    scope["query_string"] = f"token={query}".encode()
    asyncio.run(Guard(Response(), TOKEN, port, name)(scope, receive, send))
    return int(sent[0]["status"])


def test_an_upload_that_never_ends_is_refused(monkeypatch):
    pieces = [{"type": "http.request", "body": START, "more_body": True}]

    async def receive():
        if not pieces:
            await asyncio.Event().wait()
        return pieces.pop()

    monkeypatch.setattr(guard, "SLOWEST", 0.01)
    headers = [(b"content-type", KIND.encode())]
    request = Request({"type": "http", "scheme": "http", "headers": headers}, receive)
    with pytest.raises(HTTPException) as refused:
        asyncio.run(guard.read_form(request))
    assert refused.value.status_code == 408


HOST, ORIGIN = b"host", b"origin"
OURS = (HOST, b"127.0.0.1:80")
HOSTS = {
    200: "127.0.0.1:80 localhost:80 LocalHost:80 [::1]:80",
    421: "evil.example evil.example:80 127.0.0.1 127.0.0.1:1 localhost.evil.example:80 [::1 "
    "a@localhost:x",
}
ORIGINS = {
    200: "http://127.0.0.1:80",
    403: "http://evil.example https://127.0.0.1:80 ftp://127.0.0.1:80 null http://127.0.0.1:1",
}
FOR_OTHERS = {
    200: "192.168.1.7:4711 [fe80::1]:4711 [::1] localhost:4711 CLUB.example club.example:4711",
    421: "other.example club.example.evil.example",
}


@pytest.mark.parametrize("status", [200, 421])
def test_a_request_has_one_host_that_is_ours(status):
    """A page for other computers answers to any address and to its name."""
    assert {asked((b"Host", host.encode())) for host in HOSTS[status].split()} == {status}
    named = partial(asked, port=None, name="Club.Example")
    assert {named((HOST, host.encode())) for host in FOR_OTHERS[status].split()} == {status}


def test_no_host_two_hosts_an_empty_name_and_no_token_are_refused():
    assert {asked(), asked((HOST, b"")), asked(OURS, OURS), asked(OURS, (HOST, b"x"))} == {421}
    assert asked((HOST, b"club.example"), port=None, name="") == 421
    assert asked((HOST, b"10.0.0.1"), port=None, query="") == 403


@pytest.mark.parametrize("status", [200, 403])
def test_every_origin_has_to_be_ours(status):
    origins = [(b"Origin", origin.encode()) for origin in ORIGINS[status].split()]
    assert {asked(OURS, origin) for origin in origins} == {status}
    assert asked(OURS, (ORIGIN, b"http://127.0.0.1:80"), (ORIGIN, b"")) == 403


def sources(kind):
    """The digests that the policy has for scripts or styles."""
    parts = HEADERS["content-security-policy"].split("; ")
    (listed,) = (part for part in parts if part.startswith(f"{kind}-src "))
    return set(listed.split()[1:])


def digest_of(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_a_page_may_run_what_the_program_has_and_nothing_that_got_into_it():
    """The bar above a report is under the policy of the answer, not under that of the report."""
    assert digest_of("alert(1)") not in sources("script")
    report = many_page(analyses_of(XG))
    assert "Content-Security-Policy" in report
    session = Session()
    key = session.keep(Result(Task("stats", (("match.xg", b""),)), "stats", "a match", report))
    shown = result_page("t", key, session)
    assert "Content-Security-Policy" not in shown
    pages = [
        shown,
        start_page("t", Session()),
        named_page("job", "t", key="k", job=Job("gnuBG analyses")),
        named_page("refused", "t", text="It is wrong."),
        named_page("rule", "t", code="Q01", text="", codes=[]),
    ]
    for page in pages:
        for kind in ("script", "style"):
            texts = re.findall(rf"<{kind}>(.*?)</{kind}>", page, re.DOTALL)
            assert texts or kind == "script"
            assert {digest_of(text) for text in texts} <= sources(kind)
            assert len(texts) == len(re.findall(rf"<{kind}(?! type=.application/json)", page))
