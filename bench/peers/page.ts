import { machine } from '../machine.js';
import type { Cells, Work } from './measure.js';
import type { Peer } from './peer.js';
import { ROWS, type Row } from './small.js';
import { UNMEASURED } from './unmeasured.js';

export interface Measured {
  readonly peer: Peer;
  readonly cells: Cells;
}

/** The page of the documentation. */
export function page(set: string, work: Work, measured: readonly Measured[], left: readonly string[]): string {
  const rows = Object.keys(ROWS) as Row[];
  const { documents, questions, asked } = work;
  return `# Peers on the same work

\`npm run bench:peers -- [--passages 600] [--peers …] [--install] [--write]\` gives this service and its peers the same
${documents.length} passages of ${set}, each as a document of its own, and the ${questions.length} questions whose evidence lies wholly among them (${asked.length}
questions for the times), one peer after another on one machine. No language model is there. Vectors are those of \`minilm\`: the
service has them in its process, the Python peers ask an endpoint like OpenAI's on the loopback interface that the benchmark
serves from the same model, the memory server has none; \`static\` is what the service takes on a machine without the ONNX
runtime. \`--install\` makes a Python environment for each Python peer below the temporary directory (\`LIVE_CACHE\`); without it
those that are not installed are left out. Where other work ran on the machine (last row), processor times tell more than the
clock. Bold is best in its row${left.length > 0 ? `. Left out here, not installed: ${left.join(', ')}` : ''}.

| | ${measured.map(({ peer }) => `${peer.name} ${peer.version}`).join(' | ')} |
|---|${measured.map(() => '--:').join('|')}|
${rows.map((row) => `| ${ROWS[row].title} | ${cellsOf(row, measured).join(' | ')} |`).join('\n')}

${ahead(measured)}

Times of a question are those of the call that a user makes: over HTTP for the service, over standard input and output for the
memory server (all its calls together), within the process for the Python libraries (with their request for the vector).
Evidence is found by the text of the passage among the first five items. "There" is counted after a wait of 30 s at most; a
kill -9 ends the process, not the machine. The users are two with five sentences each that differ in one number.

## How each was used

| | Write | Ask | Forget | Users | Feedback |
|---|---|---|---|---|---|
${measured.map(({ peer: { name, means } }) => `| ${name} | ${means.write} | ${means.ask} | ${means.forget} | ${means.users} | ${means.feedback} |`).join('\n')}

mem0 is the plain installation: its keyword search and its lemmas are extras that download models. LightRAG's graph is empty
here, so that its graph modes, which are what it is for, are not measured.

## Not run: they need a language model for every passage

Calls for this set as the source of each version makes them, at least; no figure of theirs was measured or is claimed.

| | Calls for ${documents.length} passages | Calls for ${questions.length} questions | Where |
|---|--:|--:|---|
${UNMEASURED.map((one) => `| ${one.name} ${one.version} | ${one.perPassage * documents.length} | ${one.perQuestion * questions.length} | ${one.source} |`).join('\n')}

${machine()}
`;
}

function cellsOf(row: Row, measured: readonly Measured[]): string[] {
  const best = bestOf(row, measured);
  return measured.map(({ cells }) => {
    const { text, value } = cells.get(row) ?? { text: '' };
    return value !== undefined && value === best ? `**${text}**` : text;
  });
}

/** The best value of a row; undefined where all are alike. */
function bestOf(row: Row, measured: readonly Measured[]): number | undefined {
  const values = measured.flatMap(({ cells }) => cells.get(row)?.value ?? []);
  const best = ROWS[row].best === 'most' ? Math.max(...values) : Math.min(...values);
  return values.every((value) => value === best) ? undefined : best;
}

/** Says plainly in which rows a peer is ahead of this service with the same vectors. */
function ahead([us, ...peers]: readonly Measured[]): string {
  const lines = (Object.keys(ROWS) as Row[]).flatMap((row) => {
    const ours = us!.cells.get(row)?.value;
    if (ours === undefined) return [];
    const better = peers.filter(({ peer, cells }) => {
      const theirs = cells.get(row)?.value;
      if (theirs === undefined || peer.name.startsWith('this service')) return false;
      return ROWS[row].best === 'most' ? theirs > ours : theirs < ours;
    });
    const names = better.map(({ peer, cells }) => `${peer.name} (${cells.get(row)!.text})`).join(', ');
    return better.length === 0 ? [] : [`- ${ROWS[row].title}: ${names}; ${us!.peer.name} ${us!.cells.get(row)!.text}.`];
  });
  return lines.length === 0 ? 'No peer is ahead in any row.' : `Peers are ahead in:\n\n${lines.join('\n')}`;
}
