import MarkdownIt from 'markdown-it';

/** CommonMark with tables and strikethrough. */
export const markdown = new MarkdownIt('default', { html: true, linkify: false, typographer: false });

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
 * Returns inline Markdown as `inlineText` does, and the words of its links, in order.
 * @param {string} written
 * @param {object} env Link definitions by label.
 * @returns {{ text: string, links: string[] }}
 */
export function readInline(written, env) {
  if (!MARKED.test(written)) return { text: written, links: [] };
  const tokens = [];
  markdown.inline.parse(withoutOpenBrackets(written, env), markdown, env, tokens);
  return { text: tidy(textOf(tokens)), links: linksOf(tokens) };
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
      const words = tidy(textOf(tokens.slice(first, i))).trim();
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
  return written.replace(/(?<!\\)\[/gu, '\\[');
}

/** @param {Array<{ type: string, content: string, markup: string, children: object[] | null }>} tokens */
function textOf(tokens) {
  let text = '';
  const product = [];
  for (const [i, { type, content, children }] of tokens.entries()) {
    if (type === 'text' || type === 'text_special') text += content;
    else if (type === 'code_inline') text += `\`${content}\``;
    else if (type === 'softbreak') text += ' ';
    else if (type === 'hardbreak') text += '\n';
    else if (type === 'image') text += textOf(children ?? []);
    else if (type === 'em_open') {
      // In 2*3*4 the signs are no emphasis.
      product.push(/\d$/u.test(text) && /^\d/u.test(tokens[i + 1]?.content ?? ''));
      if (product.at(-1)) text += '*';
    } else if (type === 'em_close') text += product.pop() ? '*' : '';
    else if (type === 'html_inline') text += htmlText(content);
  }
  return text;
}

/** @param {string} written */
function htmlText(written) {
  if (/^<br[\s/>]/iu.test(written)) return '\n';
  return TAG.test(written) || written.startsWith('<!--') ? '' : written;
}
