import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Ingest } from '../../src/ingest/ingest.js';
import { evidenceIn, ingestChat, linesOf, type OwnQuestion } from './own-text.js';

const FOLDER = 'bench/retrieval/mixed';
/** Read for the final figures only: training and tuning never see the questions of these worlds. */
const UNTOUCHED = new Set(['lab', 'houses', 'clinic', 'house']);

/** Between the parts of a piece of evidence: one item holds all of them. */
const PARTS = ' ; ';

/** A question over tables, talk and documents of one world. Its kind says what answers it: `row`, `message`, `document`, or `none`. */
export interface MixedQuestion extends OwnQuestion {
  readonly world: string;
}

/** Returns the worlds: each holds the tables, the talk and the documents of one person or team. */
export function mixedWorlds(folder = FOLDER): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/** Reads the questions of all worlds, in the order of their names. */
export function mixedQuestions(folder = FOLDER): MixedQuestion[] {
  return mixedWorlds(folder).flatMap((world) => {
    const [answerable = '', others = ''] = readFileSync(join(folder, world, 'questions.txt'), 'utf8').split('\n---\n');
    const untouched = UNTOUCHED.has(world);
    return [
      ...linesOf(answerable).map((line) => {
        const [, kind = '', question = '', evidence = ''] = /^(\w+) \| (.+) => (.+)$/u.exec(line) ?? [];
        return { world, kind, question, evidence: evidence.split(' && '), untouched };
      }),
      ...linesOf(others).map((question) => ({ world, kind: 'none', question, evidence: [], untouched })),
    ];
  });
}

/** Returns which pieces of evidence an item holds, all parts of each. */
export function heldBy(
  evidence: readonly string[],
  { name, description }: { readonly name: string; readonly description: string },
): number[] {
  const text = `${name}\n${description}`;
  return evidence.flatMap((piece, i) => {
    const parts = piece.split(PARTS);
    return evidenceIn(parts, text).length === parts.length ? [i] : [];
  });
}

/** Ingests one world into one domain: tables and documents as files, turns as messages. */
export async function ingestMixed(ingest: Ingest, world: string, domain: string, folder = FOLDER): Promise<void> {
  for (const file of readdirSync(join(folder, world)).sort()) {
    const path = join(folder, world, file);
    if (file === 'chat.txt') await ingestChat(ingest, domain, readFileSync(path, 'utf8'));
    else if (extname(file) === '.csv') await ingest.upload({ path, name: file }, { domain });
    else if (extname(file) === '.md')
      await ingest.text({ text: readFileSync(path, 'utf8'), domain, format: 'markdown', name: file });
  }
}
