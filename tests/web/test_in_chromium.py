"""The page in Chromium, from the disk and from a server, on a desk and on a phone: as a player uses
it, and as a stranger misuses it.
"""

import functools
import http.server
import re
import threading
from base64 import b64encode

import pytest

from tests.support import data as real
from tests.support.data import PROJECT
from tests.support.long import long_but_first
from tests.support.small_files import EVENING
from tests.web.web_page import DEMONSTRATION, OTHER, built, from_command
from web.inside import EXAMPLES

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
PATIENCE = 120_000
"""Milliseconds for Python to start on a busy computer."""
ENDED = "html[data-state=done], html[data-state=failed]"
REMEMBERED = """new MutationObserver(() => {
    const shown = document.documentElement.dataset;
    if (shown.plies) shown.seen = `${shown.seen || ""} ${shown.plies}`;
}).observe(document, { attributes: true, attributeFilter: ["data-plies"], subtree: true });"""
"""A first look is replaced within a second: the page remembers for the test which depths it had."""
DROPPED = """(files) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const all = new DataTransfer();
  files.forEach(([name, text]) => all.items.add(new File([bytes(text)], name)));
  ['dragenter', 'dragover', 'drop'].forEach(kind => document.body.dispatchEvent(
    new DragEvent(kind, { dataTransfer: all, bubbles: true, cancelable: true })));
}"""
PAIRS = [
    *(
        (xg, sgf)
        for xg in real.matching("real/*.xg")
        for sgf in sorted(xg.parent.glob(f"{xg.stem}*.sgf"))
    ),
    *(
        (bgf, bgf.parents[1] / "xg" / f"{bgf.stem}.xg")
        for bgf in real.matching("bgblitz/bgf/*.bgf")
    ),
]
DAMAGED = sorted(
    path
    for folder in (real.FOLDER / "damaged", real.FOLDER / "hostile", PROJECT / "tests" / "damaged")
    for path in folder.rglob("*")
    if path.is_file()
    and path.suffix
    in (".xg", ".sgf", ".mat", ".txt", ".bgf", ".zip", ".tar", ".json", ".html", ".bz2")
)


