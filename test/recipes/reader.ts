import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { docxOf } from '../ingest-parse/hostile-documents.js';
import { programArguments } from '../support/program.js';

/**
 * Makes the folder of a reader: the project's samples, the files that pages name, and `svc` and `npx svc` in `bin`. The
 * notes are mixed: Markdown, PDF, Word, HTML, text, and files that cannot be read.
 */
export function layOut(folder: string): void {
  cpSync('samples', join(folder, 'samples'), { recursive: true });
  for (const name of ['handbook', 'notes/old', 'bin', 'backups']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'handbook/kettles.md'), KETTLES);
  for (const [name, content] of Object.entries(NOTES)) writeFileSync(join(folder, 'notes', name), content);
  const manual = readFileSync('samples/handbook.pdf');
  writeFileSync(join(folder, 'notes/carrier.pdf'), manual);
  writeFileSync(join(folder, 'notes/old/scan.pdf'), manual.subarray(0, 3000));
  writeFileSync(join(folder, 'notes/suppliers.docx'), wordDocument(SUPPLIERS));
  cpSync('samples/handbook.pdf', join(folder, 'a.pdf'));
  cpSync('test/fixtures/documents/orchard.docx', join(folder, 'b.docx'));
  writeFileSync(join(folder, 'chat.jsonl'), CHAT.map((message) => `${JSON.stringify(message)}\n`).join(''));
  makeShop(join(folder, 'shop.sqlite'));
  putOnPath(join(folder, 'bin'));
}

const KETTLES = `# Kettles

The copper kettle is made by Harlan & Sons in Leeds. It must be descaled every month.

## Prices

The copper kettle costs 89 euros, the steel kettle 39.
`;

const NOTES: Readonly<Record<string, string | Buffer>> = {
  'kettles.md': KETTLES,
  'handbook.md': `# Shop handbook

## Opening

The shop opens at nine. Whoever opens counts the till before the first customer. Never leave the till unlocked.

## Returns

A customer may return a kettle within 30 days with the receipt. Without a receipt we exchange it, and do not pay it back.
Kettles that were descaled with vinegar are taken back too. The till prints the return slip; Mara signs it.

## Deliveries

Harlan & Sons deliver on the first Tuesday of the month. Always check the parcels against the delivery note while the driver
waits. A dent in a copper kettle is reported to Harlan & Sons within two days.

## Complaints

Jon answers complaints. A complaint that is older than a week goes to Mara.
`,
  'repairs.html': `<!doctype html>
<html><head><title>Repairs</title><style>p { margin: 0 }</style></head><body>
<nav><a href="/">Home</a></nav>
<h1>Repairs</h1>
<p>We replace handles and lids of every kettle that we sell. A repair takes two weeks.</p>
<table><tr><th>Part</th><th>Price</th></tr><tr><td>Handle</td><td>12 euros</td></tr><tr><td>Lid</td><td>9 euros</td></tr></table>
<p>Never solder a copper kettle yourself: the tin lining melts.</p>
</body></html>
`,
  'hours.txt': 'Open Monday to Saturday, nine to six. Closed on the first of January.\n',
  'stock.csv': 'name,price,status\nCopper kettle,89,Sold out\nSteel kettle,39,In stock\n',
  'old/photo.jpg': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0]),
};

const SUPPLIERS = [
  'Harlan & Sons of Leeds make copper kettles. Their foreman is Ada Harlan, reached by telephone on weekdays.',
  'Norden Stål of Malmö makes steel kettles. They deliver in boxes of twelve.',
];

/** Returns a Word document of plain paragraphs. */
const wordDocument = (paragraphs: readonly string[]): Buffer =>
  docxOf(paragraphs.map((text) => `<w:p><w:r><w:t>${text.replaceAll('&', '&amp;')}</w:t></w:r></w:p>`).join(''));

const CHAT = [
  ['Mara', 'user', '12:30', 'When will the copper kettle be back?'],
  ['Jon', 'assistant', '12:31', 'Harlan & Sons deliver the copper kettle again in April.'],
  ['Mara', 'user', '12:33', 'Then please put the steel kettle into the window until the end of March.'],
  ['Jon', 'assistant', '12:34', 'Done. I also told Mrs Okafor, who has reserved two copper kettles.'],
].map(([speaker, role, time, text]) => ({
  text,
  session_id: 'till',
  role,
  speaker,
  timestamp: `2026-03-01T${time}:00Z`,
}));

function makeShop(file: string): void {
  const shop = new BetterSqlite(file);
  shop.exec(`
    create table category (id integer primary key, name text not null, description text);
    create table product (
      id integer primary key, name text not null,
      price real check (price >= 0),
      status text check (status in ('In stock', 'Sold out')),
      category_id integer references category (id)
    );
    insert into category values (1, 'Kettles', 'They boil water'), (2, 'Teapots', 'They hold tea');
    insert into product values (1, 'Copper kettle', 89, 'Sold out', 1), (2, 'Steel kettle', 39, 'In stock', 1),
      (3, 'Blue teapot', 24, 'In stock', 2);
  `);
  shop.close();
}

/** Puts `svc` and `npx svc` into a folder. */
function putOnPath(folder: string): void {
  const program = programArguments()
    .map((one) => `"${one}"`)
    .join(' ');
  const run = `exec "${process.execPath}" ${program} "$@"\n`;
  writeFileSync(join(folder, 'svc'), `#!/bin/sh\n${run}`);
  writeFileSync(join(folder, 'npx'), `#!/bin/sh\ntest "$1" = svc || exit 9\nshift\n${run}`);
  for (const name of ['svc', 'npx']) chmodSync(join(folder, name), 0o755);
}

/** Runs commands in a shell of the reader's; returns the exit code, and what was printed on either stream in order. */
export async function runInShell(
  commands: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const child = spawn('bash', ['-c', `exec 2>&1\n${commands}`], {
    cwd: folder,
    env: { ...process.env, ...environment, PATH: `${folder}/bin:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, output };
}
