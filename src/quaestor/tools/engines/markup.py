"""Answers in XML, read without entities, document types or anything else that reaches outside or grows."""

from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from quaestor.tools.engines.shape import Misshapen

_DEEPEST = 64


def parse(body: bytes, root: str) -> Element:
    """Parse XML whose outermost element should be `root`; names are without their namespaces.

    Raises Misshapen for what is no such XML, declares an entity or is nested more than 64 deep.
    """
    tree = _Tree()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = tree.start
    parser.EndElementHandler = tree.end
    parser.CharacterDataHandler = tree.builder.data
    parser.EntityDeclHandler = _refuse_entity
    try:
        parser.Parse(body, True)
    except (expat.ExpatError, UnicodeError, LookupError) as error:
        raise Misshapen(f"that is no XML ({error})") from error
    top = tree.builder.close()
    if top.tag != root:
        raise Misshapen.without(root)
    return top


def words(element: Element | None) -> str:
    """Give all words of an element, those of the elements in it among them."""
    return "" if element is None else "".join(element.itertext())


class _Tree:
    def __init__(self) -> None:
        self.builder = TreeBuilder()
        self._depth = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Misshapen(f"nested more than {_DEEPEST} deep")
        self.builder.start(_local(name), attributes)

    def end(self, name: str) -> None:
        self._depth -= 1
        self.builder.end(_local(name))


def _local(name: str) -> str:
    return name.rpartition(" ")[2]


def _refuse_entity(name: str, *_: object) -> None:
    raise Misshapen(f"that declares the entity {name!r}")
