import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { maskedAddress, parseAddress } from '../../src/backends/relational/address.js';
import { SvcError } from '../../src/core/errors.js';
import { Credentials } from '../../src/sources/connect/credentials.js';
import { allowedAddress } from '../../src/sources/connect/host-policy.js';
import { keyText, rowHash, rowKey, tableKey } from '../../src/sources/inspect/identity.js';
import { latestChange, sinceText } from '../../src/sources/sync/changes.js';
import { tableOf } from './table.js';

describe('connection strings', () => {
  it('reads the parts of an address and nothing else', () => {
    expect(parseAddress('postgresql://u%40x:p%2Fw%3A@db.example:6000/the%20db?sslmode=verify-full')).toEqual({
      dialect: 'postgres',
      host: 'db.example',
      port: 6000,
      user: 'u@x',
      password: 'p/w:',
      database: 'the db',
      tls: 'verified',
      file: '',
    });
    expect(parseAddress('mariadb://u@[::1]/d')).toMatchObject({
      dialect: 'mysql',
      host: '::1',
      port: 3306,
      password: '',
    });
    expect(parseAddress('sqlite:///tmp/a b.db')).toMatchObject({ dialect: 'sqlite', file: '/tmp/a b.db' });
  });
  it.each([
    'postgres://u:secretpw@h/d?options=-c%20search_path=x',
    'postgres://u:secretpw@h/d?host=/tmp&sslmode=require',
    'postgres://u:secretpw@%2Ftmp/d',
    'postgres://u:secretpw@h/d#x',
    'postgres://u:secretpw@h/d/e',
    'postgres://u:secretpw@h/',
    'postgres://u:secretpw@h:0/d',
    'postgres://u:secretpw@h:99999/d',
    'postgres://:secretpw@h/d',
    'postgres://u:secretpw%00@h/d',
    'postgres://u:secretpw%zz@h/d',
    'postgres://u:secretpw@h1,h2/d',
    'mysql://u:secretpw@h/d?multipleStatements=true',
    'http://u:secretpw@h/d',
    'u:secretpw@h/d',
    'sqlite:file.db?secretpw=rw',
    'sqlite:',
  ])('%s is refused without a word of its secret', (text) => {
    let error: unknown;
    try {
      parseAddress(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(SvcError);
    expect((error as SvcError).code).toBe('invalid_input');
    expect(JSON.stringify([(error as SvcError).message, (error as SvcError).details])).not.toContain('secretpw');
  });
  it('anything else is refused with our own error', () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.string().map((text) => `postgres://${text}`),
      fc.string().map((text) => `mysql://u:p@h/${text}`),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        try {
          parseAddress(text);
        } catch (error) {
          if (!(error instanceof SvcError)) throw error;
        }
      }),
    );
  });
  it('shows an address without its user and password', () => {
    expect(maskedAddress(parseAddress('postgres://user:pw@h/d'))).toBe('postgres://h:5432/d');
  });
});

describe('credentials', () => {
  const none = (): undefined => undefined;
  it('open what they sealed, with the same key only, and never show it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (password) => {
        const text = `postgres://u:${encodeURIComponent(password)}@h/d`;
        const sealed = new Credentials('a long enough key', none).sealed(text);
        expect(sealed.startsWith('sealed:')).toBe(true);
        expect(new Credentials('a long enough key', none).opened(sealed)).toBe(text);
        expect(() => new Credentials('another key, quite long', none).opened(sealed)).toThrow(SvcError);
        expect(() => new Credentials(undefined, none).opened(sealed)).toThrow('SVC_SECRET_KEY');
      }),
      { numRuns: 20 },
    );
  });
  it('without a key keep references and strings without a password only', () => {
    const credentials = new Credentials(undefined, (name) => (name === 'SHOP_DB' ? 'sqlite:/x' : undefined));
    expect(credentials.sealed('env:SHOP_DB')).toBe('env:SHOP_DB');
    expect(credentials.opened('env:SHOP_DB')).toBe('sqlite:/x');
    expect(credentials.opened(credentials.sealed('sqlite:/y'))).toBe('sqlite:/y');
    expect(() => credentials.sealed('postgres://u:p@h/d')).toThrow('SVC_SECRET_KEY');
    expect(() => credentials.opened('env:ABSENT')).toThrow('ABSENT');
    expect(() => credentials.opened('env:SVC_SECRET_KEY')).toThrow('belongs to the service');
  });
});

