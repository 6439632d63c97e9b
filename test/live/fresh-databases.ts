import { sql } from 'kysely';
import { openPostgres } from '../../src/backends/store/engine/postgres.js';

let made = 0;

/** Databases of their own on a PostgreSQL server, dropped together at the end. */
export class FreshDatabases {
  private readonly names: string[] = [];

  constructor(private readonly server: string) {}

  /** Address of a new, empty database. */
  async make(): Promise<string> {
    made += 1;
    const name = `fresh_${process.pid}_${Date.now()}_${made}`;
    await this.admin((statement) => sql`create database ${sql.ref(statement)}`, name);
    this.names.push(name);
    const address = new URL(this.server);
    address.pathname = `/${name}`;
    return address.href;
  }

  /** For `SVC_STORE=postgres` on a new database. */
  async environment(): Promise<Record<string, string>> {
    return { SVC_STORE: 'postgres', DATABASE_URL: await this.make() };
  }

  async dropAll(): Promise<void> {
    for (const name of this.names.splice(0)) {
      await this.admin((statement) => sql`drop database if exists ${sql.ref(statement)} with (force)`, name);
    }
  }

  private async admin(statement: (name: string) => ReturnType<typeof sql>, name: string): Promise<void> {
    const admin = await openPostgres(this.server, { migrate: false, connections: 1 });
    try {
      await statement(name).execute(admin.db);
    } finally {
      await admin.close();
    }
  }
}
