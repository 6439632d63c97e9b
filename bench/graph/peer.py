"""Exact personalized PageRank of python-igraph: reads {"nodes", "edges", "damping", "sets"}, prints times and best twenty."""

import json
import sys
import time

import igraph

given = json.load(sys.stdin)
started = time.perf_counter()
graph = igraph.Graph(n=given["nodes"], edges=given["edges"])
built = time.perf_counter() - started
answers = []
for sets in given["sets"]:
    times = []
    top = []
    graph.personalized_pagerank(damping=given["damping"], reset_vertices=sets[0], implementation="prpack")
    for seeds in sets:
        started = time.perf_counter()
        scores = graph.personalized_pagerank(
            damping=given["damping"], reset_vertices=seeds, implementation="prpack"
        )
        times.append((time.perf_counter() - started) * 1000)
        best = sorted(range(len(scores)), key=lambda node: -scores[node])[:20]
        top.append(best)
    answers.append({"times": times, "top": top})
json.dump({"build_s": built, "answers": answers}, sys.stdout)
