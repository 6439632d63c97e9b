import type { NodeSingular, StylesheetJson } from 'cytoscape';

/** Colours that differ for people who do not tell red from green (Okabe and Ito 2008). */
const PALETTE = ['#56b4e9', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#0072b2', '#f0e442', '#999999'];

/** What the colour of a node tells. */
export type ColourBy = 'domain' | 'kind';

const colours: Readonly<Record<ColourBy, Map<string, string>>> = { domain: new Map(), kind: new Map() };

/** The colour of a domain or kind: the same as long as the page lives. */
export function colourOf(by: ColourBy, name: string): string {
  const known = colours[by].get(name);
  if (known !== undefined) return known;
  const colour = PALETTE[colours[by].size % PALETTE.length]!;
  colours[by].set(name, colour);
  return colour;
}

const SHAPES: Readonly<Record<string, string>> = { passage: 'round-rectangle', concept: 'ellipse', entity: 'diamond' };

export function shapeOf(kind: string): string {
  return SHAPES[kind] ?? 'ellipse';
}

export function themeColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** How the canvas looks. Only what has the class `named` shows its label: labels cost more than all else that is drawn. */
export function canvasStyle(by: ColourBy): StylesheetJson {
  const [ink, rule, accent, ground] = ['--ink', '--faint', '--accent', '--ground'].map(themeColour) as [string, string, string, string];
  return [
    {
      selector: 'node',
      style: { 'background-color': (node: NodeSingular) => colourOf(by, String(node.data(by))), shape: 'data(shape)' as 'ellipse', width: 18, height: 18 },
    },
    {
      selector: 'node.named',
      style: {
        label: 'data(label)',
        color: ink,
        'font-size': 12,
        'min-zoomed-font-size': 6,
        'text-valign': 'bottom',
        'text-wrap': 'wrap',
        'text-max-width': '110px',
        'text-outline-color': ground,
        'text-outline-width': 1,
      },
    },
    {
      selector: 'edge',
      style: { width: 'data(width)' as unknown as number, 'line-color': rule, 'line-opacity': 0.6, 'curve-style': 'haystack' },
    },
    { selector: 'edge.arrow', style: { 'curve-style': 'bezier', 'target-arrow-color': rule, 'target-arrow-shape': 'triangle', 'arrow-scale': 0.7 } },
    {
      selector: 'edge.named',
      style: {
        label: 'data(label)',
        color: rule,
        'font-size': 10,
        'min-zoomed-font-size': 6,
        'text-rotation': 'autorotate',
        'text-outline-color': ground,
        'text-outline-width': 1,
      },
    },
    // Read from afar: what a large graph is about.
    { selector: 'node.most-connected', style: { width: 36, height: 36, 'font-size': 30, 'text-max-width': '320px', 'text-outline-width': 4, 'z-index': 2 } },
    { selector: 'node.selected', style: { width: 24, height: 24, 'border-width': 3, 'border-color': accent } },
    { selector: '.path', style: { 'border-width': 4, 'border-color': accent, 'line-color': accent, 'target-arrow-color': accent, 'line-opacity': 1 } },
  ];
}
