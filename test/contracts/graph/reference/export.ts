import type { SourceExport, SourceVersions } from '../../../../src/ledger/manifest/exported.js';
import type { Source } from './state.js';

export function exportOf(source: Source): SourceExport {
  return {
    source_id: source.id,
    source: source.ref,
    content_hash: source.content_hash,
    concepts: [...source.concepts.values()],
    edges: [...source.edges.values()],
    rules: [...source.rules.values()],
    passages: [...source.passages.values()],
  };
}

export function versionsOf(source: Source): SourceVersions {
  const { concepts, edges, rules } = source;
  const versions = [...concepts.values(), ...edges.values(), ...rules.values()].map((item) => item.version);
  return {
    source_id: source.id,
    domain: source.ref.domain,
    content_hash: source.content_hash,
    versions: [...new Set(versions)].sort((a, b) => a - b),
  };
}
