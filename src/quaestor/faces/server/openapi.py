"""The OpenAPI document, with problem documents as the answers to what goes wrong."""

import warnings

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import JsonValue
from pydantic.warnings import UnsupportedFieldAttributeWarning

from quaestor.faces.server.openai.errors import ErrorBody, is_openai_path
from quaestor.faces.server.problems import PROBLEM_TYPE, Problem
from quaestor.version import __version__

DOCUMENT_PATH = "/api/v1/openapi.json"
_REFERENCE = "#/components/schemas/{model}"
_DESCRIPTION = (
    "Sessions of research and long tasks: begun, followed event by event, commanded and read. Every answer to what "
    "goes wrong is a problem document (RFC 9457) in the words of the command line."
)


def describe_routes(app: FastAPI) -> dict[str, JsonValue]:
    """Return the OpenAPI document of an application.

    That also builds the validators of contracts that put it off: FastAPI hides a warning of pydantic only from those
    that are built with the routes.
    """
    with warnings.catch_warnings(action="ignore", category=UnsupportedFieldAttributeWarning):
        described = get_openapi(title="Quaestor", version=__version__, description=_DESCRIPTION, routes=app.routes)
    schemas = described["components"]["schemas"]
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for model in (Problem, ErrorBody):
        schema = model.model_json_schema(ref_template=_REFERENCE)
        schemas.update(schema.pop("$defs", {}))
        schemas[model.__name__] = schema
    for path, operations in described["paths"].items():
        is_openai = is_openai_path(path)
        reference = {"$ref": _REFERENCE.format(model="ErrorBody" if is_openai else "Problem")}
        for operation in operations.values():
            operation["responses"].pop("422", None)
            operation["responses"]["default"] = {
                "description": "What went wrong, and what to do.",
                "content": {"application/json" if is_openai else PROBLEM_TYPE: {"schema": reference}},
            }
    document: dict[str, JsonValue] = described
    return document
