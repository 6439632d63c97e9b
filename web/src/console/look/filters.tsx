import { useMemo } from 'preact/hooks';
import { Choice } from '../../shared/page.js';
import { colourOf } from './canvas-style.js';
import { type GraphFilter, type GraphState, kindOf, sourceOf } from './graph-state.js';

interface FiltersProps {
  readonly state: GraphState;
  readonly filter: GraphFilter;
  readonly onChange: (filter: GraphFilter) => void;
}

/** The legend: each entry is a filter. */
export function Filters({ state, filter, onChange }: FiltersProps) {
  const counts = useMemo(() => {
    const nodes = [...state.nodes.values()];
    return {
      kinds: counted(nodes.map(kindOf)),
      domains: counted(nodes.map(({ domain }) => domain)),
      relations: counted([...state.edges.values()].map((edge) => edge.relation_type)),
      sources: [...counted(nodes.map(sourceOf)).keys()].filter((id) => id !== '').slice(0, 200),
    };
  }, [state]);
  return (
    <section class="filters" aria-label="Filters">
      <h2>Legend</h2>
      <Legend title="Kinds" entries={counts.kinds} hidden={filter.hiddenKinds} onHide={(hiddenKinds) => onChange({ ...filter, hiddenKinds })} />
      <Legend title="Domains" entries={counts.domains} hidden={filter.hiddenDomains} colour={colourOf} onHide={(hiddenDomains) => onChange({ ...filter, hiddenDomains })} />
      <Legend title="Relations" entries={counts.relations} hidden={filter.hiddenRelations} onHide={(hiddenRelations) => onChange({ ...filter, hiddenRelations })} />
      <Choice label="Source" value={filter.source} options={[['', 'all'], ...counts.sources.map((id) => [id, id] as const)]} onChange={(source) => onChange({ ...filter, source })} />
      <label class="choice">
        Confidence from {filter.confidence.toFixed(2)}
        <input type="range" min="0" max="1" step="0.05" value={filter.confidence} onInput={(event) => onChange({ ...filter, confidence: Number(event.currentTarget.value) })} />
      </label>
    </section>
  );
}

interface LegendProps {
  readonly title: string;
  readonly entries: ReadonlyMap<string, number>;
  readonly hidden: ReadonlySet<string>;
  readonly colour?: (name: string) => string;
  readonly onHide: (hidden: ReadonlySet<string>) => void;
}

function Legend({ title, entries, hidden, colour, onHide }: LegendProps) {
  if (entries.size === 0) return null;
  const toggle = (name: string): void => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    onHide(next);
  };
  return (
    <fieldset>
      <legend>{title}</legend>
      {[...entries].map(([name, count]) => (
        <label key={name}>
          <input type="checkbox" checked={!hidden.has(name)} onChange={() => toggle(name)} />
          {colour !== undefined && <span class="dot" style={{ background: colour(name) }} />} {name} ({count})
        </label>
      ))}
    </fieldset>
  );
}

/** How often each occurs, most often first. */
function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}
