import { describe, expect, it } from '@jest/globals';
import { openWorld } from '../../bench/retrieval/world.js';
import { parse } from '../../src/ingest/parse/parse.js';

const parsed = (written: string | Buffer, name = 'talk.vtt') =>
  parse({ type: 'captions', name, bytes: Buffer.from(written as string) });
const read = async (written: string | Buffer, name?: string) =>
  (await parsed(written, name)).parts.map(({ text }) => text);

const MEETING = `WEBVTT - Weekly stand-up

NOTE recorded by a program
that says so

STYLE
::cue { color: red }

guid/1-0
00:00:01.000 --> 00:00:04.000 align:start position:0%
<v Ada Lovelace>Good morning. The release moves to 12 May</v>

guid/1-1
00:00:04.000 --> 00:00:06.500
<v Ada Lovelace>because the &amp; sign breaks the export.</v>

00:00:07.000 --> 00:00:09.000
<v Bo Reeve>Who tells the <i>customers</i>?</v>

01:01:13.000 --> 01:01:15.000
<v.loud Cy Tam>The boiler leaks again.</v>
`;

describe('captions', () => {
  it('are what is said, in paragraphs of one person, with the time now and then', async () => {
    expect(await parsed(MEETING)).toMatchObject({
      title: 'Weekly stand-up',
      parts: [
        {
          text: '[0:01] Ada Lovelace: Good morning. The release moves to 12 May because the & sign breaks the export.',
        },
        { text: 'Bo Reeve: Who tells the customers?' },
        { text: '[1:01:13] Cy Tam: The boiler leaks again.' },
      ],
    });
  });

  it('of SubRip have no numbers, places, fonts and sounds', async () => {
    const written = `1
00:00:01,000 --> 00:00:03,000
{\\an8}<font color="red">We walk along</font>
the harbour wall.

2
00:00:03,500 --> 00:00:05,000
[Music]

3
00:00:20,000 --> 00:00:22,000
It was built in
1842

4
00:00:22,000 --> 00:00:25,000
by Thomas Vane.
`;
    const wanted = ['[0:01] We walk along the harbour wall.', 'It was built in 1842 by Thomas Vane.'];
    expect(await read(written, 'film.srt')).toEqual(wanted);
    expect(await read(written.replaceAll('\n', '\r\n'), 'film.srt')).toEqual(wanted);
    expect(await read(Buffer.from(written.replace('wall', 'caf\xe9'), 'latin1'), 'film.srt')).toEqual([
      wanted[0]!.replace('wall', 'café'),
      wanted[1],
    ]);
  });

  it('may have a name before each line; a word with a colon is none', async () => {
    const cues = [
      'Ada Bly: Hello.',
      'Ada Bly: Remember: the key is with Bo.',
      'And the lamp.',
      'Bo: Yes, I have it.',
      'Bo: Both.',
    ];
    const written = cues.map((text, i) => `00:0${i}.000 --> 00:0${i + 1}.000\n${text}\n`).join('\n');
    expect(await read(`WEBVTT\n\n${written}`)).toEqual([
      '[0:00] Ada Bly: Hello. Remember: the key is with Bo. And the lamp.',
      'Bo: Yes, I have it. Both.',
    ]);
  });

  it('that roll are there once', async () => {
    const written = `WEBVTT
Kind: captions
Language: en

00:00:00.000 --> 00:00:02.000 align:start position:0%
 
hello<00:00:00.500><c> and</c><c> welcome</c>

00:00:02.000 --> 00:00:02.010 align:start position:0%
hello and welcome
 

00:00:02.010 --> 00:00:04.000 align:start position:0%
hello and welcome
to<00:00:02.500><c> the show</c>

00:00:04.000 --> 00:00:05.000
to the show
today

00:00:05.000 --> 00:00:06.000
today we bake
`;
    expect(await read(written)).toEqual(['[0:00] hello and welcome to the show today we bake']);
  });

  it('are divided where a paragraph grows long', async () => {
    const cues = Array.from(
      { length: 40 },
      (_, i) =>
        `00:${String(i).padStart(2, '0')}.000 --> 00:${String(i + 1).padStart(2, '0')}.000\nThis is sentence number ${i} of the talk.\n`,
    );
    const parts = await read(`WEBVTT\n\n${cues.join('\n')}`);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.every((text) => text.length < 1000 && text.endsWith('.'))).toBe(true);
  });

  it.each(['Dear Ada,\nsee you.\n', 'WEBVTT\n\nNOTE nothing\n'])(
    'are refused where there are none: %j',
    async (written) => {
      await expect(parsed(written)).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('talk.vtt holds no captions'),
      });
    },
  );

  it.each([
    ['tags that nothing closes', `WEBVTT\n\n00:01.000 --> 00:02.000\n${'<v '.repeat(100_000)}end.\n`],
    ['a voice of spaces', `WEBVTT\n\n00:01.000 --> 00:02.000\n<v${' '.repeat(300_000)}end.\n`],
    ['200,000 captions', `WEBVTT\n\n${'00:01.000 --> 00:02.000\nA: b\n\n'.repeat(200_000)}`],
    ['a line of brackets', `WEBVTT\n\n00:01.000 --> 00:02.000\n${'['.repeat(300_000)}\n`],
  ])(
    'that are hostile are read: %s',
    async (_what, written) => {
      expect((await read(written)).length).toBeGreaterThan(0);
    },
    60_000,
  );

  it('answer who said what', async () => {
    const world = await openWorld('none');
    await world.ingest.uploaded({ name: 'standup.vtt', bytes: Buffer.from(MEETING) }, { domain: 'd' });
    const { items } = await world.retrieval.query({
      context: 'Who says that the boiler leaks?',
      domains: ['d'],
      top_k: 1,
    });
    await world.close();
    expect(items[0]!.content).toContain('Cy Tam: The boiler leaks again.');
  });
});
