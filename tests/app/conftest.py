from fakes.postgres import postgres

__all__ = ["postgres"]
