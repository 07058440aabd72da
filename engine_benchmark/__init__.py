"""gnuBG's benchmark databases: rolled-out plays for many positions, against which an engine's
choices are scored.

The databases and the program that wrote them, `sagnubg`, are by Joseph Heled. `keys` explains keys,
`reader` the lines of a file, `score` the rule that scores an engine, `engines` what can be scored,
and `make` how a file is made.
"""
