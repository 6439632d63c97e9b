"""Calls every tool with the official Python client; the calls come as JSON on standard input, answers leave as JSON."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client


def transport(way):
    if way["kind"] == "stdio":
        return stdio_client(StdioServerParameters(command=way["command"], args=way["args"], env=way["env"]))
    if way["kind"] == "sse":
        return sse_client(way["url"])
    try:
        from mcp.client.streamable_http import streamable_http_client as connect
    except ImportError:
        from mcp.client.streamable_http import streamablehttp_client as connect
    return connect(way["url"])


def remembered(value, memory):
    """Replaces "@@name" by what an earlier answer gave."""
    if isinstance(value, str) and value.startswith("@@"):
        return memory[value[2:]]
    if isinstance(value, list):
        return [remembered(one, memory) for one in value]
    if isinstance(value, dict):
        return {remembered(name, memory): remembered(one, memory) for name, one in value.items()}
    return value


def pick(answer, path):
    for part in path.split("."):
        answer = answer[int(part)] if part.isdigit() else answer[part]
    return answer


async def main():
    request = json.load(sys.stdin)
    memory, answers = {}, []
    async with transport(request["way"]) as streams:
        async with ClientSession(streams[0], streams[1]) as session:
            await session.initialize()
            listed = await session.list_tools()
            for call in request["calls"]:
                result = await session.call_tool(call["tool"], remembered(call["input"], memory))
                data = result.model_dump(by_alias=True, exclude_none=True)
                for name, path in call.get("remember", {}).items():
                    memory[name] = pick(data["structuredContent"], path)
                answers.append(data)
            json.dump({"tools": [tool.name for tool in listed.tools], "answers": answers}, sys.stdout)


asyncio.run(main())
