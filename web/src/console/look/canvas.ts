import cytoscape, { type Core, type ElementDefinition, type StylesheetJson } from 'cytoscape';
import type { GraphEdge, GraphNode } from '../types.js';
import { edgeKey, kindOf } from './graph-state.js';

/** Colours that differ for people who do not tell red from green (Okabe and Ito 2008). */
const PALETTE = ['#56b4e9', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#0072b2', '#f0e442', '#999999'];
/** From here on edges are hidden while the canvas moves. */
const LARGE = 500;
const SPACING = 42;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** The colour of a domain: the same as long as the page lives. */
const colours = new Map<string, string>();
export function colourOf(domain: string): string {
  const known = colours.get(domain);
  if (known !== undefined) return known;
  const colour = PALETTE[colours.size % PALETTE.length]!;
  colours.set(domain, colour);
  return colour;
}

const SHAPES: Readonly<Record<string, string>> = { passage: 'round-rectangle', concept: 'ellipse', entity: 'diamond' };

/** Draws the graph. Positions stay when nodes come and go. */
export class GraphCanvas {
  private readonly cy: Core;

  constructor(container: HTMLElement, onSelect: (id: string) => void) {
    this.cy = cytoscape({
      container,
      style: styles(),
      minZoom: 0.05,
      maxZoom: 4,
      wheelSensitivity: 0.3,
      hideEdgesOnViewport: true,
      textureOnViewport: true,
      pixelRatio: 1,
    });
    this.cy.on('tap', 'node', (event) => onSelect(event.target.id() as string));
    // Tests and scripts of people read the canvas by this handle.
    (container as HTMLElement & { graph?: Core }).graph = this.cy;
  }

  /** Shows these nodes and edges; new nodes settle around the one they came from. */
  show(nodes: readonly GraphNode[], edges: readonly GraphEdge[], around: string | undefined): void {
    const { cy } = this;
    const wanted = new Set([...nodes.map(({ id }) => id), ...edges.map(edgeKey)]);
    cy.batch(() => {
      cy.elements()
        .filter((element) => !wanted.has(element.id()))
        .remove();
      for (const node of nodes) {
        const there = cy.getElementById(node.id);
        // A concept may have another name now.
        if (there.nonempty() && there.data('label') !== labelOf(node.name)) there.data('label', labelOf(node.name));
      }
      const fresh = nodes.filter(({ id }) => cy.getElementById(id).empty());
      const centre = around === undefined || cy.getElementById(around).empty() ? { x: 0, y: 0 } : { ...cy.getElementById(around).position() };
      const first = cy.nodes().length === 0 ? 0 : 1;
      const elements: ElementDefinition[] = fresh.map((node, index) => ({
        group: 'nodes',
        data: { id: node.id, label: labelOf(node.name), colour: colourOf(node.domain), shape: SHAPES[kindOf(node)] ?? 'ellipse' },
        position: onSpiral(centre, index + first),
      }));
      for (const edge of edges) {
        const id = edgeKey(edge);
        const there = cy.getElementById(id);
        if (there.nonempty()) {
          there.data('width', 1 + 2 * edge.confidence);
          continue;
        }
        elements.push({ group: 'edges', data: { id, source: edge.source_id, target: edge.target_id, label: edge.relation_type, width: 1 + 2 * edge.confidence } });
      }
      cy.add(elements);
    });
    cy.style(styles(cy.nodes().length > LARGE));
  }

  /** Arranges all nodes: by forces where they are few, else as clusters around the nodes with the most edges. */
  arrange(): void {
    const nodes = this.cy.nodes();
    if (nodes.length <= 300) {
      this.cy.layout({ name: 'cose', animate: false, nodeRepulsion: () => 60_000, idealEdgeLength: () => 70 }).run();
    } else {
      const neighbours = new Map(nodes.map((node) => [node.id(), node.neighborhood('node').map((other) => other.id())]));
      const places = clustered(neighbours);
      this.cy.layout({ name: 'preset', animate: false, positions: (id: unknown) => places.get((id as { id(): string }).id()) ?? { x: 0, y: 0 } }).run();
    }
    this.fit();
  }

  fit(): void {
    this.cy.fit(undefined, 30);
  }

  /** Marks a node, and a path of nodes. */
  mark(selected: string | undefined, path: readonly string[]): void {
    const on = new Set(path);
    this.cy.batch(() => {
      this.cy.elements().removeClass('selected path');
      if (selected !== undefined) this.cy.getElementById(selected).addClass('selected');
      for (const id of path) this.cy.getElementById(id).addClass('path');
      this.cy
        .edges()
        .filter((edge) => on.has(edge.source().id()) && on.has(edge.target().id()))
        .addClass('path');
    });
  }

  recolour(): void {
    this.cy.style(styles(this.cy.nodes().length > LARGE));
  }

  async png(): Promise<Blob> {
    return this.cy.png({ output: 'blob-promise', full: true, scale: 2, maxWidth: 6000, maxHeight: 6000, bg: themeColour('--ground') });
  }

  close(): void {
    this.cy.destroy();
  }
}

/** Places that fill the plane evenly around a centre. */
function onSpiral(centre: { readonly x: number; readonly y: number }, index: number): { x: number; y: number } {
  const radius = SPACING * Math.sqrt(index) * 1.3;
  const angle = index * GOLDEN_ANGLE;
  return { x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) };
}

