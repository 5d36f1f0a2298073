"""Uploads of documents into collections."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Form, Response, UploadFile

from quaestor.app.network.uploads import (
    DEFAULT_COLLECTION,
    Collection,
    Uploads,
    index_collection,
    list_uploads,
    remove_upload,
    store_upload,
)
from quaestor.faces.server.authentication import Reader, Runner
from quaestor.faces.server.web.forms import file_pieces

router = APIRouter(prefix="/api/v1", tags=["documents"])


@router.post("/files")
async def upload(
    files: list[UploadFile], caller: Runner, collection: Annotated[str, Form(max_length=64)] = DEFAULT_COLLECTION
) -> Collection:
    """Upload documents into a collection; a session names it as `collection:NAME`.

    Each file is read in a process of its own; what cannot be read is named with the reason.
    """
    for file in files:
        await store_upload(caller.quaestor, collection, file.filename or "", file_pieces(file))
    return await index_collection(caller.quaestor, collection)


@router.get("/files")
async def list_files(caller: Reader) -> tuple[Uploads, ...]:
    """List the collections and their files."""
    return await list_uploads(caller.quaestor)


@router.delete("/files/{collection}", status_code=HTTPStatus.NO_CONTENT)
async def delete_collection(collection: str, caller: Runner) -> Response:
    """Delete a collection with its files; what sessions quote of them stays with the sessions."""
    await remove_upload(caller.quaestor, collection)
    return Response(status_code=HTTPStatus.NO_CONTENT)


@router.delete("/files/{collection}/{name}", status_code=HTTPStatus.NO_CONTENT)
async def delete_file(collection: str, name: str, caller: Runner) -> Response:
    """Delete one file of a collection; what sessions quote of it stays with the sessions."""
    await remove_upload(caller.quaestor, collection, name)
    return Response(status_code=HTTPStatus.NO_CONTENT)
