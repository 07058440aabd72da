"""What is judged: pairs and sets of files, generated ones, figures that somebody may have seen, pools and archives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random

from reconcile.errors import ReconcileError
from reconcile.match.match import Match
from tests.oracles.stories import archive, documents, pools
from tests.oracles.stories.answers import ANSWERS
from tests.oracles.stories.around import AROUND
from tests.oracles.stories.beside_the_answer import BESIDE
from tests.oracles.stories.compared import Compared
from tests.oracles.stories.generated import generated, third
from tests.oracles.stories.investigated import Investigated
from tests.oracles.stories.judge import Fault, faults
from tests.oracles.stories.mirror import mirror_faults
from tests.oracles.stories.mistakes import MISTAKES
from tests.oracles.stories.reported_figures import RULES, seen
from tests.oracles.stories.several import Several
from tests.oracles.stories.several_story import SEVERAL
from tests.oracles.stories.story import STORY
from tests.support.data import matching
from tests.support.loaded import DEMONSTRATION, loaded

INVESTIGATED = (*ANSWERS, *BESIDE, *MISTAKES)
COMPARED = (*AROUND, *STORY)
WHOLE = 10
"""Of every so many generated pairs one is judged with its games and all its bridges, and one beside a third."""


def judged_pair(name: str, left: Match, right: Match, *, whole: bool = True) -> Iterator[Fault]:
    """Two files, both ways round."""
    try:
        there, back = (
            documents.compared(left, right, whole=whole),
            documents.compared(right, left, whole=whole),
        )
    except ReconcileError:
        return
    for way, document in (("", there), (", the other way round", back)):
        yield from faults(f"{name}{way}", Compared(document), document["story"], COMPARED)
    yield from mirror_faults(name, Compared(there), Compared(back), COMPARED)


def judged_set(name: str, matches: Sequence[Match]) -> Iterator[Fault]:
    """Several files, in two orders."""
    try:
        there, back = documents.several(matches), documents.several(matches[::-1])
    except ReconcileError:
        return
    for way, document in (("", there), (", in another order", back)):
        yield from faults(f"{name}{way}", Several(document), document["story"], SEVERAL)


def judged_generated(seed: int) -> list[Fault]:
    """A generated pair, and now and then three analyses."""
    pair = generated(seed)
    found = list(judged_pair(str(pair), pair.left, pair.right, whole=seed % WHOLE == 0))
    return [*found, *judged_set(f"{pair} and a third", third(pair))] if seed % WHOLE == 1 else found


def judged_files(files: Sequence[Path]) -> Iterator[Fault]:
    """Analyses of one match: each with the next one and the last with the first, and all together."""
    matches = [loaded(file) for file in files]
    analysed = [one for one in matches if one.plays.analysed.any() or one.cubes.analysed.any()]
    for one, two in zip(matches, [*matches[1:], matches[0]], strict=True):
        yield from judged_pair(
            f"{Path(one.source.path).name} {Path(two.source.path).name}", one, two
        )
    if len(analysed) > 1:
        yield from judged_set(" ".join(Path(one.source.path).name for one in analysed), analysed)


def real_sets() -> list[list[Path]]:
    """The files of every match, bundled and real."""
    found = [[Path(f"{DEMONSTRATION}.xg"), Path(f"{DEMONSTRATION}.sgf")]]
    found += [
        matching(f"real/{path.stem}*.xg", f"real/{path.stem}*.sgf")
        for path in matching("real/*.xg")
    ]
    found += [
        [path, path.parent.parent / "bgf" / f"{path.stem}.bgf"]
        for path in matching("bgblitz/xg/*.xg")
    ]
    return found


def judged_investigations(match: Match, seed: int, number: int) -> Iterator[Fault]:
    """Figures of a match that somebody may have seen, so many times."""

    @cache
    def counted(rules: str) -> documents.Document:
        return documents.per_game(match, rules)

    for player, figures in seen({rules: counted(rules) for rules in RULES}, Random(seed), number):
        try:
            document, text = documents.investigated(match, player, figures)
        except ReconcileError:
            continue
        facts = Investigated(document, text, counted)
        yield from faults(
            f"{match.source.path}: {figures} of {player}", facts, facts.sentences, INVESTIGATED
        )


def judged_pool(files: Sequence[Path]) -> Iterator[Fault]:
    """The pooled figures of some matches."""
    facts = pools.Pool(*documents.pooled(files))
    yield from faults(
        f"pool of {[file.name for file in files]}", facts, facts.sentences, pools.POOL
    )


def judged_archive(folder: Path, tables: Path) -> Iterator[Fault]:
    """The report of an archive."""
    text, decisions = documents.corpus_report(folder, tables)
    facts = archive.Archive(text, decisions)
    yield from faults(f"corpus-report of {folder.name}", facts, facts.sentences, archive.ARCHIVE)
