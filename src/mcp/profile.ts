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
    description: 'Forget exactly what one source alone asserted.',
    parameters: ['source_id'],
  },
];

/** The tools that a profile offers: `default`, `core`, `all`, or names with or without prefix. */
export function chosenTools(profile: readonly string[], prefix: string): Tool[] {
  if (profile.includes('all')) return [...tools, ...moreTools];
  if (profile.length === 0 || profile.includes('default')) return [...tools];
  const wanted = new Set(profile.map((name) => (name.startsWith(`${prefix}_`) ? name.slice(prefix.length + 1) : name)));
  return [...tools, ...moreTools].filter((tool) => wanted.has(tool.name) || (wanted.has('core') && tool.core === true));
}
