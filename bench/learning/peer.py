"""The uniform instance of bench/bandit.ts on MABWiser: reads {"rates": [[...], ...], "rounds": n}, prints regrets and time."""

import json
import random
import sys
import time

from mabwiser.mab import MAB, LearningPolicy

given = json.load(sys.stdin)
regrets = []
spent = 0.0
for trial, rates in enumerate(given["rates"]):
    draw = random.Random(trial)
    arms = list(range(len(rates)))
    best = max(rates)
    bandit = MAB(arms, LearningPolicy.ThompsonSampling(), seed=trial)
    # It refuses to predict before a fit; its counts start at 1, which is Beta(1, 1), so one arm is seen once more.
    first = draw.choice(arms)
    bandit.fit([first], [1 if draw.random() < rates[first] else 0])
    regret = best - rates[first]
    started = time.perf_counter()
    for _ in range(given["rounds"] - 1):
        arm = bandit.predict()
        bandit.partial_fit([arm], [1 if draw.random() < rates[arm] else 0])
        regret += best - rates[arm]
    spent += time.perf_counter() - started
    regrets.append(regret)
print(json.dumps({"regrets": regrets, "ms_per_1000": spent * 1e6 / (len(regrets) * (given["rounds"] - 1))}))
