import { Html5Converter } from '@asciidoctor/core';

/** Marks of the items of a checklist, as the library writes them. */
const DONE = /<p>&#10003; /gu;
const OPEN = /<p>&#10063; /gu;

/** Writes a document of AsciiDoc as a page of HTML for reading: without table of contents, players and pictures, with words where a page has signs. */
export class PassageConverter extends Html5Converter {
  /** A note, tip or warning: its kind stands before what it says. @param {any} node */
  async convert_admonition(node) {
    const label = [node.getAttribute('textlabel'), ...(node.hasTitle() ? [node.title] : [])].join(': ');
    const content = await node.content();
    return node.hasBlocks() ? `<p>${label}</p>\n${content}` : `<p>${label}: ${content}</p>`;
  }

  /** @param {any} node */
  async convert_ulist(node) {
    const html = await super.convert_ulist(node);
    return node.hasOption('checklist') ? html.replace(DONE, '<p>[x] ').replace(OPEN, '<p>[ ] ') : html;
  }

  /** @param {any} node */
  async convert_stem(node) {
    return `<p>${await node.content()}</p>`;
  }

  /** @param {any} node */
  async convert_inline_quoted(node) {
    return /math$/u.test(node.type) ? node.text : super.convert_inline_quoted(node);
  }

  /** The caption of a picture says what it shows. @param {any} node */
  async convert_image(node) {
    return node.hasTitle() ? `<p>${node.captionedTitle()}</p>` : '';
  }

  async convert_inline_image() {
    return '';
  }

  async convert_toc() {
    return '';
  }

  async convert_audio() {
    return '';
  }

  async convert_video() {
    return '';
  }
}
