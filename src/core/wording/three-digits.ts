/** Formats a number with three significant digits, never with a power of ten: `0.150`, `64.9`, `2,700`. */
export const THREE_DIGITS = new Intl.NumberFormat('en', { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
