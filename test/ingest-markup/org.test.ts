import { describe, expect, it } from '@jest/globals';
import { linesOf, readFile } from './read-markup.js';

const org = (written: string) => linesOf('agenda.org', written);

describe('Org', () => {
  it('has its title, other names, author, day and tags from its first lines', async () => {
    const written = [
      ':PROPERTIES:\n:ID: 20f0\n:ROAM_ALIASES: "House book" Hausbuch\n:END:',
      '#+title: Agenda of *Marlow House*\n#+AUTHOR: Ines Marlow\n#+DATE: <2026-01-10 Sat>\n#+FILETAGS: :home:family:',
      '#+STARTUP: overview\n#+INCLUDE: "/etc/passwd"\n\nBought in 2014.\n* Inbox\nNothing.',
    ].join('\n');
    expect(await readFile('agenda.org', written)).toEqual({
      title: 'Agenda of Marlow House',
      aliases: ['House book', 'Hausbuch'],
      parts: [
        { kind: 'prose', text: 'author: Ines Marlow; date: 2026-01-10; tags: home, family.' },
        { kind: 'prose', text: 'Bought in 2014.' },
        { kind: 'heading', level: 0, text: 'Agenda of Marlow House' },
        { kind: 'heading', level: 1, text: 'Inbox' },
        { kind: 'prose', text: 'Nothing.' },
      ],
    });
  });

  it('says the state, days, tags and properties of a task below its heading, and keeps notes of its log', async () => {
    const written = `* TODO [#A] Call the dentist [1/2] :health:phone:
   DEADLINE: <2026-03-04 Wed -2d> SCHEDULED: <2026-03-01 Sun 09:00 +1w>
   :PROPERTIES:
   :ID: abcd
   :PHONE: 0151 2345
   :PASSWORD: hunter2secret
   :END:
   :LOGBOOK:
   - State "WAITING" from "TODO" [2026-02-01 Sun 10:00]
   - Note taken on [2026-01-20 Tue 10:12] \\\\
     Dr Harrow works on Wednesdays.
   CLOCK: [2026-01-20 Tue 10:00]--[2026-01-20 Tue 10:12] =>  0:12
   :END:
   Ask for Dr Harrow.
`;
    expect(await org(written)).toEqual([
      '# 1 Call the dentist',
      'list: - [ ] TODO, due 2026-03-04, scheduled 2026-03-01 09:00, repeats every week, priority A, tags: health, phone',
      'prose: phone: 0151 2345; password: (a secret, left out).',
      'list: - Note of 2026-01-20 10:12: Dr Harrow works on Wednesdays.',
      'prose: Ask for Dr Harrow.',
    ]);
  });

  it('has headlines that hold nothing as items below the headline that holds them', async () => {
    const written = `#+TODO: TODO REVIEW(r) | DONE(d!) DROPPED
* Inbox
** TODO Buy milk
** REVIEW Quote for the roof :house:
** DROPPED Post the parcel
** Garden
*** Compost heap
    Turn it.
** Candles
`;
    expect(await org(written)).toEqual([
      '# 1 Inbox',
      'list: - [ ] Buy milk',
      'list: - [ ] Quote for the roof (REVIEW, tags: house)',
      'list: - [x] Post the parcel (DROPPED)',
      '# 2 Garden',
      '# 3 Compost heap',
      'prose: Turn it.',
      '# 1 Inbox',
      'list: - Candles',
    ]);
  });

  it('loses no headline where nothing holds it', async () => {
    expect(await org('* Milk\n* Eggs\n')).toEqual(['list: - Milk', 'list: - Eggs']);
    expect(await org('* Shop\nOpen.\n* Milk\n')).toEqual(['# 1 Shop', 'prose: Open.', '# 1 Milk', 'list: - Milk']);
  });

  it('has rows, code and items without their marks; what is a comment is left out', async () => {
    const written = `* Boiler
| Zone  | Day |
|-------+-----|
| Attic |  18 |
#+TBLFM: $2=$1
#+CAPTION: Pressure over the year
[[file:pressure.png]]
#+BEGIN_SRC sh :results output
  ,* no headline
  boilerctl set attic 18
#+END_SRC
#+RESULTS:
: attic set
#+begin_warning
Never bleed them.
#+end_warning
- Company :: Fenwick
  Heating
  1. [X] close
  2) [ ] open
# a comment
-----
* COMMENT Hidden
gone
** Too
`;
    expect(await org(written)).toEqual([
      '# 1 Boiler',
      'table: | Zone | Day |',
      'table: | Attic | 18 |',
      'prose: Pressure over the year',
      'code: * no headline\nboilerctl set attic 18',
      'code: attic set',
      'prose: Warning',
      'prose: Never bleed them.',
      'list: - Company: Fenwick Heating',
      'list:   1. [X] close',
      'list:   2) [ ] open',
    ]);
  });

  it('has no rows of widths, groups of columns and empty cells', async () => {
    const written = '| <10> | <r> |\n| / | <> |  |\n|   |  |\n|-\n| / | Attic |\n| <5 | |\n';
    expect(await org(written)).toEqual(['table: | / | Attic |', 'table: | <5 |  |']);
  });

  it.each([
    [
      'See [[file:deed.org::*Sale][the deed]], [[https://a.example/b]] and [[*Sale]].',
      'See the deed, https://a.example/b and Sale.',
    ],
    [
      '*Bold*, /slanted/, _under_, +gone+, =a*b*= and ~c_d~, not 2*3*4 or /usr/bin/sh.',
      'Bold, slanted, under, gone, a*b* and c_d, not 2*3*4 or /usr/bin/sh.',
    ],
    [
      'From <2026-07-18 Sat>--<2026-08-01 Sat>, at [2026-01-13 Di 17:30-18:15 ++2w].',
      'From 2026-07-18 to 2026-08-01, at 2026-01-13 17:30 to 18:15, repeats every 2 weeks.',
    ],
    [
      'H_{2}O \\rightarrow \\alpha{} src_sh{ls} @@html:<b>@@ {{{kbd(C-x)}}} [cite:@knuth p. 5] <<here>>',
      'H_2O → α ls  C-x [knuth p. 5]',
    ],
  ])('shows what people read of %j', async (written, said) => {
    expect(await org(written)).toEqual([`prose: ${said}`]);
  });

  it('has footnotes with the text that refers to them', async () => {
    const { parts } = await readFile(
      'a.org',
      'In October[fn:1], by Tom[fn:: He left.].\n* Footnotes\n[fn:1] It cost 140 euro.\n',
    );
    expect(parts[0]).toEqual({
      kind: 'prose',
      text: 'In October [1], by Tom [note 1].',
      notes: ['[1] It cost 140 euro.', '[note 1] He left.'],
    });
  });
});
