from quaestor.contracts.event import Answered, Event, PlanReviewed, QuestionAsked, SessionFinished, TodoRetried

Questions = tuple[QuestionAsked, ...]
"""What a person was asked and has not answered, the first one first; todos may ask at the same time."""


def still_open(questions: Questions, event: Event) -> Questions:
    """Give the questions that stand open after one more event."""
    match event.payload:
        case QuestionAsked() as asked:
            return (*questions, asked)
        case Answered(ref=ref):
            return tuple(one for one in questions if one.ref != ref)
        case TodoRetried(todo=todo):
            return tuple(one for one in questions if one.ref != f"escalation/{todo.retries}")
        case PlanReviewed():
            return tuple(one for one in questions if one.kind != "plan_confirmation")
        case SessionFinished():
            return ()
        case _:
            return questions
