/** Turns SVG text into picture files. Only this module and build.ts need the packages in ./package.json. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

import sharp, { type Sharp } from 'sharp';

import type { Picture } from './picture.ts';

const resolve = createRequire(import.meta.url).resolve;

const cache = new Map<string, Promise<string>>();

/** Returns an emoji as a PNG data URL, because librsvg cannot read WebP. */
async function load(code: string, width: number): Promise<string> {
  const source = await readFile(resolve(`@lobehub/fluent-emoji-3d/assets/${code}.webp`));
  const png = await sharp(source)
    .resize(width, width, { kernel: 'lanczos3' })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}

const ADDRESS = /emoji:([^"@]+)@(\d+)/g;

async function withEmoji(svg: string): Promise<string> {
  const sources = new Map<string, string>();
  for (const [address, code = '', width] of svg.matchAll(ADDRESS)) {
    const loading = cache.get(address) ?? load(code, Number(width));
    cache.set(address, loading);
    sources.set(address, await loading);
  }
  return svg.replaceAll(ADDRESS, (address) => sources.get(address) ?? '');
}

const FINE = 84;
const COARSE = 44;

type Pixels = { data: Buffer; raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 } };

async function pixels(drawn: Sharp, width: number | undefined): Promise<Pixels> {
  if (width) drawn.resize(width);
  const { data, info } = await drawn.raw().toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: info.channels } };
}

async function webp({ data, raw }: Pixels, budget = Infinity): Promise<Buffer> {
  const encode = (quality: number): Promise<Buffer> =>
    sharp(data, { raw }).webp({ quality, effort: 6, smartSubsample: true }).toBuffer();
  // Size follows quality closely: a quick encode at low effort predicts the quality that fits.
  const probe = await sharp(data, { raw }).webp({ quality: FINE, effort: 2 }).toBuffer();
  const fit = Math.floor(FINE * Math.min(1, budget / probe.length) ** 1.2);
  let quality = Math.max(COARSE, fit);
  let bytes = await encode(quality);
  while (bytes.length > budget && quality > COARSE) {
    quality -= 4;
    bytes = await encode(quality);
  }
  return bytes;
}

async function write(root: URL, file: string, bytes: Buffer): Promise<number> {
  const to = new URL(file, root).pathname;
  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, bytes);
  return bytes.length;
}

/** Writes a picture and its small version below `root`. Returns the size of each file in bytes. */
export async function paint(root: URL, picture: Picture): Promise<number[]> {
  const { file, svg, width, budget, small } = picture;
  if (file.endsWith('.svg')) return [await write(root, file, Buffer.from(svg))];
  const drawn = sharp(Buffer.from(await withEmoji(svg)));
  if (file.endsWith('.png')) {
    const png = drawn.png({ compressionLevel: 9, palette: true, quality: 95 });
    return [await write(root, file, await png.toBuffer())];
  }
  const whole = await pixels(drawn, width);
  const sizes = [await write(root, file, await webp(whole, budget))];
  if (small) {
    // Reuse the drawn pixels: drawing takes longer than encoding.
    const fewer = await pixels(sharp(whole.data, { raw: whole.raw }), small.width);
    sizes.push(await write(root, small.file, await webp(fewer, small.budget)));
  }
  return sizes;
}
