import { lines } from '../lines.js';

/** What is shown for some time, in seconds: its lines with who says each, where that is written. @typedef {{ start: number, end: number, lines: { speaker: string, text: string }[] }} Cue */

const CLOCK = '(?:(\\d{1,4}):)?(\\d{1,2}):(\\d{2})(?:[.,](\\d{1,3}))?';
const TIMING = new RegExp(`^\\s*${CLOCK}\\s*-->\\s*${CLOCK}(?:\\s|$)`, 'u');
/** Blocks that nobody is shown. */
const HIDDEN = /^(?:WEBVTT|NOTE|STYLE|REGION)(?:\s|$)/u;
const NUMBER = /^\s*\d{1,7}\s*$/u;
/** A voice (`<v Ada Lovelace>`, `<v.loud Ada>`), any other tag, and a place as SubRip writes it (`{\an8}`). */
const VOICE = /<v(?:\.[^\s<>]{1,80})?[ \t]{1,8}([^<>]{1,100})>/iu;
const TAG = /<[^<>]{0,200}>|\{\\[^{}]{0,80}\}/gu;
const ENTITIES = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': ' ',
  '&lrm;': '',
  '&rlm;': '',
  '&quot;': '"',
  '&#39;': "'",
};
/** Sounds alone: "[Music]", "(applause)", "♪ … ♪". */
const SOUND = /^(?:\[[^[\]]*\]|\([^()]*\)|[♪♫].*)$/u;

/** Yields the cues of captions in WebVTT or SubRip, without numbers, settings, comments, styles and tags. @param {string} text @returns {Generator<Cue>} */
export function* cuesOf(text) {
  /** @type {Cue | undefined} */
  let open;
  let isHidden = false;
  let isBlank = true;
  let isHeldAlone = false;
  /** A line that may be the number or name of the cue below it. @type {string | undefined} */
  let held;
  const release = () => {
    if (held !== undefined && open !== undefined) open.lines.push(...spokenIn(held, open));
    held = undefined;
  };
  for (const line of lines(text)) {
    const timing = TIMING.exec(line);
    if (timing !== null) {
      if (open !== undefined) yield open;
      open = { start: secondsOf(timing.slice(1, 5)), end: secondsOf(timing.slice(5, 9)), lines: [] };
      isHidden = false;
      held = undefined;
    } else if (line.trim() === '') {
      // A number between empty lines is that of a cue.
      if (isHeldAlone && NUMBER.test(held ?? '')) held = undefined;
      release();
      isHidden = false;
      isBlank = true;
      continue;
    } else {
      release();
      isHeldAlone = isBlank;
      if (isBlank && HIDDEN.test(line)) isHidden = true;
      else if (!isHidden && (isBlank || NUMBER.test(line))) held = line;
      else if (!isHidden && open !== undefined) open.lines.push(...spokenIn(line, open));
    }
    isBlank = false;
  }
  release();
  if (open !== undefined) yield open;
}

/** @param {(string | undefined)[]} clock */
function secondsOf([hours = '0', minutes = '0', seconds = '0', fraction = '0']) {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);
}

/** Yields what a line says, by voices; a voice goes on in the next lines of its cue. @param {string} line @param {Cue} cue */
function* spokenIn(line, cue) {
  const [before = '', ...voices] = line.split(VOICE);
  let speaker = cue.lines.at(-1)?.speaker ?? '';
  const said = [{ speaker, text: before }];
  for (let i = 0; i + 1 < voices.length; i += 2) {
    speaker = (voices[i] ?? '').trim();
    said.push({ speaker, text: voices[i + 1] ?? '' });
  }
  for (const { speaker: who, text } of said) {
    const plain = plainText(text);
    if (plain !== '' && !SOUND.test(plain)) yield { speaker: who, text: plain };
  }
}

/** @param {string} written */
function plainText(written) {
  return written
    .replace(TAG, '')
    .replace(/&(?:amp|lt|gt|nbsp|lrm|rlm|quot|#39);/gu, (entity) => ENTITIES[entity] ?? entity)
    .replace(/^\s*>>+\s*/u, '')
    .replace(/\s+/gu, ' ')
    .trim();
}
