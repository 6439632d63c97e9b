import { HOSTILE_JSON } from './hostile/bodies.js';
import { startWorld } from './hostile/children.js';
const world = await startWorld();
const post = async (path: string, body: string) => { const t = performance.now(); const r = await fetch(world.a + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }); const text = await r.text(); return [r.status, text.length, Math.round(performance.now() - t)]; };
for (const kind of ['rules at their longest', 'rules of distinct words']) console.log(kind, await post('/v1/ingest/structured', HOSTILE_JSON[kind]!(10 * 1024 * 1024 - 1024)));
for (let i = 0; i < 10; i += 1) console.log('rules', await post('/v1/rules', '{}'));
await world.close();
