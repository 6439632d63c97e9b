/** A longer link is no link of a wiki. In characters. */
const LONGEST = 400;
const LINK = /^(!?)\[\[(?! )([^[\]|\n]+)(?:\|([^[\]\n]*))?(?<! )\]\]/u;
/** Files that are pictures, sound and the like; a page may be named with `.md`. */
const FILE = /\.(?!md(?:[#^]|$))[a-z\d]{2,5}$/iu;

/** A link of a wiki, `[[Page]]` or `[[Page|label]]`, and what stands embedded, `![[image.png]]`; for a search in a text. */
export const WIKI_LINK = /!?\[\[[^[\]\n]{1,400}\]\]/u;

/**
 * Lets a parser of Markdown read the links of wikis: `[[Page|label]]` as a link with the words "label", `[[Page]]` as one with
 * "Page". A page that stands embedded is a link too; embedded files are left out.
 * @param {import('markdown-it').default} markdown
 */
export function addWikiLinks(markdown) {
  markdown.inline.ruler.before('link', 'wiki_link', (state, silent) => {
    const sign = state.src.charCodeAt(state.pos);
    if (sign !== 0x5b && sign !== 0x21) return false;
    if (!state.src.startsWith(sign === 0x5b ? '[[' : '![[', state.pos)) return false;
    const found = LINK.exec(state.src.slice(state.pos, state.pos + LONGEST + 5));
    if (found === null) return false;
    const [whole, embeds, page = '', label] = found;
    if (!silent && !(embeds && FILE.test(page.trim()))) {
      state.push('link_open', 'a', 1).attrs = [['href', '']];
      state.push('text', '', 0).content = embeds ? nameOf(page) : label?.trim() || nameOf(page);
      state.push('link_close', 'a', -1);
    }
    state.pos += whole.length;
    return true;
  });
}

/** Returns a page as a reader sees it: with its section, without the mark of a block. @param {string} page */
function nameOf(page) {
  const [name = '', ...sections] = page
    .replace(/\\$/u, '')
    .replace(/#?\^[\w-]*$/u, '')
    .split('#');
  return [name.replace(/\.md$/iu, ''), ...sections]
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .join(' > ');
}

const LINKS = /!?\[\[([^[\]|\n]{1,200})(?:\|([^[\]\n]{0,200}))?\]\]/gu;

/** Returns a text with the words of its links of wikis in their place. @param {string} text */
export function linkWords(text) {
  return text.replace(LINKS, (_, page, label = '') => label.trim() || nameOf(page));
}
