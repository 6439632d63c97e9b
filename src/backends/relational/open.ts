import type { DatabaseAddress } from './address.js';
import type { RelationalDatabase } from './port.js';

/** Opens the database that an address names, for reading only. Only its own driver is loaded. */
export async function openRelational(address: DatabaseAddress): Promise<RelationalDatabase> {
  switch (address.dialect) {
    case 'postgres':
      return (await import('./postgres/postgres.js')).openPostgresSource(address);
    case 'mysql':
      return (await import('./mysql/mysql.js')).openMysqlSource(address);
    case 'sqlite':
      return (await import('./sqlite/sqlite.js')).openSqliteSource(address);
  }
}
