import type { ComposedService } from '../../src/compose.js';

export interface Size {
  readonly concepts: number;
  readonly edges: number;
  readonly passages: number;
}

const BATCH = 500;
/** Passages of one document. */
const DOCUMENT = 50;

/** Fills a service with made-up parts of a plant, their edges, and sections of a handbook. */
export async function fill({ ingest }: ComposedService, { concepts, edges, passages }: Size): Promise<void> {
  const perConcept = edges / Math.max(1, concepts);
  for (let start = 0; start < concepts; start += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, concepts - start) }, (_, i) => start + i);
    await ingest.structured({
      domain: 'd',
      source_id: `batch ${start}`,
      concepts: numbers.map((i) => ({
        name: `Component ${i}`,
        description: `Component ${i} of the plant, made in ${1900 + (i % 120)}.`,
      })),
      edges: numbers.flatMap((i) =>
        Array.from({ length: perConcept }, (_, k) => ({
          source: `Component ${i}`,
          target: `Component ${start + ((i * 7 + k + 1) % numbers.length)}`,
          relation: 'requires',
        })),
      ),
      rules: [],
    });
  }
  for (let start = 0; start < passages; start += DOCUMENT) {
    const sections = Array.from({ length: Math.min(DOCUMENT, passages - start) }, (_, i) => start + i);
    const text = sections.map((i) => `# Section ${i}\n\n${sentences(i)}`).join('\n\n');
    await ingest.text({ text, domain: 't', format: 'markdown', name: `document ${start}` });
    if (start > 0 && start % 10_000 === 0) process.stderr.write(`${start} passages\n`);
  }
}

/** About 400 characters, as a passage of a handbook has. */
function sentences(i: number): string {
  return Array.from(
    { length: 5 },
    (_, k) =>
      `Pump ${i % 997} feeds valve ${(i * 5 + k) % 3001} while sensor ${i + k} records the pressure of the line.`,
  ).join(' ');
}
