import cytoscape, { type Core, type ElementDefinition, type NodeSingular } from 'cytoscape';
import type { GraphEdge, GraphNode } from '../types.js';
import { type ColourBy, canvasStyle, shapeOf, themeColour } from './canvas-style.js';
import { edgeKey, kindOf } from './graph-state.js';
import { clustered, freePlaces } from './layout.js';

/** Up to so many nodes every label is drawn and every edge has its arrow. */
const SMALL = 150;
/** Up to so many nodes forces arrange them. */
const BY_FORCES = 300;
/** Of a larger graph the nodes with the most edges are named, and what is near the person: the selected node's neighbours, or all in view. */
const NAMED_HUBS = 30;
const LEAST_OF_HUB = 8;
/** So many new nodes arrange a small graph anew, from where its nodes are. */
const MANY = 4;
const NAMED_NEAR = 120;
const NEAR_ZOOM = 0.9;

/** Draws the graph. Positions stay when a few nodes come or go. */
export class GraphCanvas {
  private readonly cy: Core;
  private colourBy: ColourBy = 'domain';
  private selected: string | undefined;
  private naming: ReturnType<typeof setTimeout> | undefined;

  constructor(container: HTMLElement, onSelect: (id: string) => void) {
    // The library warns of any wheel sensitivity but its own; this one is meant.
    cytoscape.warnings(false);
    this.cy = cytoscape({
      container,
      style: canvasStyle(this.colourBy),
      minZoom: 0.05,
      maxZoom: 4,
      wheelSensitivity: 0.3,
      hideEdgesOnViewport: true,
      textureOnViewport: true,
      pixelRatio: 1,
    });
    this.cy.on('tap', 'node', (event) => onSelect(event.target.id() as string));
    this.cy.on('viewport', () => {
      clearTimeout(this.naming);
      this.naming = setTimeout(() => this.name(), 200);
    });
    // Tests and scripts of people read the canvas by this handle.
    (container as HTMLElement & { graph?: Core }).graph = this.cy;
  }

  /** Shows these nodes and edges; new nodes find room around the one they came from, many at once arrange the whole. */
  show(nodes: readonly GraphNode[], edges: readonly GraphEdge[], around: string | undefined): void {
    const { cy } = this;
    const wanted = new Set([...nodes.map(({ id }) => id), ...edges.map(edgeKey)]);
    const before = cy.nodes().length;
    let fresh: readonly GraphNode[] = [];
    cy.batch(() => {
      const removed = cy.elements().filter((element) => !wanted.has(element.id()));
      if (removed.nonempty()) removed.remove();
      for (const node of nodes) {
        const there = cy.getElementById(node.id);
        // A concept may have another name now.
        if (there.nonempty() && there.data('label') !== labelOf(node)) there.data('label', labelOf(node));
      }
      fresh = nodes.filter(({ id }) => cy.getElementById(id).empty());
      const places = this.placesOf(fresh, edges, around);
      const elements: ElementDefinition[] = fresh.map((node, index) => ({
        group: 'nodes',
        data: { id: node.id, label: labelOf(node), domain: node.domain, kind: kindOf(node), shape: shapeOf(kindOf(node)) },
        position: { ...places[index]! },
      }));
      for (const edge of edges) {
        const id = edgeKey(edge);
        const there = cy.getElementById(id);
        if (there.nonempty()) {
          const width = 1 + 2 * edge.confidence;
          if (there.data('width') !== width) there.data('width', width);
          continue;
        }
        elements.push({ group: 'edges', data: { id, source: edge.source_id, target: edge.target_id, label: edge.relation_type, width: 1 + 2 * edge.confidence } });
      }
      if (elements.length > 0) cy.add(elements);
    });
    const few = cy.nodes().length <= BY_FORCES;
    if (fresh.length > 0 && few && (before === 0 || fresh.length >= MANY)) this.arrange();
    else if (fresh.length > before) this.fit();
  }

  /** Arranges all nodes: by forces where they are few, else as clusters around the nodes with the most edges. */
  arrange(): void {
    const nodes = this.cy.nodes();
    if (nodes.length <= BY_FORCES) {
      this.cy
        .layout({ name: 'cose', animate: false, nodeDimensionsIncludeLabels: true, nodeRepulsion: () => 90_000, idealEdgeLength: () => 90, componentSpacing: 60 })
        .run();
    } else {
      const places = clustered(new Map(nodes.map((node) => [node.id(), node.neighborhood('node').map((other) => other.id())])));
      this.cy.batch(() => {
        for (const node of nodes) node.position({ ...places.get(node.id())! });
      });
    }
    this.fit();
  }

