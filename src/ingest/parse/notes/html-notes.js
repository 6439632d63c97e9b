import { noteMark } from './marks.js';

/**
 * An element that a mark may lead to. `isNote`: it stands where notes are listed (`isListed`), or leads back to its mark.
 * @typedef {{ id: string, parent?: Anchor, isNote: boolean, isListed: boolean }} Anchor
 */

const LISTED = /^(?:section|div|aside|footer|ol|ul|dl|li|p)$/u;
const INLINE = /^(?:a|span|sup)$/u;
const BLOCK = /^(?:section|div|aside|footer|ol|ul|dl|li|p|dd)$/u;
const NOTE_ROLE = /(?:^|\s)(?:doc-)?(?:foot|end|rear)notes?(?:\s|$)/u;
const NOTE_CLASS = /(?:^|\s)(?:(?:foot|end)notes?(?:-(?:list|item|definition|body))?|references|reflist)(?:\s|$)/u;
const REF_ROLE = /(?:^|\s)(?:doc-)?noteref(?:\s|$)/u;
const REF_CLASS = /(?:^|\s)(?:footnote-(?:ref|anchor|reference)|noteref)(?:\s|$)/u;
const BACK_ROLE = /(?:^|\s)(?:doc-)?backlink(?:\s|$)/u;
const BACK_CLASS =
  /(?:^|\s)(?:(?:footnote|fn)-back(?:ref|link)?|footnote-backref|backref|backlink|reversefootnote)(?:\s|$)/u;
/** What links that lead back from a note are written with. */
export const ARROWS = /^\s*[↑↩↵⏎⤴⬆^][\s\p{Variation_Selector}↑↩↵⏎⤴⬆^]*$/u;
const VARIANT = /^[\p{Variation_Selector}]+$/u;
/** Word documents have marks with such ids. */
const DOCX_REF = /^(?:foot|end)note-ref-/u;

/** A longer label belongs to no mark. In characters. */
const LONGEST_LABEL = 60;

/** Knows, while an HTML text is read, in which notes it stands and which link is the mark of a note or leads back to one. */
export class NoteReader {
  /** Open elements that a mark may lead to. @type {Array<{ anchor: Anchor, depth: number }>} */
  stack = [];
  /** An element that began with the open part. @type {Anchor | undefined} */
  first;
  scripts = 0;
  /** The open link. @type {{ target: string, isBack: boolean, isLocal: boolean, isArrow?: boolean } | undefined} */
  link;
  /** The open mark. @type {{ target: string, label: string, name: string, isSure: boolean } | undefined} */
  open;

  /** Returns whether an element is a note, or lists notes. */
  isContainer(name, attributes) {
    if (!LISTED.test(name)) return false;
    return (
      NOTE_ROLE.test(attributes.role ?? '') ||
      NOTE_ROLE.test(attributes['epub:type'] ?? '') ||
      NOTE_CLASS.test(attributes.class ?? '')
    );
  }

  /**
   * Enters an element. `isFilled`: the open part has text already.
   * @param {{ isNote: boolean, isFilled: boolean, depth: number }} place
   */
  enter(name, attributes, { isNote, isFilled, depth }) {
    const id = attributes.id ?? (name === 'a' ? attributes.name : undefined) ?? '';
    if (isNote || (id !== '' && (BLOCK.test(name) || (!isFilled && INLINE.test(name))))) {
      const parent = this.anchor();
      const isListed = isNote || (parent?.isListed ?? false);
      /** @type {Anchor} */
      const anchor = { id, isNote: isListed, isListed, ...(parent === undefined ? {} : { parent }) };
      if (BLOCK.test(name)) this.stack.push({ anchor, depth });
      if (!isFilled) this.first = anchor;
    }
    if (name === 'sup' || name === 'sub') this.enterScript(name, isFilled);
    else if (name === 'a' && attributes.href !== undefined) this.enterLink(attributes, isFilled);
  }

  enterScript(name, isFilled) {
    this.scripts += 1;
    const { link } = this;
    if (name === 'sup' && link?.isLocal && !link.isBack && this.open === undefined) this.begin(name, link, !isFilled);
  }

  enterLink({ href, id, role, class: classes, 'epub:type': type }, isFilled) {
    const isLocal = href.startsWith('#');
    const isBack = BACK_ROLE.test(role ?? '') || BACK_ROLE.test(type ?? '') || BACK_CLASS.test(classes ?? '');
    const isRef = REF_ROLE.test(role ?? '') || REF_ROLE.test(type ?? '') || DOCX_REF.test(id ?? '');
    const target = isLocal || isRef ? fragmentOf(href) : '';
    this.link = { target, isBack, isLocal };
    if (isBack) this.leadsBack();
    else if (isRef) this.begin('a', { target, isSure: true }, false);
    else if (this.scripts > 0 || REF_CLASS.test(classes ?? '')) this.begin('a', { target }, isFilled === false);
  }

  /** Begins a mark. What stands first in a part is the label of a note, which may lead back. */
  begin(name, { target, isSure = false }, isFirst) {
    if (isFirst) this.leadsBack();
    this.open = { target: isFirst ? '' : target, label: '', name, isSure };
  }

  leadsBack() {
    const anchor = this.anchor();
    if (anchor === undefined) return;
    anchor.isNote = true;
    if (anchor.parent !== undefined && this.first === anchor) anchor.parent.isNote = true;
  }

  /** Returns whether the open mark would be too long with a text to be one. */
  isTooLong(text) {
    return this.open !== undefined && this.open.label.length + text.length > LONGEST_LABEL;
  }

  /** Returns whether a text is part of a mark or of a link that leads back, and no text of its part. */
  takes(text) {
    if (this.open !== undefined) {
      this.open.label += text;
      return true;
    }
    if (this.link?.isBack) return true;
    if (!this.link?.isLocal || !(ARROWS.test(text) || (VARIANT.test(text) && this.link.isArrow))) return false;
    this.link.isArrow = true;
    this.leadsBack();
    return true;
  }

  /** Leaves an element; returns the mark that ends with it, or nothing. */
  leave(name, depth) {
    if (this.stack.at(-1)?.depth === depth) this.stack.pop();
    if (name === 'sup' || name === 'sub') this.scripts = Math.max(0, this.scripts - 1);
    if (name === 'a') this.link = undefined;
    return this.open !== undefined && this.open.name === name ? this.endMark() : '';
  }

  /** Ends the open mark, if there is one. */
  endMark() {
    if (this.open === undefined) return '';
    const { target, label } = this.open;
    const mark = noteMark(target, label, this.open);
    this.open = undefined;
    return mark;
  }

  /** Returns the innermost element that a mark may lead to. */
  anchor() {
    return this.first ?? this.stack.at(-1)?.anchor;
  }

  /** Returns the anchor of the part that ends. */
  endPart() {
    const anchor = this.anchor();
    this.first = undefined;
    return anchor;
  }
}

function fragmentOf(href) {
  const at = href.indexOf('#');
  const fragment = at === -1 ? '' : href.slice(at + 1);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
