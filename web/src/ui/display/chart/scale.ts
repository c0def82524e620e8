import type UPlot from 'uplot';

import { dayMs } from '../../../lib/dates.ts';

/** Returns the range of the time axis. A bar chart has space for half a bar at both ends. */
export function xRange(kind: 'line' | 'bar', times: readonly number[]): [number, number] {
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? first;
  const steps = times.slice(1).map((at, i) => at - (times[i] ?? at));
  const half = Math.min(dayMs, ...steps) / 2;
  return kind === 'bar' || first === last ? [first - half, last + half] : [first, last];
}

/** Draws a solid line at zero over the dashed grid. */
export function drawZeroLine(plot: Pick<UPlot, 'bbox' | 'ctx' | 'valToPos'>, color: string): void {
  const { bbox, ctx } = plot;
  const y = Math.round(plot.valToPos(0, 'y', true));
  ctx.save();
  ctx.beginPath();
  ctx.setLineDash([]);
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio;
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}
