import { describe, expect, it } from '@jest/globals';
import { linesOf, readFile } from './read-markup.js';

const asciidoc = (written: string) => linesOf('manual.adoc', written);

describe('AsciiDoc', () => {
  it('has its title, who wrote it, the version and its day, sections as headings, attributes replaced', async () => {
    const written = `= Pump Manual
Ada Lovelace <ada@example.org>; Bo Reeve
v2.1, 2026-03-01: Second edition
:product: Kestrel 300
:toc:

About {product}, {unknown} and {docdate}. See <<safety>> and <<cfg,the settings>>.

[#safety]
== Safety

Stop the {product}.footnote:[By the switch.]

[[cfg]]
=== Settings

link:https://example.org/x[Web site], *bold*, \`code\`, kbd:[Ctrl+C], stem:[x^2].
`;
    const { title, parts } = await readFile('manual.asciidoc', written);
    expect(title).toBe('Pump Manual');
    expect(parts).toEqual([
      { kind: 'prose', text: 'authors: Ada Lovelace, Bo Reeve; version: 2.1; date: 2026-03-01.' },
      {
        kind: 'prose',
        text: 'About Kestrel 300, {unknown} and {docdate}. See Safety and the settings.',
        links: ['Safety', 'the settings'],
      },
      { kind: 'heading', level: 0, text: 'Pump Manual' },
      { kind: 'heading', level: 2, text: 'Safety' },
      { kind: 'prose', text: 'Stop the Kestrel 300 [1].', notes: ['[1] By the switch.'] },
      { kind: 'heading', level: 3, text: 'Settings' },
      { kind: 'prose', text: 'Web site, bold, code, Ctrl+C, x^2.', links: ['Web site'] },
    ]);
  });

  it('has admonitions, lists, tables, code with callouts and quotes in words', async () => {
    const written = `== Care

WARNING: Never open it.

[NOTE]
.Keys
====
Two keys.

* one
====

* [x] done
* [ ] open

.Parts
[options="header"]
|===
|Part |Number

|Gasket
|K-301

.2+|Valve |V-1
|V-2
|===

[source,yaml]
----
a: 1 # <1>
----
<1> the first

Term:: what it is

.The rig
image::x.png[Rig]

////
hidden
////
// hidden
`;
    expect(await asciidoc(written)).toEqual([
      '# 2 Care',
      'prose: Warning: Never open it.',
      'prose: Note: Keys',
      'prose: Two keys.',
      'list: - one',
      'list: - [x] done',
      'list: - [ ] open',
      'prose: Table 1. Parts',
      'table: | Part | Number |',
      'table: | Gasket | K-301 |',
      'table: | Valve | V-1 |',
      'table: | Valve | V-2 |',
      'code: a: 1 # (1)',
      'list: 1. the first Term: what it is',
      'prose: Figure 1. The rig',
    ]);
  });

  it('includes no file, not even its path', async () => {
    const written =
      'Before.\n\ninclude::/etc/passwd[]\n\n----\ninclude::../secret.txt[lines=1..2]\nls\n----\n\ninclude::https://example.org/a.adoc[]\n';
    expect(await asciidoc(written)).toEqual(['prose: Before.', 'code: ls']);
  });

  it('is a plain text with a notice where the library cannot read it', async () => {
    const nested = Array.from({ length: 3000 }, (_, i) => '='.repeat(4 + i)).join('\n');
    const { parts, notice } = await readFile('deep.adoc', `${nested}\n\nThe words.\n`);
    expect(notice).toContain('could not be read as AsciiDoc');
    expect(parts.at(-1)?.text).toContain('The words.');
  });
});
