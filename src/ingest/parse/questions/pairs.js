/** @typedef {import('../parts.js').Part} Part */
/** A part, or the piece of one that a mark begins. @typedef {{ mark: '' | 'question' | 'answer', text: string }} Piece */

const QUESTION = 'question|frage|pregunta|domanda|pergunta|vraag|[qfpdv]';
const ANSWER = 'answer|antwort|réponse|reponse|respuesta|risposta|resposta|antwoord|[ar]';
const NUMBER = '(?:\\s?(?:no\\.?\\s?|nr\\.?\\s?)?\\d{1,3})?';
const BULLET = '(?:(?:[-*•]|\\d{1,3}[.)])\\s+)?';
/** What a question and its answer begin with: "Q:", "Q1.", "Question 2:", "Frage:". */
const [ASKS, ANSWERS] = [QUESTION, ANSWER].map(
  (words) => new RegExp(`^\\s*${BULLET}(?:${words})${NUMBER}\\s?[:.)]\\s+(?=\\S)`, 'iu'),
);
/** What begins nothing but a question. */
const SURE = new RegExp(`^\\s*${BULLET}(?:${QUESTION.replace('[qfpdv]', 'q')})(?!\\p{L})`, 'iu');
/** A second choice: what stands above it is the first, and no answer. */
const CHOICE = new RegExp(`^\\s*${BULLET}b\\s?[:.)]\\s`, 'imu');
/** An answer in the line of its question. */
const BEHIND = new RegExp(`(?<=\\?)\\s+(?=(?:${ANSWER})${NUMBER}\\s?[:.)]\\s)`, 'giu');
/** Where a line of a text may begin with the mark of a question. */
const MAY_ASK = new RegExp(`^[\\s>*_#-]{0,20}(?:\\d{1,3}[.)]\\s+)?[*_]{0,3}(?:${QUESTION})${NUMBER}\\s?[:.)]`, 'gimu');
const FEWEST = 2;
/** A longer text is no question. In characters. */
const LONGEST = 300;

/** Returns whether a text may hold pairs of questions and answers. @param {string} text */
export function mayHoldPairs(text) {
  let found = 0;
  for (const _ of text.matchAll(MAY_ASK)) {
    found += 1;
    if (found === FEWEST) return true;
  }
  return false;
}

/**
 * Returns parts with each question as the heading of its answer, without their marks, where a document has two pairs of them at least: "Q: …" above "A: …".
 * @param {Iterable<Part>} written @returns {Part[]}
 */
export function withPairs(written) {
  const parts = [...written];
  const pieces = parts.map(piecesOf);
  const all = pieces.flat();
  const isAnswer = (/** @type {number} */ i) =>
    all[i]?.mark === 'answer' && !CHOICE.test(`${all[i]?.text}\n${all[i + 1]?.text ?? ''}`);
  const asked = new Set(all.filter(({ mark }, i) => mark === 'question' && isAnswer(i + 1)));
  if (asked.size < FEWEST) return parts;
  const answers = new Set(all.filter((_, i) => asked.has(all[i - 1])));
  /** @type {Part[]} */
  const read = [];
  let level = 0;
  for (const [i, part] of parts.entries()) {
    const own = pieces[i] ?? [];
    if (!own.some((piece) => asked.has(piece) || answers.has(piece))) {
      read.push(part);
      if (part.kind === 'heading') level = part.level;
      continue;
    }
    for (const piece of own) {
      if (asked.has(piece)) {
        const text = piece.text.replace(ASKS, '').replace(/\s+/gu, ' ');
        read.push({ kind: 'heading', level: part.kind === 'heading' ? part.level : level + 1, text });
      } else if (answers.has(piece)) read.push({ ...proseOf(part), text: piece.text.replace(ANSWERS, '') });
      else read.push({ ...proseOf(part), text: piece.text });
    }
  }
  return read;
}

/** @param {Part} part */
function proseOf(part) {
  return part.kind === 'heading' ? { kind: 'prose', text: part.text } : { ...part, kind: 'prose' };
}

/** Divides a part where a line of it begins with a mark. @param {Part} part @returns {Piece[]} */
function piecesOf({ kind, text }) {
  if (kind === 'table' || kind === 'code') return [{ mark: '', text }];
  /** @type {Piece[]} */
  const pieces = [];
  for (const line of text.replace(BEHIND, '\n').split('\n')) {
    const mark = asks(line) ? 'question' : ANSWERS.test(line) ? 'answer' : '';
    const before = pieces.at(-1);
    if (mark === '' && before !== undefined) before.text += `\n${line}`;
    else pieces.push({ mark, text: line });
  }
  return pieces;
}

/** Returns whether a line is a question: a letter alone may number it, but for Q. @param {string} line */
function asks(line) {
  return line.length <= LONGEST && ASKS.test(line) && (/\?["'”’»)]?\s*$/u.test(line) || SURE.test(line));
}
