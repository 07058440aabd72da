"""The words of comparisons and reviews, held against arithmetic of their own.

    python -m tests.oracles.stories --pairs 60 --triples 20 --seed 1

draws files of one match in the folder that RECONCILE_DATA names, runs the commands on them, and
recomputes what is said from plain lists of decisions (`stats --decisions --format json`) and plain
figures (`stats --format json`). It uses nothing else of the program. It prints every sentence that
is not true, counts them by claim, and exits with 1 where there is one.
"""

import argparse
import itertools
import json
import random
import re
import sys
from collections import Counter, defaultdict
from functools import cache

from tests.support.command_line import run
from tests.support.data import FOLDER, label, matching

RULES = ("xg", "gnubg", "gnubg-manual", "blunderdb", "backgammondb", "gammonview", "bgblitz")
ERROR, BLUNDER = 0.020, 0.080
SIGNED = r"[+−-]?\d+\.\d\d"


def groups():
    """The files of one match in one folder: their names begin alike."""
    files = defaultdict(list)
    for path in matching("real/*", "bgblitz/*/*", "gnubg-text/*/*"):
        if path.suffix in {".xg", ".sgf", ".bgf"}:
            stem = re.sub(r"_\dply$|[-_]\d-?ply$", "", path.stem)
            files[re.sub(r"/(xg|bgf|mat|\d-ply)$", "", str(path.parent)), stem].append(path)
    return [sorted(paths) for paths in files.values() if len(paths) > 1]


@cache
def document(*arguments):
    """The JSON document of a command; `None` where it refuses."""
    result = run(*arguments)
    return None if result.exit_code == 2 else json.loads(result.stdout)


@cache
def decided(path, rules=None):
    """By game, turn and kind a decision of a file: player, whether it counts, its error."""
    more = ("--rules", rules) if rules else ()
    rows = document("stats", path, "--decisions", "--format", "json", *more)["decisions"]
    places = Counter((row["game"], row["turn"], row["kind"]) for row in rows)
    return {
        place: row for row in rows if places[place := (row["game"], row["turn"], row["kind"])] == 1
    }


def hundredths(text):
    """A printed number in hundredths."""
    return round(100 * float(text.replace("−", "-")))


class Claims:
    """What was looked at and what was not true."""

    def __init__(self):
        self.looked: Counter[str] = Counter()
        self.false = []

    def check(self, claim, is_true, sentence):
        """A claim that was made in a sentence."""
        self.looked[claim] += 1
        if not is_true:
            self.false.append(f"{claim}: {sentence}")


# -- two analyses


def errors_and_blunders(path, rules, player):
    """Of a player by the page's borders."""
    errors = [
        row["error"]
        for row in decided(path, rules).values()
        if row["player"] == player and row.get("error") is not None
    ]
    return tuple(sum(round(error, 5) >= border for error in errors) for border in (ERROR, BLUNDER))


def check_pair(claims, left, right, rules, both):
    """Every row of a comparison of two files; rules are those of the left, or of both."""
    more = ["--left-rules", rules] * bool(rules) + ["--right-rules", rules] * bool(rules and both)
    result = document("compare", left, right, "--json", "-", "--quiet", *more)
    if result is None:
        return
    is_same = not result["transcript"]["differences"]
    sides = [
        decided(path, side["rules"])
        for path, side in ((left, result["left"]), (right, result["right"]))
    ]
    names = {
        name: result["right"]["players"][at] for at, name in enumerate(result["left"]["players"])
    }
    for each in result["explanation"]:
        check_headline(claims, each, result)
        if is_same:
            check_decisions(claims, each, sides)
            check_counting(claims, each, sides, names, result)


def check_headline(claims, each, result):
    """The figures of a headline and the gap behind them; rules that are not the tool's own."""
    headline = each["headline"]
    numbers = re.findall(rf"({SIGNED}) by", headline)
    if len(numbers) == 2 and None not in (each["from"], each["to"]):
        ends = [f"{each[name]:.2f}" for name in ("from", "to")]
        claims.check("figures of a headline", numbers == ends, headline)
        gap = re.search(rf", gap ({SIGNED})$", headline)
        difference = hundredths(numbers[1]) - hundredths(numbers[0])
        claims.check("printed gap", gap is not None and hundredths(gap[1]) == difference, headline)
    own = {"eXtreme Gammon": "xg", "GNU Backgammon": "gnubg", "BGBlitz": "bgblitz"}
    for side in ("left", "right"):
        facts = result[side]
        is_own = own.get(facts["tool"]) == facts["rules"]
        if facts["tool"] in own and result["left"]["tool"] != result["right"]["tool"]:
            words = headline.split(" by ")[1 if side == "left" else 2 :][:1]
            says_rules = bool(words) and " under " in words[0].split(", ")[0]
            claims.check("rules in a label", is_own != says_rules, headline)


def check_decisions(claims, each, sides):
    """What either side says of a named decision."""
    for row in each["rows"]:
        if row["kind"] != "decision":
            continue
        place = row["game"], row["turn"], row["decision"]
        for words, side in zip((row["left"], row["right"]), sides, strict=True):
            decision = side.get(place)
            if decision is None or not words:
                continue
            number = re.match(r"\d+\.(\d+)", words)
            if number:
                shown = f"{decision['error'] or 0.0:.{len(number[1])}f}"
                claims.check("error of a decision", number[0] == shown, f"{each['player']}: {row}")
            says_counts = "not counted" not in words and words != "not analysed"
            claims.check("whether a decision counts", says_counts == decision["counted"], f"{row}")


