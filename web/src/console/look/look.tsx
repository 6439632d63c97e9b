import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { download, read, send } from '../../shared/api.js';
import { Problem } from '../../shared/page.js';
import { useAttempt } from '../../shared/use-attempt.js';
import { useData } from '../../shared/use-data.js';
import type { ViewProps } from '../main.js';
import { useMend } from '../mend/use-mend.js';
import type { Answer, Assertions, Documents, Neighbourhood, Rule } from '../types.js';
import { GraphCanvas } from './canvas.js';
import type { ColourBy } from './canvas-style.js';
import { FirstNodes } from './first-nodes.js';
import { Filters } from './filters.js';
import { EVERYTHING, type GraphFilter, MOST_NODES, NOTHING, nameOf, shortestPath, shown, withNeighbourhood, without } from './graph-state.js';
import { NodePage } from './node-page.js';
import { Search } from './search.js';

/** The neighbourhood of nodes: search, expand by a click, filter, follow the shortest path, export. */
export function Look({ place, domains, refresh }: ViewProps) {
  const [state, setState] = useState(NOTHING);
  const [filter, setFilter] = useState<GraphFilter>(EVERYTHING);
  const [colourBy, setColourBy] = useState<ColourBy>('domain');
  const [selected, setSelected] = useState<string>();
  const [rules, setRules] = useState<readonly Rule[]>([]);
  const [assertions, setAssertions] = useState<Assertions['assertions']>([]);
  const [start, setStart] = useState<string>();
  const [path, setPath] = useState<readonly string[]>([]);
  const documents = useData(() => read<Documents>('/v1/documents?limit=1000'), []);
  const labels = useMemo(() => new Map(documents.data?.documents.map(({ source_id: id, label }) => [id, label])), [documents.data]);
  const { error, attempt } = useAttempt();
  const [route, setRoute] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<GraphCanvas>(undefined);
  const expand = useRef<(id: string, depth?: number, removed?: readonly string[]) => Promise<void>>(async () => undefined);

  // `removed`: nodes that an edit took away; then what is known of the node's edges is out of date too.
  expand.current = (id, depth = 1, removed) =>
    attempt(async () => {
      const [found, said] = await Promise.all([
        send<Neighbourhood>('/v1/explore', { node_id: id, depth, ...(depth > 1 ? { limit: MOST_NODES } : {}) }),
        read<Assertions>(`/v1/nodes/${encodeURIComponent(id)}/assertions`),
      ]);
      setState((before) => withNeighbourhood(removed === undefined ? before : without(before, new Set(removed), id), found));
      setAssertions(said.assertions);
      setSelected(id);
      setRules(found.rules ?? []);
    });
  const mend = useMend(({ type, change }) => {
    if (type === 'merge') setStart(undefined);
    if (selected !== undefined) void expand.current(selected, 1, type === 'merge' ? [String(change.from_id)] : []);
    refresh();
  });
  const visible = useMemo(() => shown(state, filter), [state, filter]);

  useEffect(() => {
    const drawn = new GraphCanvas(frame.current!, (id) => void expand.current(id));
    canvas.current = drawn;
    const recolour = (): void => drawn.recolour();
    document.addEventListener('themechange', recolour);
    return () => {
      document.removeEventListener('themechange', recolour);
      drawn.close();
    };
  }, []);
  useEffect(() => {
    if (place !== '') void expand.current(place);
  }, [place]);
  useEffect(() => {
    const drawn = canvas.current;
    if (drawn === undefined) return;
    drawn.show(visible.nodes, visible.edges, selected);
    drawn.mark(selected, path);
  }, [visible, selected, path]);

  const connect = (): void => {
    if (start === undefined || selected === undefined) return;
    const found = shortestPath(visible.edges, start, selected);
    setPath(found ?? []);
    setRoute(found === undefined ? 'No path within what is shown; expand the nodes between them.' : `Shortest path: ${found.map((id) => nameOf(state, id)).join(' – ')}`);
  };
  const savePng = async (): Promise<void> => {
    if (canvas.current !== undefined) download('graph.png', await canvas.current.png(), 'image/png');
  };
  const full = state.leftOut > 0 ? `; ${state.leftOut} more found no room among ${MOST_NODES}` : '';
  const note = `${visible.nodes.length} nodes and ${visible.edges.length} edges shown${full}`;
  const node = selected === undefined ? undefined : state.nodes.get(selected);
  return (
    <>
      <Search domains={domains} find={(question) => send<Answer>('/v1/query', { ...question, top_k: 10 })} onChoose={(id) => void expand.current(id)} />
      <Problem text={error} />
      <div class="look">
        <Filters
          state={state}
          filter={filter}
          onChange={setFilter}
          labels={labels}
          colourBy={colourBy}
          onColourBy={(by) => {
            setColourBy(by);
            canvas.current?.recolour(by);
          }}
        />
        <section class="graph">
          <div class="actions">
            <button type="button" onClick={() => canvas.current?.arrange()}>
              Arrange
            </button>
            <button type="button" onClick={() => canvas.current?.fit()}>
              Fit
            </button>
            <button type="button" disabled={selected === undefined} onClick={() => void expand.current(selected!, 3)}>
              Expand three steps
            </button>
            <button type="button" onClick={() => void savePng()}>
              PNG
            </button>
            <button type="button" onClick={() => download('graph.json', JSON.stringify(visible, null, 2), 'application/json')}>
              JSON
            </button>
            <button
              type="button"
              onClick={() => {
                setState(NOTHING);
                setSelected(undefined);
                setPath([]);
                setRoute('');
              }}
            >
              Clear
            </button>
          </div>
          <div class="stage">
            <div class="canvas" ref={frame} role="img" aria-label={`Graph: ${note}. The node's page lists the same edges as links.`} />
            {state.nodes.size === 0 && place === '' && <FirstNodes onChoose={(id) => void expand.current(id)} />}
          </div>
          <p class="state" role="status" aria-live="polite">
            {note}
          </p>
          <p class="route" role="status" aria-live="polite">
            {route}
          </p>
        </section>
        {node === undefined ? (
          <p class="empty">A click on a node shows its page, with its sources, evidence and rules, and adds its neighbours. There it can be corrected, too.</p>
        ) : (
          <NodePage
            node={node}
            state={state}
            rules={rules}
            assertions={assertions}
            mend={mend}
            start={start === undefined ? undefined : nameOf(state, start)}
            onStart={() => setStart(node.id)}
            onConnect={connect}
            onMerge={() => void mend.make({ type: 'merge', domain: node.domain, from_id: start!, into_id: node.id })}
            onOpen={(id) => void expand.current(id)}
          />
        )}
      </div>
    </>
  );
}
