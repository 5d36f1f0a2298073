import pytest

from tools.engines.dialects import DIALECTS, Dialect


@pytest.fixture(params=list(DIALECTS))
def dialect(request: pytest.FixtureRequest) -> Dialect:
    return DIALECTS[request.param]


@pytest.fixture(params=[name for name, dialect in DIALECTS.items() if dialect.key])
def keyed(request: pytest.FixtureRequest) -> Dialect:
    return DIALECTS[request.param]
