import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { svcJson } from '../cli/captured.js';
import { cleanUp, temporaryDirectory } from '../cli/processes.js';

const before = { ...process.env };

const FILES: Readonly<Record<string, string>> = {
  'agenda.org': `#+TITLE: Agenda of Marlow House
* Inbox
** TODO Call the dentist about the crown :health:
   DEADLINE: <2026-03-04 Wed>
   Ask for Dr Harrow.
** TODO Buy milk
* Boiler
  The service contract with Fenwick Heating has the number =FH-2291=.
`,
  'manual.adoc': `= Kestrel 300 Manual
:torque: 12 Nm

== Installation

Tighten the bolts of the flange to {torque}.

== Fault codes

|===
|Code |Meaning

|E7 |Dry running
|===
`,
  'paper.tex': String.raw`\documentclass{article}
\title{Predicting Cavitation}\author{J\"urgen M\"uller}
\begin{document}
\section{Results}
The model reaches an F1 score of $0.93$ on the harbour data.
\section{Sensors}
The microphones were bought in Stra\ss{}burg.
\end{document}
`,
  'harbour rules.adoc': '== Mooring\n\nBoats longer than nine metres lie at the east quay.\n',
  'feeds.opml': `<opml version="2.0"><head><title>Reading list</title></head><body><outline text="Garden">
<outline type="rss" text="Compost Weekly" xmlUrl="https://compost.example/rss"/>
<outline type="rss" text="Pear Tree" xmlUrl="https://pear.example/rss"/></outline></body></opml>`,
};

beforeAll(async () => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'static' });
  const folder = temporaryDirectory();
  for (const [name, written] of Object.entries(FILES)) writeFileSync(join(folder, name), written);
  const { files, skipped } = await svcJson('ingest', folder, '--domain', 'mixed');
  expect([files.length, skipped]).toEqual([5, []]);
}, 120_000);

afterAll(async () => {
  process.env = { ...before };
  await cleanUp();
});

it.each([
  [
    'When is the call to the dentist due?',
    'Call the dentist about the crown',
    '- [ ] TODO, due 2026-03-04, tags: health',
  ],
  ['What number has the service contract of the boiler?', 'Agenda of Marlow House > Boiler', 'FH-2291.'],
  ['To what torque are the bolts tightened?', 'Kestrel 300 Manual > Installation', 'to 12 Nm.'],
  ['What does fault code E7 mean?', 'Kestrel 300 Manual > Fault codes', '| E7 | Dry running |'],
  ['Which F1 score does the model reach?', 'Predicting Cavitation > Results', 'F1 score of 0.93'],
  ['Where were the microphones bought?', 'Predicting Cavitation > Sensors', 'Straßburg.'],
  ['Where do long boats lie?', 'harbour rules > Mooring', 'at the east quay.'],
  ['Which feed is about compost?', 'Reading list > Garden', 'feed: https://compost.example/rss'],
])(
  'a folder of markup answers %j with clean text below its heading',
  async (question, title, text) => {
    const { items } = await svcJson('query', question, '--domain', 'mixed', '--top-k', '1');
    expect(items[0].content).toContain(title);
    expect(items[0].content).toContain(text);
  },
  60_000,
);
