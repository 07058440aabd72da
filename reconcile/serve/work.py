"""What a worker does for a request: bytes and options in; a page, JSON or Markdown out, as the
commands write them.

Nothing here opens a path that a request names: files arrive as bytes; rule sets, tables of
tolerances and match equity tables only by name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final

from reconcile.document import dumps, in_list
from reconcile.errors import InvalidConfiguration, ReconcileError, UnknownName, UnreadableFile
from reconcile.files.wording import plural
from reconcile.files.zipped import MAGIC, zipped_files
from reconcile.formats import read_match
from reconcile.gap.comparison import compare
from reconcile.gap.explanation import story
from reconcile.gap.folders import ChosenMatch, File, chosen_matches
from reconcile.gap.pairing import seat_of
from reconcile.gap.review import review, review_rows
from reconcile.infer.investigation import investigate
from reconcile.infer.reported import read_reported, reported_by
from reconcile.match.match import Match, fingerprint
from reconcile.match.met import met_names
from reconcile.match.tools import XG
from reconcile.report.forms import in_form
from reconcile.report.html.investigation_page import command_of, headline, investigation_page
from reconcile.report.markdown import markdown
from reconcile.report.text.investigation import investigation_blocks, paste_notes
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.statistics import statistics
from reconcile.serve.offered import FIGURES
from reconcile.serve.tasks import Progress, Result, Task, result_of

FORM: Final = {"html": "html", "json": "json", "md": "markdown"}
"""What a form is called in a request, and here."""
MANIFEST: Final = "match.yaml"
TRUE: Final = ("1", "true", "yes", "on")
OF_TWO: Final = ("left_rules", "right_rules", "table")
"""Options for two files."""


def run(task: Task, progress: Progress) -> Result:
    """Do what is asked. Raises `ReconcileError` with a sentence for the person who asked."""
    return KINDS[task.kind](task, progress)


def _open(task: Task, progress: Progress) -> Result:
    """By match the statistics of one analysis or the comparison of several, whatever else was
    given; of a zipped pack its index."""
    uploads = dict[int, tuple[str, bytes]]()
    files: list[File] = []
    left: list[str] = []
    trouble = None
    for name, content in _unzipped(task):
        if PurePosixPath(name).name == MANIFEST:
            return _pack(task, progress)
        try:
            match = read_match(name, content, task.options.get("match", ""))
        except UnreadableFile as error:
            left.append(f"{name} was left out: {error.apart_from(name)}.")
            trouble = trouble or error
            continue
        uploads[id(match)] = name, content
        files.append(File(name, match, fingerprint(match)))
    if trouble is not None and not files:
        raise trouble
    parts: list[Result] = []
    matches = list(chosen_matches(files))
    for chosen in matches:
        own = tuple(uploads[id(file.match)] for file in chosen.files)
        try:
            parts.append(_match(replace(task, files=own), chosen))
        except ReconcileError as error:
            if len(matches) == 1:
                raise
            left.append(f"{', '.join(file.name for file in chosen.files)}: {error}.")
    if not parts:
        raise InvalidConfiguration(" ".join(left).removesuffix("."))
    if len(parts) == 1:
        return replace(parts[0], notes=(*parts[0].notes, *left))
    title = plural(len(parts), "match", "matches")
    several = replace(task, files=())
    return Result(several, "matches", title, "", notes=tuple(left), parts=tuple(parts))


def _match(task: Task, chosen: ChosenMatch) -> Result:
    """The page of a match, by one analysis or several."""
    matches = [file.match for file in chosen.files]
    result = _statistics(task, matches[0]) if len(matches) == 1 else _compared(task, matches)
    notes = *weighed_with(task.options.get("met", ""), matches), *chosen.notes
    return replace(result, notes=notes, unanalysed=chosen.wants_analysis)


def _unzipped(task: Task) -> Iterator[tuple[str, bytes]]:
    """The files, those of a zip file in its place."""
    for name, content in task.files:
        if content.startswith(MAGIC):
            yield from zipped_files(name, content)
        else:
            yield name, content


def weighed_with(met: str, matches: Sequence[Match]) -> tuple[str, ...]:
    """What another match equity table changes, and what it cannot."""
    if not met:
        return ()
    changes = (
        "Losses of match winning chance, and what is computed from equities and chances, "
        f"are by the table {met}."
    )
    stays = (
        "The equities and errors that XG stored were made with its own table and stay as they are."
    )
    has_xg = any(match.source.tool == XG.name for match in matches)
    return (changes, stays) if has_xg else (changes,)


def _statistics(task: Task, match: Match) -> Result:
    rules, met = _named(task, "rules", RULE_SETS), _named(task, "met", met_names())
    scored = statistics(match, rules, met)
    if task.form == "html":
        content = in_form(review(match, rules=rules, met=met), "html")
    elif task.form == "json":
        per_game = task.options.get("per_game", "").lower() in TRUE
        content = in_form(scored, "json", per_game=per_game)
    else:
        content = f"```\n{in_form(scored, 'text', per_game=True)}```\n"
    return result_of(replace(task, kind="stats"), "stats", headline(scored), content, match)


def _compare(task: Task, progress: Progress) -> Result:
    if len(task.files) < 2:
        raise InvalidConfiguration(
            f"expected two files of one match, or more, found {len(task.files)}; "
            "choose them at once"
        )
    return _compared(task, _read(task))


def _compared(task: Task, matches: Sequence[Match]) -> Result:
    """Two analyses of a match, or more: then nothing is left or right, and nothing is judged."""
    met, player = _named(task, "met", met_names()), task.options.get("player") or None
    if len(matches) == 2:
        result = compare(
            matches[0],
            matches[1],
            left_rules=_named(task, "left_rules", RULE_SETS),
            right_rules=_named(task, "right_rules", RULE_SETS),
            met=met,
            table=task.options.get("table") or "documented",
            player=player,
        )
        title, content = next(story(result), ""), in_form(result, FORM[task.form])
    else:
        if option := next(filter(task.options.get, OF_TWO), None):
            raise InvalidConfiguration(
                f"{option}: is for two files, found {len(matches)}; "
                "compare two of them, or leave it out"
            )
        many = review(*matches, met=met, player=player)
        title, content = review_rows(many)[0].headline, in_form(many, FORM[task.form])
    title = title or " – ".join(matches[0].players)
    return result_of(replace(task, kind="compare"), "compare", title, content, matches[0])


def _investigate(task: Task, progress: Progress) -> Result:
    """The figures are in fields named like the metrics (`pr`, `decisions`, ...), in `reported`
    (lines METRIC=FIGURE), or pasted."""
    match, options = _single(task), task.options
    player, game = options.get("player", ""), _game(options.get("game", ""))
    typed = {name: options[name].strip() for name in FIGURES if options.get(name, "").strip()}
    typed |= dict(_typed(options.get("reported", "")))
    wanted = read_reported(typed) if typed else ()
    notes: tuple[str, ...] = ()
    program = None
    if (text := options.get("paste", "")).strip():
        from reconcile.formats.printed import read_pasted

        pasted = read_pasted("the pasted text", text.encode(), game)
        if not player and not wanted and len(pasted.players) == 1:
            player = match.names[seat_of(match, pasted.players[0])]
        if not player and not wanted and len(pasted.players) == 2:
            return _investigated_both(task, match, progress)
        wanted = *wanted, *(reported_by(pasted, match, player) if player else ())
        notes, program = paste_notes(pasted, match.players), pasted.program
    if not player:
        raise InvalidConfiguration(
            f"player: expected {match.names[0]!r} or {match.names[1]!r}, found nothing; "
            "say whose figures they are"
        )
    if not wanted:
        raise InvalidConfiguration(
            "expected a figure, such as PR 9.23, or a pasted statistics window, found neither; "
            "give what you saw"
        )
    met = _named(task, "met", met_names())
    result = investigate(match, player, wanted, met=met, game=game, program=program)
    command = command_of(result)
    contents: Mapping[str, Callable[[], str]] = {
        "html": lambda: investigation_page(result, notes=notes, command=command),
        "json": lambda: dumps(result),
        "md": lambda: markdown(investigation_blocks(result, command=command)),
    }
    title = f"Which rules give the figures of {result.player}?"
    return result_of(task, "investigate", title, contents[task.form](), match)


def _investigated_both(task: Task, match: Match, progress: Progress) -> Result:
    """The figures of a pasted text that names both players, for each."""
    parts = tuple(
        _investigate(replace(task, options={**task.options, "player": name}), progress)
        for name in match.names
    )
    title = f"Which rules give the figures of {' and '.join(match.players)}?"
    content = in_list([part.content for part in parts]) if task.form == "json" else ""
    return result_of(replace(task, files=()), "matches", title, content, match, parts=parts)


def _analyse(task: Task, progress: Progress) -> Result:
    """gnuBG's analysis of a match: beside the file's own where it has one, otherwise its
    statistics."""
    from reconcile.engines.analysis import analyse
    from reconcile.engines.gnubg import find

    match, plies = _single(task), task.options.get("plies", "2")
    if plies not in ("0", "1", "2", "3", "4"):
        raise InvalidConfiguration(f"plies: expected 0 to 4, found {plies!r}; choose one of them")
    analysis = analyse(
        match,
        find(),
        plies=int(plies),
        threads=os.cpu_count() or 1,
        progress=lambda done, total: progress("games", done, total),
    )
    name = f"{PurePosixPath(task.files[0][0]).stem}_{plies}ply.sgf"
    analysed = (name, analysis.content)
    if match.plays.analysed.any() or match.cubes.analysed.any():
        return _compared(Task("compare", (task.files[0], analysed)), (match, analysis.match))
    return run(Task("stats", (analysed,)), progress)


def _roll(task: Task, progress: Progress) -> Result:
    from reconcile.serve.rollouts import rolled_out

    return rolled_out(task, progress)


def _pack(task: Task, progress: Progress) -> Result:
    """The index of a zipped pack of reference matches, unpacked into a folder that goes again."""
    from reconcile.gap.tolerances import load_tolerances
    from reconcile.gate.validate import validate
    from reconcile.report.html.pack import pack_pages
    from reconcile.report.text.pack import pack_sentence

    with TemporaryDirectory() as folder:
        try:
            pack = _unpacked(*task.files[0], Path(folder))
            result = validate(pack, load_tolerances(None), progress=progress)
        except ReconcileError as error:
            raise type(error)(error.below(folder)) from None
    pages: dict[str, str] = {}
    if task.form == "html":
        pages = {PurePosixPath(path).name: page for path, page in pack_pages(result, "")}
    content = pages.pop("index.html") if pages else in_form(result, FORM[task.form])
    return Result(task, "pack", pack_sentence(result), content, pages=pages)


def _unpacked(name: str, content: bytes, folder: Path) -> Path:
    """Write the files of a zipped pack below a folder; where they are in one folder of the archive,
    that is the pack."""
    for member, unpacked in zipped_files(name, content):
        (folder / member).parent.mkdir(parents=True, exist_ok=True)
        (folder / member).write_bytes(unpacked)
    manifests = sorted(folder.rglob(MANIFEST))
    return manifests[0].parent.parent if folder != manifests[0].parent else folder


def _read(task: Task) -> list[Match]:
    return [read_match(*file, task.options.get("match", "")) for file in task.files]


def _single(task: Task) -> Match:
    if len(task.files) != 1:
        raise InvalidConfiguration(f"expected one file, found {len(task.files)}; choose one match")
    return _read(task)[0]


def _named(task: Task, option: str, names: Sequence[str] | Mapping[str, object]) -> str | None:
    """An option that names something that comes with the program; files of the server's computer
    are never opened."""
    name = task.options.get(option) or None
    if name is not None and name not in names:
        raise UnknownName(
            f"{option}: expected one of {', '.join(names)}, found {name[:80]!r}; choose one of them"
        )
    return name


def _typed(text: str) -> Iterator[tuple[str, str]]:
    """Lines METRIC=FIGURE."""
    for line in filter(None, map(str.strip, text.splitlines())):
        name, equals, figure = line.partition("=")
        if not equals or not name.strip():
            raise InvalidConfiguration(
                "reported: expected METRIC=FIGURE such as pr=9.23 on each line, "
                f"found {line[:80]!r}; correct it"
            )
        yield name.strip(), figure.strip()


def _game(text: str) -> int | None:
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 4:
        raise InvalidConfiguration(
            f"game: expected the number of a game, found {text[:20]!r}; "
            "leave it empty for the whole match"
        )
    return int(text)


KINDS: Final[Mapping[str, Callable[[Task, Progress], Result]]] = {
    "open": _open,
    "stats": lambda task, progress: _statistics(task, _single(task)),
    "compare": _compare,
    "investigate": _investigate,
    "analyse": _analyse,
    "roll": _roll,
}
