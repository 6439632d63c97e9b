import type { DomainInfo } from '../../core/model.js';
import type { GraphStatistics } from '../types.js';

export function totals(infos: readonly DomainInfo[]): GraphStatistics {
  const total = (pick: (info: DomainInfo) => number): number => infos.reduce((sum, info) => sum + pick(info), 0);
  return {
    domains: infos.length,
    concepts: total((info) => info.concept_count),
    passages: total((info) => info.passages),
    edges: total((info) => info.edge_count),
    rules: total((info) => info.rule_count),
  };
}
