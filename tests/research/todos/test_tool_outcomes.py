import pytest

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import ToolResponded
from quaestor.contracts.web import WebHit, WebResults
from quaestor.research.todos.tool_outcomes import ToolOutcomes, web_search_key

FOUND = WebResults(hits=(WebHit(url="https://example.org/towers"),))


def responded(tool: str, key: str) -> ToolResponded:
    return ToolResponded(
        key=key,
        tool=tool,
        result=FOUND,
        error=None,
        spend=Spend(),
        milliseconds=1,
    )


@pytest.mark.parametrize("tool", ["search_web", "web_search"])
def test_a_web_search_is_known_by_its_name_and_by_that_of_older_logs(tool: str) -> None:
    key = web_search_key("brave", "towers")
    assert ToolOutcomes().fold(responded(tool, key)).found[key].hits == FOUND.hits


def test_a_web_search_in_a_round_of_a_tool_todo_allows_no_page_to_be_fetched() -> None:
    assert not ToolOutcomes().fold(responded("search_web", "todo/t1/round/1/tool")).found
