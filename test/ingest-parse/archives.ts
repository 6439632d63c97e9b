import { type ZippableFile, zipSync } from 'fflate';

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Returns an archive of texts, stored as they are, and of bytes, which are compressed. */
export function archiveOf(files: Files): Buffer {
  const encoded = Object.entries(files).map(([name, content]): [string, ZippableFile] => [
    name,
    typeof content === 'string' ? [new TextEncoder().encode(content), { level: 0 }] : [content, { level: 1 }],
  ]);
  return Buffer.from(zipSync(Object.fromEntries(encoded)));
}

/** Returns an archive whose directory leads from each of these names to the same stored bytes, which are as long as it says. */
export function sharedArchive(names: readonly string[], content: Uint8Array, said: number): Buffer {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  const entries = names.map((name) => {
    const entry = Buffer.alloc(46 + name.length);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt32LE(content.length, 20);
    entry.writeUInt32LE(said, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.write(name, 46);
    return entry;
  });
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length + content.length, 16);
  return Buffer.concat([local, content, directory, end]);
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** Relations of a file of Office: the kind and the target of each, called `r1`, `r2` and so on. */
export function relationsOf(targets: ReadonlyArray<readonly [kind: string, target: string]>): string {
  const listed = targets.map(
    ([kind, target], i) => `<Relationship Id="r${i + 1}" Type="${RELATIONS}/${kind}" Target="${target}"/>`,
  );
  return `<?xml version="1.0"?><Relationships>${listed.join('')}</Relationships>`;
}

export interface SlideXml {
  /** The shapes of the slide. */
  readonly shapes: string;
  readonly notes?: string;
  readonly layout?: string;
  readonly hidden?: boolean;
  /** What else it refers to, as `r1`, `r2` and so on. */
  readonly relations?: ReadonlyArray<readonly [kind: string, target: string]>;
}

/** A presentation of PowerPoint. The files of the slides are numbered against their order. */
export function pptxOf(slides: readonly SlideXml[], more: Files = {}): Buffer {
  const files: Record<string, string> = {
    '_rels/.rels': relationsOf([['officeDocument', 'ppt/presentation.xml']]),
    'ppt/_rels/presentation.xml.rels': relationsOf(
      slides.map((_, i) => ['slide', `slides/slide${slides.length - i}.xml`] as const),
    ),
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="r${i + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
  };
  for (const [i, { shapes, notes, layout, hidden, relations = [] }] of slides.entries()) {
    const name = `slide${slides.length - i}.xml`;
    files[`ppt/slides/${name}`] = `<p:sld${hidden === true ? ' show="0"' : ''}>${treeOf(shapes)}</p:sld>`;
    files[`ppt/slides/_rels/${name}.rels`] = relationsOf([
      ...relations,
      ...(notes === undefined ? [] : ([['notesSlide', `../notesSlides/${name}`]] as const)),
      ...(layout === undefined ? [] : ([['slideLayout', `../slideLayouts/${layout}.xml`]] as const)),
    ]);
    if (notes !== undefined)
      files[`ppt/notesSlides/${name}`] =
        `<p:notes>${treeOf(shape('body', notes) + shape('sldNum', '<a:p><a:r><a:t>7</a:t></a:r></a:p>'))}</p:notes>`;
    if (layout !== undefined) files[`ppt/slideLayouts/${layout}.xml`] = `<p:sldLayout type="${layout}"/>`;
  }
  return archiveOf({ ...files, ...more });
}

const treeOf = (shapes: string): string => `<p:cSld><p:spTree>${shapes}</p:spTree></p:cSld>`;

/** A shape with paragraphs; a kind makes it a placeholder. */
export function shape(kind: string | undefined, paragraphs: string): string {
  const placeholder = kind === undefined ? '' : `<p:ph${kind === '' ? '' : ` type="${kind}"`}/>`;
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="Shape"/><p:cNvSpPr/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody><a:bodyPr/>${paragraphs}</p:txBody></p:sp>`;
}

/** A paragraph of a slide. */
export const line = (text: string, properties = '', run = ''): string =>
  `<a:p>${properties}<a:r><a:rPr lang="en"${run}/><a:t>${text}</a:t></a:r></a:p>`;

const OFFICE = '<?xml version="1.0" encoding="UTF-8"?>';

/** A document of LibreOffice: `kind` is `text` or `presentation`. */
export function openDocumentOf(
  kind: 'text' | 'presentation',
  body: string,
  { styles = '', more = {} }: { styles?: string; more?: Files } = {},
): Buffer {
  return archiveOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `${OFFICE}<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...more,
  });
}

export interface BookXml {
  readonly chapters: Readonly<Record<string, string>>;
  readonly metadata?: string;
  /** The table of contents of EPUB 2. */
  readonly ncx?: string;
  /** Further items of the manifest. */
  readonly items?: string;
  readonly more?: Files;
}

/** A book whose chapters are named by what the package document calls them. */
export function epubOf({
  chapters,
  metadata = '<dc:title>The Lamp</dc:title>',
  ncx,
  items = '',
  more = {},
}: BookXml): Buffer {
  const names = Object.keys(chapters);
  const manifest = names.map((name, i) => `<item id="c${i}" href="${name}" media-type="application/xhtml+xml"/>`);
  const spine = names.map((_, i) => `<itemref idref="c${i}"/>`);
  const files = names.map((name) => [`OEBPS/${decodeURIComponent(name)}`, page(chapters[name]!)]);
  return archiveOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OEBPS/book.opf': `<package><metadata>${metadata}</metadata><manifest>${manifest.join('')}${items}<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest><spine toc="ncx">${spine.join('')}</spine></package>`,
    ...(ncx === undefined ? {} : { 'OEBPS/toc.ncx': `<ncx><navMap>${ncx}</navMap></ncx>` }),
    ...Object.fromEntries(files),
    ...more,
  });
}

const page = (body: string): string =>
  `${OFFICE}<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`;
