/**
 * Paints the committed art from the demo catalogue: `make art`. Every picture is composed as SVG text, which is fast. Only pictures
 * whose digest changed are painted, because painting all of them takes minutes.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';

import sharp from 'sharp';

import { readGames, readVendors } from './catalogue.ts';
import { committedDigests, digestsOf } from './digests.ts';
import { filesOf, type Picture } from './picture.ts';
import { pictures } from './pictures.ts';
import { paint } from './raster.ts';

const ROOT = new URL('../public/', import.meta.url);
const DIGESTS = new URL('digests.json', import.meta.url);
const FOLDERS = ['art/', 'icons/'];
const WORKERS = 2;

async function paintAll(queue: readonly Picture[]): Promise<void> {
  sharp.concurrency(1); // the workers already use all cores
  const waiting = [...queue];
  let painted = 0;
  const work = async (): Promise<void> => {
    for (let picture = waiting.pop(); picture; picture = waiting.pop()) {
      await paint(ROOT, picture);
      painted += 1;
      if (painted % 50 === 0) console.log(`art: painted ${painted} of ${queue.length}`);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
}

function filesWithoutPicture(wanted: ReadonlySet<string>): string[] {
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
const digests = digestsOf(all);
const committed = existsSync(DIGESTS) ? committedDigests() : {};
const isStale = (file: string): boolean =>
  committed[file] !== digests[file] || !existsSync(new URL(file, ROOT));
const stale = all.filter((picture) => filesOf(picture).some(isStale));

await paintAll(stale);
for (const file of filesWithoutPicture(new Set(Object.keys(digests)))) {
  await rm(new URL(file, ROOT));
}
await writeFile(DIGESTS, `${JSON.stringify(digests, null, 2)}\n`);

const bytes = all
  .flatMap(filesOf)
  .reduce((sum, file) => sum + statSync(new URL(file, ROOT)).size, 0);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(
  `art: ${all.length} pictures, ${(bytes / 1e6).toFixed(1)} MB; painted ${stale.length} in ${seconds} s`,
);
