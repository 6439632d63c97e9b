import { historiesSuite } from './histories.suite.js';

// `npm run test:histories` asks for many more.
const count = Number(process.env.HISTORIES ?? 40);
const seed = process.env.HISTORIES_SEED ?? 'h';

historiesSuite('the embedded graph', { environment: {}, count, seed });
historiesSuite('the graph in memory', { environment: { SVC_GRAPH: 'memory' }, count: Math.ceil(count / 2), seed });
historiesSuite('a process that is killed', { environment: {}, count: Math.ceil(count / 50), seed, kills: true });