/** Places of nodes by id: each node with the most edges in the middle of its neighbours, the clusters side by side. */
function clustered(neighbours: ReadonlyMap<string, readonly string[]>): Map<string, { x: number; y: number }> {
  const places = new Map<string, { x: number; y: number }>();
  const hubs = [...neighbours].sort(([, a], [, b]) => b.length - a.length).map(([id]) => id);
  let used = 0;
  let turn = 0;
  for (const hub of hubs) {
    if (places.has(hub)) continue;
    const cluster = [hub, ...(neighbours.get(hub) ?? []).filter((id) => !places.has(id))];
    // Clusters lie on a spiral; each takes the room of its nodes and a margin.
    const room = (Math.sqrt(cluster.length) + 2) ** 2;
    const centre = { ...onSpiral({ x: 0, y: 0 }, 1.4 * (used + room / 2)) };
    const angle = turn * GOLDEN_ANGLE;
    const radius = used === 0 ? 0 : Math.hypot(centre.x, centre.y);
    for (const [index, id] of cluster.entries()) places.set(id, onSpiral({ x: radius * Math.cos(angle), y: radius * Math.sin(angle) }, index));
    used += room;
    turn += 1;
  }
  return places;
}

function labelOf(name: string): string {
  return name.length > 40 ? `${name.slice(0, 38)}…` : name;
}

function themeColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function styles(large = false): StylesheetJson {
  const [ink, rule, accent, ground] = ['--ink', '--faint', '--accent', '--ground'].map(themeColour) as [string, string, string, string];
  return [
    {
      selector: 'node',
      style: {
        label: 'data(label)',
        'background-color': 'data(colour)',
        shape: 'data(shape)' as 'ellipse',
        width: 18,
        height: 18,
        color: ink,
        'font-size': 9,
        'min-zoomed-font-size': large ? 9 : 6,
        'text-valign': 'bottom',
        'text-outline-color': ground,
        'text-outline-width': 1,
      },
    },
    {
      selector: 'edge',
      style: {
        label: 'data(label)',
        width: 'data(width)' as unknown as number,
        'line-color': rule,
        'line-opacity': 0.6,
        'target-arrow-color': rule,
        'target-arrow-shape': 'triangle',
        'arrow-scale': 0.7,
        'curve-style': large ? 'haystack' : 'bezier',
        color: rule,
        'font-size': 7,
        'min-zoomed-font-size': 8,
        'text-rotation': 'autorotate',
      },
    },
    { selector: 'node.selected', style: { 'border-width': 3, 'border-color': accent } },
    { selector: '.path', style: { 'border-width': 4, 'border-color': accent, 'line-color': accent, 'target-arrow-color': accent, 'line-opacity': 1 } },
  ];
}
