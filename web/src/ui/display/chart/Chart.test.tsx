import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderUi } from '../../../lib/testing/render.tsx';
import { BarChart } from './Chart.tsx';
import { drawZeroLine, xRange } from './scale.ts';

// uPlot does this for the language tag en-US@posix.
vi.mock('./ChartView.tsx', () => {
  throw new RangeError('Incorrect locale information provided');
});

test('a chart whose code fails to load shows its legend and its data', async () => {
  const { container } = renderUi(
    <BarChart
      label="Deposits"
      times={[1, 2]}
      series={[{ label: 'Paid', color: 'ok', values: [10, null] }]}
      formatValue={(value) => `${value} ₫`}
      formatTime={(at) => `day ${at}`}
    />,
  );
  const table = screen.getByRole('table', { name: 'Deposits' });
  await vi.waitFor(() => expect(table).not.toHaveClass('visuallyHidden'));
  expect(within(table).getByRole('row', { name: 'day 1 10 ₫' })).toBeVisible();
  expect(container.querySelector('figcaption')).toHaveTextContent('Paid');
  expect(container.querySelector('[style]')).toBeNull();
});

const day = 86_400_000;

test.each([
  ['bar', [0, day, 2 * day], [-day / 2, 2.5 * day]],
  ['bar', [0, 10, 40], [-5, 45]],
  ['bar', [day], [day / 2, 1.5 * day]],
  ['line', [0, day, 2 * day], [0, 2 * day]],
  ['line', [day], [day / 2, 1.5 * day]],
  ['bar', [], [-day / 2, day / 2]],
] as const)('the time axis of a %s chart at %j ranges over %j', (kind, times, range) => {
  expect(xRange(kind, times)).toEqual(range);
});

test('the zero line is solid and as wide as the plot', () => {
  const calls: unknown[][] = [];
  const record =
    (name: string) =>
    (...values: unknown[]): void => {
      calls.push([name, ...values]);
    };
  const ctx = Object.fromEntries(
    ['save', 'beginPath', 'setLineDash', 'moveTo', 'lineTo', 'stroke', 'restore'].map((name) => [
      name,
      record(name),
    ]),
  );
  drawZeroLine(
    {
      bbox: { left: 10, top: 0, width: 200, height: 100 },
      ctx: ctx as unknown as CanvasRenderingContext2D,
      valToPos: () => 79.6,
    },
    'grey',
  );
  expect(calls).toEqual([
    ['save'],
    ['beginPath'],
    ['setLineDash', []],
    ['moveTo', 10, 80],
    ['lineTo', 210, 80],
    ['stroke'],
    ['restore'],
  ]);
});
