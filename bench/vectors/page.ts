import type { Figures } from './measure.js';

/** A page of Markdown: one table a number of rows, one column an engine. */
export function page(
  about: { machine: string; dimension: number; data: string; queries: number },
  all: readonly Figures[],
): string {
  const sizes = [...new Set(all.map(({ rows }) => rows))];
  const tables = sizes.map((rows) =>
    table(
      rows,
      all.filter((figures) => figures.rows === rows),
    ),
  );
  return `# Vector engines

Written by \`npm run bench:vectors\`. ${about.machine}

${about.dimension} dimensions, cosine, ${about.data} vectors, top 10, ${about.queries} queries one after another, in
process; the servers run on the same machine. Recall is counted against an exact scan in the same run. A filter is an
equality on one member. Memory is what this process gained; a server's own comes on top. Goals at 100,000 rows, embedded:
unfiltered p50 under 0.5 ms at recall 0.98 or more; 1 % filter under 2 ms at recall 1.0.

${tables.join('\n')}`;
}

function table(rows: number, figures: readonly Figures[]): string {
  const names = [...new Set(figures.flatMap(({ values }) => Object.keys(values)))];
  const head = `| ${rows.toLocaleString('en')} rows | ${figures.map(({ engine }) => engine).join(' | ')} |`;
  const lines = names.map((name) => `| ${name} | ${figures.map(({ values }) => shown(values[name])).join(' | ')} |`);
  return [head, `|---|${figures.map(() => '---:').join('|')}|`, ...lines, ''].join('\n');
}

function shown(value: number | undefined): string {
  if (value === undefined) return '–';
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}
