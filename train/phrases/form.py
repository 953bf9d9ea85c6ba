"""The form of a described function. `functions.py` makes conversations of them; a file of them exports `FUNCTIONS = [F(…), …]`, and may
export `POOLS = {"NAME": [texts]}` for its kinds `word:NAME` and `words:NAME`, and `SAME = [{"name", "other_name"}, …]`: functions (by the first
of their names) of which one could do the other's work, so that they are never offered together."""

import collections

F = collections.namedtuple("F", "group names descriptions parameters wordings")
