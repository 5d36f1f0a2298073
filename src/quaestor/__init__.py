"""Quaestor: research that survives anything, in a ledger where every citation is a proof."""
