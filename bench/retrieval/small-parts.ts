import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { Ingest } from '../../src/ingest/ingest.js';
import { evidenceIn, FOLDER, ingestRows, type OwnQuestion, ownQuestions } from './own-text.js';

/** Letters from which parts of a document that stand beside each other make a domain of their own. */
const SMALL = 900;

/** Returns the documents but the chat, each in parts of a few sections or rows: what somebody puts into a domain who tries the service for the first time. */
export function smallParts(folder = FOLDER): SmallPart[] {
  return readdirSync(join(folder, 'documents'))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(folder, 'documents', file), 'utf8');
      const kind = basename(file, extname(file));
      if (kind === 'chat') return [];
      // The title, or the names of the columns, stands above each part.
      const [head = '', ...lines] = text.split('\n');
      const sections = lines.join('\n').split(kind === 'shop' ? /(?<=\n)/ : /(?<=\n)(?=## |\d [A-Z])/);
      const parts = [''];
      for (const section of sections) {
        if (parts.at(-1)!.length >= SMALL) parts.push('');
        parts.push(parts.pop()! + section);
      }
      return parts.map((part, i) => ({
        domain: `small-${kind}-${i}`,
        kind,
        file,
        text: `${head}\n${part}`,
      }));
    });
}

/** A few sections or rows of one document. */
export interface SmallPart {
  readonly domain: string;
  readonly kind: string;
  readonly file: string;
  readonly text: string;
}

/** Ingests a part into its domain. */
export async function ingestSmallPart(ingest: Ingest, { domain, kind, file, text }: SmallPart): Promise<void> {
  if (kind === 'shop') await ingestRows(ingest, domain, text);
  else await ingest.text({ text, domain, format: kind === 'paper' ? 'text' : 'markdown', name: file });
}

/** Every how many-th question with an answer is asked of another part too, which knows nothing of it. */
const ELSEWHERE = 3;

/**
 * Returns the questions of the own text, each asked of the one part that holds all of its evidence; what no document answers is asked of the parts of its
 * kind in turn, and some of the others of a part of the next kind.
 */
export function smallQuestions(parts: readonly SmallPart[]): Array<OwnQuestion & { readonly domain: string }> {
  const kinds = [...new Set(parts.map(({ kind }) => kind))];
  const turn = (kind: string, i: number): SmallPart => {
    const own = parts.filter((part) => part.kind === kind);
    return own[i % own.length]!;
  };
  return ownQuestions().flatMap((one, i) => {
    if (!kinds.includes(one.kind)) return [];
    if (one.evidence.length === 0) return [{ ...one, domain: turn(one.kind, i).domain }];
    const next = turn(kinds[(kinds.indexOf(one.kind) + 1) % kinds.length]!, i);
    const elsewhere = i % ELSEWHERE === 0 ? [{ ...one, kind: 'elsewhere', evidence: [], domain: next.domain }] : [];
    const part = parts.find(
      ({ kind, text }) => kind === one.kind && evidenceIn(one.evidence, text).length === one.evidence.length,
    );
    return part === undefined ? elsewhere : [{ ...one, domain: part.domain }, ...elsewhere];
  });
}
