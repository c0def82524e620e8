import { useEffect, useRef } from 'react';
import UPlot from 'uplot';

import type { ChartColor, ChartProps } from './Chart.tsx';
import { drawZeroLine, xRange } from './scale.ts';

import 'uplot/dist/uPlot.min.css';

const tokens: Record<ChartColor, string> = {
  accent: '--accent-tx',
  ok: '--ok',
  bad: '--bad',
  brand: '--brand-tx',
  info: '--info',
};

type ChartViewProps = ChartProps & { kind: 'line' | 'bar'; height: number };

export default function ChartView(props: ChartViewProps) {
  const container = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = container.current;
    if (!element) return;
    let plot = draw(element, props);
    const redraw = () => {
      plot.destroy();
      plot = draw(element, props);
    };
    const resizing = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: props.height }),
    );
    resizing.observe(element);
    const theming = new MutationObserver(redraw);
    theming.observe(document.documentElement, { attributeFilter: ['data-theme', 'dir'] });
    return () => {
      resizing.disconnect();
      theming.disconnect();
      plot.destroy();
    };
  }, [props]);

  return <div ref={container} dir="ltr" />;
}

function draw(element: HTMLElement, props: ChartViewProps): UPlot {
  const { kind, times, series, height, formatValue, formatTime } = props;
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const axis: UPlot.Axis = {
    stroke: token('--tx-3'),
    font: `11px ${token('--font')}`,
    ticks: { show: false },
    grid: { stroke: token('--line'), width: 1, dash: [4, 4] },
  };
  const bars = UPlot.paths.bars?.({ size: [0.6, 24], radius: 0.2 });
  const [start, end] = xRange(kind, times);
  const rtl = document.documentElement.dir === 'rtl';
  return new UPlot(
    {
      width: element.clientWidth || 320,
      height,
      ms: 1,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { dir: rtl ? -1 : 1, range: [start, end] },
        y: { range: (_, min, max) => [Math.min(0, min), Math.max(0, max) || 1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          values: (_, splits) => splits.map((at) => (isInside(at, times) ? formatTime(at) : '')),
        },
        {
          ...axis,
          // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- uPlot exports the sides as types only
          side: rtl ? 1 : 3,
          size: 52,
          values: (_, splits) => splits.map((value) => formatValue(value)),
        },
      ],
      hooks: { drawAxes: [(plot) => drawZeroLine(plot, token('--line-strong'))] },
      series: [
        {},
        ...series.map(({ label, color }): UPlot.Series => ({
          label,
          stroke: token(tokens[color]),
          width: 2,
          points: { show: times.length <= 14 },
          ...(kind === 'bar' &&
            bars && {
              fill: token(tokens[color]),
              points: { show: false },
              paths: bars,
            }),
        })),
      ],
    },
    [[...times], ...series.map(({ values }) => [...values])],
    element,
  );
}

/** Reports whether a time is between the first and the last value. */
const isInside = (at: number, times: readonly number[]): boolean =>
  at >= (times[0] ?? at) && at <= (times.at(-1) ?? at);
