"""Qdrant's REST calls, as far as the service makes them, over Qdrant's own engine as a library (qdrant-edge-py).

Requests are checked with the models of qdrant-client, so a malformed one is refused as the real server would.
Usage: qdrant-stand-in.py PORT DIRECTORY
"""

import json
import os
import re
import shutil
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import qdrant_edge as edge
from pydantic import BaseModel, TypeAdapter, ValidationError
from qdrant_client.http import models

from qdrant_filter import Refused, plain, point_id, to_filter

VERSION = "1.18.0"
DISTANCES = {"Cosine": edge.Distance.Cosine, "Euclid": edge.Distance.Euclid, "Dot": edge.Distance.Dot}
SCHEMAS = {name.lower(): getattr(edge.PayloadSchemaType, name) for name in
           ("Keyword", "Integer", "Float", "Geo", "Text", "Bool", "Datetime", "Uuid")}
MODES = {"upsert": edge.UpdateMode.Upsert, "insert_only": edge.UpdateMode.InsertOnly,
         "update_only": edge.UpdateMode.UpdateOnly}


class Collection:
    def __init__(self, folder, config):
        self.folder = folder
        self.config = config
        self.lock = threading.Lock()
        self.schema = {}
        vectors = config["vectors"]
        params = edge.EdgeVectorParams(size=vectors["size"], distance=DISTANCES[vectors["distance"]])
        self.shard = edge.EdgeShard.create(folder, edge.EdgeConfig(vectors=params))

    def drop(self):
        with self.lock:
            self.shard.close()
            shutil.rmtree(self.folder, ignore_errors=True)


class Server:
    """Collections by name; one lock for the list, one for each collection."""

    def __init__(self, directory):
        self.directory = directory
        self.lock = threading.Lock()
        self.collections = {}

    def named(self, name):
        with self.lock:
            found = self.collections.get(name)
        if found is None:
            raise Refused(404, f"Not found: Collection `{name}` doesn't exist!")
        return found

    def create(self, name, body):
        config = check(models.CreateCollection, body)
        vectors = config.vectors
        if not isinstance(vectors, models.VectorParams) or vectors.distance.value not in DISTANCES:
            raise Refused(400, "Only one unnamed vector of Cosine, Euclid or Dot is supported here")
        with self.lock:
            if name in self.collections:
                raise Refused(409, f"Wrong input: Collection `{name}` already exists!")
            folder = os.path.join(self.directory, uuid.uuid4().hex)
            os.makedirs(folder)
            described = {"vectors": {"size": vectors.size, "distance": vectors.distance.value}}
            self.collections[name] = Collection(folder, described)
        return True

    def delete(self, name):
        with self.lock:
            found = self.collections.pop(name, None)
        if found is not None:
            found.drop()
        return found is not None

    def info(self, name):
        found = self.named(name)
        with found.lock:
            info = found.shard.info()
            return {
                "status": "green", "optimizer_status": "ok", "segments_count": info.segments_count,
                "points_count": info.points_count, "indexed_vectors_count": info.indexed_vectors_count,
                "config": {"params": found.config}, "payload_schema": found.schema,
            }


