/** How much a tool may answer: larger results are cut, with a note and how to see the rest. */
export const OUTPUT_LIMIT = 1_000_000;

/** Members that tell how to page, by the list that was cut. */
const PAGING: Readonly<Record<string, string>> = {
  items: 'Ask again with a smaller top_k, fewer domains, or a higher min_confidence.',
  rules: 'Ask again for fewer domains, concept_ids or categories.',
  results: 'Ask again with a smaller top_k or include_vector false.',
  documents: 'Ask again with "after" set to the last source_id.',
  neighbors: 'Ask again with a smaller depth.',
  tables: 'Ask again for fewer schemas.',
};

/** The value itself, or one whose longest list is cut so that the JSON stays under the limit, with `truncated` saying so. */
export function capped(value: Record<string, unknown>, limit = OUTPUT_LIMIT): Record<string, unknown> {
  if (Buffer.byteLength(JSON.stringify(value)) <= limit) return value;
  const cut: Record<string, unknown> = { ...value };
  const notes: string[] = [];
  for (;;) {
    const lists = Object.entries(cut).filter(
      (entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && entry[1].length > 0,
    );
    const [name, list] = lists.sort((a, b) => size(b[1]) - size(a[1]))[0] ?? [];
    if (name === undefined || list === undefined) break;
    const rest = Buffer.byteLength(JSON.stringify({ ...cut, [name]: [] })) + 400;
    const kept = fitting(list, Math.max(0, limit - rest));
    if (kept.length === list.length) break;
    cut[name] = kept;
    notes.push(`${name}: ${kept.length} of ${list.length} shown. ${PAGING[name] ?? 'Ask for less at a time.'}`);
    if (Buffer.byteLength(JSON.stringify(cut)) + 400 <= limit) break;
  }
  return { ...cut, truncated: notes.join(' ') };
}

function size(list: readonly unknown[]): number {
  return JSON.stringify(list).length;
}

function fitting(list: readonly unknown[], room: number): unknown[] {
  const kept: unknown[] = [];
  let used = 2;
  for (const entry of list) {
    used += Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (used > room) break;
    kept.push(entry);
  }
  return kept;
}
