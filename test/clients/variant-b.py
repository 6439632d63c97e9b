"""A client of variant B with the standard library only: dataclasses of exactly the members that the specification lists.

A dataclass refuses members that it does not know and members that are missing, so every answer is checked by being read.
Prints what it saw as JSON.
"""

import json
import sys
import uuid
from dataclasses import dataclass
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen


@dataclass
class QueryItem:
    id: str
    content: str
    score: float
    domain: str
    node_id: str
    metadata: dict


@dataclass
class RuleItem:
    id: str
    text: str
    domain: str
    category: str
    confidence: float
    relevance: float
    source_concepts: list
    metadata: dict


@dataclass
class QueryResult:
    query_id: str
    items: list
    rules: list

    def __post_init__(self):
        self.items = [QueryItem(**item) for item in self.items]
        self.rules = [RuleItem(**rule) for rule in self.rules]


@dataclass
class NodeItem:
    id: str
    name: str
    description: str
    domain: str
    confidence: float
    properties: dict


@dataclass
class EdgeItem:
    source_id: str
    target_id: str
    relation_type: str
    confidence: float
    properties: dict


@dataclass
class ExploreResult:
    node: dict
    edges: list
    neighbors: list
    rules: list

    def __post_init__(self):
        self.node = NodeItem(**self.node)
        self.edges = [EdgeItem(**edge) for edge in self.edges]
        self.neighbors = [NodeItem(**node) for node in self.neighbors]
        self.rules = [RuleItem(**rule) for rule in self.rules]


@dataclass
class RulesResult:
    rules: list
    domain_count: int
    projection: str
    total: int

    def __post_init__(self):
        self.rules = [RuleItem(**rule) for rule in self.rules]


@dataclass
class DomainInfo:
    name: str
    description: str
    concept_count: int
    edge_count: int
    rule_count: int


@dataclass
class FeedbackResult:
    status: str
    query_id: str
    outcome_count: int
    source: str


class Client:
    def __init__(self, base):
        self.base = base

    def send(self, method, path, body=None, kind="application/json"):
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        headers = {} if data is None else {"Content-Type": kind}
        try:
            with urlopen(Request(self.base + "/api/v1" + path, data, headers, method=method), timeout=60) as answer:
                return json.load(answer)
        except HTTPError as error:
            if error.code == 404:
                raise
            raise RuntimeError(f"{method} {path}: {error.code} {error.read().decode()}") from error

    def query(self, context, **more):
        return QueryResult(**self.send("POST", "/query", {"context": context, **more}))

    def explore(self, node_id, depth=1):
        try:
            return ExploreResult(**self.send("GET", f"/explore/{quote(node_id, safe='')}?depth={depth}"))
        except HTTPError as error:
            if error.code == 404:
                return None
            raise

    def rules(self, **filters):
        return RulesResult(**self.send("GET", "/rules?" + urlencode(filters, doseq=True)))

    def feedback(self, query_id, outcomes):
        return FeedbackResult(**self.send("POST", "/feedback", {"query_id": query_id, "outcomes": outcomes}))

    def domains(self):
        return [DomainInfo(**one) for one in self.send("GET", "/domains")]

    def upload(self, name, content, **fields):
        mark = uuid.uuid4().hex
        parts = [
            f'--{mark}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n' for key, value in fields.items()
        ]
        parts.append(f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n{content}\r\n')
        body = "".join([*parts, f"--{mark}--\r\n"]).encode()
        return self.send("POST", "/ingest", body, f"multipart/form-data; boundary={mark}")


def main():
    client = Client(sys.argv[1])
    client.send(
        "POST",
        "/ingest/structured",
        {
            "domain": "orchard",
            "concepts": [
                {"name": "Apple", "description": "A fruit that keeps through winter"},
                {"name": "Cellar", "description": "A cool room below the house"},
            ],
            "edges": [{"source": "Apple", "target": "Cellar", "relation_type": "REQUIRES"}],
            "rules": [{"text": "Never wash an Apple before it is stored."}],
        },
    )
    client.send("POST", "/ingest/text", {"text": "Pears ripen off the tree.", "domain": "orchard", "format": "text"})
    uploaded = client.upload("cider.md", "# Cider\n\nCider is pressed from Apples.\n", domain="orchard", source_type="markdown")
    result = client.query("Where is an Apple kept?", domains=["orchard"], top_k=5, min_confidence=0.0)
    explored = client.explore(result.items[0].node_id, depth=2)
    rules = client.rules(domains=["orchard"], min_confidence=0.1)
    feedback = client.feedback(result.query_id, {result.items[0].id: "accepted"})
    status = client.send("GET", "/status")
    print(
        json.dumps(
            {
                "uploaded": uploaded["source"],
                "items": len(result.items),
                "same_ids": all(item.id == item.node_id for item in result.items),
                "surfaced": len(result.rules),
                "explored": explored.node.id == result.items[0].id,
                "absent": client.explore("orchard:absent"),
                "rules": sorted({rule.metadata["derivation"] for rule in rules.rules}),
                "projection": rules.projection,
                "feedback": [feedback.status, feedback.source],
                "domains": [domain.name for domain in client.domains()],
                "status": status["status"],
                "health": sorted(status["health"]),
            }
        )
    )


main()
