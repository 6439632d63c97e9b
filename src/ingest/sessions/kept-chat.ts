import { basename, dirname, extname } from 'node:path';
import { turnsOf } from '../../backends/store/session-messages.js';
import { SvcError } from '../../core/errors.js';
import { groupBy } from '../../core/group-by.js';
import { sourceId } from '../../core/ids.js';
import { JsonText } from '../chats/json-text.js';
import { beginsLikeWhatsapp, whatsappMessages } from '../chats/whatsapp.js';
import type { RawFile } from '../read/read.js';
import { fileSource, sessionSource } from '../sources.js';
import type { LoadPorts } from '../write/load.js';
import { messageIdentity } from './message.js';

/** Bytes of a chat whose messages tell that it is known. */
const LOOKED_AT = 65_536;

/**
 * Throws `unsupported_media`, as one to skip, for a chat of WhatsApp that the domain keeps as messages and not as text: read again with its directory,
 * it would stand there twice. A chat of the same name and days that holds none of these messages is another one.
 */
export async function refuseKeptChat(
  { graph, store }: Pick<LoadPorts, 'graph' | 'store'>,
  { domain, file }: { readonly domain: string; readonly file: RawFile },
): Promise<void> {
  if (file.type !== 'text') return;
  const beginning = Buffer.from(file.bytes.subarray(0, LOOKED_AT)).toString();
  if (!beginsLikeWhatsapp(beginning)) return;
  const name = basename(file.name, extname(file.name));
  const directory = basename(dirname(file.path));
  const messages = whatsappMessages({ text: new JsonText(beginning), name, directory, users: undefined }) ?? [];
  const sessions = groupBy(messages, ({ session_id }) => sourceId(sessionSource(domain, session_id)));
  if (sessions.size === 0) return;
  const known = await graph.listSources({ source_ids: [sourceId(fileSource(domain, file)), ...sessions.keys()] });
  if (known.length === 0 || known.some(({ kind }) => kind !== 'session')) return;
  for (const { source_id } of known) {
    const identities = sessions
      .get(source_id)!
      .flatMap((one) => messageIdentity({ ...one, domain, role: 'user' }) ?? []);
    if ((await turnsOf(store.db, source_id, [...new Set(identities)])).size > 0) throw keptAsMessages(file.name);
  }
}

function keptAsMessages(name: string): SvcError {
  const sentence = `${name} is kept as messages; svc ingest --type messages reads what was said since, source_type text reads it as text beside them.`;
  return new SvcError('unsupported_media', sentence, { member: 'source_type', skipped: true });
}
