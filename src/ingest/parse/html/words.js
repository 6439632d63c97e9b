import { readHtml } from '../html.js';

/** Tags of HTML, and of the XML of journals (JATS), which programs write within a text. */
const OF_HTML =
  /<\/?(?:jats:)?(?:a|b|i|u|s|em|strong|strike|del|mark|code|span|font|br|p|div|sub|sup|time|italic|bold|sec|title|ul|ol|li|blockquote|h[1-6])\b[^<>]{0,1000}>|&(?:#?\w{2,8});/iu;
const OF_JOURNALS = /<(\/?)jats:(?:title\b)?/giu;

/** Returns a text without the HTML that a program wrote in it, a line for each paragraph. @param {string} written */
export function plainWords(written) {
  const text = OF_HTML.test(written)
    ? readHtml(written.replace(OF_JOURNALS, '<$1').replace(/\n/gu, '<br>'))
        .parts.map(({ part }) => part.text)
        .join('\n')
    : written;
  return text.replace(/[^\S\n]+/gu, ' ').trim();
}
