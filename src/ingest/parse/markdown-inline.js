import MarkdownIt from 'markdown-it';
import { addAsides } from './markdown/asides.js';
import { withoutBadges } from './markdown/badges.js';
import { addIndentedCallouts } from './markdown/indented-callouts.js';
import { addRemarks, withoutVaultSigns } from './markdown/vault-signs.js';
import { addWikiLinks, WIKI_LINK } from './markdown/wiki-links.js';
import { ARROWS } from './notes/html-notes.js';
import { addNoteRules, keyOf, NOTE_MARK } from './notes/markdown-notes.js';
import { noteMark, readMarks, SCRIPT_CLOSE, scriptOpen, withoutSigns } from './notes/marks.js';

/** CommonMark with tables, strikethrough, notes, and links of wikis. */
export const markdown = new MarkdownIt('default', { html: true, linkify: false, typographer: false });
addNoteRules(markdown);
addWikiLinks(markdown);
addIndentedCallouts(markdown);
addRemarks(markdown);
addAsides(markdown);

const TAG =
  /^<\/?(?:a|b|big|br|center|code|del|details|div|em|font|h[1-6]|hr|i|img|ins|kbd|li|ol|p|s|samp|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|tt|u|ul|var)(?:[\s/>]|$)/iu;

/** Signs that inline Markdown needs: a text without them is its own text. */
const MARKED = /[\\`*_~[\]<>&!\n]/u;

/**
 * Returns inline Markdown as readable text: links and images keep their words, emphasis its content, code its backticks;
 * line breaks inside a paragraph become spaces, hard breaks line breaks. Tags of HTML are left out, other words between
 * angle brackets stay.
 * @param {string} written
 * @param {object} env Link definitions by label.
 */
export function inlineText(written, env) {
  return readInline(written, env).text;
}

/**
 * Returns inline Markdown as `inlineText` does, the words of its links, in order, and what its marks of notes refer to.
 * @param {string} source
 * @param {object} env Link definitions by label.
 * @param {{ isHeading?: boolean, isParagraph?: boolean }} [options] Where it stands; badges of these are left out.
 * @returns {{ text: string, links: string[], refs: import('./notes/marks.js').NoteRef[] }}
 */
export function readInline(source, env, options) {
  const written = withoutVaultSigns(source, codeSpans);
  if (!MARKED.test(written)) return { text: written, links: [], refs: [] };
  const read = [];
  markdown.inline.parse(withoutOpenBrackets(written, env), markdown, env, read);
  const tokens = withoutBadges(read, options);
  const { text, refs } = readMarks(textOf(tokens), options);
  return { text: tidy(text), links: linksOf(tokens), refs };
}

/** @param {string} text */
function tidy(text) {
  return text.replace(/ {2,}/gu, ' ').replaceAll(' \n', '\n').replaceAll('\n ', '\n');
}

/** @param {Array<{ type: string, content: string }>} tokens */
function linksOf(tokens) {
  const links = [];
  let first = 0;
  for (const [i, { type, content }] of tokens.entries()) {
    if (type === 'link_open' || (type === 'html_inline' && /^<a\s[^>]*href/iu.test(content))) first = i + 1;
    else if (first > 0 && (type === 'link_close' || (type === 'html_inline' && /^<\/a\b/iu.test(content)))) {
      const words = tidy(readMarks(textOf(tokens.slice(first, i))).text).trim();
      if (words !== '') links.push(words);
      first = 0;
    }
  }
  return links;
}

/**
 * Escapes brackets where no link can be: the parser looks for the end of every one.
 * @param {string} written
 */
function withoutOpenBrackets(written, env) {
  if (!written.includes('[') || /\]\(|\]\[/u.test(written)) return written;
  if (env.references !== undefined && written.includes(']')) return written;
  const code = codeSpans(written);
  let next = 0;
  return written.replace(BRACKETS, (found, at) => {
    while (next < code.length && code[next].end <= at) next += 1;
    if (next < code.length && code[next].start < at) return found;
    const isMark = found.startsWith('[^') && env.notes?.has(keyOf(found.slice(2, -1)));
    return isMark || found.includes('[[') ? found : `\\${found}`;
  });
}

const BRACKETS = new RegExp(`(?<!\\\\)(?:${WIKI_LINK.source}|${NOTE_MARK.source}|\\[)`, 'gu');

/**
 * Returns where code spans are, in order: from a run of backticks to the next one of the same length, as CommonMark reads them.
 * @param {string} written
 */
function codeSpans(written) {
  const spans = [];
  if (!written.includes('`')) return spans;
  /** @type {Map<number, number[]>} Runs that may close a span by length, the first one last. */
  const closing = new Map();
  for (const { 0: run, index } of [...written.matchAll(/`+/gu)].reverse()) {
    const known = closing.get(run.length);
    if (known === undefined) closing.set(run.length, [index]);
    else known.push(index);
  }
  let from = 0;
  for (const { 0: found, index } of written.matchAll(/\\[\s\S]|`+/gu)) {
    // Within a span a backslash stands for itself.
    if (index < from || found.startsWith('\\')) continue;
    const runs = closing.get(found.length) ?? [];
    while (runs.length > 0 && runs.at(-1) < index + found.length) runs.pop();
    if (runs.length === 0) continue;
    from = runs.at(-1) + found.length;
    spans.push({ start: index, end: from });
  }
  return spans;
}

/** Returns whether a line begins with a label in bold, as the lines of minutes do: "**Present:** Ada". @param {readonly any[]} tokens @param {number} at */
function beginsLabel(tokens, at) {
  const start = tokens[at]?.type === 'text' && tokens[at].content === '' ? at + 1 : at;
  const [open, label, close, after] = tokens.slice(start, start + 4);
  if (open?.type !== 'strong_open' || label?.type !== 'text' || close?.type !== 'strong_close') return false;
  return label.content.endsWith(':') || (after?.type === 'text' && after.content.startsWith(':'));
}

/** Returns whether each of several lines begins with words in bold, as the days of a plan do: "**22 Dec** Hamburg". @param {readonly any[]} tokens */
function beginsEachBold(tokens) {
  const starts = [0, ...tokens.flatMap(({ type }, i) => (type === 'softbreak' || type === 'hardbreak' ? [i + 1] : []))];
  return starts.every((at) => tokens[tokens[at]?.content === '' ? at + 1 : at]?.type === 'strong_open');
}

/** @param {Array<{ type: string, content: string, markup: string, children: object[] | null }>} tokens */
function textOf(tokens) {
  let text = '';
  const areLines = beginsEachBold(tokens);
  const product = [];
  const marks = new MarkReader();
  for (const [i, token] of tokens.entries()) {
    const { type, content, children } = token;
    text = marks.read(token, text);
    if (type === 'text' || type === 'text_special') text += content;
    else if (type === 'code_inline') text += `\`${content}\``;
    else if (type === 'softbreak') text += areLines || beginsLabel(tokens, i + 1) ? '\n' : ' ';
    else if (type === 'hardbreak') text += '\n';
    else if (type === 'image') text += textOf(children ?? []);
    else if (type === 'em_open') {
      // In 2*3*4 the signs are no emphasis.
      product.push(/\d$/u.test(text) && /^\d/u.test(tokens[i + 1]?.content ?? ''));
      if (product.at(-1)) text += '*';
    } else if (type === 'em_close') text += product.pop() ? '*' : '';
    else if (type === 'note_mark') text += noteMark(`^${keyOf(content)}`, content, { isSure: true });
    else if (type === 'html_inline') text += htmlText(content);
  }
  return text;
}

/** Finds superscripts, subscripts, the marks of notes that are links, and links that lead back from a note. */
class MarkReader {
  scripts = 0;
  /** The open link, where its words begin, and whether it is a mark. @type {{ href: string, from: number, isMark: boolean, isSure: boolean } | undefined} */
  link;

  /** Returns the text so far with what a token adds or takes. */
  read(token, text) {
    const [, close, name] = (token.type === 'html_inline' && /^<(\/?)(su[pb]|a)(?=[\s>])/iu.exec(token.content)) || [];
    if (token.type === 'link_close' || (close === '/' && name.toLowerCase() === 'a')) return this.closed(text);
    if (token.type === 'link_open') this.open(token.attrGet('href') ?? '', text, false);
    else if (name?.toLowerCase() === 'a') {
      const href = /\shref\s*=\s*["']?([^"'\s>]+)/iu.exec(token.content)?.[1];
      if (href !== undefined)
        this.open(href, text, /["'\s](?:doc-noteref|noteref|footnote-ref)["'\s>]/u.test(token.content));
    } else if (name !== undefined && close === '/') {
      this.scripts = Math.max(0, this.scripts - 1);
      return text + SCRIPT_CLOSE;
    } else if (name !== undefined) {
      this.scripts += 1;
      const { link } = this;
      if (link?.href.startsWith('#') && link.from === text.length) link.isMark = true;
      return text + scriptOpen(name.toLowerCase());
    }
    return text;
  }

  open(href, text, isRef) {
    this.link = { href, from: text.length, isMark: isRef || this.scripts > 0, isSure: isRef };
  }

  closed(text) {
    const { link } = this;
    this.link = undefined;
    if (link === undefined) return text;
    const words = text.slice(link.from);
    const before = text.slice(0, link.from);
    if (link.href.startsWith('#') && ARROWS.test(words)) return before;
    if (!link.isMark) return text;
    // What stands first in a paragraph is the label of a note, which may lead back.
    const leads = link.href.startsWith('#') && withoutSigns(before).trim() !== '';
    return before + noteMark(leads ? link.href.slice(1) : '', words, link);
  }
}

/** @param {string} written */
function htmlText(written) {
  if (/^<br[\s/>]/iu.test(written)) return '\n';
  return TAG.test(written) || written.startsWith('<!--') ? '' : written;
}
