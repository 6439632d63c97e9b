/** Elements that are no text of a page. */
const SKIPPED = new Set(
  (
    'script style noscript template nav svg math canvas iframe object embed video audio select button form dialog ' +
    'footer head title aside menu'
  ).split(' '),
);
/** Elements that begin and end a paragraph. */
export const BLOCKS = new Set(
  (
    'p div section article main header blockquote figure figcaption address ul ol dl dt dd table thead tbody tfoot ' +
    'caption hr details summary fieldset legend body html'
  ).split(' '),
);
/** Elements without an end. */
export const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/**
 * Returns whether an element is left out with all that it holds: one that is no text of a page, a hidden one, and outside of <main> what a page has of its
 * site. `isNote`: it holds notes. `keepsAsides`: what stands aside is text. Of a book the number of a printed page is none.
 * @param {string} name @param {Record<string, string>} attributes @param {{ isNote: boolean, isBook: boolean, keepsAsides: boolean, inMain: boolean }} place
 */
export function isLeftOut(name, attributes, { isNote, isBook, keepsAsides, inMain }) {
  if (isBook && isPageNumber(attributes)) return true;
  return (
    (SKIPPED.has(name) && !isNote && !(keepsAsides && name === 'aside')) ||
    isHidden(attributes) ||
    (!inMain && isOfSite(name, attributes))
  );
}

/** @param {Record<string, string>} attributes */
function isPageNumber(attributes) {
  return attributes['epub:type'] === 'pagebreak' || attributes.role === 'doc-pagebreak';
}

/** @param {Record<string, string>} attributes */
function isHidden(attributes) {
  return (
    'hidden' in attributes ||
    attributes['aria-hidden'] === 'true' ||
    attributes.role === 'navigation' ||
    /display\s*:\s*none/iu.test(attributes.style ?? '')
  );
}

/** Words of the class or the id of what a site puts on each of its pages: the way to the page, and the question for cookies. */
const OF_SITE =
  /(?:^|\s)(?:breadcrumbs?|skip-?(?:link|nav|to-content)|cookie[-_]?(?:banner|bar|consent|notice|popup|message|overlay|dialog|modal|hint|hinweis)|(?:gdpr|consent)[-_]?(?:banner|bar|popup|modal)|onetrust-(?:banner-sdk|consent-sdk)|CybotCookiebotDialog)(?=\s|$)/iu;
/** The same of its menu. A restaurant has a main menu, too, and a section or a heading about ships has the id `navigation`. */
const NAVIGATION = /(?:^|\s)(?:nav(?:bar|igation)?|(?:main|top|site|global|primary)[-_]?nav(?:igation)?)(?=\s|$)/iu;
const NAVIGATES = new Set(['div', 'ul', 'ol', 'header']);
/** A section as older writers of pages have it. */
const SECTION = /(?:^|\s)section(?=\s|$)/iu;
/** What a dialog that asks for consent says of itself. */
const ASKS = /cookie|consent|gdpr|dsgvo/iu;
/** What holds the page itself, and may have such a word for what it does. */
const HOLDS_PAGE = new Set(['html', 'body', 'main', 'article']);
/** Characters of an attribute that are looked at. */
const LOOKED_AT = 1000;

/** Returns true for what a page has of its site, and not of what it is about. @param {string} name @param {Record<string, string>} attributes */
function isOfSite(name, attributes) {
  if (HOLDS_PAGE.has(name)) return false;
  const words = [attributes.class, attributes.id].map((written = '') => written.slice(0, LOOKED_AT));
  const isDialog = attributes.role === 'dialog' || attributes.role === 'alertdialog';
  if (isDialog && [...words, (attributes['aria-label'] ?? '').slice(0, LOOKED_AT)].some((one) => ASKS.test(one)))
    return true;
  if (NAVIGATES.has(name) && !SECTION.test(words[0] ?? '') && words.some((one) => NAVIGATION.test(one))) return true;
  return words.some((one) => OF_SITE.test(one));
}
