import { operations } from '../src/operations/index.js';
import type { Operation } from '../src/operations/operation.js';
import { isGatewayPath } from '../src/server/gateway/surface.js';
import { parametersOf } from '../src/server/routes/row.js';
import { VARIANTS } from '../src/server/variants.js';

/** What is wrong with the table of operations and the rows that point at it; empty when nothing is. */
export function tableProblems(): string[] {
  return [...operationProblems(), ...rowProblems()];
}

function operationProblems(): string[] {
  return Object.entries(operations as Readonly<Record<string, Operation>>).flatMap(([name, operation]) => [
    ...(operation.name === name ? [] : [`operation ${name} calls itself ${operation.name}`]),
    ...(/^[A-Z].*\.$/.test(operation.summary) ? [] : [`operation ${name}: the summary must be a sentence`]),
    ...(operation.input.type === 'object' ? [] : [`operation ${name}: the input must be an object`]),
    ...(operation.output === undefined ? [`operation ${name} has no output schema`] : []),
  ]);
}

function rowProblems(): string[] {
  const problems: string[] = [];
  for (const [variant, { rows, base }] of Object.entries(VARIANTS)) {
    const seen = new Set<string>();
    for (const row of rows) {
      const place = `${row.method} ${row.path}`;
      // Two paths that differ in the names of their parameters only are one.
      const key = place.replace(/\{[^}]+\}/g, '{}');
      if (seen.has(key)) problems.push(`${place} stands twice in variant ${variant}`);
      seen.add(key);
      if (row.operation === undefined) problems.push(`${place} points at no operation`);
      if (!row.path.startsWith(`${base}/`) && !isGatewayPath(row.path)) problems.push(`${place} is not below ${base}`);
      const members = (row.shown?.input ?? row.operation?.input)?.properties ?? {};
      for (const name of parametersOf(row.path)) {
        if (!Object.hasOwn(members, name)) problems.push(`${place}: ${name} is no member of the operation's input`);
      }
    }
  }
  return problems;
}

if (process.argv[1]?.endsWith('check-table.ts') === true) {
  const problems = tableProblems();
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
