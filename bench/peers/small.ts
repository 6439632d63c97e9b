import type { Cell } from './measure.js';
import type { Document, Opened, Peer } from './peer.js';

/** Rows of the table, with what is best where one is better than another. */
export const ROWS = {
  ingest: { title: 'Ingest, passages/s until acknowledged', best: 'most' },
  findable: { title: 'Ingest until the last passage is found', best: 'least' },
  ingestProcessor: { title: 'Processor time of the ingest, vectors included', best: 'least' },
  again: { title: 'The same ingested again takes', best: 'least' },
  model: { title: 'Calls of a language model', best: undefined },
  embeddings: { title: 'Requests for vectors at the endpoint', best: undefined },
  p50: { title: 'Question, p50', best: 'least' },
  p95: { title: 'Question, p95', best: 'least' },
  askProcessor: { title: 'Processor time of a question, vector included', best: 'least' },
  recall: { title: 'Recall@5 of the evidence', best: 'most' },
  vectorsP50: { title: 'By vectors alone: p50', best: 'least' },
  vectorsP95: { title: 'By vectors alone: p95', best: 'least' },
  vectorsProcessor: { title: 'By vectors alone: processor time, vector included', best: 'least' },
  vectorsRecall: { title: 'By vectors alone: Recall@5', best: 'most' },
  twice: { title: 'Items after the first and the second time', best: 'least' },
  replaced: { title: 'A document written again, changed: found are', best: 'most' },
  forget: { title: 'Forget one document', best: 'least' },
  parallel: { title: 'Twenty writes at once: acknowledged, there', best: 'most' },
  killed: { title: 'kill -9 after twenty acknowledged writes: there after a restart', best: 'most' },
  leaked: { title: 'Answers to one user that hold what another wrote, of 5', best: 'least' },
  feedback: { title: 'Place of an item before and after it was accepted once', best: 'most' },
  load: { title: 'Load average of the machine when it was done', best: undefined },
} as const;

export type Row = keyof typeof ROWS;

const WRITES = 20;
const ROOMS = ['boat house', 'net loft', 'ice cellar', 'signal tower', 'harbour office'];

type Step = (opened: Opened) => Promise<Cell>;

const STEPS = (settleMs: number): Readonly<Partial<Record<Row, Step>>> => ({
  parallel: (opened) => parallel(opened, settleMs),
  replaced,
  leaked,
  feedback,
});

/** What takes a few documents only, on a directory of its own. A step that fails says so in its cell; the others go on. */
export async function small(
  peer: Peer,
  { directory, settleMs }: { readonly directory: string; readonly settleMs: number },
  cells: Map<Row, Cell>,
): Promise<void> {
  const opened = await peer.open(directory);
  let before = 0;
  try {
    for (const [row, step] of Object.entries(STEPS(settleMs))) {
      const failed = (error: Error): Cell => ({ text: `failed: ${error.message.split('\n')[0]}` });
      cells.set(row as Row, await step(opened).catch(failed));
    }
    before = await opened.count('killed');
    for (const document of facts('killed')) await opened.add([document], 'killed');
  } finally {
    await opened.kill();
  }
  const restarted = await peer.open(directory);
  try {
    const kept = (await restarted.count('killed')) - before;
    cells.set('killed', { text: `${kept}`, value: kept });
  } finally {
    await restarted.close();
  }
}

/** Waits at most `settleMs` for what was acknowledged to be there. */
async function parallel(opened: Opened, settleMs: number): Promise<Cell> {
  const before = await opened.count('crowd');
  const acknowledged = await opened.addAtOnce(facts('crowd'), 'crowd');
  const began = performance.now();
  let kept = 0;
  do kept = (await opened.count('crowd')) - before;
  while (kept < acknowledged && performance.now() - began < settleMs);
  return { text: `${acknowledged}, ${kept}`, value: kept };
}

async function replaced(opened: Opened): Promise<Cell> {
  const timetable = (minutes: number): Document => ({
    id: 'timetable',
    title: 'Harbour tram timetable',
    text: `The harbour tram runs from the pier to the market every ${minutes} minutes.`,
  });
  await opened.add([timetable(12)], 'editor');
  await opened.add([timetable(17)], 'editor');
  const { found } = await opened.ask('How often does the harbour tram run from the pier to the market?', 'editor');
  const holds = (minutes: number) => found.some(({ text }) => text.includes(`every ${minutes} minutes`));
  const [old, fresh] = [holds(12), holds(17)];
  const text = fresh ? (old ? 'both texts' : 'the new text') : old ? 'the old text' : 'neither';
  return { text, value: Number(fresh) - Number(old) };
}

async function leaked(opened: Opened): Promise<Cell> {
  const doors = (first: number): Document[] =>
    ROOMS.map((room, i) => ({
      id: `door-${first + i}`,
      title: `Door of the ${room}`,
      text: `The code of the door of the ${room} is ${first + i}, and the key hangs behind the desk.`,
    }));
  await opened.add(doors(4100), 'anna');
  await opened.add(doors(7300), 'bert');
  let count = 0;
  for (const room of ROOMS) {
    const { found } = await opened.ask(`What is the code of the door of the ${room}?`, 'anna');
    if (found.some(({ text }) => /\b730\d\b/.test(text))) count += 1;
  }
  return { text: `${count}`, value: count };
}

async function feedback(opened: Opened): Promise<Cell> {
  if (opened.prefer === undefined) return { text: 'none' };
  const lines = ['red', 'blue', 'green', 'white', 'black'].map((colour, i) => ({
    id: `line-${colour}`,
    title: `The ${colour} ferry`,
    text: `The ${colour} ferry crosses the bay from the old pier to the island ${i + 3} times a day.`,
  }));
  await opened.add(lines, 'rater');
  const question = 'Which ferry crosses the bay to the island?';
  const { found } = await opened.ask(question, 'rater');
  const wanted = found.at(-1)!.text;
  await opened.prefer(question, 'rater', wanted);
  const { found: after } = await opened.ask(question, 'rater');
  const place = after.findIndex(({ text }) => text === wanted) + 1;
  return { text: `${found.length}, then ${place === 0 ? 'gone' : place}`, value: found.length - place };
}

function facts(user: string): Document[] {
  return Array.from({ length: WRITES }, (_, i) => ({
    id: `${user}-${i}`,
    title: `Buoy ${i} of the ${user}`,
    text: `Buoy number ${i} of the ${user} lies ${i + 2} miles off the cape and was painted in ${1950 + i}.`,
  }));
}
