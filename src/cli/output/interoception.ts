import { counted } from '../../core/wording/counted.js';
import { bold, cyan, dim, facts, section, shortened } from './output.js';
import { rendered, timeOf } from './render.js';

interface Reason {
  readonly query: string;
  readonly source: string;
  readonly outcome?: string;
  readonly target?: number;
  readonly at: string;
}

interface Learned {
  readonly domain: string;
  readonly factor: number;
  readonly events: number;
  readonly why: readonly Reason[];
}

interface LearnedEdge extends Learned {
  readonly edge_id: string;
  readonly source_id: string;
  readonly relation_type: string;
  readonly target_id: string;
}

interface LearnedItem extends Learned {
  readonly item_id: string;
  readonly query: string;
}

interface DomainWeights {
  readonly domain: string;
  readonly questions: number;
  readonly fitted_at: string;
  readonly changes: ReadonlyArray<{ readonly meaning: string; readonly from: number; readonly to: number }>;
}

interface Interoception {
  readonly edges: readonly LearnedEdge[];
  readonly items: readonly LearnedItem[];
  readonly domains: readonly DomainWeights[];
}

/** Formats what feedback taught: a few lines for each edge, item and domain, since reasons are sentences. */
export function interoceptionShown({ edges, items, domains, ...rest }: Interoception): string {
  return [
    rendered(rest),
    section('edges', lines(edges, edgeLines)),
    section('items', lines(items, itemLines)),
    section('domains', lines(domains, domainLines)),
  ].join('\n\n');
}

function lines<T>(all: readonly T[], of: (one: T) => readonly string[]): string {
  return all.length === 0 ? dim('(none)') : all.map((one) => of(one).join('\n')).join('\n\n');
}

function edgeLines(edge: LearnedEdge): string[] {
  const title = `${edge.source_id} ${edge.relation_type} ${edge.target_id}`;
  return [cyan(title), effectOf(edge), ...edge.why.map(reasonLine), `  ${dim(edge.edge_id)}`];
}

function itemLines(item: LearnedItem): string[] {
  const asked = `  for ${quoted(item.query)}`;
  return [cyan(item.item_id), asked, effectOf(item), ...item.why.map(reasonLine)];
}

function domainLines({ domain, questions, fitted_at, changes }: DomainWeights): string[] {
  const title = `${bold(domain)}: ${counted(questions, 'rated question')}, fitted ${timeOf(fitted_at)}`;
  const moves = changes.map(({ meaning, from, to }) => [
    `  ${shortened(meaning)}`,
    `${rounded(from)} → ${rounded(to)}`,
  ]);
  return moves.length === 0 ? [title] : [title, facts(moves as Array<[string, string]>)];
}

function effectOf({ factor, events, domain }: Learned): string {
  return `  factor ${rounded(factor)} in ${domain}, by ${counted(events, 'rating')}`;
}

function reasonLine({ outcome, target, query, source, at }: Reason): string {
  const what = outcome ?? (target === undefined ? 'rated' : `target ${rounded(target)}`);
  return `  ${what}: ${quoted(query)} ${dim(`(${source}, ${timeOf(at)})`)}`;
}

function quoted(query: string): string {
  return JSON.stringify(shortened(query, 120));
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(4)));
}
