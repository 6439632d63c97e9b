import { type Area, coversDomain, type Scope } from '../../core/async/caller-scope.js';
import { SvcError } from '../../core/errors.js';
import type { Service } from '../../service.js';

/** Holds one call to the scope of its key. */
export class Guard {
  constructor(
    private readonly scope: Scope,
    /** Stable name of the caller: what it made carries it. */
    readonly caller: string,
    readonly service: Service,
  ) {}

  /** Whether the key is bound to domains. */
  get isBound(): boolean {
    return this.scope.domains !== null;
  }

  covers(domain: string): boolean {
    return coversDomain(this.scope, domain);
  }

  /** Whether a node id, `<domain>:<opaque>`, is of a domain of the key. An id without a domain names nothing. */
  coversNode(id: string): boolean {
    const colon = id.indexOf(':');
    return colon < 0 || this.covers(id.slice(0, colon));
  }

  grants(area: Area): boolean {
    return !this.isBound || this.scope.areas.includes(area);
  }

  /** Throws `forbidden`, in the same words whether the domain exists or not. */
  requireDomain(domain: string, member: string): void {
    if (this.covers(domain)) return;
    throw new SvcError('forbidden', `The key ${this.scope.name} is not for domain ${domain}.`, { member });
  }

  requireArea(area: Area): void {
    if (this.grants(area)) return;
    const sentence = `The key ${this.scope.name} is bound to domains; this needs the area ${area}, which its entry does not grant.`;
    throw new SvcError('forbidden', sentence);
  }

  requireWrite(): void {
    if (this.scope.access === 'write') return;
    throw new SvcError('forbidden', `The key ${this.scope.name} only reads.`);
  }

  /** Returns the requested domains, all that exist and are the key's where none are; throws for one that is not. */
  async domains(requested: readonly string[]): Promise<string[]> {
    for (const domain of requested) this.requireDomain(domain, 'domains');
    if (requested.length > 0 || !this.isBound) return [...requested];
    const own = (await this.service.graph.listDomains()).map(({ name }) => name).filter((name) => this.covers(name));
    if (own.length > 0) return own;
    throw new SvcError('domain_not_found', `The key ${this.scope.name} has no domain yet; ingest into one first.`);
  }
}
