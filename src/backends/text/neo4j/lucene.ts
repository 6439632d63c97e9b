import { hash20 } from '../../../core/ids.js';

/** Lucene refuses a query of more than 1024 clauses. */
const CLAUSES = 900;
const SYNTAX = /[+\-&|!(){}[\]^"~*?:\\/]/g;

/** A domain as one token of the index. */
export function domainToken(domain: string): string {
  return hash20(domain);
}

/** A stem as Lucene reads it: nothing in it is syntax. */
function escaped(stem: string): string {
  return stem.replace(SYNTAX, (sign) => `\\${sign}`);
}

/** Documents of these domains (all without) that hold any of the stems. The domain decides who takes part, not the score. */
export function anyOfStems(stems: readonly string[], domains: readonly string[] | undefined): string {
  return `${within(domains)}+(${stems.slice(0, CLAUSES).map(clause).join(' ')})`;
}

/** Documents of the domain that hold every one of the stems. */
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
