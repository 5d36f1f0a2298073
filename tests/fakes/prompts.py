from quaestor.contracts.model import ModelRequest
from quaestor.contracts.roles import Message, Prompt

_AGENT = "0" * 64


class PlainPrompts:
    """Tells a model its role and what it is given, as JSON; objections follow."""

    def __init__(self, *, temperature: float | None = 0.2, max_output_tokens: int = 1000, system: bool = True) -> None:
        self._temperature = temperature
        self._max_output_tokens = max_output_tokens
        self._system = system

    def prompt(self, request: ModelRequest) -> Prompt:
        told = Message(role="user", text="\n".join([request.given.model_dump_json(), *request.objections]))
        role = Message(role="system", text=f"You are the {request.role}.")
        return Prompt(
            agent=request.role,
            sha256=_AGENT,
            messages=(role, told) if self._system else (told,),
            max_output_tokens=self._max_output_tokens,
            temperature=self._temperature,
        )
