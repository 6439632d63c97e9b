import type { FollowerRunner } from '../../src/ledger/followers/runner.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { D, mentions, passage, source } from '../contracts/graph/fixture.js';

/**
 * Writes two passages and two concepts with all that can be at them, in steps that an engine follows one by one.
 * `begun` is called before the engine sees any of it, `mentioned` before it sees what the passages mention.
 */
export async function writeLetters(
  ledger: Ledger,
  runner: FollowerRunner,
  {
    text = 'Text of alpha.',
    description = 'The second letter.',
    begun = async () => undefined,
    mentioned = async () => undefined,
  }: Readonly<{
    text?: string;
    description?: string;
    begun?: () => Promise<void>;
    mentioned?: () => Promise<void>;
  }> = {},
): Promise<void> {
  const alpha = passage('alpha', { titles: ['Alpha'], aliases: ['First'], text });
  await ledger.ingestManifest(source('text', { passages: [alpha, passage('other', { titles: ['Other'] })] }));
  await ledger.ingestManifest(
    source('concepts', {
      concepts: [{ name: 'Beta', description }, { name: 'Gamma' }],
      edges: [{ source: 'Beta', target: 'Gamma', relation: 'PRECEDES', confidence: 0.9 }],
      rules: [{ text: 'Beta comes before Gamma.', concepts: ['Beta', 'Gamma'] }],
    }),
  );
  await begun();
  await runner.catchUp();
  await ledger.setMentions(D, [
    { id: 'd:alpha', mentions: mentions('Beta', 'Gamma', 'First') },
    { id: 'd:other', mentions: mentions('Alpha', 'Beta', 'First') },
  ]);
  await mentioned();
  await runner.catchUp();
  await ledger.ingestManifest(source('more', { edges: [{ source: 'Gamma', target: 'Beta', relation: 'FOLLOWS' }] }));
  await runner.catchUp();
}
