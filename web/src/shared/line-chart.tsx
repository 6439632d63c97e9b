import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface Line {
  readonly name: string;
  readonly values: ReadonlyArray<number | null>;
  readonly dashed?: boolean;
}

export interface LineChartProps {
  readonly label: string;
  /** Milliseconds. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  /** A shaded range around the first line. */
  readonly band?: { readonly lower: readonly number[]; readonly upper: readonly number[] } | undefined;
  readonly shown: (value: number) => string;
}

const COLOURS = ['#4f9cf5', '#f2a65a', '#5fc48f', '#e0707c', '#b58cf0', '#6fd0d8', '#d8c25a', '#f08cc0', '#9aa7b5', '#8fd45a'];
const HEIGHT = 240;

/** Lines over time in UTC, drawn anew when data, width or theme change. The table of the same data stands beside it. */
export function LineChart(props: LineChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const { label, times, lines, band, shown } = props;
  useEffect(() => {
    const element = host.current;
    if (element === null || times.length === 0) return undefined;
    let plot: uPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      plot = new uPlot(optionsOf(props, element), dataOf(props), element);
    };
    draw();
    const resized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    document.addEventListener('themechange', draw);
    return () => {
      resized.disconnect();
      document.removeEventListener('themechange', draw);
      plot?.destroy();
    };
  }, [times, lines, band, shown]);
  if (times.length === 0) return <p class="empty">Nothing recorded.</p>;
  return <div ref={host} class="chart" role="img" aria-label={label} />;
}

function dataOf({ times, lines, band }: LineChartProps): uPlot.AlignedData {
  const rows: unknown[] = [times.map((ms) => ms / 1000), ...lines.map(({ values }) => values)];
  if (band !== undefined) rows.push(band.upper, band.lower);
  return rows as uPlot.AlignedData;
}

function optionsOf({ lines, band, shown, times }: LineChartProps, element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue('--ink').trim();
  const rule = style.getPropertyValue('--rule').trim();
  const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1 } };
  const single = times.length === 1;
  const value = (_plot: uPlot, raw: number | null) => (raw === null || raw === undefined ? '–' : shown(raw));
  return {
    width: element.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: single ? { x: { range: () => [times[0]! / 1000 - 86_400, times[0]! / 1000 + 86_400] } } : {},
    axes: [axis, { ...axis, size: 70, values: (_plot, ticks) => ticks.map((tick) => shown(tick)) }],
    series: [
      { label: 'Time (UTC)' },
      ...lines.map(({ name, dashed }, index) => ({
        label: name,
        stroke: COLOURS[index % COLOURS.length]!,
        width: 2,
        ...(dashed === true ? { dash: [6, 4] } : {}),
        points: { show: single || times.length < 60 },
        spanGaps: true,
        value,
      })),
      ...(band === undefined
        ? []
        : [
            { label: 'upper', stroke: 'transparent', points: { show: false }, value },
            { label: 'lower', stroke: 'transparent', points: { show: false }, value },
          ]),
    ],
    bands: band === undefined ? [] : [{ series: [lines.length + 1, lines.length + 2], fill: '#4f9cf533' }],
  };
}
