"""The results of a run of decisions: measured, drawn and told. Everything is a pure function of points and fills."""
