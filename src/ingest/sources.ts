import type { SourceRef } from '../core/model.js';
import { withoutPageId } from './read/exported-pages.js';
import type { RawFile } from './read/read.js';

/** Returns the source of a file on the service's machine: its real path is its identity. */
export function fileSource(domain: string, file: Pick<RawFile, 'path' | 'name'>): SourceRef {
  return { domain, kind: 'file', key: file.path, label: withoutPageId(file.name) };
}

/** Returns the source of an uploaded file: its name is its identity. */
export function uploadSource(domain: string, name: string): SourceRef {
  return { domain, kind: 'upload', key: name, label: withoutPageId(name) };
}

/** The name that requests give for "no name". */
const RAW_TEXT = 'raw_text';

/** Returns the source of a text in a request: its name is its identity, without a name the hash of its content. */
export function textSource(domain: string, hash: string, name: string = RAW_TEXT): SourceRef {
  return { domain, kind: 'text', key: name === RAW_TEXT ? hash : name, label: name };
}

/** Returns the source of a conversation: its session id is its identity. */
export function sessionSource(domain: string, sessionId: string): SourceRef {
  return { domain, kind: 'session', key: sessionId, label: sessionId };
}

/** Returns the source of a batch of concepts, edges and rules: the given id is its identity, without one its content. */
export function structuredSource(domain: string, hash: string, id?: string): SourceRef {
  return { domain, kind: 'structured', key: id ?? hash, label: id ?? 'structured' };
}

/** Returns a name given with a document as the title of what has no heading; `undefined` for none and for an id. */
export function titleFromName(name: string | undefined): string | undefined {
  const title = name?.trim();
  if (title === undefined || title === RAW_TEXT || title.length > 200) return undefined;
  return /\p{L}{2}/u.test(title) && !/^[\da-f-]{8,}$/iu.test(title) ? title : undefined;
}
