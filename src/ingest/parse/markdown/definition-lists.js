/** A line that defines the term above it, as PHP Markdown Extra and Pandoc write it: `: What it is.` */
const DEFINITION = /\n:[ \t]+/gu;

/** Returns a paragraph with its definitions behind their term: "packs/: Packs of chunks; up to 128 MiB". @param {string} written */
export function withDefinitions(written) {
  if (!written.includes('\n:') || written.startsWith(':')) return written;
  let isFirst = true;
  return written.replace(DEFINITION, (_, at) => {
    const between = isFirst ? ': ' : /[.!?]/u.test(written[at - 1] ?? '') ? ' ' : '; ';
    isFirst = false;
    return between;
  });
}
