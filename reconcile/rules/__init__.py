"""The points on which programs differ: the questions, their answers, and the rule sets that choose
among them."""

from reconcile.rules.catalogue import Answer, Cell, Question, Status
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet, own_rules, rule_set

__all__ = [
    "QUESTIONS",
    "RULE_SETS",
    "Answer",
    "Cell",
    "Question",
    "RuleSet",
    "Status",
    "own_rules",
    "rule_set",
]
