// Writes rule sets into pending until it is killed: `write-process.ts DIRECTORY`.
import { defaultInteropConfig } from '../../src/interop/config.js';
import { writeSeedToPending } from '../../src/interop/seeds.js';

const config = defaultInteropConfig(process.argv[2]!);
const rules = Array.from({ length: 2000 }, (_, i) => ({
  rule: `Rinse filter ${i} ${'well '.repeat(40)}`,
  category: 'general',
  provenance: { id: `rule:${i}`, domain: 'ops', derivation: 'explicit', confidence: 1 },
}));
const seed = { persona: 'operator', version: 1, rules, metadata: { source: 'svc', rule_count: rules.length } };
for (let i = 0; ; i += 1) {
  await writeSeedToPending(seed, {
    config,
    persona: 'operator',
    emitSignal: true,
    source: { name: 'svc', version: '1.0.0' },
    now: new Date(Date.UTC(2026, 0, 1, 0, 0, i)),
  });
  if (i === 0) process.stdout.write('writing\n');
}
