import type { GraphNode, PassageFields } from '../model.js';
import { isUnderForeignTitle } from '../text/about.js';

/** The text that a vector is made from. */
export interface EmbeddedText {
  readonly text: string;
  readonly spans: ReadonlyArray<readonly [number, number]>;
}

export type Embeddable = Pick<GraphNode, 'kind' | 'name' | 'description' | 'passage'>;

/**
 * Returns the embedded text of a node: a passage is "title, new line, text", a concept "Name: Description", a message its text
 * alone (speaker and date are fields). The name that a passage is about takes the place of a title of another thing. Spans are the passage's sentences in that text.
 */
export function embeddedText(node: Embeddable): EmbeddedText {
  if (node.kind !== 'passage') {
    return { text: node.description === '' ? node.name : `${node.name}: ${node.description}`, spans: [] };
  }
  return passageText(node.name, node.description, {
    sentences: node.passage?.sentences ?? [],
    about: node.passage?.about ?? [],
    ...(node.passage?.message === undefined ? {} : { message: node.passage.message }),
  });
}

/** Returns the same of a passage that is no node yet. */
export function passageText(
  title: string,
  text: string,
  fields: Pick<PassageFields, 'sentences' | 'about' | 'message'>,
): EmbeddedText {
  if (title === '' || fields.message !== undefined) return { text, spans: fields.sentences };
  const name = isUnderForeignTitle(title, fields.about) ? fields.about[0]!.key : title;
  const shift = name.length + 1;
  return {
    text: `${name}\n${text}`,
    spans: fields.sentences.map(([start, end]) => [start + shift, end + shift] as const),
  };
}
