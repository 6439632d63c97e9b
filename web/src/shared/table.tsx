import type { ComponentChildren } from 'preact';

export interface Column<T> {
  readonly title: string;
  readonly of: (row: T) => ComponentChildren;
  readonly right?: boolean;
}

/** Characters of a cell that stays on one line, such as a date: a long name beside it would press it together. */
const SHORT = 16;

const isShort = (cell: ComponentChildren): boolean => typeof cell === 'string' && cell.length <= SHORT;

/** A table; with `summary` folded away behind a chart, for keyboards and screen readers. */
export function DataTable<T>({ caption, rows, columns, folded }: { readonly caption: string; readonly rows: readonly T[]; readonly columns: ReadonlyArray<Column<T>>; readonly folded?: boolean }) {
  const table = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, right }) => (
              <th key={title} scope="col" class={right === true ? 'right' : ''}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map(({ title, of, right }) => {
                const cell = of(row);
                return (
                  <td key={title} class={right === true ? 'right' : isShort(cell) ? 'short' : ''}>
                    {cell}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
  if (folded !== true) return table;
  return (
    <details>
      <summary>Table: {caption}</summary>
      {table}
    </details>
  );
}

/** Shares as bars, largest first. */
export function Bars({ caption, rows, shown }: { readonly caption: string; readonly rows: ReadonlyArray<{ readonly name: string; readonly value: number }>; readonly shown: (value: number) => string }) {
  const largest = Math.max(1e-300, ...rows.map(({ value }) => value));
  if (rows.length === 0) return <p class="empty">Nothing recorded.</p>;
  return (
    <ul class="bars" aria-label={caption}>
      {rows.map(({ name, value }) => (
        <li key={name}>
          <span class="name" title={name}>
            {name}
          </span>
          <span class="track">
            <span class="bar" style={{ width: `${(100 * value) / largest}%` }} />
          </span>
          <span class="amount">{shown(value)}</span>
        </li>
      ))}
    </ul>
  );
}
