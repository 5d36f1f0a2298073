"""A tool of long tasks: how many days are between two dates."""

from datetime import date

from typing_extensions import override

from quaestor.contracts.base import Contract
from quaestor.contracts.context import RunContext
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.tools import AnyTool, Tool
from quaestor.longtask.contracts import TaskOptions, TaskToolCall
from quaestor.longtask.tools.task_tool import ResultSummary, TaskTool


class Dates(Contract):
    text: str


class Days(Contract):
    days: int


class DaysBetween(Tool[Dates, Days]):
    name = "days_between"
    description = "Counts the days from one date to another."
    repeatable = True
    pure = True

    @override
    async def run(self, given: Dates) -> Days:
        try:
            begin, end = map(date.fromisoformat, given.text.split())
        except ValueError as error:
            raise ToolFailed(f"{given.text[:80]!r} is not two dates; write them as 2024-02-01 2024-03-01") from error
        return Days(days=(end - begin).days)


class DaysBetweenTool(TaskTool[Dates, Days]):
    name = "days_between"
    required_arguments = "a `query` with two dates, as `2024-02-01 2024-03-01`; it counts the days between them"

    @override
    def build_input(self, call: TaskToolCall, folder: str, seconds: float) -> Dates | None:
        return Dates(text=call.query) if call.query else None

    @override
    def summarize(self, result: Days) -> ResultSummary:
        return ResultSummary(f"{result.days} days")

    @override
    async def build(self, context: RunContext, options: TaskOptions) -> AnyTool:
        return DaysBetween()


DAYS_BETWEEN = DaysBetweenTool()
