/** Gaming chips, lying flat towards the viewer or stacked. */
import { n, place, times, type Placement } from '../svg.ts';

export const CHIP_COLOURS = [
  '#e02446',
  '#2a66ee',
  '#14a06a',
  '#7a3ae0',
  '#f0950c',
  '#1c2140',
] as const;

export const chip = (colour: string, at: Placement): string =>
  place(
    `<circle cy="9" r="42" fill="#000" opacity=".32" filter="url(#near)"/><circle r="42" fill="${colour}"/><circle r="36.5" fill="none" stroke="#fff" stroke-width="11" stroke-dasharray="14.3 24"/><circle r="29" fill="${colour}" stroke="#fff" stroke-opacity=".75" stroke-width="3"/><circle r="22" fill="none" stroke="#fff" stroke-opacity=".4" stroke-width="1.6" stroke-dasharray="3 4"/><path d="M0-14C2-3 3-2 14 0C3 2 2 3 0 14C-2 3-3 2-14 0C-3-2-2-3 0-14Z" fill="#fff" opacity=".92"/><circle r="42" fill="url(#ball)" opacity=".55"/>`,
    at,
  );

/** A stack seen from above the table's edge. */
export function stack(colours: readonly string[], x: number, y: number, scale = 1): string {
  const discs = colours
    .map((colour, i) => {
      const lift = -i * 13;
      const marks = times(5, (k) => {
        const at = -40 + k * 20;
        return `<rect x="${n(at - 5)}" y="${n(lift + Math.sqrt(1 - (at / 46) ** 2) * 19)}" width="10" height="11" fill="#fff"/>`;
      });
      return `<path d="M-46 ${lift}A46 19 0 0 0 46 ${lift}V${lift + 11}A46 19 0 0 1-46 ${lift + 11}Z" fill="${colour}"/>${marks}<path d="M-46 ${lift}A46 19 0 0 0 46 ${lift}V${lift + 11}A46 19 0 0 1-46 ${lift + 11}Z" fill="url(#barrel)"/><ellipse cy="${lift}" rx="46" ry="19" fill="${colour}"/>`;
    })
    .join('');
  const top = -(colours.length - 1) * 13;
  const cap = `<ellipse cy="${top}" rx="40" ry="16" fill="none" stroke="#fff" stroke-width="7" stroke-dasharray="12 15"/><ellipse cy="${top}" rx="29" ry="11.5" fill="none" stroke="#fff" stroke-opacity=".7" stroke-width="2"/><ellipse cy="${top}" rx="46" ry="19" fill="url(#sheen)" opacity=".8"/>`;
  return place(
    `<ellipse cy="16" rx="54" ry="22" fill="#000" opacity=".35" filter="url(#near)"/>${discs}${cap}`,
    { x, y, scale },
  );
}
