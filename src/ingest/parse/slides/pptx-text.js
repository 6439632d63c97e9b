import { descendants, elementAt, elementsOf, escaped } from '../xml/tree.js';

/** @typedef {import('../xml/tree.js').XmlElement} XmlElement */

/** Levels of a list that are kept apart. */
const DEEPEST = 8;
/** Text that a program fills in anew: the number of the slide, the date of today. */
const FIELD = /^(?:slidenum|datetime)/u;

/**
 * Returns the paragraphs of a shape as HTML: items where they have a sign or a number, or where those of its kind have one and nothing else is said.
 * @param {XmlElement | undefined} body @param {{ areItems?: boolean }} [options] Whether paragraphs of such a shape are items.
 */
export function paragraphsHtml(body, { areItems = false } = {}) {
  const paragraphs = elementsOf(body, 'a:p');
  const filled = paragraphs
    .map((element) => ({ element, html: inlineHtml(element) }))
    .filter(({ html }) => isFilled(html));
  const lists = new Lists();
  for (const { element, html } of filled) {
    const properties = elementAt(element, 'a:pPr');
    const depth = Math.min(DEEPEST, Number.parseInt(properties?.attributes.lvl ?? '0', 10) || 0);
    const kind = listOf(properties, areItems && (filled.length > 1 || depth > 0));
    if (kind === undefined) lists.paragraph(html);
    else lists.item(html, kind, depth + 1);
  }
  return lists.end();
}

/** @param {XmlElement | undefined} properties @param {boolean} isItem */
function listOf(properties, isItem) {
  for (const { name } of elementsOf(properties)) {
    if (name === 'a:buNone') return undefined;
    if (name === 'a:buAutoNum') return 'ol';
    if (name === 'a:buChar' || name === 'a:buBlip') return 'ul';
  }
  return isItem ? 'ul' : undefined;
}

/** Writes paragraphs, and items of lists in lists. */
class Lists {
  /** @type {string[]} */
  written = [];
  /** Open lists, outermost first. @type {string[]} */
  open = [];

  /** @param {string} html */
  paragraph(html) {
    this.close(0);
    this.written.push(`<p>${html}</p>`);
  }

  /** @param {string} html @param {string} kind @param {number} depth */
  item(html, kind, depth) {
    this.close(this.open[depth - 1] === kind ? depth : depth - 1);
    while (this.open.length < depth) {
      this.open.push(kind);
      this.written.push(`<${kind}>`);
    }
    this.written.push(`<li>${html}</li>`);
  }

  /** @param {number} depth */
  close(depth) {
    while (this.open.length > depth) this.written.push(`</${this.open.pop()}>`);
  }

  end() {
    this.close(0);
    return this.written.join('');
  }
}

/** @param {string} html */
function isFilled(html) {
  return /\S/u.test(html.replaceAll('<br>', ''));
}

/** Returns the words of a paragraph as HTML. @param {XmlElement} paragraph @returns {string} */
export function inlineHtml(paragraph) {
  return elementsOf(paragraph)
    .map((element) => {
      const { name, attributes } = element;
      if (name === 'a:br') return '<br>';
      if (name === 'a:fld' && FIELD.test(attributes.type ?? '')) return '';
      if (name === 'a:r' || name === 'a:fld') return runHtml(element);
      // A formula.
      return escaped(
        descendants(element, 'm:t')
          .map(({ children }) => children.join(''))
          .join(''),
      );
    })
    .join('');
}

/** @param {XmlElement} run */
function runHtml(run) {
  const text = escaped((elementAt(run, 'a:t')?.children ?? []).filter((one) => typeof one === 'string').join(''));
  const raised = Number.parseInt(elementAt(run, 'a:rPr')?.attributes.baseline ?? '0', 10);
  if (raised > 0) return `<sup>${text}</sup>`;
  return raised < 0 ? `<sub>${text}</sub>` : text;
}

/** Returns a table of a slide as HTML. @param {XmlElement} table */
export function tableHtml(table) {
  const rows = elementsOf(table, 'a:tr').map((row) => `<tr>${elementsOf(row, 'a:tc').map(cellHtml).join('')}</tr>`);
  return `<table>${rows.join('')}</table>`;
}

/** Returns a cell; nothing for one that another is merged over. @param {XmlElement} cell */
function cellHtml(cell) {
  const { hMerge, vMerge, rowSpan, gridSpan } = cell.attributes;
  if (isTrue(hMerge) || isTrue(vMerge)) return '';
  const spans = [
    ['rowspan', rowSpan],
    ['colspan', gridSpan],
  ].map(([name, span]) => (/^\d{1,4}$/u.test(span ?? '') ? ` ${name}="${span}"` : ''));
  const lines = elementsOf(elementAt(cell, 'a:txBody'), 'a:p').map((paragraph) => `<p>${inlineHtml(paragraph)}</p>`);
  return `<td${spans.join('')}>${lines.join('')}</td>`;
}

/** @param {string | undefined} written */
export function isTrue(written) {
  return written === '1' || written === 'true';
}
