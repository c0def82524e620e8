/** Turns SVG text into picture files. The only module that reads the emoji and calls the encoder. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

import sharp from 'sharp';

export interface Picture {
  /** Path below web/public. */
  file: string;
  svg: string;
  /** WebP is encoded as well as the budget of bytes allows; absent means a fixed high quality. */
  budget?: number;
}

const resolve = createRequire(import.meta.url).resolve;

const cache = new Map<string, Promise<string>>();

/** An emoji as data that librsvg reads: it knows PNG, not WebP. The copy is short-lived, so it is packed fast. */
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

async function webp(svg: string, budget = Infinity): Promise<Buffer> {
  const { data, info } = await sharp(Buffer.from(svg)).raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const encode = (quality: number): Promise<Buffer> =>
    sharp(data, { raw }).webp({ quality, effort: 4, smartSubsample: true }).toBuffer();
  // Size follows quality closely, so a quick try tells which quality will fit.
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

/** Writes one picture below `root` and tells its size in bytes. */
export async function paint(root: URL, { file, svg, budget }: Picture): Promise<number> {
  const to = new URL(file, root);
  await mkdir(dirname(to.pathname), { recursive: true });
  let bytes: Buffer;
  if (file.endsWith('.svg')) bytes = Buffer.from(svg);
  else {
    const whole = await withEmoji(svg);
    bytes = file.endsWith('.png')
      ? await sharp(Buffer.from(whole))
          .png({ compressionLevel: 9, palette: true, quality: 95 })
          .toBuffer()
      : await webp(whole, budget);
  }
  await writeFile(to, bytes);
  return bytes.length;
}
