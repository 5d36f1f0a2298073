"""What a person sends with a form: its texts as a contract, and its files."""

from collections.abc import AsyncIterator, Mapping
from typing import Annotated, TypeVar

from fastapi import Depends, Request, UploadFile
from pydantic import ValidationError
from starlette.datastructures import FormData
from starlette.datastructures import UploadFile as SentFile

from quaestor.contracts.base import Contract
from quaestor.contracts.errors import UsageError
from quaestor.contracts.faults import describe_unusable
from quaestor.faces.server.authentication import CSRF_FIELD

FormT = TypeVar("FormT", bound=Contract)
_PIECE_BYTES = 1 << 18


async def _sent_form(request: Request) -> AsyncIterator[FormData]:
    try:
        yield await request.form()
    finally:
        await request.close()


SentForm = Annotated[FormData, Depends(_sent_form)]
"""What came with a form; its files are closed when the request is answered."""


def read_fields(form: FormData) -> Mapping[str, str]:
    """Return the texts of a form; one that was left empty is absent, and so is its proof."""
    return {
        name: value.strip()
        for name, value in form.items()
        if isinstance(value, str) and value.strip() and name != CSRF_FIELD
    }


def read_form(form: FormData, contract: type[FormT]) -> FormT:
    """Return the fields of a form as a contract.

    Raises UsageError for a value that cannot be used, with the name of its field.
    """
    try:
        return contract.model_validate(read_fields(form))
    except ValidationError as error:
        raise UsageError(describe_unusable(error)) from error


def read_files(form: FormData, field: str) -> list[SentFile]:
    """Return the files that were chosen in a field of a form; browsers send a nameless one where there was none."""
    return [each for each in form.getlist(field) if isinstance(each, SentFile) and each.filename]


async def file_pieces(file: UploadFile | SentFile) -> AsyncIterator[bytes]:
    """Iterate over the content of a file."""
    while piece := await file.read(_PIECE_BYTES):
        yield piece
