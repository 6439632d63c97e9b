import { sql } from 'kysely';
import { forRows, forValues, GIVEN, insertRows, rowOf, type ValueRow } from '../../backends/store/rows.js';
import { slicer } from '../../core/async/slices.js';
import { groupBy } from '../../core/group-by.js';
import { TABLES } from '../checkpoint/table-columns.js';
import { statementMark } from '../contradicting-rules.js';
import type { RuleParts } from '../edits/edit-types.js';
import { byEditAndRank, type EditableAssertion, visibleOf } from '../edits/outrank.js';
import { refsOf } from '../groups.js';
import { type AssertedRule, isStronger } from '../manifest/asserted.js';
import { type NodeChanges, reresolvedNodes } from '../manifest/node-changes.js';
import { firstWord, type KnownRule, mayTouch, ruleWords, sameRule } from '../manifest/rule-change.js';
import { replacedRefs, type SourceChange } from '../manifest/source-change.js';
import { lookupHash, type Writer } from '../tables.js';
import { endpointHash } from './endpoints.js';
import { linkRules } from './link-rules.js';

interface RuleAssertionRow extends KnownRule, EditableAssertion {
  readonly ref: number;
  readonly source: number;
  shown: number;
}

/** Rows of marks that are written together. */
const MARKS = 20_000;

const RULE = sql`r.ref, r.source, s.id as source_id, r.id, r.text, r.category, r.confidence, r.concepts, r.metadata,
  r.version, r.shown, r.edit`;

/** Writes what sources assert as rules, decides which is visible of each, and renews which concepts rules touch. */
export async function writeRules(
  w: Writer,
  changes: readonly SourceChange[],
  touched: { readonly nodes: NodeChanges; readonly reresolved: ReadonlySet<number> },
): Promise<void> {
  const refs = changes.flatMap((change) => change.retracted?.rules ?? []);
  const retracted = await forValues(w.db, refs)<RuleAssertionRow>`
    select ${RULE} from ${GIVEN} join rule r on r.ref = given.v join source s on s.ref = r.source`;
  const replaced = await forValues(w.db, replacedRefs(changes))<RuleAssertionRow>`
    select ${RULE} from ${GIVEN} join rule r on r.source = given.v join source s on s.ref = r.source`;
  const leaving = [...replaced, ...retracted];
  const ids = new Set(leaving.map((row) => row.id));
  for (const change of changes) for (const id of change.next?.rules.keys() ?? []) ids.add(id);
  for (const id of ids) w.state.change.touchRule(w.domain.ref, id);
  const obsolete = new Set(leaving.map((row) => row.ref));
  const staying = (await rulesById(w, ids)).filter((row) => !obsolete.has(row.ref));
  const fresh = await freshRows(w, changes, staying);
  for (const row of fresh.superseded) obsolete.add(row.ref);
  const shown = [...leaving, ...staying].filter((row) => row.shown === 1);
  const after = await decideVisible(w, {
    ids,
    rows: [...staying.filter((row) => !obsolete.has(row.ref)), ...fresh.rows],
    obsolete,
    before: new Set(shown.map((row) => row.id)),
  });
  const [before, visible] = [new Set(refsOf(shown)), new Set(refsOf(after))];
  await unlink(
    w,
    [...before].filter((ref) => !visible.has(ref)),
  );
  const appeared = after.filter((row) => !before.has(row.ref));
  await mark(w, appeared);
  await renewLinks(w, appeared, touched);
}

/** Returns the rules that sources do not assert yet. */
export async function newRules(w: Writer, changes: readonly SourceChange[]): Promise<readonly RuleAssertionRow[]> {
  const ids = changes.flatMap((change) => [...(change.next?.rules.keys() ?? [])]);
  return (await freshRows(w, changes, await rulesById(w, ids))).rows;
}

function rulesById(w: Writer, ids: Iterable<string>): Promise<RuleAssertionRow[]> {
  return forValues(w.db, ids)<RuleAssertionRow>`
    select ${RULE} from ${GIVEN} cross join rule r join source s on s.ref = r.source where r.id = given.v
    and r.domain = ${w.domain.ref}`;
}

/** Returns rows to be written, and what they supersede: what a source that is added to asserted weaker or otherwise. */
async function freshRows(w: Writer, changes: readonly SourceChange[], staying: readonly RuleAssertionRow[]) {
  const pause = slicer();
  const rows: RuleAssertionRow[] = [];
  const superseded: RuleAssertionRow[] = [];
  const own = new Map(staying.map((row) => [`${row.source} ${row.id}`, row]));
  for (const change of changes) {
    for (const rule of change.next?.rules.values() ?? []) {
      await pause();
      const row = assertionOf(w, change, rule);
      const old = own.get(`${change.ref} ${rule.id}`);
      if (old !== undefined) {
        if (change.retracted === undefined && !isStronger(row, old, sameRule(row, old))) continue;
        superseded.push(old);
      }
      rows.push(row);
    }
  }
  return { rows, superseded };
}

function assertionOf(w: Writer, change: SourceChange, rule: AssertedRule): RuleAssertionRow {
  const concepts = rule.concepts === null ? null : JSON.stringify(rule.concepts);
  const metadata = JSON.stringify(rule.metadata);
  const { id, text, category, confidence, edit = null } = rule;
  const { ref: source, id: source_id } = change;
  const { version } = w.state;
  return { ref: 0, id, source, source_id, text, category, confidence, concepts, metadata, version, shown: 0, edit };
}

const { ref: _, ...RULE_COLUMNS } = TABLES.rule.columns;
const ruleRow = rowOf(RULE_COLUMNS);