def check_counting(claims, each, sides, names, result):
    """The numbers of the row of counting rules give the difference of the decisions shown."""
    if each["metric"] != "pr":
        return
    places = [
        {place for place, row in side.items() if row["counted"] and row["player"] == player}
        for side, player in zip(sides, (each["player"], names[each["player"]]), strict=True)
    ]
    both = sides[0].keys() & sides[1].keys()
    alone = [len(places[0] - places[1]), len(places[1] - places[0])]
    shown = {(figure["metric"], figure["player"]): figure for figure in result["figures"]}
    counts = shown.get(("decisions", each["player"]))
    if not places[0] ^ places[1] <= both:
        return
    for row in each["rows"]:
        if row["kind"] == "rules" and row["text"].startswith("counting rules"):
            stated = [
                int(number[0]) if (number := re.search(r"\d+", words)) else 0
                for words in (row["left"], row["right"])
            ]
            sentence = f"{each['headline']}: {row['left']}, {row['right']}; found {alone}"
            claims.check("numbers of counting rules", stated == alone, sentence)
            if counts:
                apart = stated[0] - stated[1] == counts["left"] - counts["right"]
                claims.check("counting rules give the difference", apart, sentence)


# -- one analysis


def check_single(claims, path, rules):
    """The headline of one analysis: PR, decisions, errors and blunders."""
    more = ("--rules", rules) if rules else ()
    result = run("stats", path, *more)
    if result.exit_code:
        return
    text = re.sub(r"\s+", " ", result.stdout)
    for player in sorted({row["player"] for row in decided(path, rules).values()}):
        numbers = r"(\d+) decisions?, (\d+ errors?(?:, \d+ of them)?)"
        pattern = rf"{re.escape(player)}: PR [\d.]+ by .*?, {numbers}"
        headline = re.search(pattern, text)
        if headline is None or " to " in headline[0][:80]:
            continue
        counted = [
            row
            for row in decided(path, rules).values()
            if row["player"] == player and row["counted"]
        ]
        claims.check("decisions of a headline", int(headline[1]) == len(counted), headline[0])
        errors, blunders = errors_and_blunders(path, rules, player)
        stated = [int(number) for number in re.findall(r"\d+", headline[2])]
        expected = [errors, *[blunders] * bool(blunders)]
        if not blunders or "of them" in headline[2]:
            claims.check("errors of a headline", stated[: len(expected)] == expected, headline[0])


# -- three analyses and more


def check_triple(claims, paths):
    """What is stated of all analyses and of what is in dispute."""
    result = document("compare", *paths, "--json", "-", "--quiet")
    if result is None:
        return
    story = "; ".join(result["story"])
    sides = [decided(path) for path in paths]
    stated = re.search(r"(\d+) decisions? (?:is|are) an error (in every analysis|by [^;]*)", story)
    if stated and result["transcript"]["same"]:
        words = re.sub(r" and |, ", "|", stated[2].removeprefix("by ")).split("|")
        labels = [side["label"] for side in result["sides"]]
        named = [side for side, label in zip(sides, labels, strict=True) if label in words]
        asked = sides if stated[2] == "in every analysis" else named
        errors = [
            [side[place].get("error") for side in asked]
            for place in set.intersection(*(set(side) for side in sides))
            if place[2] not in {"resign", "accept-resign"}
        ]
        number = sum(all(round(error or 0.0, 5) >= ERROR for error in row) for row in errors)
        sentence = f"{stated[0]}; found {number}"
        claims.check("an error in every analysis", int(stated[1]) == number, sentence)
    for dispute in result["disputes"]:
        place = dispute["game"], dispute["turn"], dispute["kind"]
        for side, verdict in zip(sides, dispute["verdicts"], strict=True):
            row = side.get(place)
            if row is not None and verdict["error"] is not None and result["transcript"]["same"]:
                is_same = abs(row["error"] - verdict["error"]) < 1e-6
                claims.check("error in a dispute", is_same, f"{paths}: {dispute}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name, number in (("pairs", 60), ("triples", 20), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=number)
    options = parser.parse_args(arguments)
    draw, claims = random.Random(options.seed), Claims()
    together = groups()
    pairs = [pair for files in together for pair in itertools.permutations(files, 2)]
    for left, right in draw.sample(pairs, min(options.pairs, len(pairs))):
        rules = draw.choice((*[None] * len(RULES), *RULES))
        check_pair(claims, left, right, rules, draw.random() < 0.5)
        check_single(claims, left, rules)
    triples = [three for files in together for three in itertools.combinations(files, 3)]
    triples += [tuple(files) for files in together if len(files) > 3]
    for paths in draw.sample(triples, min(options.triples, len(triples))):
        check_triple(claims, paths)
    for sentence in claims.false:
        print(sentence)
    false = Counter(sentence.partition(":")[0] for sentence in claims.false)
    for claim, number in sorted(claims.looked.items()):
        print(f"{claim}: {false[claim]} of {number} not true")
    return int(bool(claims.false))


if __name__ == "__main__":
    assert FOLDER.is_dir(), label(FOLDER)
    sys.exit(main())
