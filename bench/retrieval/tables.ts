import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { parse as parseCsv } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { openRelational } from '../../src/backends/relational/open.js';
import { configFile } from '../../src/config/files.js';
import { systemClock } from '../../src/core/clock.js';
import { Credentials } from '../../src/sources/connect/credentials.js';
import { SourceRegistry } from '../../src/sources/connect/registry.js';
import { parseConventions } from '../../src/sources/inspect/conventions.js';
import { Sources } from '../../src/sources/sources.js';
import { evidenceIn, linesOf } from './own-text.js';
import type { World } from './world.js';

const FOLDER = 'bench/retrieval/tables';
/** Read for the final figures only: training and tuning never see its questions. */
const UNTOUCHED = 'hospital';

/** A table of a world: the cells of each row by column, and which columns refer to which table. */
interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Column → table that it refers to. */
  readonly references: ReadonlyMap<string, string>;
  readonly rows: ReadonlyArray<Readonly<Record<string, string>>>;
}

/** A question over tables that refer to each other. */
export interface TablesQuestion {
  readonly world: string;
  /** `one`, `two` or `three` rows are needed; `none` where nothing answers. */
  readonly kind: string;
  readonly question: string;
  /** Table and cells of each row that is needed. */
  readonly rows: ReadonlyArray<{ readonly table: string; readonly cells: readonly string[] }>;
  readonly untouched: boolean;
}

export function tableWorlds(folder = FOLDER): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .sort();
}

/** Reads the questions of all worlds, in the order of their names. */
export function tablesQuestions(folder = FOLDER): TablesQuestion[] {
  return tableWorlds(folder).flatMap((world) => {
    const tables = new Map(readTables(join(folder, world)).map((table) => [table.name, table]));
    const [answerable = '', others = ''] = readFileSync(join(folder, world, 'questions.txt'), 'utf8').split('\n---\n');
    const untouched = world === UNTOUCHED;
    return [
      ...linesOf(answerable).map((line) => {
        const [, kind = '', question = '', gold = ''] = /^(\w+) \| (.+) => (.+)$/u.exec(line) ?? [];
        return { world, kind, question, untouched, rows: gold.split(' && ').map((one) => rowOf(tables, one)) };
      }),
      ...linesOf(others).map((question) => ({ world, kind: 'none', question, rows: [], untouched })),
    ];
  });
}

function rowOf(tables: ReadonlyMap<string, Table>, gold: string): TablesQuestion['rows'][number] {
  const [, name = '', key = ''] = /^(\w+): (.+)$/u.exec(gold) ?? [];
  const table = tables.get(name);
  const row = table?.rows.find((cells) => cells[table.columns[0]!] === key);
  if (table === undefined || row === undefined) throw new Error(`There is no row "${gold}".`);
  const told = table.columns.filter((column) => column !== 'id' && row[column] !== '');
  return { table: name, cells: told.map((column) => row[column]!) };
}

/** Returns which rows an item is, as positions in `rows`; letters and digits only are compared. */
export function rowsIn(
  rows: TablesQuestion['rows'],
  { name, description }: { name: string; description: string },
): number[] {
  const text = `${name}\n${description}`;
  return rows.flatMap(({ table, cells }, i) => {
    const isOfTable = name.split(' > ')[0] === table || description.includes(`${table.replaceAll('_', ' ')} with `);
    return isOfTable && evidenceIn(cells, text).length === cells.length ? [i] : [];
  });
}

/** Ingests each table as a CSV file, a reference being the name of the row that it means. */
export async function ingestAsFiles({ ingest }: World, world: string, domain: string, folder = FOLDER): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-tables-'));
  try {
    for (const { name, columns, rows } of readTables(join(folder, world))) {
      const path = join(directory, `${name}.csv`);
      writeFileSync(
        path,
        stringify(
          rows.map((row) => columns.map((column) => row[column])),
          { header: true, columns: [...columns] },
        ),
      );
      await ingest.upload({ path, name: `${name}.csv` }, { domain });
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Ingests the tables as a database whose rows refer to each other by foreign keys. */
export async function ingestAsDatabase(
  { parts, store }: World,
  world: string,
  domain: string,
  folder = FOLDER,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-tables-'));
  try {
    const file = join(directory, `${world}.db`);
    writeDatabase(file, readTables(join(folder, world)));
    const { graph, text, vectors, embedding, indexName } = parts;
    const sources = new Sources({
      ports: { store, graph, text, vectors, embedding, indexName, clock: systemClock },
      conventions: parseConventions(configFile('sources.yaml', null)),
      holder: 'bench',
      registry: new SourceRegistry({
        store,
        credentials: new Credentials(undefined, () => undefined),
        open: openRelational,
        hosts: [],
        files: { inRoots: async (path) => path, excluded: [] },
      }),
    });
    const caller = { authenticated: true };
    const source_id = domain;
    await sources.connect(
      { source_id, connection_string: `sqlite:${file}`, schemas: [], domain_map: { '*': domain }, targets: 'both' },
      caller,
    );
    await sources.sync({ source_id, mode: 'full' }, caller);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function writeDatabase(file: string, tables: readonly Table[]): void {
  const database = new Database(file);
  database.pragma('foreign_keys = OFF');
  const keys = new Map(
    tables.map(({ name, columns, rows }) => [
      name,
      new Map(rows.map((row, i) => [row[columns[0]!]!, columns[0] === 'id' ? Number(row.id) : i + 1])),
    ]),
  );
  for (const { name, columns, rows, references } of tables) {
    const others = columns.filter((column) => column !== 'id');
    const declared = others.map((column) => {
      const table = references.get(column);
      return table === undefined ? `"${column}" text` : `"${column}_id" integer references "${table}"(id)`;
    });
    database.exec(`create table "${name}" (id integer primary key, ${declared.join(', ')})`);
    const insert = database.prepare(`insert into "${name}" values (?, ${others.map(() => '?').join(', ')})`);
    for (const row of rows) {
      const cells = others.map((column) => {
        const table = references.get(column);
        const cell = row[column]!;
        return cell === '' ? null : table === undefined ? cell : keys.get(table)!.get(cell);
      });
      insert.run(keys.get(name)!.get(row[columns[0]!]!), ...cells);
    }
  }
  database.close();
}

function readTables(folder: string): Table[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.csv'))
    .sort();
  return files.map((file) => {
    const [head = [], ...rows] = parseCsv(readFileSync(join(folder, file))) as string[][];
    const references = new Map<string, string>();
    const columns = head.map((column) => {
      const [name = '', table] = column.split(' -> ');
      if (table !== undefined) references.set(name, table);
      return name;
    });
    return {
      ...{ name: basename(file, '.csv'), columns, references },
      rows: rows.map((cells) => Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? '']))),
    };
  });
}
