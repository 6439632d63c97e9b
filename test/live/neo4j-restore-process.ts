import { StoredCheckpoints } from '../../src/backends/graph/neo4j/checkpoint/checkpoint-store.js';
import { Neo4jConnection } from '../../src/backends/neo4j-connection.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';

/** A process of its own that puts a checkpoint back: `neo4j-restore-process.ts <uri> <store> <id> <at once>`. */
const [uri = '', file = '', id = '', atOnce = '0'] = process.argv.slice(2);
const connection = new Neo4jConnection({ uri });
await connection.connect();
const store = await openSqlite(file);
const checkpoints = new StoredCheckpoints(connection, store, { atOnce: Number(atOnce) });
process.stdout.write('restoring\n');
await checkpoints.restore(id);
process.stdout.write('restored\n');
await connection.disconnect();
await store.close();
