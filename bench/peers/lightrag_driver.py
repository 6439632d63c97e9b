"""LightRAG with a model that finds no entities: its vector retrieval alone (mode `naive`), embedded storage, a workspace a user."""

import asyncio
import os
import time

from driver import serve
from lightrag import LightRAG, QueryParam
from lightrag.llm.openai import openai_embed
from lightrag.utils import EmbeddingFunc, Tokenizer

ENDPOINT = os.environ["PEER_EMBEDDINGS"]
DIMENSION = int(os.environ["PEER_DIMENSION"])


class Characters:
    """Its own tokenizer is downloaded at the first use; with one token a character a chunk is 4,800 of them."""

    def encode(self, content):
        return [ord(character) for character in content]

    def decode(self, tokens):
        return "".join(map(chr, tokens))


async def embed(texts, **_):
    return await openai_embed.func(texts, model="minilm", base_url=ENDPOINT, api_key="none", max_token_size=0)


asked = 0


# A function, not a method: LightRAG copies its settings deeply, and with a method all that belongs to it.
async def no_entities(prompt, **_):
    global asked
    asked += 1
    return "<|COMPLETE|>"


class Light:
    def __init__(self):
        self.workspaces = {}

    async def of(self, user):
        if user not in self.workspaces:
            rag = LightRAG(
                working_dir="storage",
                workspace=user,
                llm_model_func=no_entities,
                tokenizer=Tokenizer("characters", Characters()),
                chunk_token_size=4800,
                embedding_func=EmbeddingFunc(embedding_dim=DIMENSION, max_token_size=100_000, func=embed),
            )
            await rag.initialize_storages()
            self.workspaces[user] = rag
        return self.workspaces[user]

    async def write(self, documents, user):
        rag = await self.of(user)
        ids = [document["id"] for document in documents]
        await rag.ainsert([document["text"] for document in documents], ids=ids, file_paths=[f"{one}.txt" for one in ids])

    async def add(self, documents, user):
        await self.write(documents, user)

    async def add_at_once(self, documents, user):
        await self.of(user)
        writes = [self.write([document], user) for document in documents]
        results = await asyncio.gather(*writes, return_exceptions=True)
        return sum(1 for result in results if not isinstance(result, Exception))

    async def ask(self, question, user, top):
        rag = await self.of(user)
        began = time.perf_counter()
        param = QueryParam(mode="naive", top_k=top, chunk_top_k=top, max_total_tokens=1_000_000, enable_rerank=False)
        answer = await rag.aquery_data(question, param)
        texts = [chunk["content"] for chunk in answer.get("data", {}).get("chunks", [])]
        return {"ms": (time.perf_counter() - began) * 1000, "texts": texts}

    async def count(self, user):
        return (await (await self.of(user)).get_processing_status())["processed"]

    async def forget(self, document, user):
        result = await (await self.of(user)).adelete_by_doc_id(document["id"])
        if result.status != "success":
            raise RuntimeError(result.message)

    def model_calls(self):
        return asked

    async def end(self):
        for rag in self.workspaces.values():
            await rag.finalize_storages()


serve(Light())
