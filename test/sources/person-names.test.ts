import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import { sourcesHarness } from './harness.js';

it('a row with a first and a last name is named by both, or by the one that is not null', async () => {
  const harness = await sourcesHarness({ SVC_EMBEDDING: 'none' });
  const file = join(harness.directory, 'clinic.db');
  const db = new SqliteDatabase(file);
  db.exec(`
    create table patient (id integer primary key, LastName text, firstName text, town text);
    insert into patient values (1, 'Lovelace', 'Ada', 'London'), (2, 'Plato', null, 'Athens'), (3, null, 'Maria', 'Rome'),
      (4, ' ', null, 'Oslo');
  `);
  db.close();
  const connection_string = `sqlite:${file}`;
  const inspected = await harness.call('source_inspect_schema', { source_id: 'clinic', connection_string });
  expect(inspected.tables[0]).toMatchObject({ name_column: null, name_columns: ['firstName', 'LastName'] });
  await harness.call('source_connect', { source_id: 'clinic', connection_string });
  await harness.call('source_sync', { source_id: 'clinic' });
  const rows = (await harness.service.graph.findNodes({ domain: 'clinic' }))
    .filter(({ properties }) => properties.kind === 'row')
    .map(({ name, description }) => `${name}: ${description}`);
  expect(rows.sort()).toEqual([
    'Ada Lovelace: patient with town: London.',
    'Maria: patient with town: Rome.',
    'Plato: patient with town: Athens.',
    'patient 4: patient with town: Oslo.',
  ]);
  await harness.close();
});

it('a row is named by a column of names in another language, and by two where the table has a family name too', async () => {
  const harness = await sourcesHarness({ SVC_EMBEDDING: 'none' });
  const file = join(harness.directory, 'tienda.db');
  const db = new SqliteDatabase(file);
  db.exec(`
    create table clientes (id integer primary key, nombre text, pais text);
    create table guias (id integer primary key, nombre text, apellidos text);
    create table salles (id integer primary key, libelle text, etage integer);
    insert into clientes values (1, 'Hélène Dubois', 'Francia');
    insert into guias values (1, 'Maddi', 'Urrutia');
    insert into salles values (1, 'Atelier', 2);
  `);
  db.close();
  await harness.call('source_connect', { source_id: 'tienda', connection_string: `sqlite:${file}` });
  await harness.call('source_sync', { source_id: 'tienda' });
  const rows = (await harness.service.graph.findNodes({ domain: 'tienda' }))
    .filter(({ properties }) => properties.kind === 'row')
    .map(({ name }) => name);
  expect(rows.sort()).toEqual(['Atelier', 'Hélène Dubois', 'Maddi Urrutia']);
  await harness.close();
});

it('a table is named by a first and a last name before a title in another language, and by a name before a slug', async () => {
  const harness = await sourcesHarness({ SVC_EMBEDDING: 'none' });
  const file = join(harness.directory, 'people.db');
  const tables: readonly (readonly [columns: string, named: string])[] = [
    ['titel, vorname, nachname', 'vorname nachname'],
    ['nom, first_name, last_name', 'first_name last_name'],
    ['nome, cognome', 'nome cognome'],
    ['nome, sobrenome', 'nome sobrenome'],
    ['nome, apelido', 'nome apelido'],
    ['nombre, apellido1, apellido2', 'nombre apellido1'],
    ['nombre, primer_apellido', 'nombre primer_apellido'],
    ['naam, voornaam', 'voornaam naam'],
    ['achternaam, voornaam', 'voornaam achternaam'],
    ['name, vorname', 'vorname name'],
    ['name, vorname, nachname', 'name'],
    ['slug, nombre', 'nombre'],
    ['nombre, label', 'nombre'],
    ['slug, nombre, apellidos', 'nombre apellidos'],
    // As ever in English.
    ['slug, full_name', 'slug'],
    ['slug, label', 'label'],
    ['slug, first_name, last_name', 'slug'],
    ['title, first_name, last_name', 'title'],
    ['first_name, last_name, display_name', 'display_name'],
  ];
  const db = new SqliteDatabase(file);
  tables.forEach(([columns], i) => {
    db.exec(`create table t${String(i).padStart(2, '0')} (id integer primary key, ${columns});`);
  });
  db.close();
  const inspected = await harness.call('source_inspect_schema', {
    source_id: 'people',
    connection_string: `sqlite:${file}`,
  });
  const found = (inspected.tables as readonly { name_column: string | null; name_columns?: string[] }[]).map(
    ({ name_column, name_columns }, i) => [tables[i]![0], name_columns?.join(' ') ?? name_column],
  );
  expect(found).toEqual(tables);
  await harness.close();
});