describe('hosts', () => {
  const to = (text: string) => parseAddress(text);
  const files = { inRoots: (file: string) => Promise.resolve(file), excluded: [] };
  it('callers without a key reach loopback only', async () => {
    const policy = { hosts: [], authenticated: false, files };
    expect(await allowedAddress(to('postgres://u@127.0.0.1/d'), policy)).toMatchObject({ host: '127.0.0.1' });
    await expect(allowedAddress(to('postgres://u@10.0.0.1/d'), policy)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(allowedAddress(to('postgres://u@0.0.0.0/d'), policy)).rejects.toMatchObject({ code: 'forbidden' });
  });
  it('a list holds for everybody', async () => {
    const policy = { hosts: ['*.db.example', '10.0.0.1:5432'], authenticated: true, files };
    await expect(allowedAddress(to('postgres://u@a.db.example/d'), policy)).resolves.toMatchObject({
      host: 'a.db.example',
    });
    await expect(allowedAddress(to('postgres://u@10.0.0.1/d'), policy)).resolves.toMatchObject({ host: '10.0.0.1' });
    await expect(allowedAddress(to('postgres://u@10.0.0.1:1/d'), policy)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(allowedAddress(to('postgres://u@127.0.0.1/d'), policy)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('identity of rows', () => {
  it('tells keys apart, however they look, and keeps them short', () => {
    const cells = fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant('@schema')), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(cells, cells, (a, b) => {
        expect(keyText(a).length).toBeLessThan(310);
        expect(keyText(a)).not.toBe('@schema');
        if (a.length === b.length && a.map(String).join('\u0001') !== b.map(String).join('\u0001'))
          expect(keyText(a)).not.toBe(keyText(b));
      }),
    );
  });
  it('tables whose names hold dots or slashes stay apart', () => {
    expect(tableKey({ schema: 'a.b', name: 'c' })).not.toBe(tableKey({ schema: 'a', name: 'b.c' }));
    expect(tableKey({ schema: 'a', name: 'b/c' })).not.toContain('/');
  });
  it('a table without a primary key goes by a unique constraint without nulls, else by the whole row', () => {
    const row = { id: null, code: 'x' };
    const columns = [
      { name: 'id', type: 'text', nullable: true },
      { name: 'code', type: 'text', nullable: false },
    ];
    expect(rowKey(tableOf('t', [], { columns, pk_columns: [], unique_constraints: [['id'], ['code']] }), row)).toBe(
      'x',
    );
    expect(rowKey(tableOf('t', [], { columns, pk_columns: [] }), row)).toBe(rowHash(row));
  });
});

describe('the time of the latest change', () => {
  const at = { column: 'u', now: Date.UTC(2026, 0, 10) };
  it('is the highest read, never in the future, and is looked up with some overlap', () => {
    expect(latestChange(null, [{ u: '2026-01-02 03:04:05.123456+00' }, { u: '2026-01-01 00:00:00' }], at)).toBe(
      '2026-01-02T03:04:05.123Z',
    );
    expect(latestChange(null, [{ u: '2999-01-01 00:00:00' }, { u: 'infinity' }, { u: 17 }], at)).toBe(
      '2026-01-10T00:00:00.000Z',
    );
    expect(latestChange(null, [{ u: 'infinity' }], at)).toBeNull();
    expect(sinceText('2026-01-02T03:04:05.123Z')).toBe('2026-01-02 02:54:05');
  });
});
