"""The contracts by which the log of a task is decoded."""

from quaestor.contracts.codec import build_codec
from quaestor.contracts.database import DatabaseInput, DatabaseResults
from quaestor.contracts.web import SearchWebInput, WebResults
from quaestor.contracts.workspace import (
    DumpInput,
    DumpResult,
    FilePart,
    ProgramResult,
    PythonInput,
    ReadFileInput,
    ShellInput,
    WriteFileInput,
    WriteFileResult,
)
from quaestor.longtask.contracts import Acted, EditRefused, Judged, PlanAdopted, Round, TaskPlanDraft

CODEC = build_codec(
    contracts=(Acted, EditRefused, Judged, PlanAdopted, Round, TaskPlanDraft),
    tools={
        "dump": (DumpInput, DumpResult),
        "python": (PythonInput, ProgramResult),
        "read_file": (ReadFileInput, FilePart),
        "search_database": (DatabaseInput, DatabaseResults),
        "search_web": (SearchWebInput, WebResults),
        "shell": (ShellInput, ProgramResult),
        "write_file": (WriteFileInput, WriteFileResult),
    },
)
