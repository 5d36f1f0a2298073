from quaestor.tools.mcp.servers import Servers
from quaestor.tools.mcp.tools import Consult, Operate, SurveyServers

__all__ = ["Consult", "Operate", "Servers", "SurveyServers"]
