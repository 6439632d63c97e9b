import type { GraphBackend, GraphDelta, PassageRecord } from '../../backends/graph/port.js';
import type { WriteScope } from '../../backends/store/scope.js';
import type { TextIndex } from '../../backends/text/port.js';
import type { Mention } from '../../core/model.js';
import { slicer } from '../../core/slices.js';
import { type NamesIn, namesIn } from '../../core/text/mentions.js';
import { analyse } from '../../core/text/stem.js';

interface LinkPorts {
  readonly graph: GraphBackend;
  readonly text: TextIndex;
}

const BATCH = 200;
const KEY_BATCH = 5000;

/**
 * Brings the mentions of a domain in line after a graph write: matches the new passages, and every passage that holds or
 * mentioned a key whose activity changed. Mentions are a function of (sentence, active keys), so any order of writes
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
  for (const id of await holdersOf(ports, domain, change)) touched.add(id);
  const ids = [...touched].sort();
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

/** Passages that hold one of the changed keys' words, or mention one of them now. */
async function holdersOf(
  { graph, text }: LinkPorts,
  domain: string,
  { delta, scope }: { readonly delta: Pick<GraphDelta, 'keys'>; readonly scope?: WriteScope },
): Promise<Set<string>> {
  const holders = new Set<string>();
  if (delta.keys.length === 0 || (await graph.hasPassages?.(domain, scope)) === false) return holders;
  for (const id of await graph.passagesMentioning(domain, delta.keys, scope)) holders.add(id);
  if ((await text.count(domain, scope)) === 0) return holders;
  const lists = delta.keys.map((key) => [...new Set(analyse(key))]).filter((stems) => stems.length > 0);
  for (const found of await text.containingEach(domain, lists, scope)) for (const id of found) holders.add(id);
  return holders;
}

/** Matches whole passages against the keys active now, and hands their mentions to the graph. */
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
  const candidates = new Set<string>();
  const read: NamesIn[][] = [];
  for (const record of records) {
    const sentences = record.sentences.map(([start, end]) => namesIn(record.text.slice(start, end)));
    for (const { keys } of sentences) for (const key of keys) candidates.add(key);
    read.push(sentences);
    await pause();
  }
  await active.ask(candidates);
  const matched: Array<{ id: string; mentions: Mention[] }> = [];
  const isActive = (key: string): boolean => active.has(key);
  for (const [i, record] of records.entries()) {
    const mentions: Mention[] = [];
    read[i]!.forEach((names, sentence) => {
      for (const { key, name, token, length } of names.mentions(isActive)) {
        mentions.push({ key, name, sentence, token, length });
      }
    });
    if (!sameMentions(mentions, record.mentions)) matched.push({ id: record.id, mentions });
    await pause();
  }
  if (matched.length > 0) await graph.setMentions(domain, matched, scope);
}

/** Which keys are active, asked once for each: nothing that `link` does changes it. */
class ActiveKeys {
  private readonly asked = new Set<string>();
  private readonly active = new Set<string>();

  constructor(
    private readonly graph: GraphBackend,
    private readonly domain: string,
    private readonly scope: WriteScope | undefined,
  ) {}

  async ask(keys: ReadonlySet<string>): Promise<void> {
    const fresh = [...keys].filter((key) => !this.asked.has(key));
    for (let start = 0; start < fresh.length; start += KEY_BATCH) {
      const part = fresh.slice(start, start + KEY_BATCH);
      for (const key of await this.graph.activeKeys(this.domain, part, this.scope)) this.active.add(key);
      for (const key of part) this.asked.add(key);
    }
  }

  has(key: string): boolean {
    return this.active.has(key);
  }
}

function sameMentions(a: readonly Mention[], b: readonly Mention[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((mention, i) => {
    const other = b[i]!;
    return mention.key === other.key && mention.sentence === other.sentence && mention.token === other.token;
  });
}
