"""What the drivers of the Python peers share: a line {"do": method, "with": {…}} is answered by a line {"ok": …} or {"error": …}."""

import asyncio
import inspect
import json
import os
import sys


def serve(peer):
    """Answers one line after another; whatever else the peer prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            result = getattr(peer, asked["do"])(**asked["with"])
            if inspect.iscoroutine(result):
                result = loop.run_until_complete(result)
            answer = {"ok": result}
        except Exception as error:  # the benchmark tells it
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
