import ICAL from 'ical.js';
import { cleanText } from '../../../core/text/clean.js';
import { ENGLISH_MONTHS } from '../../../core/wording/months.js';
import { BrokenRecord, tableOf } from '../table/record-table.js';
import { rowParts } from '../table/rows.js';
import { noticeOf, readComponents } from './content-lines.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('./content-lines.js').Component} Component */
/** @typedef {import('./content-lines.js').Property} Property */

const READ = new Set(
  'fn n org title role nickname tel email adr bday anniversary note url impp categories related x-ablabel x-abdate x-abrelatednames'.split(
    ' ',
  ),
);
/** Kinds of a telephone, an address or a mail, as a person calls them; others say nothing. */
const KINDS = {
  cell: 'mobile',
  mobile: 'mobile',
  home: 'home',
  work: 'work',
  fax: 'fax',
  pager: 'pager',
  car: 'car',
  school: 'school',
  iphone: 'mobile',
};
/** Columns that no label of an owner stands for. */
const OWN = new Set(['name', 'note']);
/** A year by which Apple says that there is none. */
const NO_YEAR = '1604';

/**
 * Returns the people and organisations of an address book as the rows of a table, each below its name: "mobile phone: 01632 960114; birthday: 1985-11-05." Photographs and keys are
 * left out. Throws `BrokenRecord` for a text that is none, `LimitExceeded`.
 * @param {string} written
 * @returns {{ notice?: string, parts: Iterable<Part> }}
 */
export function contactParts(written) {
  const text = cleanText(written);
  if (!/^\s*BEGIN:VCARD\b/iu.test(text))
    throw new BrokenRecord('holds no contact; export the contacts anew as vCard (.vcf)');
  // Version 4 is read as version 3: both write these properties alike.
  const read = readComponents(text, { design: ICAL.design.vcard3, isWanted: (name) => READ.has(name) });
  const records = read.components.filter(({ name }) => name === 'vcard').map(recordOf);
  return { ...noticeOf(read), parts: rowParts(tableOf(records)) };
}

/** @param {Component} card @returns {Record<string, unknown>} */
function recordOf({ properties }) {
  /** @type {Map<string, Set<string>>} */
  const cells = new Map();
  const add = (/** @type {string} */ column, /** @type {string} */ value) => {
    const text = unescaped(value).replace(/\s+/gu, ' ').trim();
    if (text === '') return;
    const known = cells.get(column);
    if (known === undefined) cells.set(column, new Set([text]));
    else known.add(text);
  };
  const labels = labelsOf(properties);
  for (const property of properties) {
    const { name, values } = property;
    const label = labels.get(String(property.params.group));
    const text = values.flat(2).join(name === 'note' ? ',' : ', ');
    if (name === 'title') add('job title', text);
    else if (name === 'org') add('organisation', values.flat(2).filter(Boolean).join(', '));
    else if (name === 'tel') add(phoneOf(kindOf(property, label)), text.replace(/^tel:/iu, ''));
    else if (name === 'email') add(`${kindOf(property, label)} email`.trim(), text);
    else if (name === 'adr') add(`${kindOf(property, label)} address`.trim(), addressOf(values));
    else if (name === 'bday') add('birthday', dayOf(property));
    else if (name === 'anniversary' || name === 'x-abdate') add(label ?? 'anniversary', dayOf(property));
    else if (name === 'related' || name === 'x-abrelatednames') add(label ?? relationOf(property), text);
    else if (name === 'url' || name === 'role' || name === 'nickname' || name === 'categories') add(name, text);
    else if (name === 'impp') add('messages', text);
  }
  const note = properties.filter(({ name }) => name === 'note').map(({ values }) => values.flat(2).join(','));
  const others = [...cells].map(([column, texts]) => [column, [...texts].join(', ')]);
  return Object.fromEntries([['name', unescaped(nameOf(properties))], ...others, ['note', unescaped(note.join('\n'))]]);
}

/** Returns a text without the escapes that older versions have and ical.js leaves. @param {string} text */
function unescaped(text) {
  return text.replace(/\\([;:,])/gu, '$1');
}

/** Returns what a person or an organisation is called. @param {Property[]} properties */
function nameOf(properties) {
  const valuesOf = (/** @type {string} */ wanted) => properties.find(({ name }) => name === wanted)?.values ?? [];
  const whole = valuesOf('fn').flat(2).join(', ').trim();
  const [family, given, middle, before, after] = /** @type {unknown[]} */ (valuesOf('n')[0] ?? []);
  const parts = [before, given, middle, family, after].flat(1).filter(Boolean).join(' ').trim();
  const nickname = valuesOf('nickname').flat(2).join(', ');
  return whole || parts || valuesOf('org').flat(2).filter(Boolean).join(', ') || nickname;
}

/** Returns the labels that their owner gave to properties, by group: "item1". @param {Property[]} properties @returns {Map<string, string>} */
function labelsOf(properties) {
  const labelled = properties.filter(({ name }) => name === 'x-ablabel');
  return new Map(
    labelled.flatMap(({ params, values }) => {
      // Apple writes its own labels as "_$!<Mother>!$_".
      const label = String(values[0])
        .replace(/^_\$!<(.*)>!\$_$/u, '$1')
        .toLowerCase();
      return OWN.has(label) ? [] : [[String(params.group), label]];
    }),
  );
}

/** Returns what kind of telephone, mail or address it is; empty where nothing says so. @param {Property} property @param {string | undefined} label */
function kindOf({ params }, label) {
  const types = [params.type ?? []].flat(2).flatMap((type) => String(type).toLowerCase().split(','));
  const kinds = new Set(types.flatMap((type) => (Object.hasOwn(KINDS, type) ? [KINDS[type]] : [])));
  const own = label === undefined || label === 'other' ? '' : label.replace(/\s?(?:phone|e-?mail|address)$/u, '');
  return own || [...kinds].join(' ');
}

/** A fax is no telephone. @param {string} kind */
function phoneOf(kind) {
  return /\b(?:fax|pager)$/u.test(kind) ? kind : `${kind} phone`.trim();
}

/** @param {Property} property */
function relationOf({ params }) {
  const [type = 'related'] = [params.type ?? []].flat(2);
  return String(type).toLowerCase();
}

/** Returns an address in one line: the street before the town, as it is said. @param {unknown[]} values */
function addressOf([value]) {
  if (!Array.isArray(value)) return String(value ?? '');
  const [box, more, street, town, region, code, country] = value.map((part) =>
    [part].flat(1).filter(Boolean).join(', '),
  );
  return [street, more, box, town, region, code, country].filter(Boolean).join(', ');
}

/** Returns a day in ISO 8601, or as "5 November" without a year. @param {Property} property */
function dayOf({ values, params }) {
  const written = String(values[0] ?? '').trim();
  const [, year, month, day] = /^(\d{4}|-)-?(\d\d)-?(\d\d)/u.exec(written) ?? [];
  if (month === undefined) return written;
  const omitted = String(params['x-apple-omit-year'] ?? NO_YEAR);
  return year === '-' || year === omitted
    ? `${Number(day)} ${ENGLISH_MONTHS[Number(month) - 1] ?? month}`
    : `${year}-${month}-${day}`;
}
