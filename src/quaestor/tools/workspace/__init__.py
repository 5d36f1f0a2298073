from quaestor.tools.workspace.dump import Dump
from quaestor.tools.workspace.files import ReadFile, WriteFile
from quaestor.tools.workspace.folder import Folder
from quaestor.tools.workspace.programs import Python, Shell
from quaestor.tools.workspace.search_web import SearchWeb

__all__ = ["Dump", "Folder", "Python", "ReadFile", "SearchWeb", "Shell", "WriteFile"]
