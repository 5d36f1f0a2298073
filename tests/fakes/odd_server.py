"""A server of the Model Context Protocol that offers the tools in its argument, whatever it contains."""

import json
import sys

COMPLETE = {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"}
DISCOVERED = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, **COMPLETE}

if __name__ == "__main__":
    for line in sys.stdin:
        asked = json.loads(line)
        results = {"server/discover": DISCOVERED, "tools/list": {"tools": json.loads(sys.argv[1]), **COMPLETE}}
        if asked["method"] in results:
            said = {"jsonrpc": "2.0", "id": asked["id"], "result": results[asked["method"]]}
            sys.stdout.write(f"{json.dumps(said)}\n")
            sys.stdout.flush()
