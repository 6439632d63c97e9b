import { hash20 } from '../../../core/ids.js';

/** Lucene refuses a query of more than 1024 clauses. */
const CLAUSES = 900;
const SYNTAX = /[+\-&|!(){}[\]^"~*?:\\/]/g;

/** Returns a domain as one token of the index. */
export function domainToken(domain: string): string {
  return hash20(domain);
}

/** Escapes a stem for Lucene: nothing in it is syntax. */
function escaped(stem: string): string {
  return stem.replace(SYNTAX, (sign) => `\\${sign}`);
}

/**
 * Builds a query for documents of these domains (all without) that hold any of the stems. The domain decides which
 * documents take part, not the score.
 */
export function anyOfStems(stems: readonly string[], domains: readonly string[] | undefined): string {
  return `${within(domains)}+(${stems.slice(0, CLAUSES).map(clause).join(' ')})`;
}

/** Builds a query for documents of the domain that hold every one of the stems. */
export function allOfStems(stems: readonly string[], domain: string): string {
  return `${within([domain])}${stems
    .slice(0, CLAUSES)
    .map((stem) => `+${clause(stem)}`)
    .join(' ')}`;
}

function within(domains: readonly string[] | undefined): string {
  if (domains === undefined) return '';
  return `+(${[...new Set(domains)].map((domain) => `domain_token:${domainToken(domain)}`).join(' ')})^0 `;
}

function clause(stem: string): string {
  return `stems:${escaped(stem)}`;
}
