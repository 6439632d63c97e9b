import { relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/** Seconds that the longest files take, for a run without times of an earlier one; without them jest goes by the size of a file. */
const SECONDS = {
  'test/bench/fuzz.test.ts': 30,
  'test/bench/smoke.test.ts': 150,
  'test/bench/train.test.ts': 60,
  'test/console/flows.test.ts': 180,
  'test/edits/edits.test.ts': 50,
  'test/jobs/jobs.test.ts': 35,
  'test/jobs/kill.test.ts': 35,
  'test/recipes/commands.test.ts': 130,
  'test/service/reindex.test.ts': 50,
  'test/text/postings.test.ts': 60,
  'test/live/edits.test.ts': 150,
  'test/live/neo4j-degraded.test.ts': 175,
  'test/live/neo4j-differential.test.ts': 350,
  'test/live/package.test.ts': 460,
  'test/live/schemathesis.test.ts': 260,
};

/** Starts the longest files first, so that none of them runs alone at the end while the other worker has nothing to do. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const place = new Map(super.sort([...tests]).map((test, at) => [test, at]));
    const failed = new Set(tests.filter((test) => this.hasFailed(test)));
    return [...tests].sort(
      (one, other) =>
        failed.has(other) - failed.has(one) || seconds(other) - seconds(one) || place.get(one) - place.get(other),
    );
  }
}

/** Of a file of no known length 0: such files keep their order behind those whose length is known. */
function seconds(test) {
  if (test.duration !== undefined) return test.duration / 1000;
  return SECONDS[relative(test.context.config.rootDir, test.path)] ?? 0;
}
