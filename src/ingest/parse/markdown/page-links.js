/** Words without white space between brackets, as an address is behind the name of a page. */
const IN_BRACKETS = /(?:^|\s)\((\S{1,2000})\)(?=,?(?:\s|$))/gu;
/** The file of a page, or its address at Notion, with the number that Notion gives each page. */
const PAGE =
  /[\da-f]{32}(?:_all)?\.(?:md|csv|html)$|^https:\/\/(?:www\.)?notion\.(?:so|site)\/\S*[\da-f]{32}(?:\?\S*)?$/u;

/**
 * Returns the value of a property without the places of the pages that it names, which Notion writes behind each: of "Roof repair (../Tasks%200f1e…/Roof%20repair%209c8b….md)"
 * the name of the page.
 * @param {string} value
 */
export function withoutPageLinks(value) {
  if (!value.includes('(')) return value;
  return value.replace(IN_BRACKETS, (written, inside) => (PAGE.test(inside) ? '' : written)).trim();
}
