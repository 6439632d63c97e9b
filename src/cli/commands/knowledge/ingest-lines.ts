import stringWidth from 'string-width';
import { groupBy } from '../../../core/group-by.js';
import { counted } from '../../../core/wording/counted.js';
import { kindsRead } from '../../../core/wording/document-types.js';
import { someOf } from '../../../core/wording/some-of.js';
import { UNREAD } from '../../output/job-files.js';
import { dim, padded, red, shortened, yellow } from '../../output/output.js';
import { endOf, PATH_WIDTH } from '../../output/paths.js';
import type { FileOutcome, Ingested, SkippedFile } from './ingest-job.js';

/** Returns how wide the paths of these files are shown. */
export function widthOf(paths: readonly string[]): number {
  return Math.min(PATH_WIDTH, Math.max(0, ...paths.map((path) => stringWidth(endOf(path)))));
}

/** Formats what became of one file: a line, and the remarks. */
export function fileLines(outcome: FileOutcome, width: number): string {
  return [
    `${stateOf(outcome)} ${padded(endOf(outcome.path), width)}  ${outcome.failure?.error ?? countsOf(outcome.result)}`,
    ...(outcome.result?.warnings ?? []).map(noteLine),
  ].join('\n');
}

/** Formats a remark on the line above it. */
export function noteLine(warning: string): string {
  return `  ${yellow('note')} ${shortened(warning)}`;
}

/** Says that the static model stands in, which nothing else of a command's output tells. */
export function replacedLine(): string {
  const sentence =
    'the static model embeds in the place of minilm and finds less: onnxruntime-node does not load here.';
  return `${yellow('note')} ${sentence} \`svc doctor\` says why; once it loads, \`svc reindex\` embeds anew.`;
}

/** Links to name at most. */
const NAMED = 3;

/** Says that links which lead out of the directories are left out, and how they are read. */
export function linksLine(links: readonly string[]): string {
  const [lead, them] = links.length === 1 ? ['leads outside and is', 'it'] : ['lead outside and are', 'them'];
  const names = someOf(links.map(endOf), NAMED);
  return `${yellow('note')} ${counted(links.length, 'link')} ${lead} left out: ${names}; --follow-links reads ${them} too.`;
}

/** What a domain holds, whatever it was ingested from. */
export interface DomainSize {
  readonly name: string;
  readonly concept_count: number;
  readonly edge_count: number;
  readonly rule_count: number;
}

export interface Summed {
  readonly skipped: readonly SkippedFile[];
  readonly seconds: number;
  /** The domain afterwards; nothing where it does not exist. */
  readonly known: DomainSize | undefined;
}

/** Formats what follows the lines of the files: those left out, the totals, and what to do. */
export function summary(outcomes: readonly FileOutcome[], { skipped, seconds, known }: Summed): string {
  const again = outcomes.some(({ failure }) => failure !== undefined)
    ? [dim('Mend or remove what failed, then type the same command again: what is unchanged takes no time.')]
    : [];
  const hints = [...outcomes.filter(({ failure }) => failure !== undefined), ...skipped].some(isChat)
    ? [dim('A chat export with a JSON message a line is read with --type messages.')]
    : [];
  return [
    ...skippedLines(skipped),
    '',
    totals(outcomes, skipped.length, seconds),
    ...holdings(known),
    ...again,
    ...hints,
  ].join('\n');
}

/** Files of one reason that are named. */
const MOST_NAMED = 5;

/**
 * Returns a line for each file that is left out, with the reason, one for all of them where the same is said of many, and once what is read, where a file is none
 * of that.
 */
export function skippedLines(skipped: readonly SkippedFile[]): string[] {
  const byReason = groupBy(skipped, ({ reason }) => reason);
  const lines = [...byReason].flatMap(([reason, files]) => {
    const names = files.map(({ path }) => endOf(path));
    if (names.length <= MOST_NAMED) return names.map((name) => `skipped   ${name} (${reason})`);
    return [`skipped   ${someOf(names, MOST_NAMED)} (${reason})`];
  });
  const read = skipped.some(({ reason }) => reason === UNREAD) ? [`Types that are read: ${kindsRead('and')}.`] : [];
  return [...lines, ...read].map(dim);
}

/** Returns whether a file's name is that of JSON Lines, as chats are exported. */
function isChat({ path }: { readonly path: string }): boolean {
  return /\.(jsonl|ndjson)$/i.test(path);
}

const STATE_WIDTH = 9;

function stateOf({ result, failure }: FileOutcome): string {
  if (failure !== undefined) return red('failed'.padEnd(STATE_WIDTH));
  return (result?.unchanged === true ? 'unchanged' : 'ingested').padEnd(STATE_WIDTH);
}

function countsOf(result: Pick<Ingested, 'passages' | 'concepts' | 'edges' | 'rules'> | undefined): string {
  return result === undefined ? '' : [counted(result.passages, 'passage'), graphCounts(result)].join(', ');
}

function graphCounts({ concepts, edges, rules }: Pick<Ingested, 'concepts' | 'edges' | 'rules'>): string {
  return [counted(concepts, 'concept'), counted(edges, 'edge'), counted(rules, 'rule')].join(', ');
}

/** Sums what only one file can have: passages. Concepts, edges and rules of several files are often the same ones. */
function totals(outcomes: readonly FileOutcome[], skipped: number, seconds: number): string {
  const results = outcomes.flatMap(({ result }) => (result === undefined ? [] : [result]));
  const unchanged = results.filter((result) => result.unchanged === true).length;
  const files = [
    `${results.length - unchanged} ingested`,
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(outcomes.length > results.length ? [`${outcomes.length - results.length} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ');
  const passages = results.reduce((total, result) => total + result.passages, 0);
  const rate = (outcomes.length / Math.max(seconds, 0.001)).toFixed(1);
  return `${files}: ${counted(passages, 'passage')} in ${seconds.toFixed(1)} s (${rate} files/s).`;
}

/** Says what the domain holds, each concept, edge and rule once however many files state it. */
function holdings(known: DomainSize | undefined): string[] {
  if (known === undefined) return [];
  const { name, concept_count: concepts, edge_count: edges, rule_count: rules } = known;
  return [`Domain ${name} holds ${graphCounts({ concepts, edges, rules })}.`];
}
