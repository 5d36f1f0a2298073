"""The tables of a home and the statements over them, the same in every SQL database."""
