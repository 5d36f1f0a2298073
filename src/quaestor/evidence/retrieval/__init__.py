"""How one query becomes several searches, and several rankings one. Explained, with figures, in docs/retrieval.md."""
