import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { parseAddress } from '../../src/backends/relational/address.js';
import { mysqlFailure } from '../../src/backends/relational/mysql/mysql-errors.js';
import { postgresFailure } from '../../src/backends/relational/postgres/postgres-errors.js';

const SECRET = 'not-for-anybody';
const PLAIN = parseAddress(`postgres://somebody:${SECRET}@db.example/shop`);
const OVER_TLS = parseAddress(`postgres://somebody:${SECRET}@db.example/shop?sslmode=require`);

const server = (code: string) => Object.assign(new pg.DatabaseError(`${SECRET} is bad`, 1, 'error'), { code });
const numbered = (errno: number, sqlState = 'HY000') =>
  Object.assign(new Error(`${SECRET} is bad`), { errno, sqlState, code: 'UNKNOWN' });
const system = (code: string) => Object.assign(new Error(`connect ${code}`), { code, errno: -111 });

describe('failures of PostgreSQL', () => {
  const read = (cause: unknown) => postgresFailure({ address: PLAIN, table: 'public.items', cause });
  it.each([
    ['XX001', 'conflict', false, '"public.items" cannot be read (SQLSTATE XX001)'],
    ['22012', 'conflict', false, '"public.items" cannot be read (SQLSTATE 22012)'],
    ['40001', 'conflict', true, 'SQLSTATE 40001'],
    ['57014', 'conflict', true, '"public.items" took too long'],
    ['55P03', 'conflict', true, '"public.items" took too long'],
    ['42P01', 'conflict', false, 'connect the source again'],
    ['42501', 'forbidden', false, '"public.items" (SQLSTATE 42501)'],
    ['57P01', 'unavailable', true, 'does not answer'],
    ['53300', 'unavailable', true, 'SQLSTATE 53300'],
    ['08006', 'unavailable', true, 'does not answer'],
  ])('SQLSTATE %s is %s', (code, expected, retriable, text) => {
    const error = read(server(code));
    expect(error).toMatchObject({ code: expected, retriable });
    expect(error.message).toContain(text);
    expect(JSON.stringify([error.message, error.details, error.cause ?? null])).not.toMatch(`${SECRET}|somebody`);
  });
  it('what the driver alone says is a lost connection', () => {
    for (const cause of [system('ECONNRESET'), system('EPIPE'), new Error('Connection terminated unexpectedly')])
      expect(read(cause)).toMatchObject({ code: 'unavailable', retriable: true });
  });
  it('TLS: the sentence names sslmode', () => {
    const connecting = (address: typeof PLAIN, cause: unknown) =>
      postgresFailure({ address, cause, connecting: true }).message;
    expect(connecting(PLAIN, server('28000'))).toContain('sslmode=require');
    expect(connecting(OVER_TLS, server('28000'))).not.toContain('sslmode');
    expect(connecting(OVER_TLS, system('DEPTH_ZERO_SELF_SIGNED_CERT'))).toContain('(DEPTH_ZERO_SELF_SIGNED_CERT)');
    expect(connecting(PLAIN, server('0A000'))).toContain('SQLSTATE 0A000');
  });
});

describe('failures of MySQL and MariaDB', () => {
  const read = (cause: unknown) => mysqlFailure({ address: PLAIN, table: 'shop.items', cause });
  it.each([
    [1194, 'conflict', false, '"shop.items" cannot be read (error 1194)'],
    [1213, 'conflict', true, 'error 1213'],
    [1205, 'conflict', true, '"shop.items" took too long'],
    [1969, 'conflict', true, '"shop.items" took too long'],
    [3024, 'conflict', true, '"shop.items" took too long'],
    [1146, 'conflict', false, 'connect the source again'],
    [1142, 'forbidden', false, '"shop.items" (error 1142)'],
    [1927, 'unavailable', true, 'does not answer'],
    [1040, 'unavailable', true, 'error 1040'],
  ])('error %i is %s', (errno, expected, retriable, text) => {
    const error = read(numbered(errno));
    expect(error).toMatchObject({ code: expected, retriable });
    expect(error.message).toContain(text);
    expect(JSON.stringify([error.message, error.details, error.cause ?? null])).not.toMatch(`${SECRET}|somebody`);
  });
  it('what the driver alone says is a lost connection', () => {
    for (const cause of [system('ECONNREFUSED'), system('PROTOCOL_CONNECTION_LOST')])
      expect(read(cause)).toMatchObject({ code: 'unavailable', retriable: true });
  });
  it('TLS: the sentence names sslmode', () => {
    const connecting = (cause: unknown) => mysqlFailure({ address: PLAIN, cause, connecting: true }).message;
    expect(connecting(numbered(3159, '08004'))).toContain('sslmode=require');
    expect(connecting(numbered(1045, '28000'))).toContain('sslmode=require');
    expect(connecting(numbered(1130))).toContain('error 1130');
    expect(connecting({ code: 'HANDSHAKE_SSL_ERROR', message: 'x' })).toContain('sslmode=require');
  });
});
