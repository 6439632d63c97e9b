import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { documentType } from '../../src/ingest/read/file-type.js';
import { line, openDocumentOf, pptxOf, type SlideXml, shape } from './archives.js';
import { readParts } from './read-parts.js';

const read = (slides: readonly SlideXml[], more = {}) => readParts('talk.pptx', pptxOf(slides, more));
const title = (text: string, kind = 'title') => shape(kind, line(text));
const core = (text: string) => ({
  'docProps/core.xml': `<cp:coreProperties><dc:title>${text}</dc:title></cp:coreProperties>`,
});
const cover: SlideXml = { shapes: title('Allotments 2026', 'ctrTitle') + shape('subTitle', line('By Dora Pym')) };

describe('a presentation of PowerPoint', () => {
  it('has its slides in their order below the title of the title slide, with what the speaker notes', async () => {
    const water =
      shape(
        '',
        line('Taps open on 28 March') +
          line('Key 12 is in the office', '<a:pPr lvl="1"/>') +
          line('The tariff is new', '<a:pPr><a:buNone/></a:pPr>'),
      ) +
      title('Water') +
      ['dt', 'ftr', 'sldNum'].map((kind) => shape(kind, line('left out'))).join('');
    expect(
      await read(
        [
          cover,
          { shapes: water, notes: line('The north tap leaks.') },
          { shapes: title('Compost') + shape(undefined, line('Two loads')) },
        ],
        core('Template'),
      ),
    ).toEqual([
      ...['1 Allotments 2026', 'By Dora Pym'],
      ...[
        '2 Water',
        '- Taps open on 28 March',
        '  - Key 12 is in the office',
        'The tariff is new',
        'notes: The north tap leaks.',
      ],
      ...['2 Compost', 'Two loads'],
    ]);
  });

  it.each(['show.ppsx', 'macros.pptm', 'show-with-macros.PPSM'])('is read where it is called %s', async (name) => {
    expect(documentType(name)).toBe('presentation');
    expect(await readParts(name, pptxOf([cover]))).toEqual(['1 Allotments 2026', 'By Dora Pym']);
  });

  it('has the title in its properties where there is no title slide, if somebody wrote it', async () => {
    const slides = [{ shapes: title('Water') + shape('', line('Taps open')) }];
    expect(await read(slides, core('Season 2026'))).toEqual(['1 Season 2026', '2 Water', 'Taps open']);
    expect(await read(slides, core('PowerPoint Presentation'))).toEqual(['1 Water', 'Taps open']);
  });

  it('has slides below the title of their section', async () => {
    const section = { shapes: title('Money') + shape('body', line('What we spend')), layout: 'secHead' };
    const slides = [cover, { shapes: title('Plan') + shape('', line('Four steps')), layout: 'obj' }, section];
    expect((await read([...slides, { shapes: title('Rent') + shape('', line('48 pounds')) }])).slice(2)).toEqual([
      ...['2 Plan', 'Four steps', '2 Money', 'What we spend', '3 Rent', '48 pounds'],
    ]);
  });

  it('goes on below the slide before where one has no title, unless its largest line is one', async () => {
    const large = shape(undefined, line('Two loads arrive')) + shape(undefined, line('Compost', '', ' sz="4000"'));
    expect(
      (await read([cover, { shapes: large }, { shapes: shape(undefined, line('From Hale Farm')) }])).slice(2),
    ).toEqual([...['2 Compost', 'Two loads arrive', 'From Hale Farm']]);
  });

  it('says which slides are hidden, and goes on below the last one that is shown', async () => {
    const hidden = { shapes: title('Reserve') + shape('', line('3,140 pounds')), hidden: true };
    const slides = [cover, { shapes: title('Money') + shape('', line('Rent')) }, hidden];
    expect((await read([...slides, { shapes: shape(undefined, line('A map')) }])).slice(2)).toEqual([
      ...['2 Money', 'Rent', '2 Reserve (hidden slide)', '3,140 pounds', '2 Money', 'A map'],
    ]);
  });

  it('keeps a title that is all a slide says, if it says something', async () => {
    const slides = [cover, { shapes: title('We end the lease in May') }, { shapes: title('Thank you') }];
    expect((await read(slides)).slice(2)).toEqual([
      '2 We end the lease in May',
      'We end the lease in May',
      '2 Thank you',
    ]);
  });

  it('has tables with merged cells, numbered lists and superscripts', async () => {
    const cell = (text: string, attributes = '') => `<a:tc${attributes}><a:txBody>${line(text)}</a:txBody></a:tc>`;
    const rows = [
      cell('Plot') + cell('Rent'),
      cell('Half', ' rowSpan="2"') + cell('27'),
      cell('', ' vMerge="1"') + cell('15'),
    ];
    const table = `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="T"/></p:nvGraphicFramePr><a:graphic><a:graphicData><a:tbl>${rows.map((row) => `<a:tr>${row}</a:tr>`).join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const number = '<a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr>';
    const area = `<a:p>${number}<a:r><a:t>250 m</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>2</a:t></a:r></a:p>`;
    const slide = title('Rent') + table + shape(undefined, line('Measure', number) + area);
    expect((await read([cover, { shapes: slide }])).slice(3)).toEqual([
      ...['| Plot | Rent |', '| Half | 27 |', '| Half | 15 |', '1. Measure', '2. 250 m²'],
    ]);
  });

  it('has the words of diagrams as a list, and what pictures show where somebody said it', async () => {
    const point = (id: string, text: string, type = 'node') =>
      `<dgm:pt modelId="${id}" type="${type}"><dgm:t>${line(text)}</dgm:t></dgm:pt>`;
    const link = (from: string, to: string, order: number) =>
      `<dgm:cxn srcId="${from}" destId="${to}" srcOrd="${order}"/>`;
    const model = `<dgm:dataModel><dgm:ptLst>${point('0', '', 'doc')}${point('2', 'Pay')}${point('1', 'Apply')}${point('3', 'By form')}${point('4', 'x', 'sibTrans')}</dgm:ptLst><dgm:cxnLst>${link('0', '2', 1)}${link('0', '1', 0)}${link('1', '3', 0)}${link('3', '1', 0)}</dgm:cxnLst></dgm:dataModel>`;
    const diagram =
      '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="D"/></p:nvGraphicFramePr><a:graphic><a:graphicData><dgm:relIds r:dm="r1"/></a:graphicData></a:graphic></p:graphicFrame>';
    const picture = (text: string) =>
      `<p:pic><p:nvPicPr><p:cNvPr id="3" name="P" descr="${text}"/></p:nvPicPr></p:pic>`;
    const shapes =
      title('Steps') +
      diagram +
      ['Map of the three taps', 'IMG_2031.jpg', 'Picture 3', 'A dog on grass Description automatically generated']
        .map(picture)
        .join('');
    const read = await readParts(
      'talk.pptx',
      pptxOf([cover, { shapes, relations: [['diagramData', '../diagrams/data1.xml']] }], {
        'ppt/diagrams/data1.xml': model,
      }),
    );
    expect(read.slice(3)).toEqual(['- Apply', '  - By form', '- Pay', 'Map of the three taps']);
  });
});

describe('a presentation of LibreOffice', () => {
  const frame = (kind: string, text: string) =>
    `<draw:frame presentation:class="${kind}"><draw:text-box>${text}</draw:text-box></draw:frame>`;
  const p = (text: string) => `<text:p>${text}</text:p>`;

  it('has its slides below its title, with lists, notes and what is hidden', async () => {
    const styles =
      '<style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
    const items = `<text:list><text:list-item>${p('Taps open')}<text:list><text:list-item>${p('Key 12')}</text:list-item></text:list></text:list-item></text:list>`;
    const notes = `<presentation:notes><draw:page-thumbnail/>${frame('notes', p('The north tap leaks.'))}</presentation:notes>`;
    const picture =
      '<draw:frame><draw:image/><svg:title>Picture 1</svg:title><svg:desc>Map of the three taps</svg:desc></draw:frame>';
    const pages = [
      `<draw:page>${frame('title', p('Allotments 2026'))}${frame('subtitle', p('By Dora Pym'))}</draw:page>`,
      `<draw:page>${frame('outline', items)}${frame('title', p('Water'))}${frame('footer', p('left out'))}<draw:g><draw:custom-shape>${p('In a group')}</draw:custom-shape></draw:g>${picture}${notes}</draw:page>`,
      `<draw:page draw:style-name="dp2">${frame('title', p('Reserve'))}${frame('outline', p('3,140 pounds'))}</draw:page>`,
    ];
    expect(await readParts('talk.odp', openDocumentOf('presentation', pages.join(''), { styles }))).toEqual([
      ...['1 Allotments 2026', 'By Dora Pym'],
      ...['2 Water', '- Taps open', '  - Key 12', 'In a group', 'Map of the three taps', 'notes: The north tap leaks.'],
      ...['2 Reserve (hidden slide)', '3,140 pounds'],
    ]);
  });

  it('is told by what the archive holds, not by its name', async () => {
    const page = `<draw:page>${frame('title', p('Water'))}${frame('outline', p('Taps open'))}</draw:page>`;
    expect(await readParts('talk.pptx', openDocumentOf('presentation', page))).toEqual(['1 Water', 'Taps open']);
  });
});

describe('questions about presentations, documents, books and notebooks', () => {
  const directory = mkdtempSync(join(tmpdir(), 'slides-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('are answered by the slide, section, chapter or cell, first, below the title of its document', async () => {
    const water = title('Water') + shape('', line('Taps open on 28 March') + line('The main valve is behind the shed'));
    const rent = title('Rent') + shape('', line('A plot costs 48 pounds a year') + line('Half a plot costs 27 pounds'));
    const slides = [cover, { shapes: water, notes: line('Karl Weber mends the north tap.') }, { shapes: rent }];
    const cells = [
      { cell_type: 'markdown', source: '# Rainfall\n\n## Wettest month' },
      {
        cell_type: 'code',
        source: 'rain.max()',
        outputs: [{ output_type: 'stream', name: 'stdout', text: 'November 182.4 mm' }],
      },
    ];
    writeFileSync(join(directory, 'allotments.pptx'), pptxOf(slides));
    writeFileSync(join(directory, 'rain.ipynb'), JSON.stringify({ nbformat: 4, cells }));
    const files = ['sailing.odt', 'lamp.epub'].map((name) => join('test/fixtures/documents', name));
    const environment = {
      SVC_DATA_DIR: join(directory, 'data'),
      SVC_INGEST_ROOTS: `${directory},${resolve('test/fixtures/documents')}`,
      SVC_EMBEDDING: 'static',
      SVC_LOG_LEVEL: 'error',
    };
    const service = await compose(loadConfig({ environment, executable: undefined }));
    try {
      for (const file of [join(directory, 'allotments.pptx'), join(directory, 'rain.ipynb'), ...files])
        await service.ingest.file(resolve(file), 'club');
      for (const [context, name, wanted] of [
        ['Where is the main valve?', 'Allotments 2026 > Water', 'behind the shed'],
        ['Who mends the north tap?', 'Allotments 2026 > Water', 'notes: Karl Weber'],
        ['What does half a plot cost?', 'Allotments 2026 > Rent', '27 pounds'],
        ['How large is the sail of a dinghy?', 'Sailing club: house rules > Boats', '12 m²'],
        ['What did the brig Halcyon strike?', 'The Lamp at Kell Point > Part One > The Storm', 'the reef'],
        ['Which was the wettest month?', 'Rainfall > Wettest month', '182.4'],
      ] as const) {
        const { items } = await service.retrieval.query({ context, domains: ['club'], top_k: 3 });
        expect([context, items[0]?.content]).toEqual([context, expect.stringContaining(wanted)]);
        expect(items[0]?.content).toContain(name);
      }
    } finally {
      await service.close();
    }
  });
});
