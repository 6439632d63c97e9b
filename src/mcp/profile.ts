import { SvcError } from '../core/errors.js';
import { operations as op } from '../operations/index.js';
import type { Tool } from './tool.js';
import { tools } from './tools.js';

/** Tools beyond the 34, offered with `SVC_TOOLS=all`. */
export const moreTools: readonly Tool[] = [
  {
    name: 'ingest_message',
    operation: op.ingest_message,
    title: 'Ingest a message',
    description: 'Remember one message of a conversation. Use it to keep what was said across sessions.',
    parameters: ['text', 'session_id', 'role', 'domain', 'speaker', 'timestamp', 'message_id'],
  },
  {
    name: 'session_messages',
    operation: op.session_messages,
    title: 'List the messages of a session',
    description:
      'List what was said in a conversation, in order. Use it to read around a message that `query` returned: metadata.message names its session.',
    parameters: ['session_id', 'domain', 'limit', 'offset'],
  },
  {
    name: 'forget_message',
    operation: op.forget_message,
    title: 'Forget a message',
    description:
      'Forget one message for good, named by message_id or node_id. Use it when somebody takes back what was said, or wants it forgotten.',
    parameters: ['session_id', 'domain', 'message_id', 'node_id', 'dry_run'],
  },
  {
    name: 'documents',
    operation: op.documents,
    title: 'List documents',
    description: 'List the ingested sources with their ids. Use it to find what to forget.',
    parameters: ['domain', 'limit', 'after'],
  },
  {
    name: 'forget_document',
    operation: op.forget_document,
    title: 'Forget a document',
    description: 'Forget exactly what one source alone asserted. Use it when a document is wrong or out of date.',
    parameters: ['source_id', 'dry_run'],
  },
  {
    name: 'forget_domain',
    operation: op.forget_domain,
    title: 'Forget a domain',
    description: 'Forget a domain with all that it holds. Use it only when nothing of the domain is wanted any more.',
    parameters: ['name', 'dry_run'],
  },
  {
    name: 'source_forget',
    operation: op.source_forget,
    title: 'Forget rows of a database',
    description:
      'Forget what a database, one of its tables or one row made. Use it after `source_disconnect`, which keeps all that.',
    parameters: ['source_id', 'table', 'row', 'dry_run'],
  },
  {
    name: 'migrate_vec',
    operation: op.migrate_vec,
    title: 'Migrate vectors',
    description:
      'Copy every vector index from another kind of vector backend into the configured one. Use it after the kind was changed.',
    parameters: ['source_type', 'to', 'batch_size', 'dry_run'],
  },
  {
    name: 'interoception',
    operation: op.interoception,
    title: 'Show what feedback taught',
    description:
      'Show the strongest edge factors and item priors with the feedback behind each. Use it to explain a rank.',
    parameters: ['limit'],
  },
  {
    name: 'interoception_reset',
    operation: op.interoception_reset,
    title: 'Forget what feedback taught',
    description:
      'Take back what feedback taught: all of it, or of one domain or one ingest source. Use it when feedback was wrong.',
    parameters: ['domain', 'source_id', 'dry_run'],
  },
];

/**
 * Returns the tools that a profile offers: `default`, `core`, `all`, or names with or without prefix. Throws for
 * others.
 */
export function chosenTools(profile: readonly string[], prefix: string): Tool[] {
  if (profile.includes('all')) return [...tools, ...moreTools];
  if (profile.length === 0 || profile.includes('default')) return [...tools];
  const wanted = new Set(profile.map((name) => (name.startsWith(`${prefix}_`) ? name.slice(prefix.length + 1) : name)));
  const all = [...tools, ...moreTools];
  const unknown = [...wanted].find((name) => name !== 'core' && !all.some((tool) => tool.name === name));
  if (unknown !== undefined) {
    const fix = 'use default, core, all, or names of tools with commas between them';
    throw new SvcError('invalid_input', `${prefix.toUpperCase()}_TOOLS names ${unknown}, which is no tool; ${fix}.`);
  }
  return all.filter((tool) => wanted.has(tool.name) || (wanted.has('core') && tool.core === true));
}
