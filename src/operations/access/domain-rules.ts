import { SvcError } from '../../core/errors.js';
import type { Guard } from './guard.js';
import { ofDomains, visibleEdges, visibleRules, visibleStats, withoutQuotes } from './visible.js';

// biome-ignore lint/suspicious/noExplicitAny: inputs and outputs of every operation; each rule knows its own
type Value = any;

/** Rules by which operations are held to the domains of a key: what they take, then what they answer. */

export function domain(input: Value, guard: Guard): Value {
  guard.requireDomain(input.domain, 'domain');
  return input;
}

export function domainName(input: Value, guard: Guard): Value {
  guard.requireDomain(input.name, 'name');
  return input;
}

function maybeDomain(input: Value, guard: Guard): Value {
  return input.domain === undefined ? input : domain(input, guard);
}

export async function domainList(input: Value, guard: Guard): Promise<Value> {
  return { ...input, domains: await guard.domains(input.domains ?? []) };
}

/** A list without a domain is of the key's: the store is asked for these only, so that totals and cursors tell of no other. */
export async function ownDomains(input: Value, guard: Guard): Promise<Value> {
  if (input.domain !== undefined || !guard.isBound) return maybeDomain(input, guard);
  const names = (await guard.service.graph.listDomains()).map(({ name }) => name);
  return { ...input, domains: names.filter((name) => guard.covers(name)) };
}

/** Feedback of a bound key is for its own queries only: a query remembers whose it is. */
export function owned(input: Value, guard: Guard): Value {
  return guard.isBound ? { ...input, owner: guard.caller } : input;
}

/** Writing a rule set for consumers hands it to whoever reads that directory, and so does its event: that is writing. */
export async function projected(input: Value, guard: Guard): Promise<Value> {
  if (input.pending === true) guard.requireWrite();
  return domainList(input, guard);
}

export function node(input: Value, guard: Guard): Value {
  if (guard.coversNode(input.node_id)) return input;
  const colon = String(input.node_id).indexOf(':');
  guard.requireDomain(String(input.node_id).slice(0, colon), 'node_id');
  return input;
}

/** A rule set goes where it says, or where its rules say. */
export function seed(input: Value, guard: Guard): Value {
  if (input.domain !== undefined) return domain(input, guard);
  const rules: Value[] = Array.isArray(input.seed?.rules) ? input.seed.rules : [];
  for (const rule of rules) {
    const { domain: own, derivation } = rule?.provenance ?? {};
    if (derivation !== 'derived') guard.requireDomain(String(own), 'seed');
  }
  return input;
}

/** Files of the server have no domain. */
export function newJob(input: Value, guard: Guard): Value {
  if (input.paths !== undefined) guard.requireArea('files');
  return domain(input, guard);
}

/** A job is of its owner, and of a domain that the key still has; its answers do not name another one. */
export async function ownJob(input: Value, guard: Guard): Promise<Value> {
  await heldJob(input, guard);
  return input;
}

/** Work on files of the server begins anew. */
export async function retriedJob(input: Value, guard: Guard): Promise<Value> {
  const job = await heldJob(input, guard);
  if (job?.uploads === 0) guard.requireArea('files');
  return input;
}

async function heldJob({ job_id }: Value, guard: Guard) {
  const columns = ['owner', 'domain', 'uploads'] as const;
  const { db } = guard.service.store;
  const job = await db.selectFrom('job').select(columns).where('id', '=', job_id).executeTakeFirst();
  if (job === undefined) return undefined;
  if (job.owner !== guard.caller) guard.requireArea('jobs');
  if (guard.covers(job.domain)) return job;
  throw new SvcError('forbidden', `Job ${job_id} is of a domain that the key is not for.`, { member: 'job_id' });
}

/** The store is asked for no other jobs, so that a cursor tells of none. A job may wait for a domain that does not exist yet. */
export async function ownJobs(input: Value, guard: Guard): Promise<Value> {
  if (!guard.isBound) return input;
  maybeDomain(input, guard);
  const rows = await guard.service.store.db.selectFrom('job').select('domain').distinct().execute();
  const domains = rows.map((row) => row.domain).filter((name) => guard.covers(name));
  return { ...input, domains, ...(guard.grants('jobs') ? {} : { owner: guard.caller }) };
}

export async function document(input: Value, guard: Guard): Promise<Value> {
  if (!guard.isBound) return input;
  const [source] = await guard.service.graph.listSources({ source_id: input.source_id });
  if (source !== undefined && guard.covers(source.domain)) return input;
  const sentence = `Source ${input.source_id} does not exist; list the documents to see their sources.`;
  throw new SvcError('source_not_found', sentence);
}

export async function merge(input: Value, guard: Guard): Promise<Value> {
  if (!guard.isBound) return input;
  const found = await guard.service.graph.merges?.find(input.merge_id);
  if (found !== undefined && found !== null && guard.covers(found.domain)) return input;
  const sentence = `Merge ${input.merge_id} does not exist; list the merges to see which there are.`;
  throw new SvcError('not_found', sentence, { member: 'merge_id' });
}

export async function edit(input: Value, guard: Guard): Promise<Value> {
  if (!guard.isBound) return input;
  const found = await guard.service.graph.edits?.find(input.edit_id);
  if (found !== undefined && guard.covers(found.domain)) return input;
  const sentence = `Edit ${input.edit_id} does not exist; list the edits to see which there are.`;
  throw new SvcError('not_found', sentence, { member: 'edit_id' });
}

export async function status(output: Value, guard: Guard): Promise<Value> {
  if (!guard.isBound) return output;
  const own = (await guard.service.graph.listDomains()).filter(({ name }) => guard.covers(name));
  const shown = { ...output, domain_count: own.length };
  return guard.grants('admin') ? shown : withoutQuotes(shown);
}

export function domains(output: Value, guard: Guard): Value {
  return { ...output, domains: output.domains.filter(({ name }: Value) => guard.covers(name)) };
}

export async function stats(output: Value, guard: Guard): Promise<Value> {
  if (!guard.isBound) return output;
  return { ...visibleStats(guard, output), activity: await guard.service.feedback.activity(guard.caller) };
}

export function withRules(output: Value, guard: Guard): Value {
  return { ...output, rules: visibleRules(guard, output.rules) };
}

export function compared(output: Value, guard: Guard): Value {
  return { ...output, graph_enhanced: withRules(output.graph_enhanced, guard) };
}

export function explored(output: Value, guard: Guard): Value {
  if (output.node === null) return output;
  return {
    ...withRules(output, guard),
    edges: visibleEdges(guard, output.edges),
    neighbors: ofDomains(guard, output.neighbors),
  };
}

/** A caller with a key is listed its own queries; those it made while it had other domains lose their items. */
export function queries(output: Value, guard: Guard): Value {
  const within = (query: Value) => ({ ...query, items: ofDomains(guard, query.items) });
  return { ...output, queries: output.queries.map(within) };
}
