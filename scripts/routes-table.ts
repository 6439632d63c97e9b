import { bodyOf, type RouteRow } from '../src/server/routes/row.js';

/** The rows of a variant as a Markdown table: what a request needs, what it may carry (defaults after `=`). */
export function routesTable(rows: readonly RouteRow[]): string {
  const lines = rows.map((row) => `| ${row.method} | \`${row.path}\` | ${inputOf(row)} | ${row.operation.summary} |`);
  return ['| Method | Path | Input | What it does |', '|---|---|---|---|', ...lines].join('\n');
}

interface Member {
  readonly default?: unknown;
}

function inputOf(row: RouteRow): string {
  const schema = (row.shown?.input ?? row.operation.input) as {
    properties?: Record<string, Member>;
    required?: string[];
  };
  const upload = bodyOf(row) === 'multipart';
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]): string[] => {
    if (upload && name === 'file_name') return [];
    if (upload && name === 'temporary_path') return ['**file**'];
    if (member.default !== undefined) return [`${name}=${JSON.stringify(member.default)}`];
    return [schema.required?.includes(name) === true ? `**${name}**` : name];
  });
  return members.length === 0 ? 'none' : members.join(', ');
}
