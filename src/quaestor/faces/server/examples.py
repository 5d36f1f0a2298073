"""Examples of the OpenAPI document. Tests send every one of them."""

from fastapi.openapi.models import Example

_QUESTION = "When was the Aldmouth lighthouse built?"

NEW_SESSIONS: dict[str, Example] = {
    "documents": {
        "summary": "Research uploaded documents",
        "value": {"text": _QUESTION, "docs": ["collection:harbour"], "settings": {"effort": "low"}},
    },
    "limits": {
        "summary": "With limits",
        "value": {
            "text": "What did the lighthouse of Aldmouth cost?",
            "docs": ["collection:harbour"],
            "settings": {"max_tokens": 200000, "max_seconds": 600, "questions": False},
        },
    },
}

COMMANDS: dict[str, Example] = {
    "answer": {"summary": "Answer the open question", "value": {"kind": "answer", "text": "the Aldmouth lighthouse"}},
    "edit plan": {
        "summary": "Add a todo to the plan",
        "value": {"kind": "edit_plan", "edits": [{"kind": "add", "task": "Who kept the Aldmouth lighthouse?"}]},
    },
    "review plan": {"summary": "Confirm the plan", "value": {"kind": "review_plan", "review": "confirmed"}},
    "pause": {"summary": "Begin nothing more", "value": {"kind": "pause"}},
    "resume": {"summary": "Go on", "value": {"kind": "resume"}},
    "finish": {"summary": "Write the report from what there is", "value": {"kind": "finish"}},
    "cancel": {"summary": "End without a report", "value": {"kind": "cancel"}},
    "add budget": {"summary": "Raise limits", "value": {"kind": "add_budget", "tokens": 100000}},
    "revoke approval": {
        "summary": "Ask about calls again",
        "value": {"kind": "revoke_approval", "standing": {"tool": "shell"}},
    },
    "retry": {"summary": "Try a failed todo again", "value": {"kind": "retry", "todo_id": "t2"}},
    "ask": {
        "summary": "Ask a finished session a follow-up question",
        "value": {"kind": "ask", "question": "Who kept the Aldmouth lighthouse?"},
    },
    "revise": {
        "summary": "Write one section of the report again",
        "value": {"kind": "revise", "section": "t2", "wish": "Name the amounts, in three sentences."},
    },
    "refresh": {"summary": "Look at the cited sources again", "value": {"kind": "refresh"}},
    "fork": {"summary": "Begin another session with its first events", "value": {"kind": "fork", "at": 1}},
}

TURNS: dict[str, Example] = {
    "question": {"summary": "Ask, where the server searches the web", "value": {"query": _QUESTION}},
    "answer": {
        "summary": "Answer the open question",
        "value": {"session_id": "20260301-120000-abcdef", "answer": "the Aldmouth lighthouse"},
    },
}
