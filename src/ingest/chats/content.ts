import { isRecord } from '../parse/table/record-table.js';

/**
 * Returns what is said in the content of a message: a text, or a list of texts and of objects that have one as `text`, a blank line between each two. What
 * an assistant thought, what tools were asked and answered, and pictures are left out.
 */
export function spokenText(content: unknown): string {
  if (typeof content === 'string') return content.trim();
  if (!Array.isArray(content)) return '';
  const said = content.map((part: unknown) => {
    if (typeof part === 'string') return part.trim();
    return isRecord(part) && isSaid(part.type) && typeof part.text === 'string' ? part.text.trim() : '';
  });
  return said.filter((text) => text !== '').join('\n\n');
}

/** Returns whether a part of this type is text; parts of ChatGPT have none. */
function isSaid(type: unknown): boolean {
  return type === undefined || ['text', 'input_text', 'output_text'].includes(String(type));
}
