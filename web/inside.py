"""What Python does in the page: a question in, its files from the current folder, and what the page
shows out.

Nothing here reads a match or words a result: it calls what the commands call, so that what is saved
is what they write.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from reconcile.errors import ReconcileError, UnreadableFile
from reconcile.language import LANGUAGES, Number, joined, say

RESULT = ".result/page"
"""Without its ending; in a folder of its own, for files may have any name."""
EVERYTHING = (
    *("numpy.random", "yaml", "reconcile.formats.xg", "reconcile.formats.gnubg"),
    *("reconcile.files.yaml_file", "reconcile.scoring.statistics", "reconcile.gap.comparison"),
    *("reconcile.gap.walk", "reconcile.gap.review", "reconcile.report.forms"),
    *("reconcile.report.html.page", "reconcile.gap.folders"),
    *("reconcile.engines.sage", "reconcile.exercises.cards"),
)
"""The modules that an answer imports."""
FIGURES = ("pr", "decisions", "snowie_memg", "snowie_er", "equity_error", "mwc_loss_percent")
"""Those that have a field of their own."""
PASTED = "the pasted text"
FORM = {"html": "html", "json": "json", "md": "markdown"}
"""What a form is called in a question, and here."""
DEMONSTRATION = "demonstration/nora-lindqvist-tomas-beck"
EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "two-programs": (f"{DEMONSTRATION}.xg", f"{DEMONSTRATION}.sgf"),
    "statistics": (f"{DEMONSTRATION}.xg",),
}
"""The files, below `reference_matches`, of what comes with the program."""
DECISION = re.compile(r"g([0-9]{1,6})t([0-9]{1,6})([cre]?)", re.ASCII)
"""The address of a decision on the page of a match."""
KINDS = {
    "": ("play",),
    "c": ("no-double", "double"),
    "r": ("take", "pass", "beaver"),
    "e": ("resign", "accept-resign"),
}
"""What the letter of such an address means."""


class Made(NamedTuple):
    """A result in the form that was asked for."""

    title: str
    content: str
    about: dict[str, Any]
    """What the page shows around it."""


def answer(question: str) -> str:
    """Answer a question in the current folder, both as JSON. The folder has the question's files.

    A question has a `kind` (`open`, `investigate`, `deeper`, `practise`), `files`, `fields` as the
    options of the commands, the `plies` of Open Sage's analysis, the `part` of several matches, or
    `every`, a `form`, and the `decision` to look deeper at. The answer has the `files`, a
    `sentence`, the `path` of what to save, and what the page shows around it; or it `failed`.
    """
    from reconcile.report.html.look import as_json

    asked = json.loads(question)
    try:
        kinds = {"investigate": _investigated, "deeper": _deeper, "practise": _practised}
        shown = {"open": _opened, **kinds}[asked["kind"]](asked)
    except ReconcileError as error:
        shown = {"failed": True, "sentence": " ".join(str(error).split())}
    except ModuleNotFoundError as error:
        command = "compare" if len(asked["files"]) > 1 else "stats"
        shown = {
            "failed": True,
            "sentence": say(
                "web.missing",
                name=error.name,
                command=f"reconcile {command} {' '.join(asked['files'])}",
            ),
        }
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        shown = {"failed": True, "sentence": say("web.bug", what=text)}
    return as_json({"files": asked["files"]} | shown, asked.get("language", LANGUAGES[0]))


def _opened(asked: dict[str, Any]) -> dict[str, Any]:
    """By match the statistics of one analysis or the comparison of several, whatever else was
    given; of several matches their table, or each as a file of a zip file."""
    chosen, notes = _chosen(asked)
    form, part = asked.get("form", "html"), asked.get("part")
    if len(chosen) > 1 and part is None:
        if not asked.get("every"):
            return _table(chosen, notes)
        return {"sentence": "", "path": _zipped(chosen, asked, form)}
    result = _match(chosen[part or 0], asked, form)
    return result.about | {
        "sentence": joined(" ", result.title, *result.about["notes"], *notes),
        "path": _written(result.content, form),
        "part": part,
    }


def _chosen(asked: dict[str, Any]) -> tuple[list[Any], list[str]]:
    """The matches among the files, and what became of the others. Raises `UnreadableFile` where
    there is none."""
    from reconcile.gap.folders import File, chosen_matches
    from reconcile.match.turns import fingerprint

    files, trouble = [], None
    notes: list[str] = []
    for name, content in _unzipped(asked["files"]):
        try:
            match = _read(name, content)
        except UnreadableFile as error:
            notes.append(say("web.left-out", name=name, why=error.apart_from(name)))
            trouble = trouble or error
            continue
        files.append(File(name, match, fingerprint(match)))
    if trouble is not None and not files:
        raise trouble
    return list(chosen_matches(files)), notes


@lru_cache(maxsize=300)
def _read(name: str, content: bytes) -> Any:
    from reconcile.formats import read_match

    return read_match(name, content)


def _unzipped(names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """The files, those of a zip file in its place; hidden ones are left aside."""
    from web.zipped import MAGIC, zipped_files

    for name in names:
        content = Path(name).read_bytes()
        members = zipped_files(name, content) if content.startswith(MAGIC) else [(name, content)]
        yield from (each for each in members if not PurePosixPath(each[0]).name.startswith("."))


def _match(chosen: Any, asked: dict[str, Any], form: str) -> Made:
    """A match by one analysis or several, with what another match equity table changes, and what
    it cannot."""
    from reconcile.match.tools import XG

    options, plies = _options(asked), asked.get("plies")
    matches = [file.match for file in chosen.files]
    if plies:
        matches = [
            *(match for match in matches if match.has_analysis),
            _analysed(matches[0], plies),
        ]
    result, title = _reviewed(matches, options)
    notes = list(chosen.notes)
    if met := options.get("met"):
        by_xg = any(match.source.tool == XG.name for match in matches)
        own = [say("web.not-by-table")] if by_xg else []
        notes = [say("web.by-table", table=met), *own, *notes]
    about = {
        "players": matches[0].players,
        "title": _title(matches[0]),
        "count": len(matches),
        "level": f"{plies}-ply" if plies else "",
        "first": plies == 1,
        "unanalysed": not any(match.has_analysis for match in matches),
        "notes": notes,
    }
    return Made(title, _content(result, form, *_language(asked, form)), about)


def _reviewed(matches: Sequence[Any], options: Mapping[str, str]) -> tuple[Any, str]:
    """Two analyses compared, one or several reviewed; and the first headline."""
    from reconcile.gap.comparison import compare
    from reconcile.gap.explanation import explanations
    from reconcile.gap.review import review, review_rows

    shared = _only(options, "met", "player")
    if len(matches) == 2:
        judging = {"table": "documented"} | _only(options, "left_rules", "right_rules", "table")
        left, right = matches
        result = compare(left, right, **shared, **judging)
        headlines = [gap.headline for gap in explanations(result)]
        return result, next(iter(headlines), " – ".join(left.players))
    if len(matches) == 1:
        shared = _only(options, "met", "rules")
    several = review(*matches, **shared)
    return several, review_rows(several)[0].headline


def _language(asked: Mapping[str, Any], form: str) -> list[str]:
    """What a page needs beside its result: the language of the browser."""
    return [asked["language"]] if form == "html" and asked.get("language") else []


def _content(result: Any, form: str, *needs: str) -> str:
    """A result as it is saved."""
    from reconcile.gap.review import Review
    from reconcile.report.forms import in_form

    if form != "html" and isinstance(result, Review) and len(result.analyses) == 1:
        result = result.analyses[0]
        if form == "md":
            return f"```\n{in_form(result, 'text', per_game=True)}```\n"
    return str(in_form(result, FORM[form], *needs))


def _options(asked: dict[str, Any]) -> dict[str, str]:
    """Options that are not empty."""
    return {name: text.strip() for name, text in asked.get("fields", {}).items() if text.strip()}


def _only(options: Mapping[str, str], *names: str) -> dict[str, Any]:
    return {name: options[name] for name in names if name in options}


def _title(match: Any) -> str:
    length = say("mast.money") if match.is_money else say("mast.length", n=match.length)
    return joined(", ", " – ".join(match.players), length)


def _table(chosen: Sequence[Any], notes: Sequence[str]) -> dict[str, Any]:
    """Every match in a row, and the sum over all by player."""
    from reconcile.match.names import load_aliases
    from reconcile.report.forms import in_form
    from reconcile.scoring.pool import pool
    from reconcile.scoring.statistics import statistics

    rows, counted = [], []
    for each in chosen:
        files = [file.match for file in each.files]
        scored = [statistics(match) for match in files]
        counted.append(scored[0])
        figures = joined("; ", *map(_rates, scored))
        rows.append([_title(files[0]), ", ".join(file.name for file in each.files), figures])
    pooled, number = pool(counted, load_aliases(None)), say("web.matches", n=len(chosen))
    return {
        "sentence": joined(" ", joined("", number, "."), *notes),
        "matches": rows,
        "sum": in_form(pooled, "text"),
        "players": list(dict.fromkeys(player.name for player in pooled)),
        "title": number,
    }


def _rates(scored: Any) -> str:
    rates = [scored.figures(seat)["pr"] for seat in (0, 1)]
    shown = ["–" if rate is None else joined(" ", "PR", Number(f"{rate:.2f}")) for rate in rates]
    return joined(": ", scored.match.source.tool, joined(", ", *shown))


def _zipped(chosen: Sequence[Any], asked: dict[str, Any], form: str) -> str:
    """The path of a zip file with the result of each match that has one."""
    target = Path(f"{RESULT}.zip")
    target.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, each in enumerate(chosen, 1):
            tell_progress(number - 1, len(chosen))
            name = f"{number:03}-{PurePosixPath(each.files[0].name).stem}"
            try:
                name, content = f"{name}.{form}", _match(each, asked, form).content
            except ReconcileError as error:
                name, content = f"{name}.txt", f"{error}\n"
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return str(target)


def _practised(asked: dict[str, Any]) -> dict[str, Any]:
    """The errors of a player in the matches, to practise on."""
    from reconcile.exercises.cards import exercises_page, headline
    from reconcile.exercises.exercise import Wanted, exercises_in
    from reconcile.gap.review import review

    chosen, notes = _chosen(asked)
    if (part := asked.get("part")) is not None:
        chosen = chosen[part : part + 1]
    reviews = [review(*(file.match for file in each.files)) for each in chosen]
    several = exercises_in(reviews, asked["fields"]["player"], Wanted(), asked["files"])
    return {
        "sentence": joined(" ", joined("", headline(several), "."), *notes),
        "path": _written(exercises_page(several, *_language(asked, "html")), "html"),
        "part": part,
        "players": [],
        "title": headline(several),
        "alone": True,
    }


def _written(content: str, form: str) -> str:
    target = Path(f"{RESULT}.{form}")
    target.parent.mkdir(exist_ok=True)
    target.write_text(content, "utf-8")
    return str(target)


def _investigated(asked: dict[str, Any]) -> dict[str, Any]:
    """Which rules give figures: in fields named like the metrics, or pasted. Raises
    `InvalidConfiguration`."""
    from reconcile.document import dumps, in_list
    from reconcile.errors import InvalidConfiguration
    from reconcile.infer.investigation import investigate_file
    from reconcile.report.forms import in_form
    from reconcile.report.html.page import command_of
    from reconcile.report.text.investigation import answer as answered

    options, form = _options(asked), asked.get("form", "html")
    typed = _only(options, *FIGURES)
    player, paste, game = (options.get(name) for name in ("player", "paste", "game"))
    if not ((typed and player) or paste) or not re.fullmatch("[0-9]{0,4}", game or ""):
        raise InvalidConfiguration(
            "expected a figure, such as PR 9.23, and the player whose it is, or a pasted "
            "statistics window, and a number as game, or nothing; give what you saw"
        )
    if paste:
        Path(PASTED).write_text(paste, "utf-8")
    results, notes = investigate_file(
        asked["files"][0],
        typed,
        player=player,
        paste=PASTED if paste else None,
        game=int(game) if game else None,
        met=options.get("met"),
    )
    if form == "json":
        content = (
            in_list([dumps(each) for each in results]) if len(results) > 1 else dumps(results[0])
        )
    else:
        more = {"notes": notes} if form == "html" else {}
        needs = _language(asked, form)
        content = "\n".join(
            in_form(each, FORM[form], *needs, command=command_of(each), **more) for each in results
        )
    return {
        "files": asked["files"][:1],
        "sentence": answered(results[0])[0],
        "path": _written(content, form),
        "players": results[0].match.players,
        "title": say("web.saw"),
    }


@cache
def _engine() -> Any:
    from reconcile.engines.sage import Sage

    return Sage()


def _analysed(match: Any, plies: int, only: tuple[int, int] | None = None) -> Any:
    """The match, or one turn of it, by Open Sage. Raises `EngineError`."""
    from reconcile.engines.sage import analyse
    from reconcile.files.bundled import cache_folder

    try:
        return analyse(
            match,
            _engine(),
            plies=plies,
            only=only,
            cache=cache_folder(),
            progress=tell_progress,
        ).match
    except ReconcileError:
        _engine.cache_clear()
        raise


def tell_progress(done: int, total: int) -> None:
    """Tell the page how far the work is; nothing outside a browser."""
    try:
        from js import Object, postMessage
        from pyodide.ffi import to_js
    except ImportError:
        return
    progress = {"done": done, "total": max(total, 1)}
    postMessage(to_js(progress, dict_converter=Object.fromEntries))


def _deeper(asked: dict[str, Any]) -> dict[str, Any]:
    """One decision by more plies: whether it was wrong and by how much, and what each analysis
    says. Raises `UnreadableFile` for a decision that is not there."""
    from reconcile.scoring.statistics import statistics

    chosen, _ = _chosen(asked)
    matches = [file.match for file in chosen[asked.get("part") or 0].files]
    address = DECISION.fullmatch(asked["decision"])
    if address is None:
        raise UnreadableFile(f"expected a decision such as g3t47, found {asked['decision'][:40]!r}")
    game, turn, kinds = int(address[1]), int(address[2]), KINDS[address[3]]
    deep = _analysed(matches[0], asked["plies"], (game, turn))
    sides = [match for match in matches if match.has_analysis]
    sides += [_analysed(matches[0], shallow) for shallow in [asked.get("shown")] if shallow]
    opinions = [_opinion(statistics(match), game, turn, kinds) for match in (deep, *sides)]
    if opinions[0] is None:
        raise UnreadableFile(
            f"game {game}, turn {turn}: Open Sage cannot judge this decision; choose another"
        )
    head, verdict = opinions[0]
    rows = [
        [
            ", ".join([match.source.tool, *(level.label for level in match.levels[:1])]),
            opinion[1] if opinion else say("row.not-there"),
        ]
        for match, opinion in zip(sides, opinions[1:], strict=True)
    ]
    deepest = {"what": head, "verdict": verdict, "level": deep.levels[0].label}
    return {"sentence": say("web.deep", **deepest), "rows": rows}


def _opinion(scored: Any, game: int, turn: int, kinds: Sequence[str]) -> tuple[str, str] | None:
    """What a decision is called, and what an analysis says of it; none if it has no such one."""
    from reconcile.gap.rows import action_words

    table = scored.decisions()
    is_there = (table["game"] == game) & (table["turn"] == turn)
    for row in is_there.nonzero()[0].tolist():
        kind, dice, played, best = (
            str(table[name][row]) for name in ("kind", "dice", "played", "best")
        )
        if kind not in kinds:
            continue
        action = f"{dice}: {played}" if kind == "play" else action_words(played)
        where = say("evidence.turn", game=game, turn=turn)
        head = joined(", ", str(table["player"][row]), where, action)
        lost = float(table["equity_best"][row] - table["equity_played"][row])
        if lost != lost:
            return head, say("row.not-analysed")
        if lost < 0.0005:
            return head, say("web.right")
        return head, say("web.wrong", lost=Number(f"{lost:.3f}"), best=action_words(best))
    return None


def example(name: str) -> list[str]:
    """Put the files of an example into the current folder; their names."""
    from reconcile.files.bundled import bundled

    paths = [bundled("reference_matches") / path for path in EXAMPLES[name]]
    for path in paths:
        Path(path.name).write_bytes(path.read_bytes())
    return [path.name for path in paths]


def warm() -> Iterator[None]:
    """Import what an answer needs, piece by piece, while nobody has asked yet."""
    for name in EVERYTHING:
        import_module(name)
        yield
    from reconcile.report.html.look import environment

    environment().get_template("review.html.j2")
    yield
