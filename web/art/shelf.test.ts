import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { Shelf } from './shelf.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shelf-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a picture that was kept is had again by its digest, in another place', async () => {
  const shelf = new Shelf(folder);
  const painted = join(folder, 'painted.webp');
  await writeFile(painted, 'picture');
  expect(await shelf.take('digest', join(folder, 'a/b.webp'))).toBe(false);
  await shelf.keep('digest', painted);
  expect(await shelf.take('digest', join(folder, 'a/b.webp'))).toBe(true);
  expect(await readFile(join(folder, 'a/b.webp'), 'utf8')).toBe('picture');
});

test('what no build has used for a month is forgotten', async () => {
  const shelf = new Shelf(folder);
  const painted = join(folder, 'painted.webp');
  await writeFile(painted, 'picture');
  await shelf.keep('digest', painted);
  await shelf.tidy(Date.now() + 29 * 24 * 3_600_000);
  expect(await shelf.take('digest', join(folder, 'still.webp'))).toBe(true);
  await shelf.tidy(Date.now() + 31 * 24 * 3_600_000);
  expect(await shelf.take('digest', join(folder, 'gone.webp'))).toBe(false);
});

test('where nothing can be kept, nothing is, and nothing fails', async () => {
  const file = join(folder, 'file');
  await writeFile(file, 'picture');
  const shelf = new Shelf(file); // no folder can be made inside a file
  await shelf.keep('digest', file);
  await shelf.tidy();
  expect(await shelf.take('digest', join(folder, 'a.webp'))).toBe(false);
});
