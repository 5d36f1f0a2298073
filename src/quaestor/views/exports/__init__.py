"""Exports of a report in the formats of other programs: pure, from the material alone."""
