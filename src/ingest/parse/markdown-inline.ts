const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  mdash: '—',
  ndash: '–',
  hellip: '…',
  copy: '©',
};

const TAGS =
  /<\/?(?:a|b|big|br|center|code|del|details|div|em|font|h[1-6]|hr|i|img|ins|kbd|li|ol|p|s|samp|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|tt|u|ul|var)(?:\s[^<>]{0,500})?\/?>/giu;

/**
 * Inline Markdown as readable text: links and images keep their words, emphasis its content, code its backticks; line
 * breaks inside a paragraph become spaces, hard breaks (U+2028) line breaks.
 */
export function inlineText(written: string): string {
  const spans: string[] = [];
  const kept = written.replace(/(`{1,3})(?!`)([^`\n]{1,500}?)\1(?!`)/gu, (span) => {
    spans.push(span);
    return `\u0000${spans.length - 1}\u0000`;
  });
  const plain = kept
    .replace(
      /!?\[([^\]\n]{0,500})\]\((?:<[^<>\n]{0,2000}>|[^()\s]{0,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,500})?)(?:\s+"[^"\n]{0,500}")?\)/gu,
      '$1',
    )
    .replace(/!?\[([^\]\n]{1,500})\]\[\d{0,3}\]/gu, '$1')
    .replace(/<((?:https?:\/\/|mailto:)[^<>\s]{1,2000})>/giu, '$1')
    .replace(TAGS, (tag) => (/^<br/iu.test(tag) ? '\u2028' : ''))
    .replace(/(?<![\p{L}\p{N}*\\])(\*{1,3})(?=[^\s*])([^*\n]{0,1000}?[^\s*\\])\1(?![\p{L}\p{N}*])/gu, '$2')
    .replace(/(?<![\p{L}\p{N}_\\])(_{1,3})(?=[^\s_])([^_\n]{0,1000}?[^\s_\\])\1(?![\p{L}\p{N}_])/gu, '$2')
    .replace(/~~(?=\S)([^~\n]{1,1000}?)~~/gu, '$1')
    .replace(/\\([!-/:-@[-`{-~])/gu, '$1')
    .replace(/&(#\d{1,7}|#x[\da-f]{1,6}|\w{2,8});/giu, entity);
  return plain
    .replace(/\u0000(\d+)\u0000/gu, (_, index: string) => spans[Number(index)] ?? '')
    .replace(/[^\S\u2028]*\n[^\S\u2028]*/gu, ' ')
    .replace(/[^\S\u2028]*\u2028\s*/gu, '\n')
    .trimEnd();
}

function entity(written: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? written;
  const code = /^#x/iu.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 31 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : written;
}
