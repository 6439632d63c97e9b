import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { standardSql } from '../../src/backends/relational/mysql/mysql-schema.js';
import type { ForeignKey } from '../../src/backends/relational/port.js';
import { checksOf } from '../../src/backends/relational/sqlite/sqlite-checks.js';
import { configFile } from '../../src/config/files.js';
import { globMatches } from '../../src/core/text/glob.js';
import { checkRule } from '../../src/sources/inspect/check-rules.js';
import { isCatalog, nameColumns, relationOf } from '../../src/sources/inspect/classify.js';
import { parseConventions } from '../../src/sources/inspect/conventions.js';
import { tableOf } from './table.js';

const conventions = parseConventions(configFile('sources.yaml'));

function key(column: string, on_delete: ForeignKey['on_delete'] = 'NO ACTION'): ForeignKey {
  return { name: column, columns: [column], references: { schema: 'public', table: 'x', columns: ['id'] }, on_delete };
}

describe('classification of a foreign key', () => {
  const relation = (
    table: string,
    foreign: ForeignKey,
    more: readonly ForeignKey[] = [],
    columns: readonly string[] = ['id', 'a', 'b', 'c'],
  ) =>
    relationOf(
      tableOf(table, [...columns, foreign.columns[0]!, ...more.flatMap((k) => k.columns)], {
        foreign_keys: [foreign, ...more],
      }),
      foreign,
      conventions,
    );

  it.each(['user_id', 'owner_id', 'author_id', 'creator_id', 'created_by'])(
    '%s belongs to, whatever else holds',
    (column) => {
      expect(relation('post_tags', key(column, 'CASCADE'), [key('tag_id')])).toBe('belongs_to');
    },
  );
  it.each(['page_links', 'user_associations', 'post_tags', 'staff_roles'])(
    'a table like %s uses, before cascade',
    (name) => {
      expect(relation(name, key('x_id', 'CASCADE'))).toBe('uses');
    },
  );
  it('two keys and two other columns make a join table, three do not', () => {
    const other = key('y_id');
    expect(
      relation('pairs', key('x_id', 'CASCADE'), [other], ['id', 'created_at', 'updated_at', 'modified_at', 'a', 'b']),
    ).toBe('uses');
    expect(relation('pairs', key('x_id', 'CASCADE'), [other], ['id', 'a', 'b', 'c'])).toBe('part_of');
  });
  it('cascade makes a part, before a column that names a type', () => {
    expect(relation('rooms', key('room_type_id', 'CASCADE'))).toBe('part_of');
  });
  it.each(['template_id', 'mail_template_id', 'room_type_id', 'x_category_id', 'y_class_id'])(
    '%s makes an instance',
    (column) => {
      expect(relation('rooms', key(column))).toBe('instance_of');
    },
  );
  it.each(['type_id', 'house_id', 'subtype'])('%s makes a part', (column) => {
    expect(relation('rooms', key(column))).toBe('part_of');
  });
});

describe('catalog tables and name columns', () => {
  it.each([
    ['things', ['id', 'slug'], 0, true],
    ['things', ['id', 'is_active'], 3, true],
    ['things', ['id', 'IS_PUBLIC'], 3, true],
    ['mail_templates', ['id'], 2, true],
    ['room_types', ['id'], 2, true],
    ['book_categories', ['id'], 2, true],
    ['menu_items', ['id'], 1, true],
    ['menu_items', ['id'], 2, false],
    ['things', ['id', 'name'], 0, false],
  ] as const)('%s with %j and %i keys: %s', (name, columns, keys, expected) => {
    const foreign_keys = Array.from({ length: keys }, (_, i) => key(`k${i}`));
    expect(isCatalog(tableOf(name, columns, { foreign_keys }), conventions)).toBe(expected);
  });
  it('takes the first of name, title, label, display_name, slug', () => {
    expect(nameColumns(tableOf('t', ['slug', 'label', 'title']), conventions)).toEqual(['title']);
    expect(nameColumns(tableOf('t', ['id']), conventions)).toEqual([]);
  });
  it('are told by conventions of an older file, too, which lacks lists that came later', () => {
    const { identifier_columns: _, foreign_name_columns: __, ...older } = conventions;
    const read = parseConventions(older);
    expect(nameColumns(tableOf('bikes', ['id', 'slug', 'name']), read)).toEqual(['name']);
    expect(nameColumns(tableOf('bikes', ['id', 'libelle']), read)).toEqual([]);
  });
  it('else the one called after its table, or a full name, however it is written', () => {
    expect(nameColumns(tableOf('customers', ['id', 'customer_name']), conventions)).toEqual(['customer_name']);
    expect(nameColumns(tableOf('Companies', ['id', 'Company Name']), conventions)).toEqual(['Company Name']);
    expect(nameColumns(tableOf('customers', ['id', 'Full Name']), conventions)).toEqual(['Full Name']);
    expect(nameColumns(tableOf('customers', ['id', 'first_name', 'file_name']), conventions)).toEqual([]);
  });
  it.each([
    ['last_name', 'first_name'],
    ['FirstName', 'LastName'],
    ['firstname', 'lastname'],
    ['givenName', 'familyName'],
    ['GIVEN_NAME', 'SURNAME'],
    ['Vorname', 'Nachname'],
    ['Prénom', 'nom'],
    ['nombre', 'apellidos'],
    ['Nombre', 'Apellido'],
  ])('else the first and the last name: %s and %s', (one, other) => {
    const found = nameColumns(tableOf('patient', ['id', one, other]), conventions);
    expect(found).toEqual(one === 'last_name' ? [other, one] : [one, other]);
    // Spanish has one word for a name and for a first name.
    expect(nameColumns(tableOf('patient', ['id', one]), conventions)).toEqual(/^nombre$/iu.test(one) ? [one] : []);
    expect(nameColumns(tableOf('patient', ['id', one, other, 'title']), conventions)).toEqual(['title']);
    expect(nameColumns(tableOf('patients', ['id', one, other, 'patient_name']), conventions)).toEqual(['patient_name']);
  });
  it('a glob without wildcards matches itself alone, whatever characters it holds', () => {
    fc.assert(
      fc.property(
        fc.string().filter((s) => !/[*?]/.test(s)),
        fc.string(),
        (pattern, text) => {
          expect(globMatches(pattern, pattern)).toBe(true);
          if (text.toLowerCase() !== pattern.toLowerCase()) expect(globMatches(pattern, text)).toBe(false);
          expect(globMatches('*', text)).toBe(true);
        },
      ),
    );
  });
  it('a glob matches what a regular expression made of it would', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.'), maxLength: 12 });
    fc.assert(
      fc.property(few, few, (pattern, text) => {
        const expression = [...pattern]
          .map((c) => (c === '*' ? '.*' : c === '?' ? '.' : c === '.' ? '[.]' : c))
          .join('');
        expect(globMatches(pattern, text)).toBe(new RegExp(`^${expression}$`, 'is').test(text));
      }),
    );
  });
  it('no glob takes longer than its length times that of the text, as a regular expression did', () => {
    const text = 'customer_relationship_management_accounts'.repeat(3);
    // A regular expression made of it tries some 10^12 ways.
    expect(globMatches(`${'*?'.repeat(100)}!`, text)).toBe(false);
    expect(globMatches(`${'*?'.repeat(100)}s`, text)).toBe(true);
  });
});