/** Writes rows and `shown`; returns the rows that are visible now, with their numbers. */
async function decideVisible(
  w: Writer,
  step: {
    readonly ids: ReadonlySet<string>;
    readonly rows: RuleAssertionRow[];
    /** Takes rows of edits that are written anew. */
    readonly obsolete: Set<number>;
    readonly before: ReadonlySet<string>;
  },
): Promise<RuleAssertionRow[]> {
  const { ids, rows, obsolete, before } = step;
  const groups = groupBy(rows, (row) => row.id);
  const flipped: RuleAssertionRow[] = [];
  const pause = slicer();
  for (const id of ids) {
    await pause();
    const group = groups.get(id) ?? [];
    const sorted = [...group].sort(byEditAndRank);
    const best = visibleOf(sorted, laidOver);
    if (best !== undefined && !group.includes(best)) {
      const [old] = sorted;
      group.splice(group.indexOf(old!), 1, best);
      rows.splice(rows.indexOf(old!), 1, best);
      if (old!.ref !== 0) obsolete.add(old!.ref);
    }
    w.state.count(w.domain.ref).rules += (best === undefined ? 0 : 1) - (before.has(id) ? 1 : 0);
    for (const row of group) {
      const shown = row === best ? 1 : 0;
      if (row.ref !== 0 && row.shown !== shown) flipped.push(row);
      row.shown = shown;
    }
  }
  await forValues(w.db, obsolete)`delete from rule where ref in (select v from ${GIVEN})`;
  const visibility = flipped.map((row) => [row.ref, row.shown]);
  await forRows(w.db, { ref: 'int', shown: 'int' }, visibility)`
    update rule set shown = given.shown from ${GIVEN} where rule.ref = given.ref`;
  const made = await insertRows(w.db, 'rule', {
    columns: RULE_COLUMNS,
    rows: rows.filter((row) => row.ref === 0).map((row) => ruleRow({ ...row, domain: w.domain.ref })),
    tail: sql`returning ref, id, text, concepts, shown`,
  });
  return [...rows.filter((row) => row.ref !== 0), ...(made as RuleAssertionRow[])].filter((row) => row.shown === 1);
}

/** Returns an edit's row with what it leaves to the others; the row itself where it has that already. */
function laidOver(edit: RuleAssertionRow, parts: RuleParts, base: RuleAssertionRow): RuleAssertionRow {
  const next = {
    ...edit,
    text: parts.text ?? base.text,
    category: parts.category ?? base.category,
    confidence: parts.confidence ?? base.confidence,
    concepts: parts.concepts === undefined ? base.concepts : JSON.stringify(parts.concepts),
    metadata: base.metadata,
  };
  return sameRule(edit, next) && edit.confidence === next.confidence ? edit : { ...next, ref: 0, shown: 0 };
}

async function unlink(w: Writer, refs: readonly number[]): Promise<void> {
  await forValues(w.db, refs)`delete from rule_mark where rule in (select v from ${GIVEN})`;
  await forValues(w.db, refs)`delete from rule_concept where rule in (select v from ${GIVEN})`;
}

/** Files rules under the words or endpoints that decide which concepts they touch, and under what they say. */
async function mark(w: Writer, rules: readonly RuleAssertionRow[]): Promise<void> {
  const pause = slicer();
  let rows: ValueRow[] = [];
  const write = async (): Promise<void> => {
    await insertRows(w.db, 'rule_mark', { columns: { hash: 'int', rule: 'int' }, rows });
    rows = [];
  };
  for (const rule of rules) {
    for (const hash of marksOf(w, rule)) rows.push([hash, rule.ref]);
    if (rows.length > MARKS) await write();
    await pause();
  }
  await write();
}

function marksOf(w: Writer, rule: RuleAssertionRow): Set<number> {
  const hashes =
    rule.concepts === null
      ? [...ruleWords(rule.text)].map((word) => wordHash(w, word))
      : (JSON.parse(rule.concepts) as string[]).map((endpoint) => endpointHash(w.domain, endpoint));
  const statement = statementMark(w.domain, rule.text);
  return new Set(statement === null ? hashes : [...hashes, statement]);
}

function wordHash(w: Writer, key: string): number {
  return lookupHash(w.domain, `\0${firstWord(key)}`);
}

/** Renews the links of rules that appeared, and of those that an added, removed or renamed concept may touch. */
async function renewLinks(
  w: Writer,
  appeared: readonly RuleAssertionRow[],
  { nodes, reresolved }: { readonly nodes: NodeChanges; readonly reresolved: ReadonlySet<number> },
): Promise<void> {
  const keys = new Set<string>();
  const hashes = new Set(reresolved);
  const pause = slicer();
  for (const { seen } of reresolvedNodes(nodes)) {
    if (seen === null) continue;
    keys.add(seen.key);
    hashes.add(wordHash(w, seen.key));
    await pause();
  }
  const found = await forValues(w.db, hashes)<RuleAssertionRow>`
    select distinct r.ref, r.id, r.text, r.concepts from ${GIVEN} join rule_mark m on m.hash = given.v
    join rule r on r.ref = m.rule`;
  const fresh = new Set(appeared.map((rule) => rule.ref));
  const affected = new Map<number, RuleAssertionRow>();
  for (const rule of found) {
    await pause();
    if (fresh.has(rule.ref) || affected.has(rule.ref)) continue;
    if (!mayTouch(rule, keys)) continue;
    affected.set(rule.ref, rule);
    w.state.change.touchRule(w.domain.ref, rule.id);
  }
  await forValues(w.db, affected.keys())`delete from rule_concept where rule in (select v from ${GIVEN})`;
  await linkRules(w, [...appeared, ...affected.values()]);
}