class Page:
    """The page in a tab, with everything that it asked the network for or complained of."""

    def __init__(self, browser, address, size):
        self.context = browser.new_context(
            viewport=SIZES[size], color_scheme="dark" if size == "phone" else "light"
        )
        self.tab = self.context.new_page()
        self.tab.add_init_script(REMEMBERED)
        self.messages: list[str] = []
        self.requests: list[str] = []
        self.tab.on("console", lambda message: self.messages.append(message.text))
        self.tab.on("pageerror", lambda error: self.messages.append(str(error)))
        self.tab.on("request", lambda request: self.requests.append(request.url))
        self.tab.goto(address)
        self.tab.wait_for_selector("html[data-state=ready]", timeout=PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    @property
    def state(self):
        return str(self.tab.evaluate("document.documentElement.dataset.state"))

    def choose(self, *files):
        """Choose files, which begins at once; the sentence in the end."""
        self.tab.evaluate("delete document.documentElement.dataset.seen")
        self.tab.set_input_files(
            "#files", [file if isinstance(file, dict) else str(file) for file in files]
        )
        assert self.state in ("working", "done", "failed")
        return self.ended()

    def ended(self):
        self.tab.wait_for_selector(ENDED, timeout=PATIENCE)
        return str(self.tab.text_content("#sentence"))

    def analysed(self, plies):
        """Wait until a result with Open Sage at so many plies is shown, or was since `choose`."""
        self.tab.wait_for_selector(f"html[data-seen~='{plies}']", timeout=PATIENCE)

    def saved(self, folder):
        with self.tab.expect_download() as started:
            self.tab.click("#save")
        folder.mkdir(exist_ok=True)
        started.value.save_as(folder / "saved")
        return (folder / "saved").read_bytes()

    def asked_nobody(self):
        """Whether nothing but itself was fetched, and nothing was refused by the policy."""
        outside = [url for url in self.requests if not url.startswith(("file:", "blob:", "data:"))]
        return not outside and not self.messages


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return built(tmp_path_factory.getbasetemp())


@pytest.fixture(scope="module")
def served(folder):
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def single_file(browser, folder):
    """The one file, opened from the disk, for many questions."""
    with Page(browser, (folder / "reconcile.html").as_uri(), "desktop") as page:
        yield page


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_shown_from_the_disk_without_a_request(single_file, name):
    tab = single_file.tab
    tab.click(f"[data-example={name}]")
    assert "Nora Lindqvist" in single_file.ended()
    frame = tab.frames[1]
    frame.wait_for_load_state()
    assert "Nora Lindqvist" in frame.inner_text("h1")
    for size in SIZES.values():
        tab.set_viewport_size(size)
        root = "document.documentElement"
        assert tab.evaluate(f"{root}.scrollWidth <= {root}.clientWidth")
    assert single_file.asked_nobody()
    tab.click("#other")


@pytest.mark.exhaustive
@pytest.mark.parametrize("place", ["split/index.html", "reconcile.html"])
def test_a_server_gives_the_same_and_only_the_files_of_the_page(browser, served, place, tmp_path):
    with Page(browser, f"{served}/{place}", "desktop") as page:
        assert "Nora Lindqvist" in page.choose(*DEMONSTRATION)
        assert page.saved(tmp_path) == from_command(DEMONSTRATION, tmp_path / "by-command")
        asked = {url for url in page.requests if not url.startswith(("blob:", "data:"))}
        assert all(url.startswith(f"{served}/{place.rpartition('/')[0]}") for url in asked)
        assert not page.messages
        parts = {url.rpartition("/")[2] for url in asked if url.endswith(".bin")}
        assert bool(parts) == place.startswith("split")
        assert all(re.fullmatch(r"[\w.-]+-[0-9a-f]{12}\.bin", name) for name in parts)


def test_dropped_files_are_compared_as_by_the_command(single_file, tmp_path):
    files = [(path.name, b64encode(path.read_bytes()).decode()) for path in DEMONSTRATION]
    single_file.tab.evaluate(DROPPED, files)
    assert "Nora Lindqvist" in single_file.ended()
    assert single_file.saved(tmp_path) == from_command(DEMONSTRATION, tmp_path / "by-command")


@pytest.mark.parametrize("size", long_but_first([*SIZES], 0, 1))
def test_a_link_of_an_example_shows_its_board_and_back_is_the_decision_before(
    browser, folder, size
):
    tab = browser.new_context(viewport=SIZES[size]).new_page()
    place = "#match=Nora&example=two-programs&decision="
    tab.goto((folder / "reconcile.html").as_uri() + place + "g2t7")
    tab.wait_for_selector(ENDED, timeout=PATIENCE)
    frame = tab.frame_locator("#page")
    frame.locator("#decision[data-game='2'][data-turn='7'] .board").wait_for()
    assert frame.locator("#decision .board").evaluate(
        "one => one.getBoundingClientRect().top < innerHeight / 2"
    )
    frame.locator("#decisions li").first.click()
    tab.wait_for_function("() => !location.hash.endsWith('decision=g2t7')")
    assert "example=two-programs" in tab.url
    tab.go_back()
    tab.wait_for_function("() => location.hash.endsWith('decision=g2t7')")
    tab.context.close()


@pytest.mark.exhaustive
def test_a_link_of_another_match_asks_for_its_file(browser, folder):
    address = (folder / "reconcile.html").as_uri() + "#match=Ann+-+Ben&decision=g1t2"
    with Page(browser, address, "phone") as page:
        assert "Ann - Ben" in page.tab.inner_text("#told")
        page.choose(DEMONSTRATION[0])
        frame = page.tab.frame_locator("#page")
        frame.locator("#decision[data-game='1'][data-turn='2'] .board").wait_for()


@pytest.mark.exhaustive
def test_a_figure_is_investigated_from_the_result_and_from_an_address(browser, folder):
    with Page(
        browser, (folder / "reconcile.html").as_uri() + "#player=Tomas&pr=4.58", "phone"
    ) as page:
        page.choose(DEMONSTRATION[0])
        assert page.tab.input_value("#again select") == "Tomas Beck"
        page.tab.click("#again button")
        investigated = "#sentence:has-text('Tomas Beck: ')"
        page.tab.wait_for_selector(investigated, state="attached", timeout=PATIENCE)
        page.tab.click("#other")
        page.choose(*DEMONSTRATION)
        page.tab.select_option("#again select", "Nora Lindqvist")
        page.tab.fill("#again [name=pr]", "7.16")
        page.tab.click("#again button")
        page.tab.wait_for_selector(
            "#sentence:has-text('own rules give PR 7.16')", state="attached", timeout=PATIENCE
        )
        assert page.asked_nobody()


def test_files_chosen_while_others_are_read_take_their_place_and_other_forms_are_saved(
    single_file, tmp_path
):
    single_file.tab.set_input_files("#files", [str(DEMONSTRATION[1])])
    assert "Nora Lindqvist" in single_file.choose(*DEMONSTRATION)
    assert single_file.tab.get_attribute("#save", "download") == f"{DEMONSTRATION[0].stem}.html"
    for form, begins in (("json", b"{"), ("md", b"#")):
        with single_file.tab.expect_download() as started:
            single_file.tab.click(f"#save-{form}")
        started.value.save_as(tmp_path / form)
        assert (tmp_path / form).read_bytes().startswith(begins)
        assert started.value.suggested_filename == f"{DEMONSTRATION[0].stem}.{form}"


def test_a_transcript_gets_a_first_look_and_then_an_analysis_as_by_the_command(
    single_file, tmp_path
):
    tab, path = single_file.tab, tmp_path / "evening.mat"
    path.write_text(EVENING, "utf-8")
    single_file.choose(path)
    single_file.analysed(1)
    single_file.analysed(2)
    assert tab.text_content("#level") == "Open Sage, 2-ply"
    saved = single_file.saved(tmp_path / "saved")
    assert saved == from_command([path], tmp_path / "by-command", "--analyse", "sage:2")
    assert single_file.asked_nobody()


def test_a_second_opinion_makes_a_pair_one_decision_is_looked_at_deeper_and_back_leads_back(
    single_file,
):
    tab = single_file.tab
    assert "PR 7.16 by XG, " in single_file.choose(DEMONSTRATION[0])
    tab.click("#second")
    single_file.analysed(2)
    assert re.match(r"Nora Lindqvist: PR 7.16 by XG, .* by Open Sage", single_file.ended())
    tab.click("#deeper")
    tab.wait_for_selector("#looked:not([hidden])", timeout=PATIENCE)
    assert "by Open Sage at 3-ply" in str(tab.text_content("#looked p"))
    assert [text.partition(",")[0] for text in tab.locator("#looked li").all_inner_texts()] == [
        "eXtreme Gammon",
        "Open Sage",
    ]
    tab.go_back()
    tab.wait_for_selector("#sentence:has-text('by XG, ')", state="attached")
    assert "match=Nora+Lindqvist" in tab.url
    tab.click("#other")
    assert tab.locator("#session li").count() >= 2
    tab.click("#session li >> nth=0 >> a")
    assert "by Open Sage" in single_file.ended()


def test_a_decision_of_a_file_from_the_disk_is_copied_as_text(single_file):
    single_file.context.grant_permissions(["clipboard-read", "clipboard-write"])
    single_file.choose(DEMONSTRATION[0])
    frame = single_file.tab.frame_locator("#page")
    frame.locator("[data-send=text]").click()
    frame.locator("[data-send=text]:text-is('Copied')").wait_for()
    single_file.tab.bring_to_front()
    assert "XGID=" in single_file.tab.evaluate("navigator.clipboard.readText()")


def test_files_of_several_matches_are_a_table_and_each_is_shown_when_asked(single_file):
    assert single_file.choose(*DEMONSTRATION, OTHER) == "2 matches."
    single_file.tab.click("#matches td button >> nth=1")
    single_file.tab.wait_for_selector("#page:not([hidden])", timeout=PATIENCE)
    assert "Alice m26" in single_file.ended()
    single_file.tab.go_back()
    single_file.tab.wait_for_selector("#matches:not([hidden])", timeout=PATIENCE)
    single_file.tab.click("#practise summary")
    single_file.tab.select_option("#practise select", "Nora Lindqvist")
    single_file.tab.click("#practise button")
    single_file.tab.wait_for_selector("#page:not([hidden])", timeout=PATIENCE)
    assert re.match(r"Nora Lindqvist: \d+ exercises from 1 match", single_file.ended())
    assert single_file.messages == []


@pytest.mark.exhaustive
def test_work_is_stopped_and_the_page_goes_on(single_file, tmp_path):
    single_file.tab.set_input_files("#files", [str(path) for path in DEMONSTRATION])
    single_file.tab.evaluate("document.getElementById('stop').click()")
    single_file.tab.wait_for_selector("html[data-state=ready]", timeout=PATIENCE)
    single_file.choose(DEMONSTRATION[0])
    single_file.tab.click("#second")
    single_file.tab.click("#halt")
    assert single_file.state == "done"
    assert "PR 7.16 by XG, " in single_file.ended()
    assert "Nora Lindqvist" in single_file.choose(*DEMONSTRATION)


ALONE = real.matching(
    "gnubg/m14*.sgf", "gnubg/m49*.sgf", "gnubg/m55_25pt*.sgf", "real/test.xg", "real/test.mat"
)
"""Not analysed, money, 25 points, and as two programs write one match."""
GIVEN = [
    pytest.param(files, id="-".join(path.name for path in files))
    for files in (*((path,) for path in ALONE[::2]), *PAIRS[::9])
]


@pytest.mark.parametrize("files", real.skipped_if_empty(long_but_first(GIVEN, 0, 1)))
def test_the_page_of_real_files_is_that_of_the_command(single_file, tmp_path, files):
    single_file.choose(*files)
    assert single_file.state == "done"
    assert single_file.saved(tmp_path) == from_command([*files], tmp_path / "by-command")


@pytest.mark.parametrize("step", long_but_first([32, 4], 0, 1))
def test_what_is_damaged_or_hostile_is_one_line_and_leaves_the_page_usable(single_file, step):
    if not real.FOLDER.is_dir():
        pytest.skip(real.ABSENT)
    assert len(DAMAGED) > 50
    refused = 0
    for path in DAMAGED[::step]:  # each takes seconds, and `tests/formats` reads all of them
        sentence = single_file.choose(path)
        assert sentence, path.name
        assert "\n" not in sentence, path.name
        assert not re.search("Traceback|this is a bug|broke off", sentence), (
            f"{path.name}: {sentence}"
        )
        refused += single_file.state == "failed"
    assert refused > 20 // step
    single_file.choose(
        {"name": "<img src=x onerror=alert(1)>.xg", "mimeType": "", "buffer": b"RGMH"}
    )
    assert "<img src=x onerror=alert(1)>.xg" in single_file.ended()
    assert "Nora Lindqvist" in single_file.choose(*DEMONSTRATION)
    assert single_file.asked_nobody()
