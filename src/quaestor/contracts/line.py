from quaestor.contracts.noun import Noun


class Line(Noun):
    """Something that a prompt tells in one line; the base of what has words for itself."""

    @property
    def text(self) -> str:
        """The line."""
        raise NotImplementedError
