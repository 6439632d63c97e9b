/** @typedef {import('../parts.js').Block} Block */

/** Signs that begin and end a comment, and that its lines begin with. */
const OPENING = /^\s*(?:\/\*[*!]?|<!--|"""|'''|\(\*|\{-|<#|=begin\b)/u;
const CLOSING = /(?:(?<!\*)\*+\/|-->|"""|'''|\*\)|-\}|#>|=end)$/u;
const OF_LINE = /^[ \t]*(?:\/\/[/!]?|#{1,3}(?!\w)|--+|;+|%+|\*(?!\w))[ \t]?/u;
/** What a comment of C# refers to. */
const REFERENCE =
  /<(?:see|seealso|paramref|typeparamref)\s+(?:cref|name|langword)="(?:[A-Z]:)?([^"<>]{1,200})"\s*\/>/giu;
/** The head of a section of a docstring that has a list below it, and a tag that says no more than its name, or a name. */
const HEAD = /^(?:- )?(?:\w{2,20}:|[@\\]\w{2,20}(?: \S+)?)$/u;
/** Tags of XML in which comments of C# stand, and the type that JSDoc gives in braces to what has a name or is returned. */
const XML_TAG =
  /<\/?(?:summary|remarks|returns|param|typeparam|value|para|c|code|see|seealso|exception|inheritdoc|example)(?:\s[^<>]{0,200})?\/?>/giu;
const DOC_TYPE = /(@(?:param|arg|argument|prop|property|returns?|yields?)\s+)\{(?!@)[^{}\n]{0,200}\}\s*/giu;
/** A line that goes on with nothing before it: a tag, an item, a field of a docstring, a section of one. */
const APART =
  /^(?:[@\\][a-z]{2,20}\b|:\w{2,12}\b|[-*+•] |\d{1,2}[.)] |[A-Z]\w{2,14}:$|\w{1,40}(?: \([^()]{0,60}\))?: )/u;
/** A line that only underlines or divides. */
const DRAWN = /^[-=*#~_/\s]+$/u;
/** What a comment says that is for a program. */
const FOR_PROGRAMS = new RegExp(
  `^(?:${[
    '(?:eslint|stylelint)-(?:disable|enable)',
    'eslint(?:-env)? [\\w@/-]+(?::|$)',
    '(?:biome|prettier|deno|dprint|oxlint)-(?:lint-)?ignore',
    '(?:istanbul|c8|v8|node:coverage) (?:ignore|disable|enable)',
    '(?:tslint|pylint|mypy|flake8|ruff|isort|phpcs|rubocop|yapf|clang-format|spell-checker|cspell|jshint|vim?): ?\\S',
    '(?:webpack|vite)[A-Z-]\\w*',
    '@ts-(?:check|nocheck|ignore|expect-error)',
    '(?:noqa|nolint)(?![\\w ])',
    'type: ?ignore',
    'pragma:? no ?(?:cover|branch)',
    'go:[a-z]+',
    '\\+build ',
    'shellcheck (?:disable|source|shell|enable)=',
    '(?:frozen_string_literal|(?:en)?coding)[:=]',
    '-\\*-',
    '#?endregion\\b',
    '%%',
  ].join('|')})`,
  'u',
);
const OF_LICENCE = /copyright|©|spdx-|licen[sc]ed under|all rights reserved|permission is hereby granted/iu;
/** What a paragraph of such a comment is of, where it says nothing of the code. */
const LEGAL =
  /copyright|©|\(c\) \d{4}|spdx-|licen[cs]e|all rights reserved|permi(?:ssion|tted)|warrant(?:y|ies)|liab(?:le|ility)|redistribut|applicable law/iu;

/** A line of a comment; not of the preprocessor of C, nor an attribute of Rust or PHP. */
const IS_COMMENT =
  /^\s*(?:\/\/|#(?!\s*(?:include|define|if|ifdef|ifndef|endif|else|elif|undef|error|warning|using|nullable)\b|!?\[)|--|;;|%)/u;

/** Returns whether a text holds comments alone. @param {string} text */
export function isAllComment(text) {
  const bare = text.trim();
  if (bare.startsWith('/*')) return bare.indexOf('*/') === bare.length - 2;
  return bare.split('\n').every((line) => IS_COMMENT.test(line));
}

/** Returns what a comment says that a file begins with, without the licence under which it stands. @param {string} comment */
export function openingBlocks(comment) {
  const blocks = commentBlocks(comment);
  return OF_LICENCE.test(comment) ? blocks.filter(({ text }) => !LEGAL.test(text)) : blocks;
}

/**
 * Returns what a comment, or several below each other, or a docstring says, without its signs: paragraphs, and items for tags and lists.
 * @param {string} comment
 * @returns {Block[]}
 */
export function commentBlocks(comment) {
  /** @type {Block[]} */
  const blocks = [];
  /** @type {{ kind: 'prose' | 'list', lines: string[] }} */
  let open = { kind: 'prose', lines: [] };
  const close = () => {
    const text = open.lines.join(' ');
    if (/[\p{L}\p{N}]/u.test(text) && !HEAD.test(text))
      blocks.push({ kind: open.kind, text: open.kind === 'list' ? itemOf(text) : text });
    open = { kind: 'prose', lines: [] };
  };
  for (const line of bareLines(comment)) {
    if (line === '' || DRAWN.test(line)) close();
    else if (FOR_PROGRAMS.test(line)) continue;
    else {
      if (APART.test(line)) {
        close();
        open = { kind: 'list', lines: [] };
      }
      open.lines.push(line);
    }
  }
  close();
  return blocks;
}

/** Yields the lines of comments without their signs. @param {string} comment */
function* bareLines(comment) {
  for (const written of comment.split('\n')) {
    if (written.startsWith('#!')) continue;
    const line = written.replace(OPENING, '').trimEnd().replace(CLOSING, '').replace(OF_LINE, '');
    yield line.replace(REFERENCE, '$1').replace(XML_TAG, ' ').replace(DOC_TYPE, '$1').replace(/\s+/gu, ' ').trim();
  }
}

/** @param {string} text */
function itemOf(text) {
  return `- ${text.replace(/^[-*+•] /u, '')}`;
}
