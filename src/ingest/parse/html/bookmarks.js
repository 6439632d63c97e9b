import { Parser } from 'htmlparser2';
import { LIMITS, LimitExceeded } from '../limits.js';
import { addressOf } from './address.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {{ title: string, address: string, tags: string, about: string }} Bookmark */

/** How browsers begin the file of the bookmarks that they export. */
const BEGINNING = /^\s*<!doctype netscape-bookmark-file-1>/iu;
/** Folders in each other that become headings. */
const DEEPEST = 6;

/** Returns whether a page is the file of bookmarks that a browser exported. @param {string} html */
export function areBookmarks(html) {
  return BEGINNING.test(html);
}

/**
 * Returns the bookmarks of a file: each is a passage of its title, its address, what somebody wrote about it and its tags, below the folders that it lies in; what was written about a folder stands first in it. Other
 * addresses than those of pages, as of small programs and saved searches, are left out. Throws `LimitExceeded` where folders are nested too deep.
 * @param {string} html
 * @returns {{ parts: Part[] }}
 */
export function bookmarkParts(html) {
  const reader = new BookmarkReader();
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    ontext: (text) => reader.text(text),
    onclosetag: (name) => reader.close(name),
  });
  parser.write(html);
  parser.end();
  reader.flush();
  return { parts: reader.parts };
}

class BookmarkReader {
  /** @type {Part[]} */
  parts = [];
  /** Names of all bookmarks, of the open folders, and of that which the next list opens. @type {string[]} */
  folders = [];
  root = '';
  next = '';
  /** What somebody wrote about that folder. */
  nextAbout = '';
  /** The folders that the last bookmark was written below. @type {string[]} */
  written = [];
  /** What the text belongs to. @type {'folder' | 'folder about' | 'title' | 'about' | undefined} */
  reading;
  /** @type {Bookmark | undefined} */
  bookmark;

  /** @param {string} name @param {Record<string, string>} attributes */
  open(name, attributes) {
    if (name === 'h1' || name === 'h3') {
      this.flush();
      this.reading = 'folder';
      this.next = '';
      this.nextAbout = '';
    } else if (name === 'dl') {
      this.flush();
      // Each end tag may look through all open elements.
      if (this.folders.length >= LIMITS.depth)
        throw new LimitExceeded('depth', `nests folders deeper than ${LIMITS.depth}; export it again`);
      this.folders.push(tidied(this.next));
      this.next = '';
      const about = tidied(this.nextAbout);
      this.nextAbout = '';
      if (about !== '') this.write(about);
    } else if (name === 'a') {
      this.flush();
      this.reading = 'title';
      this.bookmark = { title: '', address: addressOf(attributes.href), tags: attributes.tags ?? '', about: '' };
    } else if (name === 'dt') this.flush();
    else if (name === 'dd') this.reading = this.bookmark === undefined ? 'folder about' : 'about';
  }

  /** @param {string} text */
  text(text) {
    if (this.reading === 'folder') this.next += text;
    else if (this.reading === 'folder about') this.nextAbout += text;
    else if (this.reading !== undefined && this.bookmark !== undefined) this.bookmark[this.reading] += text;
  }

  /** @param {string} name */
  close(name) {
    if (name === 'dl') {
      this.flush();
      this.folders.pop();
    } else if (name === 'h1') {
      this.root = tidied(this.next);
      this.next = '';
    }
    if (name === 'a' || name === 'h1' || name === 'h3') this.reading = undefined;
  }

  /** Writes the open bookmark. */
  flush() {
    const { bookmark } = this;
    this.bookmark = undefined;
    this.reading = undefined;
    if (bookmark === undefined || bookmark.address === '') return;
    const lines = [bookmark.title, bookmark.address, bookmark.about, bookmark.tags && `tags: ${bookmark.tags}`].map(
      tidied,
    );
    this.write(lines.filter((line) => line !== '').join('\n'));
  }

  /** Writes a passage, below headings for the folders that it does not share with the one before. @param {string} passage */
  write(passage) {
    const path = [this.root, ...this.folders].filter((name) => name !== '').slice(0, DEEPEST);
    const isInside = this.written.length <= path.length;
    const shared = path.findIndex((name, i) => name !== this.written[i]);
    const from = shared >= 0 ? shared : isInside ? path.length : path.length - 1;
    for (const [i, text] of path.entries()) if (i >= from) this.parts.push({ kind: 'heading', level: i + 1, text });
    this.written = path;
    this.parts.push({ kind: 'prose', text: passage, opens: true });
  }
}

/** @param {string} text */
function tidied(text) {
  return text.replace(/\s+/gu, ' ').trim();
}
