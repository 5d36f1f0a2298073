from quaestor.tools.broker.course import Course
from quaestor.tools.broker.paper import PaperBroker
from quaestor.tools.broker.portfolio import GetPortfolioState
from quaestor.tools.broker.scan import Scan
from quaestor.tools.broker.standing import RunIndicators

__all__ = ["Course", "GetPortfolioState", "PaperBroker", "RunIndicators", "Scan"]
