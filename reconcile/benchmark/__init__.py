"""gnuBG's benchmark databases: rolled out plays of many positions, against which an engine's choices are scored.

The databases and the program that wrote them, `sagnubg`, are Joseph Heled's. What a key is stands in `keys`, the lines of a file in
`reader`, the rule that scores an engine in `score`, who can be scored in `engines`, and how a file is made in `make`.
"""
