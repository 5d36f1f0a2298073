"""The commands that workflows bring to the program, by name, each as `module:attribute`."""

from quaestor.runtime.registry import built_in_commands, installed_commands

__all__ = ["built_in_commands", "installed_commands"]
