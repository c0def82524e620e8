import { globSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { filePrefix, shortClassNames } from './class-names.ts';

const css = '.button { animation: turn 1s } .button.busy { opacity: 1 } @keyframes turn { }';

test('names are numbered within a file, do not depend on the root, and differ between files', () => {
  const shorten = shortClassNames('/a');
  const [button, busy, turn] = ['button', 'busy', 'turn'].map((one) =>
    shorten(one, '/a/x.css', css),
  );
  expect(new Set([button, busy, turn]).size).toBe(3);
  expect(button).toMatch(/^_\w{3}0$/);
  expect(shortClassNames('/b')('button', '/b/x.css', css)).toBe(button);
  expect(shorten('button', '/a/y.css', css)).not.toBe(button);
});

test('no two style sheets have the same prefix', () => {
  const files = globSync('{src,lottery,console}/**/*.module.css', {
    cwd: join(import.meta.dirname, '..'),
  });
  expect(files.length).toBeGreaterThan(20);
  expect(new Set(files.map(filePrefix)).size).toBe(files.length);
});
