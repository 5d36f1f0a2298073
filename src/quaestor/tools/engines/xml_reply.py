"""Replies in XML, parsed without entities, document types and anything else that refers outside or grows."""

from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from quaestor.tools.engines.response import InvalidResponse

_MAX_DEPTH = 64


def parse_xml(body: bytes, root: str) -> Element:
    """Parse XML whose outermost element should be `root`; names are without their namespaces.

    Raises InvalidResponse for what is no such XML, declares an entity or is nested more than 64 deep.
    """
    tree = _TreeHandler()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = tree.start
    parser.EndElementHandler = tree.end
    parser.CharacterDataHandler = tree.builder.data
    parser.EntityDeclHandler = _refuse_entity
    try:
        parser.Parse(body, True)
    except (expat.ExpatError, UnicodeError, LookupError) as error:
        raise InvalidResponse(f"that is no XML ({error})") from error
    top = tree.builder.close()
    if top.tag != root:
        raise InvalidResponse.missing(root)
    return top


def element_text(element: Element | None) -> str:
    """Return all text of an element and of the elements in it."""
    return "" if element is None else "".join(element.itertext())


class _TreeHandler:
    def __init__(self) -> None:
        self.builder = TreeBuilder()
        self._depth = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise InvalidResponse(f"nested more than {_MAX_DEPTH} deep")
        self.builder.start(_local_name(name), attributes)

    def end(self, name: str) -> None:
        self._depth -= 1
        self.builder.end(_local_name(name))


def _local_name(name: str) -> str:
    return name.rpartition(" ")[2]


def _refuse_entity(name: str, *_: object) -> None:
    raise InvalidResponse(f"that declares the entity {name!r}")
