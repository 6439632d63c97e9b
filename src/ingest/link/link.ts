import type { GraphBackend, GraphDelta, PassageRecord } from '../../backends/graph/port.js';
import type { WriteScope } from '../../backends/store/scope.js';
import type { TextIndex } from '../../backends/text/port.js';
import { mapInSlices, slicer } from '../../core/async/slices.js';
import { sortInSlices } from '../../core/async/sort-in-slices.js';
import type { Mention } from '../../core/model.js';
import { writesNounsSmall } from '../../core/text/connectors.js';
import { languageOfPassage } from '../../core/text/language.js';
import { type NamesIn, namesIn } from '../../core/text/mentions.js';
import { analyse } from '../../core/text/words.js';
import { labelsIn } from '../../core/wording/line-heads.js';
import type { Followers } from '../../ledger/followers/followers.js';
import { recordReader } from '../../ledger/followers/record-reader.js';
import { compare } from '../../ledger/manifest/asserted.js';
import { ActiveKeys, KEY_BATCH } from './active-keys.js';

interface LinkPorts {
  readonly graph: GraphBackend;
  readonly text: TextIndex;
  readonly followers?: Pick<Followers, 'unapplied'>;
}

const BATCH = 200;

/**
 * Updates the mentions of a domain after a graph write: matches the new passages, and every passage that contains or
 * mentioned a key that became active or inactive. Mentions are a function of (sentence, active keys), so any order of writes
 * ends in the same graph.
 */
export async function link(
  ports: LinkPorts,
  domain: string,
  change: {
    readonly delta: Pick<GraphDelta, 'keys'>;
    readonly passages: readonly string[];
    readonly scope?: WriteScope;
  },
): Promise<void> {
  const touched = new Set(change.passages);
  for (const id of await passagesWith(ports, domain, change)) touched.add(id);
  const ids = await sortInSlices([...touched], compare);
  const active = new ActiveKeys(ports.graph, domain, change.scope);
  for (let start = 0; start < ids.length; start += BATCH) {
    const records = await ports.graph.passageRecords(ids.slice(start, start + BATCH), change.scope);
    await matchRecords(ports.graph, domain, {
      records,
      active,
      ...(change.scope === undefined ? {} : { scope: change.scope }),
    });
  }
}

/** Returns the passages that contain the words of a changed key, or mention one now. */
async function passagesWith(
  { graph, text, followers }: LinkPorts,
  domain: string,
  {
    delta,
    passages: own,
    scope,
  }: { readonly delta: Pick<GraphDelta, 'keys'>; readonly passages: readonly string[]; readonly scope?: WriteScope },
): Promise<Set<string>> {
  const passages = new Set<string>();
  if (delta.keys.length === 0) return passages;
  if (own.length === 0 && (await graph.hasPassages?.(domain, scope)) === false) return passages;
  for (const id of await graph.passagesMentioning(domain, delta.keys, scope)) passages.add(id);
  if (text.follower != null && followers !== undefined && scope !== undefined) {
    for (const id of await unindexed({ graph, followers, engine: text.follower.name }, domain, scope)) passages.add(id);
  }
  if ((await text.count(domain, scope)) === 0) return passages;
  const analysed = await mapInSlices(delta.keys, (key) => [...new Set(analyse(key))]);
  const lists = analysed.filter((stems) => stems.length > 0);
  for (const found of await text.containingEach(domain, lists, { scope })) for (const id of found) passages.add(id);
  return passages;
}

/** Returns the passages of the domain that a text index outside the store may not have as they are now. */
async function unindexed(
  given: { readonly graph: GraphBackend; readonly followers: Pick<Followers, 'unapplied'>; readonly engine: string },
  domain: string,
  scope: WriteScope,
): Promise<string[]> {
  const refs = await given.followers.unapplied(given.engine, scope.db);
  if (refs !== null) {
    const records = await recordReader(scope.db).nodes(refs);
    return records.flatMap(({ id, kind, domain_name }) => (kind === 'passage' && domain_name === domain ? [id] : []));
  }
  const ids: string[] = [];
  for (let after = ''; ; ) {
    const page = await given.graph.findNodes({ domain, kind: 'passage', after, limit: KEY_BATCH });
    ids.push(...page.map((node) => node.id));
    if (page.length < KEY_BATCH) return ids;
    after = page.at(-1)!.id;
  }
}

/** Matches whole passages against the keys that are active now, and writes their mentions to the graph. */
async function matchRecords(
  graph: GraphBackend,
  domain: string,
  {
    records,
    active,
    scope,
  }: { readonly records: readonly PassageRecord[]; readonly active: ActiveKeys; readonly scope?: WriteScope },
): Promise<void> {
  const pause = slicer();
  const matched: Array<{ id: string; mentions: Mention[] }> = [];
  const isActive = (key: string): boolean => active.has(key);
  let read: Array<{ readonly record: PassageRecord; readonly sentences: readonly NamesIn[] }> = [];
  let candidates = new Set<string>();
  for (const [i, record] of records.entries()) {
    const textLanguage = languageOfPassage(record);
    // In other languages no label is told from a name.
    const names = { textLanguage, ...(writesNounsSmall(textLanguage) ? { labels: labelsIn(record.text) } : {}) };
    const sentences = record.sentences.map(([start, end]) => namesIn(record.text.slice(start, end), names));
    if (!active.complete) for (const { keys } of sentences) for (const key of keys) candidates.add(key);
    read.push({ record, sentences });
    await pause();
    // A set of very many keys takes long to grow, in one step.
    if (candidates.size < KEY_BATCH && i + 1 < records.length) continue;
    await active.lookUp(candidates);
    for (const { record, sentences } of read) {
      const mentions = mentionsOf(sentences, isActive);
      if (!sameMentions(mentions, record.mentions)) matched.push({ id: record.id, mentions });
      await pause();
    }
    read = [];
    candidates = new Set();
  }
  if (matched.length > 0) await graph.setMentions(domain, matched, scope);
}

function mentionsOf(sentences: readonly NamesIn[], isActive: (key: string) => boolean): Mention[] {
  return sentences.flatMap((names, sentence) =>
    names.mentions(isActive).map(({ key, name, token, length }) => ({ key, name, sentence, token, length })),
  );
}

function sameMentions(a: readonly Mention[], b: readonly Mention[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((mention, i) => {
    const other = b[i]!;
    return mention.key === other.key && mention.sentence === other.sentence && mention.token === other.token;
  });
}
