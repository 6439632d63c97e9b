/** A shape with text, and the size of its type in points. @typedef {{ html: string, text: string, size: number }} Shape */

/** Titles are as large as this, in points, and as short, in characters. */
const LARGE = 24;
const LONGEST = 100;
/** A large number alone ("87 %") is none. */
const WORD = /\p{L}{3}|\p{Lo}/u;

/** Returns the shape that is the title of a slide without a placeholder for it: the one text of the largest type. @param {Shape[]} shapes */
export function largestShape(shapes) {
  const size = shapes.reduce((most, shape) => Math.max(most, shape.size), LARGE);
  const [first, second] = shapes.filter((shape) => shape.size === size);
  if (first === undefined || second !== undefined) return undefined;
  return first.text.length <= LONGEST && WORD.test(first.text) ? first : undefined;
}
