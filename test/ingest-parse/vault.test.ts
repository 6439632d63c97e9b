import { describe, expect, it } from '@jest/globals';
import { markdownParts } from '../../src/ingest/parse/markdown.js';
import type { Part } from '../../src/ingest/parse/parts.js';
import { belowFile } from '../../src/ingest/parse/titles/below-file.js';
import { longestTurn } from '../support/longest-turn.js';
import { processorTime } from '../support/processor-time.js';
import { sectionTexts, textManifest } from './manifests.js';
import { readParts } from './read-parts.js';

const read = async (text: string) => (await sectionTexts(markdownParts(text))).flatMap(({ texts }) => texts);

/** Returns the passages of a note as "title: text". */
async function passages(name: string, text: string): Promise<string[]> {
  const manifest = await textManifest({ text, domain: 'd', format: 'markdown', name });
  return manifest.passages.map((passage) => `${passage.title}: ${passage.text}`);
}

describe('notes of a vault', () => {
  it('whose headings begin below the first level stand below the name of their file', async () => {
    expect(await passages('People/Ingrid Berg.md', '## Contact\nIn Oslo.\n\n## Family\nTwo sons.')).toEqual([
      'Ingrid Berg > Contact: In Oslo.',
      'Ingrid Berg > Family: Two sons.',
    ]);
    expect(await passages('2026-11-05.md', '## Log\n- saw a heron')).toEqual(['2026-11-05 > Log: - saw a heron']);
    const id = '3f2a9c1de4b84a7b9e0d5c6f7a8b9c0d';
    expect(await passages(`Wiki ${id}.md`, '## Door\nAsk Lars.')).toEqual(['Wiki > Door: Ask Lars.']);
  });

  it('hold up nobody where they have very many sections', async () => {
    const longest = await longestTurn((step) => {
      const heading = {
        kind: 'heading',
        get level() {
          step();
          return 2;
        },
        text: 'a',
      };
      const parts = Array.from({ length: 2000 }, (): Part => heading as Part);
      return belowFile('Ingrid.md', { parts });
    });
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThan(30);
  });

  it('of which Notion exports tables have no number in the title of these', async () => {
    const table = Buffer.from('Name,Stage\nMuseum Altona,Lost\nHolm,Won');
    expect((await readParts('Pipeline 11aa22bb33cc44dd55ee66ff77889900.csv', table))[0]).toBe('1 Pipeline');
  });

  it('that have a title, or a name that says nothing, keep their headings', async () => {
    expect(await passages('a.md', '# Tea\n\nGreen.\n\n## Brewing\nFour minutes.')).toEqual([
      'Tea: Green.',
      'Tea > Brewing: Four minutes.',
    ]);
    expect(await passages('a.md', '---\ntitle: Tea\n---\n## Brewing\nLong.')).toEqual(['Tea > Brewing: Long.']);
    expect(await passages('README.md', '## Use\nRun it.')).toEqual(['Use: Run it.']);
    expect(await passages('Brewing.md', '## Brewing\nLong.')).toEqual(['Brewing: Long.']);
    expect(await passages('tea.md', 'Green.')).toEqual(['tea.md: Green.']);
    for (const name of ['Release 2.0 notes', 'Budget 2025/26', 'Node.js'])
      expect(await passages(name, '## Use\nRun it.')).toEqual([`${name} > Use: Run it.`]);
    expect(await passages('docs/_index.md', '## Use\nRun it.')).toEqual(['Use: Run it.']);
  });

  it('hold the properties of their front matter behind what stands below the title', async () => {
    const properties = [
      'role: Head of Marketing',
      'company: "[[Nordkai Logistics|Nordkai]]"',
      'manager: [[Jonas Petersen]]',
      'birthday: 1984-03-17',
      'rates: [85, "1.10"]',
      'Nächster Termin: 2026-12-08',
      'mood:',
      'cssclasses: wide',
      'api_key: abc123',
      'aliases: Mara',
    ].join('\n');
    expect(await passages('x.md', `---\n${properties}\n---\n# Mara\n\nDrinks tea.\n\n## Log\nMet.`)).toEqual([
      'Mara: Drinks tea.\n\nrole: Head of Marketing; company: Nordkai; manager: Jonas Petersen; birthday: 1984-03-17; rates: 85, 1.10; ' +
        'Nächster Termin: 2026-12-08; api_key: (a secret, left out).',
      'Mara > Log: Met.',
    ]);
    expect(await passages('Pump.md', '---\nstatus: done\n---\n')).toEqual(['Pump.md: status: done.']);
    expect(await passages('Pump.md', '---\nstatus: done\n---\n## Log\nRan.')).toEqual([
      'Pump.md: status: done.',
      'Pump > Log: Ran.',
    ]);
  });

  it('keep no secrets of their properties, whatever these are called', async () => {
    const front = [
      'db: postgres://svc:hunter21@db/x',
      'note: "DB_PASSWORD=hunter22"',
      'creds: ["password: hunter23"]',
      'name: SMTP_PASSWORD',
      'value: hunter24',
      'accessToken: hunter25',
      'pem: "-----BEGIN RSA PRIVATE KEY----- hunter26"',
      'pin: 4711',
      'Authorization: Bearer hunter27x',
      'pass word: hunter28',
      'passphrase: hunter of the 29th',
      'api key: hunter30',
      'login: { user: Ada, pass word: hunter31 }',
    ].join('\n');
    const [kept] = await passages('x.md', `---\n${front}\n---\n# Mara\n\nTea.`);
    expect(kept).not.toMatch(/hunter|undefined|4711/u);
    expect(kept).toContain('db: postgres://svc:(a secret, left out)@db/x; note: DB_PASSWORD=(a secret, left out)');
  });

  it('hold what lies below other properties by the names of both, and long values as paragraphs', async () => {
    const front = (written: string) => passages('x.md', `---\n${written}\n---\n# Mara\n\nTea.`);
    const nested =
      'address:\n  city: Oslo\n  geo: { lat: 59.9 }\nchildren:\n  - name: Bo\n    age: 4\n  - name: Ada\npin: D13';
    expect(await front(nested)).toEqual([
      'Mara: Tea.\n\naddress city: Oslo; address geo lat: 59.9; children name: Bo; children age: 4; children name: Ada; pin: D13.',
    ]);
    const long = 'The kettle leaks below its lid. '.repeat(20).trim();
    expect((await front(`role: cook\nabout: ${long}`)).join('\n')).toBe(`Mara: Tea.\n\nrole: cook.\n\nabout: ${long}`);
    expect((await front(`a: { b: { c: { d: { e: deep } } } }\nrole: cook`)).join()).toBe('Mara: Tea.\n\nrole: cook.');
    const many = Array.from({ length: 900 }, (_, i) => `  k${i}: v${i}`).join('\n');
    expect((await front(`all:\n${many}`)).join().match(/all k/gu)).toHaveLength(40);
  });

  it('hold what an alias repeats once, where its anchor is, also one below its own anchor', async () => {
    for (const front of [
      'team: &t [Bo, Ada]\nothers: *t',
      'team: &t [Bo, Ada, *t]',
      'team: &t [Bo, Ada]\nx: &x { y: *x }',
    ])
      expect(await passages('x.md', `---\n${front}\n---\n# Mara\n\nTea.`)).toEqual(['Mara: Tea.\n\nteam: Bo, Ada.']);
  });

  it('hold no properties that say nothing alone, or are yet to be filled in', async () => {
    for (const front of ['tags: [a, b]\ncreated: 2026-04-02', 'date: "{{date}}"', 'when: <% tp.now %>'])
      expect(await passages('x.md', `---\n${front}\n---\n# Mara\n\nDrinks tea.`)).toEqual(['Mara: Drinks tea.']);
    expect(await passages('x.md', '---\nstatus: [open\nby: Bo\n---\n# Mara\n\nTea.')).toEqual([
      expect.stringContaining('status: open'),
    ]);
  });

  it('have fields of Dataview as lines', async () => {
    expect(await read('before\nmanager:: [[Ada|A. L.]]\nlast met:: *2026*\nand\nmore')).toEqual([
      'before\nmanager: A. L.\nlast met: 2026\nand more',
    ]);
    expect(await read('- **owner**:: Lars\n- pay (due:: 2026-12-15) [by:: Bo]')).toEqual([
      '- owner: Lars',
      '- pay (due: 2026-12-15) [by: Bo]',
    ]);
    expect(await read('Call `std:: x` and std::sort, Example::\nnext')).toEqual([
      'Call `std:: x` and std::sort, Example:: next',
    ]);
  });

  it('say in words what the signs before the days of tasks mean', async () => {
    expect(await read('- [ ] pay ⏫ 🔁 every month 📅 2026-12-01 ➕ 2026-11-01\n- [x] call ✅ 2026-06-30')).toEqual([
      '- [ ] pay ⏫ 🔁 every month, due 2026-12-01, created 2026-11-01',
      '- [x] call, done 2026-06-30',
    ]);
    expect(await read('- run `x` 📅 2026-12-01')).toEqual(['- run `x`, due 2026-12-01']);
    expect(await read('All ✅ and 📅 soon')).toEqual(['All ✅ and 📅 soon']);
  });

  it('lose remarks, signs of highlights and names of paragraphs', async () => {
    expect(await read('a %%secret%% b\n\n==The number== stays ^abc123\n\n- item ^my-name')).toEqual([
      'a b',
      'The number stays',
      '- item',
    ]);
    expect(await read('one\n\n%% kanban:settings\n```\n{"a": 1}\n```\n%%\n\ntwo')).toEqual(['one', 'two']);
    expect(await read('%% never closed\n\ntwo')).toEqual(['%% never closed', 'two']);
    const code = 'if x==1 and y==2, `==a==`, 100%% of `%%b%%`, x^2 ^n';
    expect(await read(code)).toEqual([code]);
  });

  it('leave operators, percent signs and signatures of other texts as they are', async () => {
    for (const text of [
      'Use (==) and (==), or "==" and "!==".',
      "LIKE '%%a%%' finds it",
      'for %%i in (1 2) do echo %%i',
      '%% Section 1\nx = 1\n%% Section 2\ny = 2',
      'add :: Int -> Int',
      'x[a:: b]',
      'the power 2 ^123456',
      'In R, 5 %% 2 is 1, and 7 %% 3 is 1, too.',
      'Of (a + b) %% 2 and 7 %% n nothing is lost.',
      'Keep rows where x %% 2 == 0 | y %% 3 == 0.',
    ])
      expect((await read(text)).join(' ')).toBe(text.replaceAll('\n', ' '));
    expect(await read('%%\nhidden\n%% shown')).toEqual(['shown']);
    expect(await read('pay 5 %% for Bo %% now, a %% 2 of them %% b')).toEqual(['pay 5 now, a b']);
    expect(await read('(==the number==), =="quoted"== and **==bold==**')).toEqual(['(the number), "quoted" and bold']);
    expect(await read('- shipped: ✅ 2025-01-01')).toEqual(['- shipped: done 2025-01-01']);
  });

  it('keep lines apart that each begin in bold', async () => {
    expect(await read('**22 Dec** leave\n**23 Dec** arrive')).toEqual(['22 Dec leave\n23 Dec arrive']);
    expect(await read('**22 Dec** leave\nand arrive')).toEqual(['22 Dec leave and arrive']);
  });

  it('of many signs are read in no time', async () => {
    for (const sign of [' %%a', ' %% 1', '1 %%', '==a', ' [k:: ', '%%\n', ' 📅 ', ' ^a', 'k:: v\n', '%% x\n\n']) {
      const spent = await processorTime(() => read(sign.repeat(300_000 / sign.length)));
      expect([sign, spent < 3000 || spent]).toEqual([sign, true]);
    }
    for (const [before, between] of ['📅 a', 'a [k::', '[k:: x ^a', '%% a'].flatMap((sign) =>
      [' ', '\t'].map((space) => [sign, space]),
    )) {
      const spent = await processorTime(() => read(`${before}${between!.repeat(20_000)}b`.repeat(3)));
      expect([before, spent < 300 || spent]).toEqual([before, true]);
    }
  });

  it.each([
    '# {{title}}\n\nDate: {{date}} {{time:HH:mm}}\n\n## Attendees\n\n- \n\n## Notes\n',
    '---\ncreated: <% tp.file.creation_date() %>\ntags: meeting\n---\n<< [[<% tp.date.yesterday() %>]] | [[{{tomorrow}}]] >>\n\nMood:\n\n- [ ] \n',
    'Created on {{date}}\n\n## Agenda\n\n**Decisions:**\n',
  ])('that are templates are left out: %j', async (text) => {
    await expect(readParts('Meeting.md', Buffer.from(text))).rejects.toMatchObject({
      message: 'Meeting.md is a template that is not filled in; there is nothing to ingest.',
      details: { skipped: true },
    });
  });

  it.each([
    '# {{title}}\n\nAlways ask Lars for the key first.\n',
    '## Attendees\n\n- Ada\n\nDate: {{date}}\n',
    '---\nstatus: open\ndate: {{date}}\n---\n## Notes\n',
    'Write `{{ name }}` where the name of the guest belongs.\n',
  ])('that say something are read, whatever is to be filled in: %j', async (text) => {
    expect((await readParts('Meeting.md', Buffer.from(text))).length).toBeGreaterThan(0);
  });

  it('have the title that front matter gives, if it is one', async () => {
    const title = async (written: string) =>
      (await passages('Tea.md', `---\n${written}\n---\nBrew it long.`))[0]!.replace(': Brew it long.', '');
    expect(await title('title: [unclosed')).toBe('Tea.md');
    expect(await title('title: {unclosed')).toBe('Tea.md');
    expect(await title('title: "{{title}}"')).toBe('Tea.md');
    expect(await title('title: [Draft] Green tea')).toBe('[Draft] Green tea');
    expect(await title('title: >-\n  Green tea\n  of spring\ntags: x')).toBe('Green tea of spring');
  });
});
