/** Small helpers to write SVG as text. Nothing here knows what is drawn. */

/** The size every game tile is composed in. */
export const TILE = { width: 360, height: 480 } as const;

/** One decimal is finer than a device pixel and keeps the text short. */
export const n = (value: number): string => String(Math.round(value * 10) / 10);

/** Opacities need a finer step than places. */
export const alpha = (value: number): string => value.toFixed(2);

export type Point = readonly [x: number, y: number];

export const polar = (cx: number, cy: number, radius: number, degrees: number): Point => {
  const angle = (degrees * Math.PI) / 180;
  return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)];
};

export const polygon = (points: readonly Point[]): string =>
  `M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}Z`;

export interface Placement {
  x: number;
  y: number;
  turn?: number;
  scale?: number;
  scaleY?: number;
}

/** Moves a drawing from the origin to a position. */
export function place(inner: string, { x, y, turn = 0, scale = 1, scaleY }: Placement): string {
  const grown =
    scale === 1 && scaleY === undefined
      ? ''
      : ` scale(${scale.toFixed(3)} ${(scaleY ?? scale).toFixed(3)})`;
  const turned = turn === 0 ? '' : ` rotate(${n(turn)})`;
  return `<g transform="translate(${n(x)} ${n(y)})${turned}${grown}">${inner}</g>`;
}

export const times = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

type Stop = readonly [offset: number, colour: string, opacity?: number];

const stops = (list: readonly Stop[]): string =>
  list
    .map(
      ([offset, colour, opacity]) =>
        `<stop offset="${offset}" stop-color="${colour}"${opacity === undefined ? '' : ` stop-opacity="${opacity}"`}/>`,
    )
    .join('');

export const linear = (
  id: string,
  from: Point,
  to: Point,
  list: readonly Stop[],
  space = 'objectBoundingBox',
): string =>
  `<linearGradient id="${id}" gradientUnits="${space}" x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}">${stops(list)}</linearGradient>`;

export const radial = (
  id: string,
  centre: Point,
  radius: number,
  list: readonly Stop[],
  space = 'objectBoundingBox',
): string =>
  `<radialGradient id="${id}" gradientUnits="${space}" cx="${centre[0]}" cy="${centre[1]}" r="${radius}">${stops(list)}</radialGradient>`;

export const blur = (id: string, deviation: number): string =>
  `<filter id="${id}" x="-30%" y="-30%" width="160%" height="160%" color-interpolation-filters="sRGB"><feGaussianBlur stdDeviation="${deviation}"/></filter>`;

/** The four-pointed glint that all the art shares with the logo. */
export function glint(x: number, y: number, radius: number, fill = '#fff', opacity = 1): string {
  const r = n(radius);
  const k = n(radius * 0.16);
  return `<path transform="translate(${n(x)} ${n(y)})" d="M0-${r}C${k}-${k} ${k}-${k} ${r} 0C${k} ${k} ${k} ${k} 0 ${r}C-${k} ${k}-${k} ${k}-${r} 0C-${k}-${k}-${k}-${k} 0-${r}Z" fill="${fill}" opacity="${opacity}"/>`;
}

export const svg = (
  width: number,
  height: number,
  inner: string,
  viewBox = `0 0 ${width} ${height}`,
): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${viewBox}">${inner}</svg>`;

/** Emoji widths in pixels. The source files have 256; banners need more. */
const DETAILS = [128, 256, 448];

/**
 * A 3D emoji, centred on a position. Its address is a name and a width; the painter inserts the picture, so compositions stay
 * short and can be hashed. The group is needed because librsvg ignores an image's own transform inside a filter.
 */
export function emoji(code: string, x: number, y: number, size: number, turn = 0): string {
  const half = n(-size / 2);
  const detail = DETAILS.find((width) => width >= size * 1.1) ?? 448;
  const image = `<image href="emoji:${code}@${detail}" x="${half}" y="${half}" width="${n(size)}" height="${n(size)}"/>`;
  return place(image, { x, y, turn });
}