def check(model, body):
    try:
        return model.model_validate(body) if issubclass(model, BaseModel) else TypeAdapter(model).validate_python(body)
    except ValidationError as error:
        first = error.errors()[0]
        raise Refused(400, f"Format error in JSON body: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def shown_id(value):
    return value if isinstance(value, int) else str(value)


def shown(record, scored=False):
    result = {"id": shown_id(record.id), "payload": record.payload, "vector": record.vector}
    if scored:
        result["version"] = record.version
        result["score"] = record.score
    return result


def upsert(found, body):
    given = check(models.PointsList, body) if "points" in body else check(models.PointsBatch, body)
    if isinstance(given, models.PointsBatch):
        raise Refused(400, "Batches by column are not supported here")
    size = found.config["vectors"]["size"]
    points = []
    for one in given.points:
        if not isinstance(one.vector, list) or len(one.vector) != size:
            raise Refused(400, f"Wrong input: Vector dimension error: expected dim: {size}, got {len(one.vector)}")
        points.append(edge.Point(point_id(one.id), [float(x) for x in one.vector], plain(one.payload or {})))
    mode = given.update_mode
    operation = edge.UpdateOperation.upsert_points(
        points, condition=to_filter(given.update_filter), update_mode=None if mode is None else MODES[mode.value])
    found.shard.update(operation)
    return updated()


def updated():
    return {"operation_id": 0, "status": "completed"}


def delete_points(found, body):
    if "points" in body:
        ids = [point_id(one) for one in check(models.PointIdsList, body).points]
        found.shard.update(edge.UpdateOperation.delete_points(ids))
    else:
        chosen = to_filter(check(models.FilterSelector, body).filter)
        found.shard.update(edge.UpdateOperation.delete_points_by_filter(chosen))
    return updated()


def retrieve(found, body):
    given = check(models.PointRequest, body)
    ids = [point_id(one) for one in given.ids]
    with_payload = True if given.with_payload is None else given.with_payload
    records = found.shard.retrieve(ids, with_payload=selector(with_payload), with_vector=given.with_vector or False)
    return [shown(record) for record in records]


def selector(given):
    if isinstance(given, models.PayloadSelectorInclude):
        return edge.PayloadSelector.Include(given.include)
    if isinstance(given, models.PayloadSelectorExclude):
        return edge.PayloadSelector.Exclude(given.exclude)
    return given


def scroll(found, body):
    given = check(models.ScrollRequest, body)
    request = edge.ScrollRequest(
        offset=None if given.offset is None else point_id(given.offset), limit=given.limit or 10,
        filter=to_filter(given.filter), with_payload=selector(True if given.with_payload is None else given.with_payload),
        with_vector=given.with_vector or False)
    records, after = found.shard.scroll(request)
    return {"points": [shown(record) for record in records], "next_page_offset": None if after is None else shown_id(after)}


def query(found, body):
    given = check(models.QueryRequest, body)
    vector = given.query.nearest if isinstance(given.query, models.NearestQuery) else given.query
    if not isinstance(vector, list):
        raise Refused(400, "Only a vector as query is supported here")
    size = found.config["vectors"]["size"]
    if len(vector) != size:
        raise Refused(400, f"Wrong input: Vector dimension error: expected dim: {size}, got {len(vector)}")
    params = given.params
    request = edge.QueryRequest(
        limit=given.limit or 10, offset=given.offset or 0, query=edge.Query.Nearest([float(x) for x in vector]),
        filter=to_filter(given.filter), score_threshold=given.score_threshold,
        with_payload=selector(given.with_payload or False), with_vector=given.with_vector or False,
        params=None if params is None else edge.SearchParams(hnsw_ef=params.hnsw_ef, exact=bool(params.exact)))
    return {"points": [shown(point, scored=True) for point in found.shard.query(request)]}


def count(found, body):
    given = check(models.CountRequest, body)
    return {"count": found.shard.count(edge.CountRequest(exact=given.exact is not False, filter=to_filter(given.filter)))}


def index(found, body):
    given = check(models.CreateFieldIndex, body)
    kind = given.field_schema if isinstance(given.field_schema, models.PayloadSchemaType) else given.field_schema.type
    found.shard.update(edge.UpdateOperation.create_field_index(given.field_name, SCHEMAS[kind.value]))
    found.schema[given.field_name] = {"data_type": kind.value, "points": 0}
    return updated()


POINTS = {
    ("PUT", "points"): upsert, ("POST", "points"): retrieve, ("POST", "points/delete"): delete_points,
    ("POST", "points/scroll"): scroll, ("POST", "points/count"): count, ("POST", "points/query"): query,
    ("PUT", "index"): index,
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server_state = None

    def answer(self, method):
        length = int(self.headers.get("content-length") or 0)
        raw = self.rfile.read(length)
        try:
            body = json.loads(raw) if raw else {}
            status, result = 200, self.result(method, self.path.split("?")[0].rstrip("/"), body)
            reply = result if self.path == "/" else {"result": result, "status": "ok", "time": 0.0}
        except json.JSONDecodeError as error:
            status, reply = 400, {"status": {"error": f"Format error in JSON body: {error}"}, "time": 0.0}
        except Refused as error:
            status, reply = error.status, {"status": {"error": str(error)}, "time": 0.0}
        except Exception as error:
            status, reply = 500, {"status": {"error": f"{type(error).__name__}: {error}"}, "time": 0.0}
        data = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def result(self, method, path, body):
        state = self.server_state
        if path == "":
            return {"title": "qdrant - stand-in over the embedded engine", "version": VERSION}
        if path in ("/healthz", "/readyz"):
            return True
        if path == "/collections":
            with state.lock:
                return {"collections": [{"name": name} for name in state.collections]}
        match = re.fullmatch(r"/collections/([^/]+)(?:/(.+))?", path)
        if match is None:
            raise Refused(404, "Not found")
        name, rest = match.groups()
        if rest is None:
            return {"PUT": lambda: state.create(name, body), "DELETE": lambda: state.delete(name),
                    "GET": lambda: state.info(name)}[method]()
        if rest == "exists":
            return {"exists": name in state.collections}
        work = POINTS.get((method, rest))
        if work is None:
            raise Refused(404, "Not found")
        found = state.named(name)
        with found.lock:
            return work(found, body)

    def __getattr__(self, name):
        """http.server looks for do_GET, do_PUT and so on."""
        if name.startswith("do_"):
            return lambda: self.answer(name[3:])
        raise AttributeError(name)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    Handler.server_state = Server(sys.argv[2])
    ThreadingHTTPServer.request_queue_size = 128
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
