"""mem0 without a language model: `add(…, infer=False)` into its embedded Qdrant, vectors from the endpoint of the benchmark."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

from driver import serve
from mem0 import Memory

HERE = os.getcwd()
ENDPOINT = {"api_key": "none", "openai_base_url": os.environ["PEER_EMBEDDINGS"]}


class Mem0:
    def __init__(self):
        store = {
            "path": f"{HERE}/qdrant",
            "on_disk": True,
            "collection_name": "bench",
            "embedding_model_dims": int(os.environ["PEER_DIMENSION"]),
        }
        self.memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "embedder": {"provider": "openai", "config": {"model": "minilm", **ENDPOINT}},
                "llm": {"provider": "openai", "config": ENDPOINT},
                "history_db_path": f"{HERE}/history.db",
            }
        )

    def write(self, document, user):
        # The run is the document, so that one call forgets all that it made.
        self.memory.add(document["text"], user_id=user, run_id=document["id"], infer=False)

    def add(self, documents, user):
        for document in documents:
            self.write(document, user)

    def add_at_once(self, documents, user):
        with ThreadPoolExecutor(len(documents)) as pool:
            writes = [pool.submit(self.write, document, user) for document in documents]
        return sum(1 for write in writes if write.exception() is None)

    def ask(self, question, user, top):
        began = time.perf_counter()
        found = self.memory.search(question, filters={"user_id": user}, top_k=top)["results"]
        return {"ms": (time.perf_counter() - began) * 1000, "texts": [one["memory"] for one in found]}

    def count(self, user):
        return len(self.memory.get_all(filters={"user_id": user}, top_k=1_000_000)["results"])

    def forget(self, document, user):
        self.memory.delete_all(user_id=user, run_id=document["id"])

    def model_calls(self):
        return 0

    def end(self):
        self.memory.close()


serve(Mem0())
