import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readDocument } from '../../src/backends/text/bm25.js';
import { questionEntities, questionKeys } from '../../src/core/text/mentions.js';
import { tokenize } from '../../src/core/text/tokens.js';
import { analyse, analyseInSlices, wordsOf } from '../../src/core/text/words.js';

const THAI = 'ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอน';
const segmenter = new Intl.Segmenter('th', { granularity: 'word' });
/** Letters of scripts without spaces, with their marks. */
const RUN = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{M}]+/u;

/** Words of each run alone, as the dictionary divides it. */
function divided(text: string): string[] {
  return (text.match(new RegExp(RUN, 'gu')) ?? []).flatMap((run) =>
    Array.from(segmenter.segment(run), ({ segment }) => segment),
  );
}

describe('words of scripts without spaces', () => {
  it('are those of each run of letters alone, whatever stands between the runs', () => {
    const run = fc.constantFrom('ภาษา', 'ไทย', 'เสียงของคำ', 'ພາສາລາວ', 'ខ្មែរ', 'မြန်မာ');
    const gap = fc.constantFrom(' ', '  ', '.', ', ', '\n', ' a ', ' and then ', 'x', '\u200b', ' 12 ', '-', ' — ');
    fc.assert(
      fc.property(fc.array(fc.tuple(run, gap), { maxLength: 400 }), (parts) => {
        const text = parts.flat().join('');
        const found = tokenize(text).filter((token) => RUN.test(token.text));
        expect(found.map((token) => token.text)).toEqual(divided(text));
      }),
      { numRuns: 300 },
    );
  });

  it('are the same where several texts are read in slices at once', async () => {
    const words = ['สวัสดี', 'ประเทศไทย', 'รถไฟ', 'ตากลม', 'มหาวิทยาลัย', 'โรงเรียน', 'น้ำตาล', 'กล้วยไม้', 'การบินไทย'];
    const texts = Array.from({ length: 6 }, (_, t) =>
      Array.from({ length: 6000 }, (_, i) => words[(i * i + i * t + t) % words.length]).join(''),
    );
    const together = await Promise.all(texts.map((text) => analyseInSlices(text)));
    expect(together).toEqual(texts.map((text) => analyse(text)));
  });

  it('are the same in slices', async () => {
    const text = `${THAI.repeat(400)} The services are running. ${'a ก'.repeat(9000)}`;
    expect(await analyseInSlices(text, 'english')).toEqual(analyse(text, 'english'));
  });

  it('call the dictionary once for many short runs', () => {
    const { segment } = Intl.Segmenter.prototype;
    let calls = 0;
    Intl.Segmenter.prototype.segment = function (this: Intl.Segmenter, text: string) {
      calls += 1;
      return segment.call(this, text);
    };
    try {
      expect(tokenize('ก a '.repeat(10_000))).toHaveLength(20_000);
    } finally {
      Intl.Segmenter.prototype.segment = segment;
    }
    expect(calls).toBeLessThan(100);
  });
});

describe('the event loop', () => {
  const ticksDuring = async (work: () => Promise<unknown>): Promise<number> => {
    let ticks = 0;
    let isDone = false;
    const done = work().finally(() => {
      isDone = true;
    });
    while (!isDone) {
      ticks += 1;
      await setImmediate();
    }
    await done;
    return ticks;
  };

  it('runs while a long description is read for the index', async () => {
    const document = readDocument({ title: 'Thai', text: THAI.repeat(2400) }, 'auto');
    expect(await ticksDuring(() => document.terms())).toBeGreaterThan(3);
  });

  it('runs while a long question is read', async () => {
    const question = 'BX442 1.5 '.repeat(10_000);
    expect(await ticksDuring(() => questionKeys(question))).toBeGreaterThan(3);
    expect(await ticksDuring(() => questionEntities(question, (key) => key.length === 3))).toBeGreaterThan(3);
  });
});

describe('remembered words', () => {
  const collect = () => {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    return process.memoryUsage().heapUsed;
  };

  it.each([
    ['an ideograph with many marks', (i: number) => `漢${'\ufe00'.repeat(13)}${String.fromCharCode(0x300 + i)}`],
    ['a word before a sign that may join', (i: number) => `abcdefghijklmnop${String.fromCharCode(97 + i)}&`],
  ])('keep no text in memory: %s', (_, word) => {
    const before = collect();
    for (let i = 0; i < 20; i += 1) {
      const text = Buffer.from(`${'word '.repeat(400_000)}${word(i)}`).toString();
      const end = text.slice(text.lastIndexOf(' '));
      expect(wordsOf(end)).toHaveLength(1);
      expect(tokenize(end)).toHaveLength(1);
    }
    expect(collect() - before).toBeLessThan(20_000_000);
  });
});
