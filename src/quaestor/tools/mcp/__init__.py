from quaestor.tools.mcp.servers import McpServers
from quaestor.tools.mcp.tools import ConsultServer, OperateServer, SurveyServers

__all__ = ["ConsultServer", "McpServers", "OperateServer", "SurveyServers"]
