import { useMemo } from 'preact/hooks';
import { Choice } from '../../shared/page.js';
import { type ColourBy, colourOf } from './canvas-style.js';
import { type GraphFilter, type GraphState, kindOf, sourceOf } from './graph-state.js';

interface FiltersProps {
  readonly state: GraphState;
  readonly filter: GraphFilter;
  readonly onChange: (filter: GraphFilter) => void;
  /** Id of a source → what it is called. */
  readonly labels: ReadonlyMap<string, string>;
  readonly colourBy: ColourBy;
  readonly onColourBy: (by: ColourBy) => void;
}

const COLOURS = [
  ['domain', 'domain'],
  ['kind', 'kind'],
] as const;

/** The legend: each entry is a filter. */
export function Filters({ state, filter, onChange, labels, colourBy, onColourBy }: FiltersProps) {
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
      <Legend title="Kinds" entries={counts.kinds} hidden={filter.hiddenKinds} mark={(kind) => ({ kind, ...(colourBy === 'kind' ? { colour: colourOf('kind', kind) } : {}) })} onHide={(hiddenKinds) => onChange({ ...filter, hiddenKinds })} />
      <Legend title="Domains" entries={counts.domains} hidden={filter.hiddenDomains} mark={(domain) => (colourBy === 'domain' ? { colour: colourOf('domain', domain) } : undefined)} onHide={(hiddenDomains) => onChange({ ...filter, hiddenDomains })} />
      <Legend title="Relations" entries={counts.relations} hidden={filter.hiddenRelations} onHide={(hiddenRelations) => onChange({ ...filter, hiddenRelations })} />
      <Choice label="Colours by" value={colourBy} options={COLOURS} onChange={(by) => onColourBy(by as ColourBy)} />
      <Choice label="Source" value={filter.source} options={[['', 'all'], ...counts.sources.map((id) => [id, labels.get(id) ?? id] as const)]} onChange={(source) => onChange({ ...filter, source })} />
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
  /** What nodes of an entry look like. */
  readonly mark?: (name: string) => { readonly kind?: string; readonly colour?: string } | undefined;
  readonly onHide: (hidden: ReadonlySet<string>) => void;
}

function Legend({ title, entries, hidden, mark, onHide }: LegendProps) {
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
          <Mark {...(mark?.(name) ?? {})} /> {name} ({count})
        </label>
      ))}
    </fieldset>
  );
}

/** A node in small: its shape tells the kind, its colour what was chosen. */
function Mark({ kind, colour }: { readonly kind?: string; readonly colour?: string }) {
  if (kind === undefined && colour === undefined) return null;
  return <span class={`dot ${kind ?? ''}`} style={{ background: colour ?? 'currentColor' }} />;
}

/** How often each occurs, most often first. */
function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}
