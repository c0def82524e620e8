// Measures the app against the real binary: Lighthouse, and the main thread's processor time while loading, scrolling and
// playing, times four for a slow phone. Processor time does not include waiting, so other programs hardly change it. The
// table also lists missed budgets.
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Server } from '../../e2e/support/server.ts';
import { measureLighthouse } from './lighthouse.ts';
import { measureLoading } from './loading.ts';
import { measurePlaying } from './playing.ts';
import type { Row } from './row.ts';
import { measureScrolling } from './scrolling.ts';

const project = join(import.meta.dirname, '../..');
const chromium = execFileSync(join(project, 'scripts/setup.sh'), ['--chromium'], {
  encoding: 'utf8',
}).trim();

const parts: Record<string, (server: Server) => Promise<Row[]>> = {
  lighthouse: ({ origin }) => measureLighthouse(chromium, `${origin}/m/home`),
  loading: ({ origin }) => measureLoading(chromium, origin),
  scrolling: ({ origin }) => measureScrolling(chromium, origin),
  playing: (server) => measurePlaying(chromium, server),
};
// All parts, or those named on the command line.
const selected = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts);

const server = await Server.start();
try {
  const rows: Row[] = [];
  for (const part of selected) rows.push(...((await parts[part]?.(server)) ?? []));
  const table = [
    '| what | measured | budget | held |',
    '|---|---|---|---|',
    ...rows.map(tableRow),
    '',
  ].join('\n');
  await mkdir(join(project, 'bench/results'), { recursive: true });
  await writeFile(join(project, 'bench/results/web.md'), table);
  process.stdout.write(table);
} finally {
  await server.stop();
}

function tableRow({ what, measured, budget, held }: Row): string {
  const verdict = held === null ? '' : held ? 'yes' : '**no**';
  return `| ${what} | ${measured} | ${budget} | ${verdict} |`;
}
