import { useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react';

import { cx } from '../../../lib/cx.ts';
import { Skeleton } from '../../Skeleton.tsx';

import styles from './Chart.module.css';

export type ChartColor = 'accent' | 'ok' | 'bad' | 'brand' | 'info';

type ChartSeries = {
  label: string;
  color: ChartColor;
  /** One value for each time, or null. */
  values: readonly (number | null)[];
};

export type ChartProps = {
  label: string;
  /** Unix milliseconds, ascending. */
  times: readonly number[];
  series: readonly ChartSeries[];
  formatValue: (value: number) => string;
  formatTime: (at: number) => string;
  /** Formats a value for the table. */
  formatCell?: ((value: number) => ReactNode) | undefined;
  height?: number;
};

type PlotProps = ChartProps & { kind: 'line' | 'bar'; height: number; onFailure: () => void };

// uPlot throws while it loads when the browser reports an invalid language tag, such as `en-US@posix`.
const Plot = lazy<ComponentType<PlotProps>>(() =>
  import('./ChartView.tsx').catch(() => ({ default: FailedPlot })),
);

function FailedPlot({ onFailure }: PlotProps): null {
  useEffect(onFailure, [onFailure]);
  return null;
}

export const LineChart = (props: ChartProps) => <Chart {...props} kind="line" />;

export const BarChart = (props: ChartProps) => <Chart {...props} kind="bar" />;

function Chart(props: ChartProps & { kind: 'line' | 'bar' }) {
  const { height = 180 } = props;
  const [failed, setFailed] = useState(false);
  if (failed) return <ChartFigure {...props} plot={null} />;
  return (
    <ChartFigure
      {...props}
      plot={
        <div aria-hidden="true" style={{ minBlockSize: height }}>
          <Suspense fallback={<Skeleton shape="box" height={height} />}>
            <Plot {...props} height={height} onFailure={() => setFailed(true)} />
          </Suspense>
        </div>
      }
    />
  );
}

type ChartFigureProps = ChartProps & {
  /** Null if it cannot be drawn. Then the table is visible. */
  plot: ReactNode;
};

/** A plot with its legend and its data. */
export function ChartFigure({ plot, ...chart }: ChartFigureProps) {
  return (
    <figure className={styles.chart} aria-label={chart.label}>
      {plot}
      <figcaption className={styles.legend} aria-hidden="true">
        {chart.series.map((line) => (
          <span key={line.label} data-color={line.color}>
            {line.label}
          </span>
        ))}
      </figcaption>
      <Table {...chart} visible={plot === null} />
    </figure>
  );
}

type TableProps = ChartProps & {
  /** False leaves the table to screen readers. */
  visible: boolean;
};

function Table(props: TableProps) {
  const { label, times, series, formatTime, formatValue, formatCell, visible } = props;
  const { t } = useLingui();
  const cell = formatCell ?? formatValue;
  return (
    <table className={cx(styles.table, !visible && styles.visuallyHidden)}>
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">{t`Time`}</th>
          {series.map((line) => (
            <th key={line.label} scope="col">
              {line.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times.map((at, row) => (
          <tr key={at}>
            <th scope="row">{formatTime(at)}</th>
            {series.map((line) => {
              const value = line.values[row];
              return <td key={line.label}>{value == null ? '' : cell(value)}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
