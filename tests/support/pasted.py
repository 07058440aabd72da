"""Pasted text of gnuBG's tables, and the figures read out of such text."""

import re
from functools import cache


@cache
def tables(path):
    """The tables of a file of gnuBG's: of the match, then of each game."""
    return tuple(re.split(r"(?m)^(?=Player {3,})", path.read_text("utf-8"))[1:])


def values(pasted, column=0):
    """The figures of one player by their metric."""
    return {figure.metric: figure.value for figure in pasted.columns[column]}


SUMMARY = (
    "\tAnn\tBen\n"
    "\N{BULLET} Level of Play\tWorld Class (-0,0090)\tWorld Class (-0,0066)\n"
    "\N{BULLET} Performance Rating\t4,50\t3,30\n"
    "\N{BULLET} Checker Play\tWorld Class (-0,0086)\tWorld Class (-0,0073)\n"
    "\N{BULLET} Cube Play\tExpert (-0,0118)\tWorld Champ. (-0,0035)\n"
    "\N{BULLET} Luck\tQuite lucky (+0,0139)\tQuite unlucky (-0,0139)\n"
    "\N{BULLET} Total Errors (Blunders)\t30 (17)\t21 (9)\n"
    "   Equity (Cost)\t-2,890 (-11,56%)\t-2,147 (-8,16%)\n"
    "   Decisions\t321\t325\n"
    "\N{BULLET} Checker Errors (Blunders)\t27 (14)\t18 (8)\n"
    "   Equity (Cost)\t-2,407 (-9,35%)\t-1,933 (-7,35%)\n"
    "   Unforced Moves\t280\t264\n"
    "\N{BULLET} Doubles (Blunders)\t3 (3)\t2 (1)\n"
    "   Equity (Cost)\t-0,483 (-2,21%)\t-0,169 (-0,64%)\n"
    "     - Wrong Doubles\t-0,483 (-2,21%)\t\n"
    "     - Missed Doubles\t\t-0,169 (-0,64%)\n"
    "   Cube Decisions\t36\t51\n"
    "\N{BULLET} Takes (Blunders)\tNone\t1\n"
    "   Equity (Cost)\t\t-0,045 (-0,17%)\n"
    "     - Wrong Takes\t\t\n"
    "     - Wrong Passes\t\t-0,045 (-0,17%)\n"
    "   Take Decisions\t5\t10\n"
    "\N{BULLET} Jokers\t37\t27\n"
    "   Luck (Cost)\t+8,932 (+52,15%)\t-8,932 (-52,15%)\n"
    "   Rolls\t322\t321\n"
    "   Luck based rating\t47,85% favorite\t52,15% favorite\n"
    "   Luck based Elo\t103\t121\n"
)
"""A summary in XG's form, made for tests: its rows add up, and no figure occurs in both columns of
a row."""
