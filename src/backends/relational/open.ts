import type { DatabaseAddress } from './address.js';
import { openMysqlSource } from './mysql.js';
import type { RelationalDatabase } from './port.js';
import { openPostgresSource } from './postgres.js';
import { openSqliteSource } from './sqlite.js';

const OPEN = { postgres: openPostgresSource, mysql: openMysqlSource, sqlite: openSqliteSource } as const;

/** Opens the database that an address names, for reading only. */
export function openRelational(address: DatabaseAddress): Promise<RelationalDatabase> {
  return OPEN[address.dialect](address);
}
