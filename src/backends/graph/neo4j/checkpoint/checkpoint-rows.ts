import { type Prints, printOf } from '../../../../ledger/checkpoint/node-prints.js';
import { int, type Params, type Row } from '../../../neo4j-connection.js';

/** Runs a statement: in a transaction, or by itself. */
export type Run = <T extends Row>(cypher: string, params?: Params) => Promise<T[]>;

type Value = string | number | boolean | null | readonly Value[];
type Properties = Readonly<Record<string, Value>>;

/** Number within the checkpoint, labels, properties. */
export type NodeRow = readonly [number: number, labels: readonly string[], properties: Properties];
/** Numbers of both ends, type, properties. */
export type RelationshipRow = readonly [from: number, to: number, type: string, properties: Properties];

/** What the graph consists of, but for the one node that carries its version. */
export const LABELS = ['Domain', 'Source', 'Node', 'Key', 'Rule', 'Word', 'Assertion'] as const;
const OURS = LABELS.map((label) => `n:${label}`).join(' OR ');
/** What says that a large load is being staged. */
export const STAGE = 'g.staging, g.staged, g.staging_until';
/** What a large load has written and not made seen yet: it is no part of the graph. */
const STAGED = '(n:Assertion AND EXISTS { MATCH (:StagedSource {id: n.source_id}) })';
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
/** All other numbers are whole; JavaScript does not tell 1 from 1.0. */
const FRACTIONS = new Set(['confidence', 'weight']);
const PAGE = 5000;

/** Everything there is, a page at a time: first the nodes, then the relationships. */
export async function* dumped(run: Run): AsyncGenerator<{ name: string; rows: Array<NodeRow | RelationshipRow> }> {
  const found = await run<{ id: string }>(`MATCH (n) WHERE (${OURS}) AND NOT ${STAGED} RETURN elementId(n) AS id`);
  const ids = found.map((row) => row.id);
  const numbers = new Map(ids.map((id, number) => [id, number]));
  for (let start = 0; start < ids.length; start += PAGE) {
    const found = await run<{ id: string; labels: string[]; properties: Properties }>(
      `UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id
       RETURN id, labels(n) AS labels, properties(n) AS properties`,
      { ids: ids.slice(start, start + PAGE) },
    );
    yield { name: 'nodes', rows: found.map((row): NodeRow => [numbers.get(row.id)!, row.labels, row.properties]) };
  }
  for (let start = 0; start < ids.length; start += PAGE) {
    const found = await run<{ id: string; to: string; type: string; properties: Properties }>(
      `UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id MATCH (n)-[r]->(m)
       RETURN id, elementId(m) AS to, type(r) AS type, properties(r) AS properties`,
      { ids: ids.slice(start, start + PAGE) },
    );
    const rows = found.flatMap((row): RelationshipRow[] => {
      const to = numbers.get(row.to);
      return to === undefined ? [] : [[numbers.get(row.id)!, to, row.type, row.properties]];
    });
    if (rows.length > 0) yield { name: 'relationships', rows };
  }
}

/**
 * Ends a load that another writer stages: what it has written would lose its assertions. That writer hears of it at its
 * next batch and starts again.
 */
export async function unstaged(run: Run): Promise<void> {
  await run('MATCH (n:Staged) DETACH DELETE n');
  await run('MATCH (s:StagedSource) DETACH DELETE s');
  await run('MATCH (d:Going) DELETE d');
  await run(`MATCH (g:Graph {name: 'graph'}) REMOVE ${STAGE}`);
}

/** Writes rows back, in the order in which they were dumped, into a graph that is empty. */
export class Loading {
  /** What text index and vectors are made from. */
  readonly prints: Prints = new Map();
  private readonly ids = new Map<number, string>();

  async nodes(run: Run, rows: readonly NodeRow[]): Promise<void> {
    for (const [labels, group] of groupedBy(rows, ([, names]) => names.map(checked).join(':'))) {
      const made = await run<{ number: number; id: string }>(
        `UNWIND $rows AS row CREATE (n:${labels}) SET n = row.properties
         RETURN row.number AS number, elementId(n) AS id`,
        { rows: group.map(([number, , properties]) => ({ number: int(number), properties: typed(properties) })) },
      );
      for (const { number, id } of made) this.ids.set(number, id);
    }
    for (const [, labels, properties] of rows) addPrint(this.prints, labels, properties);
  }

  async relationships(run: Run, rows: readonly RelationshipRow[]): Promise<void> {
    for (const [type, group] of groupedBy(rows, ([, , name]) => checked(name))) {
      await run(
        `UNWIND $rows AS row MATCH (a) WHERE elementId(a) = row.from MATCH (b) WHERE elementId(b) = row.to
         CREATE (a)-[r:\`${type}\`]->(b) SET r = row.properties`,
        {
          rows: group.map(([from, to, , properties]) => {
            return { from: this.ids.get(from), to: this.ids.get(to), properties: typed(properties) };
          }),
        },
      );
    }
  }
}

/** Prints of the concepts and passages that there are now. */
export async function presentPrints(run: Run): Promise<Prints> {
  const prints: Prints = new Map();
  for (let after = ''; ; ) {
    const rows = await run<{ id: string; labels: string[]; properties: Properties }>(
      `MATCH (n:Node) WHERE n.id > $after WITH n ORDER BY n.id LIMIT $limit RETURN n.id AS id, labels(n) AS labels,
       n {.id, .name, .description, .sentences, .message} AS properties`,
      { after, limit: int(PAGE) },
    );
    for (const { labels, properties } of rows) addPrint(prints, labels, properties);
    if (rows.length < PAGE) return prints;
    after = rows.at(-1)!.id;
  }
}

function addPrint(prints: Prints, labels: readonly string[], properties: Properties): void {
  const kind = labels.includes('Concept') ? 'concept' : labels.includes('Passage') ? 'passage' : null;
  if (kind === null) return;
  const { id, name, description, sentences, message } = properties as Readonly<Record<string, string | null>>;
  prints.set(id as string, printOf(kind, name ?? '', description ?? '', sentences ?? null, message ?? null));
}

function checked(name: string): string {
  if (!NAME.test(name)) throw new Error(`A checkpoint holds the label or type ${JSON.stringify(name)}.`);
  return name;
}

function typed(properties: Properties): Record<string, unknown> {
  const whole = (value: Value): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    return typeof value === 'number' && Number.isInteger(value) ? int(value) : value;
  };
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, FRACTIONS.has(name) ? value : whole(value)]),
  );
}

function groupedBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
