/** Elements that are no text of a page. */
export const SKIPPED = new Set(
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

/** @param {Record<string, string>} attributes */
export function isHidden(attributes) {
  return (
    'hidden' in attributes ||
    attributes['aria-hidden'] === 'true' ||
    attributes.role === 'navigation' ||
    /display\s*:\s*none/iu.test(attributes.style ?? '')
  );
}