  fit(): void {
    this.cy.fit(undefined, 30);
    // A node of a small graph need not fill the canvas.
    if (this.cy.zoom() > 1.6) {
      this.cy.zoom(1.6);
      this.cy.center();
    }
  }

  /** Marks a node, and a path of nodes. */
  mark(selected: string | undefined, path: readonly string[]): void {
    this.selected = selected;
    const on = new Set(path);
    this.cy.batch(() => {
      this.cy.elements('.selected, .path').removeClass('selected path');
      if (selected !== undefined) this.cy.getElementById(selected).addClass('selected');
      for (const id of path) this.cy.getElementById(id).addClass('path');
      if (on.size === 0) return;
      this.cy
        .edges()
        .filter((edge) => on.has(edge.source().id()) && on.has(edge.target().id()))
        .addClass('path');
    });
    this.name();
  }

  /** Colours anew: by something else, or because the theme changed. */
  recolour(by: ColourBy = this.colourBy): void {
    this.colourBy = by;
    this.cy.style(canvasStyle(by));
  }

  async png(): Promise<Blob> {
    return this.cy.png({ output: 'blob-promise', full: true, scale: 2, maxWidth: 6000, maxHeight: 6000, bg: themeColour('--ground') });
  }

  close(): void {
    clearTimeout(this.naming);
    this.cy.destroy();
  }

  /** Places of new nodes: clusters where most of a large graph is new, else free places around a node. */
  private placesOf(fresh: readonly GraphNode[], edges: readonly GraphEdge[], around: string | undefined) {
    const { cy } = this;
    const old = cy.nodes();
    if (fresh.length > old.length && fresh.length > BY_FORCES) {
      const neighbours = new Map<string, string[]>([...old.map((node) => node.id()), ...fresh.map(({ id }) => id)].map((id) => [id, []]));
      for (const { source_id: from, target_id: to } of edges) {
        neighbours.get(from)?.push(to);
        neighbours.get(to)?.push(from);
      }
      const places = clustered(neighbours);
      for (const node of old) node.position({ ...places.get(node.id())! });
      return fresh.map(({ id }) => places.get(id)!);
    }
    const centre = around === undefined ? undefined : cy.getElementById(around);
    const at = centre === undefined || centre.empty() ? { x: 0, y: 0 } : centre.position();
    return freePlaces(at, fresh.length, old.map((node) => node.position()));
  }

  /** Chooses what shows its label and its arrow: all of a small graph, of a large one what matters or is near. */
  private name(): void {
    const { cy } = this;
    const nodes = cy.nodes();
    const mostConnected = nodes.length <= SMALL ? cy.collection() : this.mostConnected();
    const chosen = nodes.length <= SMALL ? cy.elements() : mostConnected.union(this.near()).union(cy.elements('.path'));
    cy.batch(() => {
      cy.nodes('.most-connected').difference(mostConnected).removeClass('most-connected');
      mostConnected.not('.most-connected').addClass('most-connected');
      const former = cy.elements('.named').difference(chosen);
      if (former.nonempty()) former.removeClass('named arrow');
      const added = chosen.filter((element) => !element.hasClass('named'));
      if (added.nonempty()) added.addClass('named');
      const lines = added.filter('edge');
      if (lines.nonempty()) lines.addClass('arrow');
    });
  }

  private mostConnected() {
    const degree = (node: NodeSingular): number => node.degree(false);
    const many = this.cy.nodes().filter((node) => degree(node) >= LEAST_OF_HUB);
    return many.sort((a, b) => degree(b as NodeSingular) - degree(a as NodeSingular)).slice(0, NAMED_HUBS);
  }

  private near() {
    const { cy } = this;
    const around = this.selected === undefined ? cy.collection() : cy.getElementById(this.selected).closedNeighborhood();
    const named = around.length <= NAMED_NEAR ? around : cy.collection();
    if (cy.zoom() < NEAR_ZOOM) return named;
    const view = cy.extent();
    const seen = cy.nodes().filter((node) => {
      const { x, y } = node.position();
      return x >= view.x1 && x <= view.x2 && y >= view.y1 && y <= view.y2;
    });
    return named.union(seen.slice(0, NAMED_NEAR));
  }
}

/** What stands under a node; a message, which has no name, by its first words. */
function labelOf({ name, description }: GraphNode): string {
  // Passages are named by their headings, `Handbook > Parts > Beacon`: the last says which one.
  const last = (name || description).split(' > ').at(-1)!;
  return last.length > 40 ? `${last.slice(0, 38)}…` : last;
}
