"""How well the search finds what answers, over public data sets; `python bench/evidence --help` says how to run it."""
