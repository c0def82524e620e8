/**
 * Builds all art of the app from the demo catalogue: `npm run art`.
 *
 * Every picture is first composed as SVG text, which is quick. Only those whose text (or tools) changed since the last
 * build, and that no earlier build has left on the shelf, are painted, two at a time, because painting is not.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';

import sharp from 'sharp';

import { readGames, readVendors } from './catalogue.ts';
import { pictures } from './pictures.ts';
import { filesOf, paint, type Picture } from './raster.ts';
import { Shelf } from './shelf.ts';

const ROOT = new URL('../public/', import.meta.url);
const STAMP = new URL('../node_modules/.cache/art.json', import.meta.url);
const FOLDERS = ['art/', 'icons/'];
const LANES = 2;

/** What changes every picture at once: the painter itself, the encoder and the emoji, by their pinned versions. */
async function tools(): Promise<string> {
  const painter = await readFile(new URL('raster.ts', import.meta.url), 'utf8');
  const project = JSON.parse(
    await readFile(new URL('../package.json', import.meta.url), 'utf8'),
  ) as {
    devDependencies: Record<string, string>;
  };
  const versions = ['sharp', '@lobehub/fluent-emoji-3d'].map(
    (name) => project.devDependencies[name],
  );
  return [painter, ...versions].join('\n');
}

async function readStamp(): Promise<Record<string, string>> {
  if (!existsSync(STAMP)) return {};
  return JSON.parse(await readFile(STAMP, 'utf8')) as Record<string, string>;
}

/** Two lanes: the encoder works on threads of its own, one for each picture in hand. */
async function paintAll(
  queue: readonly Picture[],
  painted: (picture: Picture) => Promise<void>,
): Promise<void> {
  sharp.concurrency(1);
  const waiting = [...queue];
  const lane = async (): Promise<void> => {
    for (let picture = waiting.pop(); picture; picture = waiting.pop()) {
      await paint(ROOT, picture);
      await painted(picture);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Files that no picture makes any more. */
function strays(wanted: ReadonlySet<string>): string[] {
  return FOLDERS.flatMap((folder) => {
    const at = new URL(folder, ROOT);
    if (!existsSync(at)) return [];
    return readdirSync(at, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        `${entry.parentPath}/${entry.name}`.slice(ROOT.pathname.length).replaceAll('//', '/'),
      )
      .filter((file) => !wanted.has(file));
  });
}

const started = performance.now();
const all = pictures(readGames(), readVendors());
const base = await tools();
const digests = new Map(
  all.flatMap((picture) => {
    const drawing = createHash('sha256').update(base).update(JSON.stringify(picture));
    return filesOf(picture).map(
      (file) => [file, drawing.copy().update(file).digest('base64url')] as const,
    );
  }),
);
const stamp = await readStamp();
const isStale = (file: string) =>
  stamp[file] !== digests.get(file) || !existsSync(new URL(file, ROOT));
const stale = all.filter((picture) => filesOf(picture).some(isStale));
const kept = Object.fromEntries([...digests].filter(([file, digest]) => stamp[file] === digest));

await mkdir(new URL('.', STAMP), { recursive: true });
const shelf = new Shelf();
const missing: Picture[] = [];
const digestOf = (file: string) => digests.get(file) ?? '';
for (const picture of stale) {
  let whole = true;
  for (const file of filesOf(picture)) {
    const there = await shelf.take(digestOf(file), new URL(file, ROOT).pathname);
    if (there) kept[file] = digestOf(file);
    whole &&= there;
  }
  if (!whole) missing.push(picture);
}
const count = missing.length;
try {
  await paintAll(missing, async (picture) => {
    for (const file of filesOf(picture)) {
      kept[file] = digestOf(file);
      await shelf.keep(digestOf(file), new URL(file, ROOT).pathname);
    }
  });
} finally {
  // What was painted before a failure need not be painted again.
  await writeFile(STAMP, JSON.stringify(kept));
}
for (const file of strays(new Set(digests.keys()))) await rm(new URL(file, ROOT));
await shelf.tidy();

const bytes = all
  .flatMap(filesOf)
  .reduce((sum, file) => sum + statSync(new URL(file, ROOT)).size, 0);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(
  `art: ${all.length} pictures, ${(bytes / 1e6).toFixed(1)} MB; painted ${count} in ${seconds} s`,
);
