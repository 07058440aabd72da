"""What is done for a page: bytes and options in; a page, JSON or Markdown out, as the commands
write them. The local page and the one without installation both do it so.

Nothing here opens a path that a request names: files arrive as bytes; rule sets, tables of
tolerances and match equity tables only by name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Final

from reconcile.document import in_list
from reconcile.errors import InvalidConfiguration, ReconcileError, UnknownName, UnreadableFile
from reconcile.files.bundled import bundled
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
from reconcile.report.answer import answer
from reconcile.report.forms import in_form
from reconcile.report.html.investigation_page import command_of
from reconcile.report.words import length_text
from reconcile.rules.rulesets import RULE_SETS
from reconcile.serve.zipped import MAGIC, zipped_files
from reconcile.wording import plural

Upload = tuple[str, bytes]
"""Name as the browser gave it, without folders, and content."""
Progress = Callable[[str, int, int], None]
"""Called with what is counted, how many are done, and how many there are."""
FORM: Final = {"html": "html", "json": "json", "md": "markdown"}
"""What a form is called in a request, and here."""
FIGURES: Final = ("pr", "decisions", "snowie_memg", "snowie_er", "equity_error", "mwc_loss_percent")
"""Those that have a field of their own."""
OF_TWO: Final = ("left_rules", "right_rules", "table")
"""Options for two files."""
NAMES: Final[Mapping[str, Callable[[], Sequence[str]]]] = {
    **dict.fromkeys(("rules", "left_rules", "right_rules"), lambda: [*RULE_SETS]),
    "met": met_names,
}
"""Options that name what comes with the program; the server's files are never opened."""
BY_TABLE: Final = (
    "Losses of match winning chance, and what is computed from equities and chances, are by the "
    "table {}."
)
NOT_BY_TABLE: Final = (
    "The equities and errors that XG stored were made with its own table and stay as they are."
)
MANIFEST: Final = "match.yaml"
DEMONSTRATION: Final = "demonstration/nora-lindqvist-tomas-beck"
EXAMPLES: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "two-programs": (
        "One match as XG and as gnuBG see it",
        (f"{DEMONSTRATION}.xg", f"{DEMONSTRATION}.sgf"),
    ),
    "statistics": ("The statistics of one match", (f"{DEMONSTRATION}.xg",)),
}
"""Title and files, below `reference_matches`, of what comes with the program."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked for."""

    kind: str
    """A key of `KINDS`."""
    files: tuple[Upload, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    """Named like the options of the command."""
    form: str = "html"
    """What to make: `html`, `json` or `md`."""

    def option(self, name: str) -> str | None:
        """An option that is not empty. Raises `UnknownName` for a name that is none of its own."""
        value = self.options.get(name, "").strip() or None
        if value is not None and name in NAMES and value not in NAMES[name]():
            expected = ", ".join(NAMES[name]())
            raise UnknownName(
                f"{name}: expected one of {expected}, found {value[:80]!r}; choose one of them"
            )
        return value

    def matches(self) -> list[Match]:
        """The files, read. Raises `UnreadableFile`."""
        return [read_match(*file, self.options.get("match", "")) for file in self.files]

    def match(self) -> Match:
        """Its only file. Raises `InvalidConfiguration` for several, `UnreadableFile`."""
        if len(self.files) != 1:
            raise InvalidConfiguration(
                f"expected one file, found {len(self.files)}; choose one match"
            )
        return self.matches()[0]


@dataclass(frozen=True, slots=True)
class Result:
    """What was made, in the form that was asked for."""

    task: Task
    """What makes it again, in another form too: never an engine's analysis, but its file."""
    kind: str
    """`stats`, `compare`, `investigate`, `pack` or `matches`."""
    title: str
    """One line for the list of this session."""
    content: str
    """The document."""
    match: tuple[str, ...] = ()
    """Players, and the length in words."""
    notes: tuple[str, ...] = ()
    """What became of the files that it does not use."""
    unanalysed: bool = False
    """Whether an analysis is what the files want most."""
    parts: tuple[Result, ...] = ()
    """The results of several matches or players, each in its own right."""
    pages: Mapping[str, str] = field(default_factory=dict)
    """The other pages of a pack, by name."""

    @property
    def players(self) -> tuple[str, ...]:
        """Of the match."""
        return self.match[:2]

    @property
    def name(self) -> str:
        """What it is called in the list of a session and as a file; empty without a match."""
        return f"{' – '.join(self.players)}, {self.match[2]}" if self.match else ""


def run(task: Task, progress: Progress = lambda counted, done, total: None) -> Result:
    """Do what is asked. Raises `ReconcileError` with a sentence for the person who asked."""
    return KINDS[task.kind](task, progress)


def example(name: str) -> tuple[Upload, ...]:
    """The files of an example. Raises `KeyError`."""
    paths = [bundled("reference_matches") / path for path in EXAMPLES[name][1]]
    return tuple((path.name, path.read_bytes()) for path in paths)


def facts(match: Match) -> tuple[str, ...]:
    """What a result keeps of its match."""
    return (*match.players, length_text(match.length))


def _open(task: Task, progress: Progress) -> Result:
    """By match the statistics of one analysis or the comparison of several, whatever else was
    given; of a zipped pack its index."""
    uploads = dict[int, Upload]()
    files: list[File] = []
    notes: list[str] = []
    trouble = None
    for name, content in _unzipped(task):
        if PurePosixPath(name).name == MANIFEST:
            return _pack(task, progress)
        try:
            match = read_match(name, content, task.options.get("match", ""))
        except UnreadableFile as error:
            notes.append(f"{name} was left out: {error.apart_from(name)}.")
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
            notes.append(f"{', '.join(file.name for file in chosen.files)}: {error}.")
    if not parts:
        raise InvalidConfiguration(" ".join(notes).removesuffix("."))
    if len(parts) == 1:
        return replace(parts[0], notes=(*parts[0].notes, *notes))
    title, several = plural(len(parts), "match", "matches"), replace(task, files=())
    return Result(several, "matches", title, "", notes=tuple(notes), parts=tuple(parts))


def _unzipped(task: Task) -> Iterator[Upload]:
    """The files, those of a zip file in its place; hidden ones are left aside."""
    for name, content in task.files:
        members = zipped_files(name, content) if content.startswith(MAGIC) else [(name, content)]
        yield from (each for each in members if not PurePosixPath(each[0]).name.startswith("."))


def _match(task: Task, chosen: ChosenMatch) -> Result:
    """The page of a match, by one analysis or several, with what another match equity table
    changes, and what it cannot."""
    matches = [file.match for file in chosen.files]
    result = _statistics(task, matches[0]) if len(matches) == 1 else _compared(task, matches)
    notes = [*chosen.notes]
    if met := task.option("met"):
        by_xg = any(match.source.tool == XG.name for match in matches)
        notes = [BY_TABLE.format(met), *([NOT_BY_TABLE] if by_xg else []), *notes]
    return replace(result, notes=tuple(notes), unanalysed=chosen.wants_analysis)


def _statistics(task: Task, match: Match) -> Result:
    several = review(match, rules=task.option("rules"), met=task.option("met"))
    scored = several.analyses[0]
    if task.form == "html":
        content = in_form(several, "html")
    elif task.form == "json":
        per_game = task.options.get("per_game", "").lower() in ("1", "true", "yes", "on")
        content = in_form(scored, "json", per_game=per_game)
    else:
        content = f"```\n{in_form(scored, 'text', per_game=True)}```\n"
    title = review_rows(several)[0].headline
    return Result(replace(task, kind="stats"), "stats", title, content, facts(match))


def _compare(task: Task, progress: Progress) -> Result:
    if len(task.files) < 2:
        raise InvalidConfiguration(
            f"expected two files of one match, or more, found {len(task.files)}; "
            "choose them at once"
        )
    return _compared(task, task.matches())


def _compared(task: Task, matches: Sequence[Match]) -> Result:
    """Two analyses of a match, or more: then nothing is left or right, and nothing is judged."""
    options: dict[str, Any] = {name: task.option(name) for name in ("met", "player")}
    judging: dict[str, Any] = {name: value for name in OF_TWO if (value := task.option(name))}
    result: Any
    if len(matches) == 2:
        result = compare(matches[0], matches[1], **options, **{"table": "documented", **judging})
        title = next(story(result), "")
    elif judging:
        raise InvalidConfiguration(
            f"{min(judging)}: is for two files, found {len(matches)}; "
            "compare two of them, or leave it out"
        )
    else:
        result = review(*matches, **options)
        title = review_rows(result)[0].headline
    content = in_form(result, FORM[task.form])
    title = title or " – ".join(matches[0].players)
    return Result(replace(task, kind="compare"), "compare", title, content, facts(matches[0]))


def _investigate(task: Task, progress: Progress) -> Result:
    """The figures are in fields named like the metrics (`pr`, `decisions`, ...), in `reported`
    (lines METRIC=FIGURE), or pasted."""
    match = task.match()
    game = _number(task, "game", "leave it empty for the whole match")
    player = task.option("player")
    typed = {name: figure for name in FIGURES if (figure := task.option(name))}
    typed |= _typed(task.options.get("reported", ""))
    wanted = read_reported(typed) if typed else ()
    notes: tuple[str, ...] = ()
    program = None
    if text := task.option("paste"):
        from reconcile.formats.printed import read_pasted
        from reconcile.report.text.investigation import paste_notes

        pasted = read_pasted("the pasted text", text.encode(), game)
        if not player and not wanted and len(pasted.players) == 2:
            return _investigated_both(task, match, progress)
        if not player and not wanted and len(pasted.players) == 1:
            player = match.names[seat_of(match, pasted.players[0])]
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
    result = investigate(match, player, wanted, met=task.option("met"), game=game, program=program)
    more: dict[str, Any] = {} if task.form == "json" else {"command": command_of(result)}
    more |= {"notes": notes} if task.form == "html" else {}
    content = in_form(result, FORM[task.form], **more)
    return Result(task, "investigate", answer(result)[0], content, facts(match))


def _investigated_both(task: Task, match: Match, progress: Progress) -> Result:
    """The figures of a pasted text that names both players, for each."""
    parts = tuple(
        _investigate(replace(task, options={**task.options, "player": name}), progress)
        for name in match.names
    )
    title = f"Which rules give the figures of {' and '.join(match.players)}?"
    content = in_list([part.content for part in parts]) if task.form == "json" else ""
    return Result(replace(task, files=()), "matches", title, content, facts(match), parts=parts)


def _typed(text: str) -> dict[str, str]:
    """Lines METRIC=FIGURE."""
    parts = [line.partition("=") for line in text.splitlines() if line.strip()]
    return {name.strip(): figure.strip() for name, _, figure in parts}


def _number(task: Task, name: str, what_to_do: str) -> int | None:
    """An option that is a number, or empty."""
    text = task.option(name)
    if text and not re.fullmatch("[0-9]{1,4}", text):
        wrong = f"{name}: expected a number, found {text[:20]!r}"
        raise InvalidConfiguration(f"{wrong}; {what_to_do}")
    return int(text) if text else None


def _analyse(task: Task, progress: Progress) -> Result:
    """gnuBG's analysis of a match: beside the file's own where it has one, otherwise its
    statistics."""
    from reconcile.engines.second_opinion import analysed, checked_plies

    match = task.match()
    depth = _number(task, "plies", "choose one of 0 to 4")
    plies = checked_plies("gnubg", 2 if depth is None else depth)
    analysis = analysed(
        match,
        "gnubg",
        plies,
        threads=os.cpu_count() or 1,
        progress=lambda done, total: progress("games", done, total),
    )
    file = (f"{PurePosixPath(task.files[0][0]).stem}_{plies}ply.sgf", analysis.content)
    if match.plays.analysed.any() or match.cubes.analysed.any():
        return _compared(Task("compare", (task.files[0], file)), (match, analysis.match))
    return run(Task("stats", (file,)), progress)


def _pack(task: Task, progress: Progress) -> Result:
    """The index of a zipped pack of reference matches, unpacked into a folder that goes again;
    where its matches are in one folder of the archive, that is the pack."""
    from reconcile.gap.tolerances import load_tolerances
    from reconcile.gate.validate import validate
    from reconcile.report.text.pack import pack_sentence

    with TemporaryDirectory() as folder:
        try:
            for member, unpacked in zipped_files(*task.files[0]):
                path = Path(folder, member)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(unpacked)
            first = min(Path(folder).rglob(MANIFEST)).parent
            pack = first if first == Path(folder) else first.parent
            result = validate(pack, load_tolerances(None), progress=progress)
        except ReconcileError as error:
            raise type(error)(error.below(folder)) from None
    content, pages = "", dict[str, str]()
    if task.form == "html":
        pages = {PurePosixPath(path).name: page for path, page in in_form(result, "html", "")}
        content = pages.pop("index.html")
    else:
        content = in_form(result, FORM[task.form])
    return Result(task, "pack", pack_sentence(result), content, pages=pages)


KINDS: Final[Mapping[str, Callable[[Task, Progress], Result]]] = {
    "open": _open,
    "stats": lambda task, progress: _statistics(task, task.match()),
    "compare": _compare,
    "investigate": _investigate,
    "analyse": _analyse,
}