describe('rules of check constraints', () => {
  const rule = (sql: string): string => checkRule('t', { name: 'c', sql });
  it.each([
    [
      "CHECK (((status)::text = ANY ((ARRAY['a'::character varying, 'b, c'::character varying])::text[])))",
      't.status must be one of a, b, c',
    ],
    ["CHECK (status IN ('done', 'it''s and or'))", "t.status must be one of done, it's and or"],
    ["CHECK (status = 'a' OR status = 'b')", 't.status must be one of a, b'],
    [
      "CHECK ((status)::text <> ALL ((ARRAY['a'])::text[]))",
      "t: ((status)::text <> ALL ((ARRAY['a'])::text[])) must hold",
    ],
    ['CHECK (((n >= 1) AND (n <= 50)))', 't.n must be between 1 and 50'],
    ['CHECK (n BETWEEN -1.5 AND 2)', 't.n must be between -1.5 and 2'],
    ['CHECK ((price >= (0)::numeric))', 't.price must be at least 0'],
    ['CHECK (0 < n)', 't.n must be greater than 0'],
    ['CHECK (("First Name" IS NOT NULL))', 't.First Name must be set'],
    ['CHECK ((a IS NULL) OR (b IS NOT NULL))', 'where t.a is set, t.b must be set'],
    ["CHECK (status <> 'x' OR b IS NOT NULL)", 'where t.status is x, t.b must be set'],
    ['CHECK (b IS NOT NULL OR a IS NOT NULL)', 'one of t.b, t.a must be set'],
    ['CHECK ((ends > starts))', 't.ends must be greater than t.starts'],
    ["CHECK ((name <> ''::text)) NOT VALID", 't.name must not be empty'],
    ['CHECK (length(code) = 3)', 't: (length(code) = 3) must hold'],
    ["CHECK (a = 'x' OR b > 3)", 'either t.a must be equal to x or t.b must be greater than 3'],
  ])('%s', (sql, expected) => {
    expect(rule(sql)).toBe(expected);
  });
  it('never fails, however the condition looks', () => {
    const piece = fc.constantFrom(
      '(',
      ')',
      ' and ',
      ' or ',
      ' is ',
      ' not ',
      ' null ',
      ' in ',
      "'",
      '"',
      'a',
      '1',
      '::',
      ',',
      'any',
      '[',
      ']',
      ' between ',
      '-',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (parts) => {
        expect(typeof rule(`CHECK (${parts.join('')})`)).toBe('string');
      }),
    );
    expect(typeof rule(`CHECK ${'('.repeat(5000)}a${')'.repeat(5000)}`)).toBe('string');
  });
  it('reads the strings of MariaDB and MySQL', () => {
    expect(standardSql(String.raw`"s" in ('a','it\'s')`)).toBe(`"s" in ('a','it''s')`);
    expect(standardSql(String.raw`(s in (_utf8mb4\'a\',_utf8mb4\'it\\\'s\'))`)).toBe(
      `(s in (_utf8mb4'a',_utf8mb4'it''s'))`,
    );
    expect(rule(`CHECK (${standardSql(String.raw`(s in (_utf8mb4\'a\',_utf8mb4\'b\'))`)})`)).toBe(
      't.s must be one of a, b',
    );
  });
  it('finds the checks of a CREATE TABLE outside of quotes and comments', () => {
    const sql = `create table t (a int /* check (no) */, "check (x)" text default 'check (y)', constraint "my ""c" check (a > (1)), -- check (z)\n b int check (b in (')')))`;
    expect(checksOf(sql)).toEqual([
      { name: 'my "c', sql: 'CHECK (a > (1))' },
      { name: 'check_2', sql: "CHECK (b in (')'))" },
    ]);
  });
});
