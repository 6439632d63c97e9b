/** The first line of a quote that GitHub and Obsidian show as a callout: `[!WARNING]`, `[!tip]- Title`. */
const OF_QUOTE = /^\[!(?<kind>[a-z][\w-]{0,30})\][+-]?(?:[ \t]+(?<title>[^\n]*))?(?:\n|$)/iu;

/** One that is a word in bold alone, as quotes were marked before there were callouts: `**Warning**`. */
const BOLD_LABEL = /^(?:\*\*|__)(?<title>\p{L}[^*_\n:]{1,38}):?(?:\*\*|__):?[ \t]*\n/u;

/** A line that opens or closes a callout of Docusaurus or VitePress: `:::tip Title`, `:::note[Title]{#id}`, `:::`. */
const FENCE = /^:{3,}(?!:)([^\n]*)$/gmu;
const OPENING =
  /^(?<kind>attention|caution|danger|details|error|example|hint|important|info|note|question|success|tip|warning)(?:\[(?<inside>[^\]]*)\])?(?<title>(?:[ \t][^{]*)?)(?:\{[^}]*\})?$/iu;

/**
 * Returns a paragraph without the signs of callouts, as the paragraphs that it then is: the title of a callout, or its kind, is one.
 * @param {string} written
 * @param {{ opensQuote: boolean }} place
 * @returns {string[]}
 */
export function withoutCallouts(written, { opensQuote }) {
  const titled = (/** @type {any[]} */ ...found) => `${label(found.at(-1))}\n\n`;
  const text = opensQuote ? written.replace(OF_QUOTE, titled).replace(BOLD_LABEL, titled) : written;
  if (!text.includes(':::')) return text === written ? [written] : paragraphs(text);
  return paragraphs(
    text.replace(FENCE, (line, after) => {
      const said = after.trim();
      const opening = OPENING.exec(said);
      return said !== '' && opening === null ? line : `\n${label(opening?.groups ?? {})}\n`;
    }),
  );
}

/** @param {string} text */
function paragraphs(text) {
  return text.split(/\n{2,}/u).filter((paragraph) => paragraph.trim() !== '');
}

/** @param {{ kind?: string, inside?: string, title?: string }} callout */
function label({ kind = '', inside = '', title = '' }) {
  const given = inside.trim() || title.trim();
  return given !== '' ? given : kind.slice(0, 1).toUpperCase() + kind.slice(1).toLowerCase();
}
