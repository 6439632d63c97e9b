// Appends events as fast as it can: `append-process.ts LOG NAME COUNT`.
import { appendSignal } from '../../src/interop/signals.js';

const [log, name, count] = process.argv.slice(2) as [string, string, string];
for (let i = 0; i < Number(count); i += 1) {
  await appendSignal(
    { event: 'seed_ingested', ts: new Date().toISOString(), source: name, rule_count: i, error: 'x'.repeat(5000) },
    log,
  );
}
