"""An agent in Python with the protocol's official client (pip install mcp). Argument: the service's address."""

import asyncio
import sys

from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client


async def main(address):
    async with streamable_http_client(f"{address}/mcp") as streams:
        async with ClientSession(streams[0], streams[1]) as session:
            await session.initialize()
            await session.call_tool(
                "svc_ingest_structured",
                {
                    "domain": "team",
                    "concepts": [{"name": "Deploy", "description": "Bringing a version to production"}],
                    "rules": [{"text": "Never deploy on a Friday.", "category": "process"}],
                },
            )
            found = await session.call_tool("svc_query", {"context": "when may I deploy", "domains": ["team"]})
            data = found.model_dump(by_alias=True)["structuredContent"]
            print(data["items"][0]["content"])
            rules = await session.call_tool("svc_rules", {"domains": ["team"], "categories": ["process"]})
            for rule in rules.model_dump(by_alias=True)["structuredContent"]["rules"]:
                print("Rule:", rule["text"])


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8400"))
