"""The points on which programs differ: the questions, their answers, and the rule sets that choose
among them."""
