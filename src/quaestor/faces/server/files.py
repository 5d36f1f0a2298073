"""Uploads of documents into collections."""

from typing import Annotated

from fastapi import APIRouter, Form, UploadFile

from quaestor.app.uploads import Collection, index_collection, store_upload
from quaestor.faces.server.authentication import Runner
from quaestor.faces.server.web.forms import file_pieces

router = APIRouter(prefix="/api/v1", tags=["documents"])


@router.post("/files")
async def upload(
    files: list[UploadFile], caller: Runner, collection: Annotated[str, Form(max_length=64)] = "default"
) -> Collection:
    """Upload documents into a collection; a session names it as `collection:NAME`.

    Each file is read in a process of its own; what cannot be read is named with the reason.
    """
    for file in files:
        await store_upload(caller.quaestor, collection, file.filename or "", file_pieces(file))
    return await index_collection(caller.quaestor, collection)
