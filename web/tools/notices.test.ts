import { expect, test } from 'vitest';

import { packagesOf, writeNotices } from './notices.ts';

test('finds each package once by its files', () => {
  const files = [
    '/a/src/app/main.tsx',
    '/a/node_modules/react/index.js',
    '/a/node_modules/react/jsx-runtime.js',
    '/a/node_modules/@lingui/core/dist/index.mjs',
    '/a/node_modules/b/node_modules/c/index.js',
  ];
  expect(packagesOf(files)).toEqual(['@lingui/core', 'c', 'react']);
});

test('the notices contain the holders and licences of art, fonts and code', () => {
  const text = writeNotices(['react', 'wouter']);
  for (const holder of [
    'Microsoft Corporation',
    'Phosphor Icons',
    'HatScripts',
    'Be Vietnam Pro Project Authors',
    'Noto Project Authors',
    'The Anton Project Authors',
    'The Bungee Project Authors',
    'The Playfair Display Project Authors',
    'Meta Platforms',
  ]) {
    expect(text).toContain(holder);
  }
  expect(text.match(/obtaining a copy\s+of this software/g)).toHaveLength(4);
  expect(text.match(/^SIL OPEN FONT LICENSE Version 1\.1/gm)).toHaveLength(5);
  expect(text).toContain('wouter\nUnlicense');
});
