"""The version, alone in its file so that `quaestor --version` reads nothing else."""

__version__ = "0.1.0"
